"""The pile: cards laid on it in order, and the rank that counts as its top, seen through mirrors."""

from typing import Protocol

from engine.cards import NO_RANK, Card, Rank
from engine.powers import Powers


class Pile(Protocol):
    """What a pile is: of a `State`, or of a view that is read back."""

    powers: Powers
    pile: list[Card]
    top: Rank
    run: int


def add_to_pile(on: Pile, cards: tuple[Card, ...]) -> Rank:
    """Lay cards of one rank on the pile; the rank they count as there."""
    rank = cards[-1] >> 2
    if on.powers.effect[rank] == "mirror" and on.pile:
        rank = on.top
    on.run = on.run + len(cards) if rank == on.top else len(cards)
    on.top = rank
    on.pile += cards
    return rank


def clear_pile(on: Pile) -> None:
    """Take everything off the pile; where it goes is the caller's."""
    on.pile = []
    on.top = NO_RANK
    on.run = 0
