"""Laying cards on the pile, and the rank that counts as its top: a mirror counts as the card beneath it."""

from typing import Protocol

from engine.cards import NO_RANK, Card, Rank
from engine.rank_powers import Powers


class Pile(Protocol):
    """The pile of a `State`, or of a view that is being read."""

    powers: Powers
    pile: list[Card]
    top: Rank
    run: int


def add_to_pile(on: Pile, cards: tuple[Card, ...]) -> Rank:
    """Lay cards of one rank on the pile. Returns the rank that they count as there."""
    rank = cards[-1] >> 2
    if on.powers.effect[rank] == "mirror" and on.pile:
        rank = on.top
    on.run = on.run + len(cards) if rank == on.top else len(cards)
    on.top = rank
    on.pile += cards
    return rank


def clear_pile(on: Pile) -> None:
    """Empty the pile; the caller moves the cards."""
    on.pile = []
    on.top = NO_RANK
    on.run = 0
