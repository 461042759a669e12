"""The pile: cards laid on it in order, and the rank that counts as its top, seen through mirrors."""

from engine.cards import NO_RANK, Card, Rank
from engine.state import State


def add_to_pile(state: State, cards: tuple[Card, ...]) -> Rank:
    """Lay cards of one rank on the pile; the rank they count as there."""
    rank = cards[-1] >> 2
    if state.powers.effect[rank] == "mirror" and state.pile:
        rank = state.top
    state.run = state.run + len(cards) if rank == state.top else len(cards)
    state.top = rank
    state.pile += cards
    return rank


def clear_pile(state: State) -> None:
    """Take everything off the pile; where it goes is the caller's."""
    state.pile = []
    state.top = NO_RANK
    state.run = 0
