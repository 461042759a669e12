"""Moves that are said in a sentence: which face-down card to turn, which two cards to swap, on what a card is put."""

import re
from itertools import pairwise
from typing import Final

from engine.errors import BadMove
from engine.moves import pick
from engine.view import View
from engine.wording.refusals import arranging_sentence
from server.language.parsing import FILLERS, RANK_WORDS, SWAPS, VERBS, in_words_of_moves

_CARD: Final = r"(?:10|[2-9tjqka])[cdhs]?"
_ENDS: Final = {
    **dict.fromkeys(("left", "leftmost", "first", "1st"), 0),
    **dict.fromkeys(("any", "anything", "random", "whatever", "whichever", "surprise"), 0),
    **dict.fromkeys(("right", "rightmost", "last"), -1),
}
"""What players call the face-down cards at the ends of what is left of the row; any may as well be the first."""
_NAMES: Final = ("1 one", "2 two second 2nd middle center centre", "3 three third 3rd", "4 four fourth 4th")
_SLOTS: Final = {name: slot for slot, names in enumerate(_NAMES) for name in names.split()}
"""What they call the slots of the whole row."""
_PLACE: Final = "|".join((*_ENDS, *_SLOTS))
_ONE: Final = "(?:(?:face-?down )?(?:card|one|slot)|face-?down)"
_FLIP: Final = re.compile(
    rf"(?P<turn>(?:flip|reveal|uncover)(?: it)?|(?:flip|reveal|uncover|turn|open)(?: over)?(?: an?)? {_ONE}(?: over)?"
    r"|(?P<it>turn it over|turn over it|open it))|(?:(?:take|pick|choose|select|try) )?one(?: of them)?"
    r"|(?:(?P<turned>(?:flip|reveal|uncover|open|turn over)(?: over)?) |(?:turn|take|pick|choose|try|play|use|want) )?"
    rf"(?:(?:far )?(?P<side>{_PLACE}) {_ONE}"
    rf"|(?:{_ONE} (?:on|in|at|to) (?:far )?|(?:face-?down )?(?:card|number|slot) )(?P<at>{_PLACE})"
    rf"|(?(turned)|(?!(?:first|1st|last|right|one)\b))(?P<alone>{_PLACE})(?: me)?)(?: of them)?(?: over)?"
)
"""A face-down card, with a word for a card or for turning unless its place means nothing else."""
_QUESTION: Final = re.compile(r"(can|could|may|will|would|should|do|does|is|are|what|which|why|how)\b")
_TOGETHER: Final = frozenset(
    {"with", "for", "and", "against", "by", "an", "on", "onto", "to", "in", "into", "of", "instead", "face", "up"}
    | {"hand", "goes", "out", "down", "cards", "from", "w/", "->", "<->", "over", "table"}
)
"""Words beside the two cards of a swap."""
_RANK: Final = rf"(?:{_CARD}|{'|'.join(RANK_WORDS)})"
_ON_PILE: Final = re.compile(
    rf"(?:(?:{'|'.join(VERBS)}) )?((?:(?:all|both|an?|one|{_RANK}s?) )*{_RANK}s?)(?: from hand)?"
    rf"(?: (?:on(?:to)?|over)(?: top| of| it| that| pile| table| an?)*(?: ({_RANK}))?)?"
)
"""What is played, and on which card if the player says it."""


def line_of_move(said: str, view: View) -> str:
    """The move that is said, as it is typed; empty if none is. Raises BadMove for one that lacks something."""
    if view.seat is None or view.phase == "over" or _QUESTION.match(said):
        return ""
    words = [word for word in in_words_of_moves(said).lower().split() if word not in FILLERS]
    if view.phase == "arrange":
        if "aside" in words and view.rules.arrange_mode != "swap":
            return " ".join(card for word in words if re.fullmatch(_CARD, card := RANK_WORDS.get(word, word)))
        swap = _swap(words)
        if swap and view.rules.arrange_mode != "swap":
            raise BadMove(arranging_sentence(view.rules, None))
        return swap
    return _flip(" ".join(words), view, view.seat) or _play(" ".join(words), view)


def _flip(said: str, view: View, seat: int) -> str:
    """A face-down card by its place in the row."""
    left = [slot for slot, card in enumerate(view.downs[seat]) if card is not None]
    found, is_next = _FLIP.fullmatch(said), not (view.hands[seat] or view.ups[seat])
    if not (found and left) or (found["it"] and left[1:]) or not (is_next or found["turn"] or found["turned"]):
        return ""
    place = found["side"] or found["at"] or found["alone"] or "any"
    return f"flip {(left[_ENDS[place]] if place in _ENDS else _SLOTS[place]) + 1}"


def _swap(words: list[str]) -> str:
    """A swap of two cards, in either order."""
    begins = words[:1] if words[:1] and words[0] in {*VERBS, *SWAPS} else []
    words = [RANK_WORDS.get(word, word) for word in words[len(begins) :]]
    cards = [word for word in words if re.fullmatch(_CARD, word)]
    if len(cards) > 2:  # "a king for a 4": an article is no ace
        cards = [each for each, then in pairwise([*words, ""]) if each in cards and (each != "a" or then not in cards)]
    others = {*words} - {*cards, "a"}
    if not cards[not begins :] or not others or not others <= _TOGETHER:  # "in 2" is no half of a swap
        return ""
    if len(cards) != 2:
        raise BadMove("a swap names a hand card and a face-up card, as s k 4 does")
    return f"s {' '.join(cards)}"


def _play(said: str, view: View) -> str:
    """Cards that are put somewhere: they can go on the pile only."""
    found = _ON_PILE.fullmatch(said)
    if found is None or found[1] == said:
        return ""
    if found[2] and [pick(RANK_WORDS.get(found[2], found[2])).rank] != [card >> 2 for card in view.pile[-1:]]:
        raise BadMove(f"no {found[2]} lies on top of the pile")
    return found[1]
