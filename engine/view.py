"""What one seat, or a spectator, may know of a game.

A view is built up from nothing (an allow-list), so a fact that nobody thought of stays hidden. It is another type than
`State` and has no way back to it. For its own seat it answers every question that decides legality.
"""

from dataclasses import dataclass
from typing import Final

from engine.cards import Card, CardSet, Rank
from engine.position import Phase
from engine.powers import Powers
from engine.rules import Rules
from engine.state import Outcome, State

UNSEEN: Final[Card] = -1
"""A card that lies there face down."""


@dataclass(frozen=True, slots=True)
class View:
    """A game as its viewer knows it. Zones by seat: the sets hold the cards known, the counts say how many."""

    seat: int | None
    """The viewer's seat; None for a spectator."""
    rules: Rules
    powers: Powers
    phase: Phase
    ready: tuple[bool, ...]
    order: tuple[int, ...]
    to_move: int | None
    must_lead: Rank | None
    may_pass: bool
    hands: tuple[CardSet, ...]
    hand_counts: tuple[int, ...]
    public_hands: tuple[CardSet, ...]
    """The cards in each hand that everybody saw go there and has not seen since."""
    ups: tuple[CardSet, ...]
    up_counts: tuple[int, ...]
    downs: tuple[tuple[Card | None, ...], ...]
    """Slots of face-down cards: UNSEEN, or None where the slot is empty."""
    reserves: tuple[CardSet, ...]
    reserve_counts: tuple[int, ...]
    stock_left: int
    pile: tuple[Card, ...]
    bin: tuple[Card, ...]
    top: Rank
    run: int
    quiet: int
    places: tuple[int, ...]
    outcome: Outcome | None

    @property
    def seats(self) -> range:
        """Every seat of the table."""
        return range(len(self.hands))

    def cards_of(self, seat: int) -> int:
        """How many cards a seat holds in all its zones."""
        face_down = sum(card is not None for card in self.downs[seat])
        return self.hand_counts[seat] + self.up_counts[seat] + self.reserve_counts[seat] + face_down


def view_of(state: State, seat: int | None) -> View:
    """What this seat may know; None is a spectator, who knows what is public."""

    def own(zone: list[CardSet]) -> tuple[CardSet, ...]:
        return tuple(cards if owner == seat else 0 for owner, cards in enumerate(zone))

    def counts(zone: list[CardSet]) -> tuple[int, ...]:
        return tuple(cards.bit_count() for cards in zone)

    laying = state.phase == "arrange" and state.rules.arrange_mode == "lay-up"
    return View(
        seat=seat,
        rules=state.rules,
        powers=state.powers,
        phase=state.phase,
        ready=tuple(state.ready),
        order=state.order,
        to_move=state.to_move,
        must_lead=state.must_lead,
        may_pass=state.may_pass,
        hands=own(state.hands),
        hand_counts=counts(state.hands),
        public_hands=tuple(state.public_hands),
        ups=own(state.ups) if laying else tuple(state.ups),
        up_counts=counts(state.ups),
        downs=tuple(tuple(None if card is None else UNSEEN for card in row) for row in state.downs),
        reserves=own(state.reserves),
        reserve_counts=counts(state.reserves),
        stock_left=state.stock_left,
        pile=tuple(state.pile),
        bin=tuple(state.bin),
        top=state.top,
        run=state.run,
        quiet=state.quiet,
        places=state.places,
        outcome=state.outcome,
    )
