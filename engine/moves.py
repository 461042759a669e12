"""Moves as values and as text (the text is explained in `engine/protocol/README.md`, "Cards and moves").

A move names cards; `engine.legality` decides whether it is allowed. A play that names only ranks takes the lowest suits
that the seat holds, because suits never matter.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from engine.cards import (
    RANK_CARDS,
    RANKS,
    Card,
    CardSet,
    Rank,
    card_from,
    card_name,
    card_set,
    cards_in,
    rank_from,
    ranks_in,
)
from engine.errors import BadMove

LONGEST_MOVE: Final = 400
"""In characters: far more than a move of 52 cards takes."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A card as a move names it: by its rank, or exactly (``card``) if the suit is named too."""

    rank: Rank
    card: Card | None = None

    def __str__(self) -> str:
        return RANKS[self.rank] if self.card is None else card_name(self.card)


@dataclass(frozen=True, slots=True)
class Play:
    """Lay these cards from the zone that the seat must play from."""

    picks: tuple[Pick, ...]
    by_rank: bool = False
    """Whether all picks are of one rank without suits. `play_of` makes such plays, and search uses only these."""

    def __str__(self) -> str:
        return f"play {_spaced(self.picks)}"


@dataclass(frozen=True, slots=True)
class Flip:
    """Turn the face-down card in this slot. Slots count from 0 here and from 1 in text."""

    slot: int

    def __str__(self) -> str:
        return f"flip {self.slot + 1}"


@dataclass(frozen=True, slots=True)
class PickUp:
    """Take the pile, and lift these face-up cards with it if the rules allow that."""

    picks: tuple[Pick, ...] = ()

    def __str__(self) -> str:
        return f"pickup {_spaced(self.picks)}".rstrip()


@dataclass(frozen=True, slots=True)
class Pass:
    """Decline an optional bonus turn, or give up a turn in which no other move is possible."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Swap:
    """While arranging: exchange a hand card with a face-up card."""

    hand: Pick
    up: Pick

    def __str__(self) -> str:
        return f"swap {self.hand} {self.up}"


@dataclass(frozen=True, slots=True)
class Lay:
    """While arranging: lay these cards face up or as the reserve, instead of any laid before."""

    picks: tuple[Pick, ...]

    def __str__(self) -> str:
        return f"lay {_spaced(self.picks)}"


@dataclass(frozen=True, slots=True)
class Ready:
    """End arranging."""

    def __str__(self) -> str:
        return "ready"


Move: TypeAlias = Play | Flip | PickUp | Pass | Swap | Lay | Ready

PASS: Final = Pass()
READY: Final = Ready()
PICK_UP: Final = PickUp()


def parse_move(text: str) -> Move:
    """Read a move. Raises BadMove, with examples of moves, if the text is not one."""
    verb, *words = (text.split() if len(text) <= LONGEST_MOVE else []) or [""]
    match verb.lower(), words:
        case "play", [_, *_]:
            picks = _picks(words)
            same = all(pick == picks[0] for pick in picks) and picks[0].card is None
            return play_of(picks[0].rank, len(picks)) if same else Play(picks)
        case "flip", [slot] if slot.isascii() and slot.isdigit() and int(slot) > 0:
            return Flip(int(slot) - 1)
        case "pickup", _:
            return PickUp(_picks(words))
        case "pass", []:
            return PASS
        case "swap", [_, _]:
            return Swap(*_picks(words))
        case "lay", [_, *_]:
            return Lay(_picks(words))
        case "ready", []:
            return READY
    raise BadMove(f"{text[:40]!r} is not a move. Moves are: play 7 7, flip 2, pickup, pass, swap 5 K, lay 4 5 K, ready")


def _picks(words: list[str]) -> tuple[Pick, ...]:
    return tuple(pick(word) for word in words)


def pick(word: str) -> Pick:
    """Read a card, ``7h``, or a rank alone, ``7``. Raises BadMove if the text is neither."""
    if (rank := rank_from(word)) is not None:
        return Pick(rank)
    if (card := card_from(word)) is not None:
        return Pick(card >> 2, card)
    raise BadMove(f"{word[:20]!r} is not a card: name a rank (7, 10, k) or a rank and a suit (7h)")


def cards_for(picks: tuple[Pick, ...], held: CardSet) -> tuple[Card, ...] | None:
    """The cards that these picks take from ``held``, or None if it does not have all of them.

    Cards named exactly come first, in the order of the picks. The others follow by rank, the lowest suits left.
    """
    named = [pick.card for pick in picks if pick.card is not None]
    first = taken = card_set(named)
    if taken.bit_count() != len(named) or taken & ~held:
        return None
    for pick in picks:
        if pick.card is None:
            left = held & ~taken & RANK_CARDS[pick.rank]
            if not left:
                return None
            taken |= left & -left
    return (*named, *cards_in(taken ^ first))


@cache
def play_of(rank: Rank, copies: int) -> Play:
    """The play of this many cards of a rank. Always the same object, because search asks for plays all the time."""
    return Play((Pick(rank),) * copies, by_rank=True)


@cache
def flip_of(slot: int) -> Flip:
    """The flip of this slot. Always the same object, as for `play_of`."""
    return Flip(slot)


@cache
def lift_of(rank: Rank, copies: int) -> PickUp:
    """The pick-up that lifts this many face-up cards of a rank. Always the same object, as for `play_of`."""
    return PickUp((Pick(rank),) * copies)


def plays_of(cards: CardSet, at_once: int, whole_sets: bool) -> list[Move]:  # noqa: FBT001
    """All plays of these cards: the lowest rank first, the fewest cards first.

    Args:
        cards: the cards that may be played.
        at_once: the most cards of a rank that may go together.
        whole_sets: whether as many as possible must go together.

    Search spends its time here, so the plays of three ranks at a time come from a table.
    """
    low, below_ten, high, court, ace = _tables(at_once, whole_sets)
    return [
        *low[cards & 0xFFF],
        *below_ten[cards >> 12 & 0xFFF],
        *high[cards >> 24 & 0xFFF],
        *court[cards >> 36 & 0xFFF],
        *ace[cards >> 48],
    ]


@cache
def _tables(at_once: int, whole_sets: bool) -> tuple["_ThreeRanks", ...]:  # noqa: FBT001
    return tuple(_ThreeRanks(lowest, at_once, whole_sets) for lowest in range(0, len(RANKS), 3))


class _ThreeRanks(dict[CardSet, tuple[Play, ...]]):
    """The plays of any set of cards of three neighbouring ranks, computed on first use."""

    def __init__(self, lowest: Rank, at_once: int, whole_sets: bool) -> None:  # noqa: FBT001
        super().__init__()
        self._lowest, self._at_once, self._whole_sets = lowest, at_once, whole_sets

    def __missing__(self, cards: CardSet) -> tuple[Play, ...]:
        found: list[Play] = []
        for rank, copies in ranks_in(cards):
            most = min(copies, self._at_once)
            found += (play_of(self._lowest + rank, n) for n in range(most if self._whole_sets else 1, most + 1))
        self[cards] = tuple(found)
        return self[cards]


@cache
def lowest_suits(copies: CardSet, count: int) -> tuple[tuple[Card, ...], CardSet]:
    """The first ``count`` cards of a set of one rank, in order and as a set."""
    cards = tuple(cards_in(copies))[:count]
    return cards, card_set(cards)


def _spaced(picks: tuple[Pick, ...]) -> str:
    return " ".join(map(str, picks))
