"""The next seat as a player sees it: who it is, how likely it is to be stuck, and what it would have to take then."""

from typing import Final

from engine.cards import NO_RANK, Rank
from engine.view import View, unseen_cards

NEARLY_OUT: Final = 5
"""A seat with this many cards or fewer must be stopped."""
LARGE_PILE: Final = 5
SMALL_STOCK: Final = 10
"""With so many cards in the pile or more, or so few in the stock or fewer, levels press the next seat (D2-48)."""
LEAST_AT_STAKE: Final = 3


def at_stake(view: View) -> int:
    """How many cards a level thinks of when it presses the next seat with high cards; 0 if it does not press.

    A document that describes levels says when. Under others they play what wins most.
    """
    cards = len(view.pile)
    if view.rules.at_level and (cards >= LARGE_PILE or view.stock_left <= SMALL_STOCK):
        return max(cards, LEAST_AT_STAKE)
    return 0


def seat_after(order: tuple[int, ...], seat: int) -> int:
    """The seat whose turn comes after this seat's."""
    return order[(order.index(seat) + 1) % len(order)] if seat in order else order[0]


class NextSeat:
    """How likely the next seat is to be stuck, from what one seat may know."""

    def __init__(self, view: View, seat: int) -> None:
        self._follow = view.powers.follow
        self._unseen = unseen_cards(view)
        other = seat_after(view.order, seat)
        self._known = view.public_hands[other] if view.hand_counts[other] else view.ups[other]
        self._hidden = view.hand_counts[other] - view.public_hands[other].bit_count()
        if not view.cards_of(other):
            self._hidden = 0
        elif not view.hand_counts[other] and not view.up_counts[other]:
            self._hidden = 1

    def stuck_chance(self, top: Rank) -> float:
        """The chance, 0 to 1, that the next seat cannot lay anything on this rank."""
        if top == NO_RANK or self._known & self._follow[top]:
            return 0.0
        unseen = self._unseen.bit_count()
        bad = unseen - (self._unseen & self._follow[top]).bit_count()
        chance = 1.0
        for drawn in range(min(self._hidden, unseen)):
            chance *= max(bad - drawn, 0) / (unseen - drawn)
        return chance
