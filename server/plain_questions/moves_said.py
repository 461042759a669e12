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
_BESIDE_A_SLOT: Final = (
    *VERBS,
    *("flip", "open", "reveal", "uncover", "turn", "over", "take", "pick", "choose", "select", "try", "go", "want"),
    *("with", "to", "on", "in", "at", "card", "cards", "number", "slot", "side", "far", "of", "them", "it", "let"),
    *("me", "a", "one"),
)
"""Words that may stand beside the place of a face-down card."""
_FIRST: Final = (
    *("first", "1st", "left", "leftmost", "any", "anything", "random", "whatever", "whichever", "lowest"),
    *("surprise", "highest"),
)
_LAST: Final = ("right", "rightmost", "last")
"""What players call the face-down cards at the ends of what is left of the row; any may as well be the first."""
_SLOTS: Final = ("1", "2 two second 2nd middle center centre", "3 three third 3rd", "4 four fourth 4th")
"""What they call the slots of the whole row."""
_QUESTION: Final = re.compile(r"(can|could|may|will|would|should|do|does|is|are|what|which|why|how)\b")
_TOGETHER: Final = frozenset(
    {"with", "for", "and", "against", "by", "an", "on", "onto", "to", "in", "into", "of", "instead", "face", "up"}
    | {"hand", "goes", "out", "down", "cards", "from", "w/", "->", "<->", "over"}
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
        swap = _swap(words)
        if swap and view.rules.arrange_mode != "swap":
            raise BadMove(arranging_sentence(view.rules, None))
        return swap
    return _flip(words, view, view.seat) or _play(" ".join(words), view)


def _flip(words: list[str], view: View, seat: int) -> str:
    """A face-down card by its place in the row."""
    left = [slot for slot, card in enumerate(view.downs[seat]) if card is not None]
    is_next = not (view.hands[seat] or view.ups[seat])
    place = " ".join(word for word in words if word not in _BESIDE_A_SLOT)
    is_turned = not {"flip", "open", "reveal", "uncover"}.isdisjoint(words) or {"turn", "over"} <= {*words}
    if not left or not (is_turned or (is_next and (place or "one" in words))):
        return ""
    if place in _FIRST or not place:
        return f"flip {left[0] + 1}"
    if place in _LAST:
        return f"flip {left[-1] + 1}"
    return next((f"flip {slot}" for slot, names in enumerate(_SLOTS, 1) if place in names.split()), "")


def _swap(words: list[str]) -> str:
    """A swap of two cards, in either order."""
    begins = words[:1] if words[:1] and words[0] in {*VERBS, *SWAPS} else []
    words = [RANK_WORDS.get(word, word) for word in words[len(begins) :]]
    cards = [word for word in words if re.fullmatch(_CARD, word)]
    if len(cards) > 2:  # "a king for a 4": an article is no ace
        cards = [each for each, then in pairwise([*words, ""]) if each in cards and (each != "a" or then not in cards)]
    others = {*words} - {*cards, "a"}
    if not cards or not others or not others <= _TOGETHER:
        return ""
    if len(cards) != 2:
        raise BadMove("a swap names a hand card and a face-up card, as s k 4 does")
    return f"s {' '.join(cards)}"


def _play(said: str, view: View) -> str:
    """Cards that are put somewhere: they can go on the pile only."""
    found = _ON_PILE.fullmatch(said)
    if found is None or found[1] == said:
        return ""
    if found[2] and pick(RANK_WORDS.get(found[2], found[2])).rank != view.top:
        raise BadMove(f"no {found[2]} lies on top of the pile")
    return found[1]
