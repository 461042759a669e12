"""What one seat, or a spectator, may know of a game.

A view is built from an allow-list, so that a fact which nobody listed stays hidden. It holds no reference to the
`State` that it was made from. For its own seat it is a `Position`: it decides which moves are legal.
"""

from operator import attrgetter
from typing import Final

from msgspec import Struct

from engine.cards import RANK_CARDS, Card, CardSet, Rank, card_set
from engine.position import Phase
from engine.rank_powers import Powers
from engine.rules import Rules
from engine.state import Outcome, State

UNSEEN: Final[Card] = -1
"""Stands for a face-down card."""


class View(Struct, frozen=True):
    """A game as its viewer knows it. Zones are by seat: the sets hold the known cards, the counts are of all cards."""

    seat: int | None
    """The viewer's seat, or None for a spectator."""
    hands: tuple[CardSet, ...]
    ups: tuple[CardSet, ...]
    reserves: tuple[CardSet, ...]
    # From here on all viewers know the same.
    rules: Rules
    powers: Powers
    phase: Phase
    ready: tuple[bool, ...]
    order: tuple[int, ...]
    to_move: int | None
    must_lead: Rank | None
    may_pass: bool
    hand_counts: tuple[int, ...]
    public_hands: tuple[CardSet, ...]
    """For each hand, the cards that everybody saw go there and that have not left it since."""
    declined: tuple[CardSet, ...]
    """As in `State`: what the players of these hands could have laid, had they held it, when they took the pile."""
    up_counts: tuple[int, ...]
    downs: tuple[tuple[Card | None, ...], ...]
    """Rows of face-down cards: each slot is UNSEEN, or None if it is empty."""
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
        """How many cards a seat holds in all zones."""
        face_down = len(self.downs[seat]) - self.downs[seat].count(None)
        return self.hand_counts[seat] + self.up_counts[seat] + self.reserve_counts[seat] + face_down


_common: Final = attrgetter(*View.__match_args__[4:])
"""What all viewers of a game know."""


def view_of(state: State, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None), who sees only what is public."""
    unknown = (0,) * len(state.hands)
    public = View(
        seat=None,
        hands=unknown,
        ups=unknown if _hides_ups(state) else tuple(state.ups),
        reserves=unknown,
        rules=state.rules,
        powers=state.powers,
        phase=state.phase,
        ready=tuple(state.ready),
        order=state.order,
        to_move=state.to_move,
        must_lead=state.must_lead,
        may_pass=state.may_pass,
        hand_counts=tuple(map(int.bit_count, state.hands)),
        public_hands=tuple(state.public_hands),
        declined=tuple(state.declined),
        up_counts=tuple(map(int.bit_count, state.ups)),
        downs=tuple([tuple([None if card is None else UNSEEN for card in row]) for row in state.downs]),
        reserve_counts=tuple(map(int.bit_count, state.reserves)),
        stock_left=len(state.stock),
        pile=tuple(state.pile),
        bin=tuple(state.bin),
        top=state.top,
        run=state.run,
        quiet=state.quiet,
        places=state.places,
        outcome=state.outcome,
    )
    return seat_view(public, state, seat)


def seat_view(public: View, state: State, seat: int | None) -> View:
    """The view of a seat, made from that of the spectators of the same state, which takes less time than `view_of`."""
    if seat is None:
        return public
    ups = _only(seat, state.ups) if _hides_ups(state) else public.ups
    reserves = _only(seat, state.reserves) if state.reserves[seat] else public.reserves
    return View(seat, _only(seat, state.hands), ups, reserves, *_common(public))


def _hides_ups(state: State) -> bool:
    """Whether the face-up cards are only being laid, so that nobody sees those of others."""
    return state.phase == "arrange" and state.rules.arrange_mode == "lay-up"


def _only(seat: int, zone: list[CardSet]) -> tuple[CardSet, ...]:
    """The cards of this seat, and of no other one."""
    return ((0,) * seat + (zone[seat],) + (0,) * len(zone))[: len(zone)]


def seen_cards(view: View) -> CardSet:
    """Every card whose place the viewer knows."""
    seen = card_set(view.pile) | card_set(view.bin)
    for zones in (view.hands, view.public_hands, view.ups, view.reserves):
        for cards in zones:
            seen |= cards
    return seen


def unseen_cards(view: View) -> CardSet:
    """The cards of the deck that the viewer sees nowhere.

    If the deck has fewer than four cards of a rank, the suits of the unseen ones are chosen arbitrarily.
    """
    seen = seen_cards(view)
    unseen = 0
    for rank, copies in enumerate(view.rules.deck_copies):
        free = RANK_CARDS[rank] & ~seen
        for _ in range(copies - (seen & RANK_CARDS[rank]).bit_count()):
            unseen |= free & -free
            free &= free - 1
    return unseen
