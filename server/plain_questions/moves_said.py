"""Moves that are said in a sentence: which face-down card to turn, which two cards to swap, on what a card is put."""

import re
from itertools import pairwise
from typing import Final

from engine.ai.arranging import better_arrangements
from engine.cards import cards_in, rank_label, ranks_in
from engine.errors import BadMove
from engine.legality import legal_moves
from engine.moves import Pick, Play, Swap, pick
from engine.view import View
from engine.wording.refusals import arranging_sentence
from engine.wording.typed_moves import typed_form
from server.language.parsing import FILLERS, QUESTION, RANK_WORDS, SWAPS, VERBS, in_words_of_moves, parse_typed_move

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
_BY_PLACE: Final = re.compile(
    rf"(?:far )?({_PLACE}) {_ONE}|{_ONE} (?:on|in|at|to) (?:far )?({_PLACE})"
    rf"|(?:face-?down )?(?:card|number|nr|slot) ({_PLACE})"
)
"""A face-down card as it is told from the others: the left one, the one on the left, card 2."""
_FLIPS: Final = frozenset({"flip", "reveal", "uncover"})
"""Verbs that mean nothing else here."""
_TURN: Final = re.compile(
    rf"(?P<turns>{'|'.join(_FLIPS)}|open|turn over|turn(?= (?:.* over|an? {_ONE})$))(?: over)?\b"
    r"|(?:turn|take|pick|choose|select|try|play|use|want|go (?:for|with))\b"
)
_VAGUE: Final = frozenset({"first", "1st", "last", "right", "one"})
"""What names a card only behind a verb that turns it, or beside a word for a card."""
_BETWEEN: Final = frozenset(
    {"with", "for", "and", "against", "by", "on", "onto", "to", "in", "into", "instead", "goes", "out", "down", "up"}
    | {"over", "face", "from", "w", "w/", "->", "<->", "other"}
)
_TOGETHER: Final = _BETWEEN | {"an", "of", "one", "hand", "cards", "table"}
"""Words beside the two cards of a swap; some stand behind a card."""
_ALL: Final = re.compile(
    rf"(?!all$)(?:(?:{'|'.join(VERBS)}) )?(?:them )?(?P<how>both|both cards|pair|all)"
    "(?: of (?:them|those|these))?(?: down| together| at once)?"
)
"""What players say of several cards whose rank they do not name."""
_RANK: Final = rf"(?:{_CARD}|{'|'.join(RANK_WORDS)})"
EXCLAMATION: Final = (
    r"wait|hold on|hang on|u+[mh]+|hm+|well|but|and|o+h|hi|hey|hello|good \w+|u+gh|eww*|wow|yay|lol|haha|oops|yeah|yep"
    "|whoa|argh|damn|sigh|aww*|ouch|phew|omg|al+ ?right|right|cool|nice|great"
)
"""What people say first, and mean nothing by."""
_LED_IN: Final = re.compile(rf"^(?:(?:{EXCLAMATION}) )+(?=i\b|let)")
_NOT_THIS: Final = re.compile(rf"\b(?:not|rather than|instead of) (?:(?:the|my|an?) )?{_RANK}s?\b(?: but)?")
"""A card that is not to be played, beside the one that is."""
_ON_PILE: Final = re.compile(
    rf"(?:(?:{'|'.join(VERBS)}|slap|toss|go(?:ing)? with|(?:beat|burn|reset)(?: it| that| pile)? with)(?: down)? )?"
    rf"((?:(?:all|both|an?|one|{_RANK}s?) )*{_RANK}s?)(?: from hand| it is)?"
    rf"(?: (?:on(?:to)?|over)(?: top| of| it| that| pile| table| an?)*(?: ({_RANK}))?)?"
)
"""What is played, and on which card if the player says it."""


