"""What a seat can work out about cards that it does not see, from public knowledge and its own cards alone."""

from typing import Final

from engine.cards import NO_RANK, RANK_CARDS, CardSet, Rank, card_set
from engine.view import View

NEARLY_OUT: Final = 5
"""Cards left to a seat that must be stopped."""


def unseen_cards(view: View) -> CardSet:
    """The cards that the viewer sees nowhere. Where a rank has fewer than four copies any suits stand for them."""
    seen = card_set(view.pile) | card_set(view.bin)
    for zones in (view.hands, view.public_hands, view.ups, view.reserves):
        for cards in zones:
            seen |= cards
    unseen = 0
    for rank, copies in enumerate(view.rules.deck_copies):
        free = RANK_CARDS[rank] & ~seen
        for _ in range(copies - (seen & RANK_CARDS[rank]).bit_count()):
            unseen |= free & -free
            free &= free - 1
    return unseen


def seat_after(order: tuple[int, ...], seat: int) -> int:
    """Whose turn comes after this seat's."""
    return order[(order.index(seat) + 1) % len(order)] if seat in order else order[0]


class NextSeat:
    """How likely the next seat is to be stuck."""

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
        """The chance that the next seat has nothing to lay on this rank."""
        if top == NO_RANK or self._known & self._follow[top]:
            return 0.0
        unseen = self._unseen.bit_count()
        bad = unseen - (self._unseen & self._follow[top]).bit_count()
        chance = 1.0
        for drawn in range(min(self._hidden, unseen)):
            chance *= max(bad - drawn, 0) / (unseen - drawn)
        return chance
