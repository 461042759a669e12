"""The whole truth about one game. Nothing outside the engine's core may hold it: all others get a `View`.

Zones are sets of cards (`cards.CardSet`); what has an order is a list whose last entry is the top. The state can be
copied and changed in place, which is what search does; `game.play` never changes the one it is given.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from engine.cards import NO_RANK, Card, CardSet, Rank
from engine.position import Phase
from engine.powers import Powers
from engine.rules import Json, Rules

Slots: TypeAlias = tuple[Card | None, ...]
"""A row of face-down cards; None is an empty slot, and slots never shift (G-15)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: won by a seat, or (None) drawn among these seats."""

    winner: int | None
    drawn: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """As REFEREE publishes it."""
        if self.winner is None:
            return {"kind": "drawn", "seats": list(self.drawn)}
        return {"kind": "won", "winner": self.winner}


@dataclass(slots=True)
class State:
    """One game between deal and end."""

    rules: Rules
    powers: Powers
    hands: list[CardSet]
    ups: list[CardSet]
    downs: list[Slots]
    reserves: list[CardSet]
    stock: list[Card] = field(default_factory=list)
    """The last one is drawn next."""
    pile: list[Card] = field(default_factory=list)
    bin: list[Card] = field(default_factory=list)
    phase: Phase = "play"
    ready: list[bool] = field(default_factory=list)
    order: tuple[int, ...] = ()
    """The seats still in, in the order in which they move, starting anywhere."""
    to_move: int | None = None
    must_lead: Rank | None = None
    may_pass: bool = False
    quiet: int = 0
    places: tuple[int, ...] = ()
    outcome: Outcome | None = None
    luck: tuple[int, ...] = ()
    """The seats in the order in which the deal's seed decides ties for them."""
    public_hands: list[CardSet] = field(default_factory=list, compare=False)
    """The cards in each hand that everybody saw go there, from the pile or a face-up row. It is what the table
    remembers, not where cards lie: REFEREE's positions do not have it, and two positions are equal without it.
    """
    top: Rank = NO_RANK
    """The rank that counts as the top of the pile: seen through mirrors."""
    run: int = 0
    """How many cards in a row, down from the top, count as that rank."""

    @property
    def stock_left(self) -> int:
        """How many cards can still be drawn."""
        return len(self.stock)

    def copy(self) -> "State":
        """An independent state that is equal to this one."""
        return State(
            self.rules,
            self.powers,
            self.hands.copy(),
            self.ups.copy(),
            self.downs.copy(),
            self.reserves.copy(),
            self.stock.copy(),
            self.pile.copy(),
            self.bin.copy(),
            self.phase,
            self.ready.copy(),
            self.order,
            self.to_move,
            self.must_lead,
            self.may_pass,
            self.quiet,
            self.places,
            self.outcome,
            self.luck,
            self.public_hands.copy(),
            self.top,
            self.run,
        )

    def is_out(self, seat: int) -> bool:
        """Whether a seat holds nothing any more."""
        return not (
            self.hands[seat]
            or self.ups[seat]
            or self.reserves[seat]
            or self.downs[seat].count(None) < len(self.downs[seat])
        )

    def cards_of(self, seat: int) -> int:
        """How many cards a seat holds in all its zones."""
        held = self.hands[seat] | self.ups[seat] | self.reserves[seat]
        return held.bit_count() + len(self.downs[seat]) - self.downs[seat].count(None)
