"""Moves as values and as text (the text is explained in `engine/protocol/README.md`, "Cards and moves").

A move names cards; `engine.legality` decides whether it is allowed. A play that names only ranks takes the lowest suits
that the seat holds, because suits never matter.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from engine.cards import (
    ALL_RANKS,
    MOST_COPIES,
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
)
from engine.errors import BadMove

LONGEST_MOVE: Final = 400
"""In characters: far more than a move of 52 cards takes."""


class Pick(NamedTuple):
    """A card as a move names it: by its rank, or exactly (``card``) if the suit is named too."""

    rank: Rank
    card: Card | None = None

    def __str__(self) -> str:
        return RANKS[self.rank] if self.card is None else card_name(self.card)


class Play(Struct, frozen=True):
    """Lay these cards from the zone that the seat must play from."""

    picks: tuple[Pick, ...]
    rank_cards: CardSet = 0
    """All cards of the rank, if the picks name it alone. `play_of` makes such plays, and search uses only these."""

    @staticmethod
    def of(picks: tuple[Pick, ...]) -> "Play":
        """The play of these cards; that of `play_of` if there can be so many and they name one rank and no suits."""
        by_rank = len(picks) <= MOST_COPIES and len(set(picks)) == 1 and picks[0].card is None
        return play_of(picks[0].rank, len(picks)) if by_rank else Play(picks)

    def __str__(self) -> str:
        return f"play {_spaced(self.picks)}"


class Flip(Struct, frozen=True):
    """Turn the face-down card in this slot. Slots count from 0 here and from 1 in text."""

    slot: int

    def __str__(self) -> str:
        return f"flip {self.slot + 1}"


class PickUp(Struct, frozen=True):
    """Take the pile, and lift these face-up cards with it if the rules allow that."""

    picks: tuple[Pick, ...] = ()

    def __str__(self) -> str:
        return f"pickup {_spaced(self.picks)}".rstrip()


class Pass(Struct, frozen=True):
    """Decline an optional bonus turn, or give up a turn in which no other move is possible."""

    def __str__(self) -> str:
        return "pass"


class Swap(Struct, frozen=True):
    """While arranging: exchange a hand card with a face-up card."""

    hand: Pick
    up: Pick

    def __str__(self) -> str:
        return f"swap {self.hand} {self.up}"


class Lay(Struct, frozen=True):
    """While arranging: lay these cards face up or as the reserve, instead of any laid before."""

    picks: tuple[Pick, ...]

    def __str__(self) -> str:
        return f"lay {_spaced(self.picks)}"


class Ready(Struct, frozen=True):
    """End arranging."""

    def __str__(self) -> str:
        return "ready"


Move: TypeAlias = Play | Flip | PickUp | Pass | Swap | Lay | Ready

PASS: Final = Pass()
READY: Final = Ready()
PICK_UP: Final = PickUp()


@lru_cache(1024)
def parse_move(text: str) -> Move:
    """Read a move. Raises BadMove, with examples of moves, if the text is not one."""
    verb, *words = (text.split() if len(text) <= LONGEST_MOVE else []) or [""]
    match verb.lower(), words:
        case "play", [_, *_]:
            return Play.of(_picks(words))
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


@lru_cache(256)
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
    return Play((Pick(rank),) * copies, RANK_CARDS[rank])


@cache
def flip_of(slot: int) -> Flip:
    """The flip of this slot. Always the same object, as for `play_of`."""
    return Flip(slot)


@cache
def lift_of(rank: Rank, copies: int) -> PickUp:
    """The pick-up that lifts this many face-up cards of a rank. Always the same object, as for `play_of`."""
    return PickUp((Pick(rank),) * copies)


PlayTables: TypeAlias = tuple[Sequence[tuple[Play, ...]], ...]
"""The plays of any cards of three neighbouring ranks, by these cards as twelve bits; the last table is for the ace."""


@cache
def play_tables(at_once: int, whole_sets: bool) -> PlayTables:  # noqa: FBT001
    """The tables in which `legality.plays` looks; search spends its time there.

    Args:
        at_once: the most cards of a rank that may go together.
        whole_sets: whether as many as possible must go together.
    """
    by_rank = [_plays_by_copies(rank, at_once, whole_sets) for rank in ALL_RANKS]
    return (*(_by_cards(*by_rank[lowest : lowest + 3]) for lowest in range(0, 12, 3)), _by_cards(by_rank[12]))


def _plays_by_copies(rank: Rank, at_once: int, whole_sets: bool) -> list[tuple[Play, ...]]:  # noqa: FBT001
    """The plays of no card of a rank, of one, two, three and four."""
    most = [min(copies, at_once) for copies in range(5)]
    return [tuple(play_of(rank, n) for n in range(max(top, 1) if whole_sets else 1, top + 1)) for top in most]


def _by_cards(*by_copies: Sequence[tuple[Play, ...]]) -> list[tuple[Play, ...]]:
    """The plays of any cards of these ranks, by these cards as bits. Suits do not matter, so sets share tuples."""
    plays = {
        copies: sum(chosen, ())
        for copies, chosen in zip(product(range(5), repeat=len(by_copies)), product(*by_copies), strict=True)
    }
    counts = [cards.bit_count() for cards in range(16)]
    return [plays[copies[::-1]] for copies in product(counts, repeat=len(by_copies))]


LOWEST_SUITS: Final = {
    card_set(held): [(held[:count], card_set(held[:count])) for count in range(len(held) + 1)]
    for rank in ALL_RANKS
    for held in (tuple(cards_in(suits << 4 * rank)) for suits in range(16))
}
"""For each set of cards of one rank, and each number: so many of them, the first suits, in order and as a set."""


def _spaced(picks: tuple[Pick, ...]) -> str:
    return " ".join(map(str, picks))
