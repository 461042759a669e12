"""Worlds: whole positions that agree with a view, with every hidden card invented ("determinizations").

This is the only AI module that holds a `State`. It gets views alone, so it cannot know a hidden card.
"""

from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

from engine.ai.next_seat import seat_after
from engine.cards import ALL_CARDS, CardSet, Rank, card_set, cards_in
from engine.game import advance as step
from engine.odds import forced_chance
from engine.state import Slots, State
from engine.view import View, seen_cards, unseen_cards

World: TypeAlias = State


class Worlds:
    """The worlds that agree with one view."""

    def __init__(self, view: View, *, know_declined: bool = False) -> None:
        """``know_declined``: no hand has hidden cards that its player declined, as `engine.odds` counts.

        That makes no level stronger (see DECISIONS.md), but what is told to a player must agree with the odds.
        """
        self._view = view
        self._know_declined = know_declined
        needed = view.stock_left + sum(card is not None for row in view.downs for card in row)
        for seat in view.seats:
            needed += view.hand_counts[seat] - self._hand(seat).bit_count()
            needed += view.up_counts[seat] - view.ups[seat].bit_count()
            needed += view.reserve_counts[seat] - view.reserves[seat].bit_count()
        # In a fixed order, so that the same view and generator give the same worlds, whatever the hidden cards are.
        self._pool = list(cards_in(unseen_cards(view)))
        if len(self._pool) < needed:
            # A view with more cards than its deck has (bots may send one): use any card that is not visible.
            self._pool = list(cards_in(ALL_CARDS & ~seen_cards(view)))
        self.possible = len(self._pool) >= needed
        """Whether there are enough cards to fill a world."""

    def _hand(self, seat: int) -> CardSet:
        """The cards of a hand that the viewer knows."""
        return self._view.hands[seat] | self._view.public_hands[seat]

    def draw(self, rng: Random) -> World:
        """A world: the cards that the viewer does not see are dealt at random."""
        view, pool = self._view, self._pool.copy()
        rng.shuffle(pool)

        def filled(known: CardSet, count: int) -> CardSet:
            missing = count - known.bit_count()
            return known | card_set(pool.pop() for _ in range(missing)) if missing > 0 else known

        def hand(seat: int) -> CardSet:
            known, count, declined = self._hand(seat), view.hand_counts[seat], view.declined[seat]
            if not (self._know_declined and declined and rng.random() < forced_chance(view)):
                return filled(known, count)
            # Cards are taken from the end of the pool: those that may be in this hand.
            pool.sort(key=lambda card: not declined >> card & 1)
            cards = filled(known, count)
            rng.shuffle(pool)
            return cards

        def hands() -> list[CardSet]:
            # A hand that may not have every card comes first: others would take what it may have.
            narrow = {seat for seat in view.seats if self._know_declined and view.declined[seat]}
            found = {seat: hand(seat) for seat in sorted(view.seats, key=lambda seat: seat not in narrow)}
            return [found[seat] for seat in view.seats]

        def row(slots: Slots) -> Slots:
            return tuple(None if card is None else pool.pop() for card in slots)

        return State(
            rules=view.rules,
            powers=view.powers,
            hands=hands(),
            ups=[filled(view.ups[seat], view.up_counts[seat]) for seat in view.seats],
            downs=[row(view.downs[seat]) for seat in view.seats],
            reserves=[filled(view.reserves[seat], view.reserve_counts[seat]) for seat in view.seats],
            stock=[pool.pop() for _ in range(view.stock_left)],
            pile=list(view.pile),
            bin=list(view.bin),
            phase=view.phase,
            ready=list(view.ready),
            order=view.order,
            to_move=view.to_move,
            must_lead=view.must_lead,
            may_pass=view.may_pass,
            quiet=view.quiet,
            places=view.places,
            outcome=view.outcome,
            public_hands=[0] * len(view.hands),
            declined=[0] * len(view.hands),
            top=view.top,
            run=view.run,
        )


advance: Final = step
"""Makes a legal move in a world, in place."""


def stuck_chance(world: World) -> Callable[[Rank], float]:
    """`NextSeat.stuck_chance` in a world: 1.0 if the next seat cannot lay anything on a rank, else 0.0."""
    seat = seat_after(world.order, world.to_move or 0)
    zone = world.hands[seat] or world.ups[seat]
    if not zone:
        zone = card_set(card for card in world.downs[seat] if card is not None)
    follow = world.powers.follow
    return lambda top: float(not zone & follow[top])
