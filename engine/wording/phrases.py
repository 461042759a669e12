"""Ranks, hands, moves and lists as phrases: the parts of every sentence about a game."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Final, Literal

from engine.cards import RANK_NAMES, CardSet, Rank, ranks_in
from engine.moves import Flip, Lay, Move, Pass, Pick, PickUp, Play, Ready, Swap

_NUMBERS: Final = ("no", "one", "two", "three", "four")
_VERBS: Final[Mapping[type[Move], tuple[str, str]]] = {
    Play: ("play", "played"),
    Lay: ("lay", "laid"),
    PickUp: ("take", "took"),
    Flip: ("turn", "turned"),
    Swap: ("swap", "swapped"),
    Ready: ("type", "typed"),
    Pass: ("pass", "passed"),
}


def sentence_case(text: str) -> str:
    """The text with a capital letter."""
    return text[:1].upper() + text[1:]


def hand_words(cards: CardSet) -> str:
    """Cards in words: "three 4s and a queen"; empty if there are none."""
    return listed([counted_rank(rank, copies) for rank, copies in ranks_in(cards)], "and")


@cache
def counted_rank(rank: Rank, copies: int) -> str:
    """Cards of one rank: "an ace", "three 10s"."""
    name = RANK_NAMES[rank]
    if copies == 1:
        return f"{'an' if name in {'8', 'ace'} else 'a'} {name}"
    return f"{_NUMBERS[copies]} {name}s"


def a_card(rank: Rank) -> str:
    """A card of this rank: "a jack", "an 8"."""
    return counted_rank(rank, 1)


def move_words(move: Move, form: Literal["do", "did"] = "do") -> str:
    """A move in words: "play two 5s", or "played two 5s"."""
    do, did = _VERBS[type(move)]
    verb = do if form == "do" else did
    match move:
        case Play(picks) | Lay(picks):
            return f"{verb} {_counted(picks)}"
        case PickUp(picks):
            return f"{verb} the pile{f' with {_counted(picks)}' if picks else ''}"
        case Flip(slot):
            return f"{verb} over face-down card {slot + 1}"
        case Swap(hand, up):
            return f"{verb} {_counted([hand])} for the face-up {RANK_NAMES[up.rank]}"
        case Ready():
            return f"{verb} ready"
        case Pass():
            return verb


def _counted(picks: Sequence[Pick]) -> str:
    counts = Counter(each.rank for each in picks)
    return listed([counted_rank(rank, copies) for rank, copies in counts.items()], "and")


def number_word(count: int) -> str:
    """A small number in words: "three"."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def quantity(count: float, noun: str) -> str:
    """A number of things: "1 card", "2 cards". ``noun`` is the singular of a regular noun."""
    return f"{count if isinstance(count, int) else f'{count:g}'} {noun}{'' if count == 1 else 's'}"


def percent(chance: Fraction) -> str:
    """A chance in per cent: "under 1%" and "over 99%" for what is possible but not certain."""
    shown = round(100 * chance)
    if 0 < chance < 1:
        return "under 1%" if shown == 0 else "over 99%" if shown == 100 else f"{shown}%"
    return f"{shown}%"


def number_range(least: int, most: int, noun: str) -> str:
    """How many things are possible: "2 to 4 seats", "2 seats"."""
    return quantity(most, noun) if least == most else f"{least} to {quantity(most, noun)}"


def listed(words: Sequence[str], last: str = "or") -> str:
    """Words as a list: "queen, king or 2"."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def line_words(line: Sequence[tuple[int, Move]], names: Sequence[str], own: int | None) -> str:
    """How a game could go on: "Fox takes the pile and you play a 9". ``own`` is the reader's seat, if they have one."""
    return listed([_clause(names[seat], move, is_you=seat == own) for seat, move in line], "and")


def _clause(name: str, move: Move, *, is_you: bool) -> str:
    if is_you:
        return f"you {move_words(move)}"
    verb, space, rest = move_words(move).partition(" ")
    return f"{name} {verb}{'es' if verb.endswith('s') else 's'}{space}{rest}"