def line_of_move(said: str, view: View, hinted: str = "") -> str:
    """The move that is said, as it is typed; empty if none is. Raises BadMove for one that lacks something.

    ``hinted``: the move that was proposed to the player.
    """
    if view.seat is None or view.phase == "over" or QUESTION.match(said):
        return ""
    move = _LED_IN.sub("", said)
    move = _NOT_THIS.sub("", move).strip() if view.phase == "play" else move
    words = [word for word in in_words_of_moves(move).lower().split() if word not in FILLERS]
    if view.phase == "arrange":
        if "aside" in words and view.rules.arrange_mode != "swap":
            return " ".join(card for word in words if re.fullmatch(_CARD, card := RANK_WORDS.get(word, word)))
        swap = _swap(words, view, view.seat)
        if swap and view.rules.arrange_mode != "swap":
            raise BadMove(arranging_sentence(view.rules, None))
        return swap
    held = [*cards_in(view.hands[view.seat] or view.ups[view.seat])]
    if len(held) == 1 and re.fullmatch(f"(({'|'.join(VERBS)}) )?last (one|card)", " ".join(words)):
        return rank_label(held[0] >> 2)
    plain = " ".join(words)
    found = _flip(plain, view, view.seat) or _several(said, view, view.seat, hinted) or _play(plain, view)
    return found or (move if held and move != said and parse_typed_move(move, view) else "")


def _several(said: str, view: View, seat: int, hinted: str) -> str:
    """All cards of one rank, if there is one alone of which several can be played, or if it was proposed to play it."""
    named = _ALL.fullmatch(" ".join(word for word in said.split() if word not in FILLERS))
    if named is None:
        return ""
    most = {move.picks[0].rank: move for move in legal_moves(view, seat) if isinstance(move, Play) and move.picks[1:]}
    fits = [move for move in most.values() if named["how"] == "all" or len(move.picks) == 2]
    lines = [typed_form(move) for move in fits]
    return hinted if hinted in lines else lines[0] if len(lines) == 1 else ""


def _flip(said: str, view: View, seat: int) -> str:
    """A face-down card by its place in the row, if it is the player's next one or the sentence says to turn it."""
    left = [slot for slot, card in enumerate(view.downs[seat]) if card is not None]
    verb, is_next = _TURN.match(said), not (view.hands[seat] or view.ups[seat])
    turns = verb["turns"] if verb else ""
    what = re.sub("( of them)?( over)?$", "", said[verb.end() :] if verb else said).strip()
    place = "any"
    if found := _BY_PLACE.fullmatch(what):
        place, is_meant = next(filter(None, found.groups())), True
    elif re.fullmatch(f"(an? )?{_ONE}|it|", what):
        is_taken = what == "one" and not (verb and verb[0] in {"turn", "play", "use", "want"})
        is_meant = turns in _FLIPS or (is_taken if not turns else what != "" and (what != "it" or not left[1:]))
    else:
        place = what.removesuffix(" me")
        is_meant = re.fullmatch(_PLACE, place) is not None and bool(turns or place not in _VAGUE)
    if not (left and is_meant and (is_next or turns)):
        return ""
    return f"flip {(left[_ENDS[place]] if place in _ENDS else _SLOTS[place]) + 1}"


def _swap(words: list[str], view: View, seat: int) -> str:
    """A swap of two cards, in either order."""
    begins = words[:1] if words[:1] and words[0] in {*VERBS, *SWAPS} else []
    words = [RANK_WORDS.get(word, word) for word in words[len(begins) :]]
    said = [word for word in words if re.fullmatch(_CARD, word)]
    # "a king for a 4", "a table": an article is no ace.
    cards = [each for each, then in pairwise([*words, ""]) if each in said and (each != "a" or then in {"", *_BETWEEN})]
    others = {*words} - {*cards, "a"}
    is_no_swap = not others and {*begins}.isdisjoint(SWAPS)
    may_be_one = begins or "up" in others  # "in 2" is no half of a swap
    if not cards[not may_be_one :] or is_no_swap or not others <= _TOGETHER:
        return ""
    if len(cards) != 2:
        hand, up = ([Pick(rank) for rank, _ in ranks_in(zone)] for zone in (view.hands[seat], view.ups[seat]))
        better, ranks = better_arrangements(view, seat), [pick(each).rank for each in cards]
        gives = [move for move in better if isinstance(move, Swap) and [move.hand.rank] == ranks]
        if "up" in others and len(gives) == 1:
            return typed_form(gives[0])
        example = next(iter([*gives, *better]), Swap(hand[-1], up[0]))
        raise BadMove(f"a swap names a hand card and a face-up card, as {typed_form(example)} does")
    return f"s {' '.join(cards)}"


def _play(said: str, view: View) -> str:
    """Cards that are put somewhere: they can go on the pile only."""
    found = _ON_PILE.fullmatch(said)
    if found is None or found[1] == said:
        return ""
    if found[2] and [pick(RANK_WORDS.get(found[2], found[2])).rank] != [card >> 2 for card in view.pile[-1:]]:
        raise BadMove(f"no {found[2]} lies on top of the pile")
    return found[1]
