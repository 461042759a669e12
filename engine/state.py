"""The whole truth about one game, hidden cards included. Players of a running game get a `View` instead.

Zones are sets of cards (`cards.CardSet`). The stock, the pile and the bin are lists; the last entry is the top. Search
copies a state and changes it in place; `game.play` never changes the state that it is given.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from engine.cards import NO_RANK, Card, CardSet, Rank
from engine.position import Phase
from engine.rank_powers import Powers
from engine.rules import Json, Rules

Slots: TypeAlias = tuple[Card | None, ...]
"""A row of face-down cards. None is an empty slot, and slots never shift (G-15)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: won by a seat, or drawn among some seats (``winner`` is None)."""

    winner: int | None
    drawn: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The outcome as `engine/protocol/README.md` describes it."""
        if self.winner is None:
            return {"kind": "drawn", "seats": list(self.drawn)}
        return {"kind": "won", "winner": self.winner}


@dataclass(slots=True)
class State:
    """One game, from the deal to the end."""

    rules: Rules
    powers: Powers
    hands: list[CardSet]
    ups: list[CardSet]
    downs: list[Slots]
    reserves: list[CardSet]
    stock: list[Card] = field(default_factory=list)
    """The last card is drawn next."""
    pile: list[Card] = field(default_factory=list)
    bin: list[Card] = field(default_factory=list)
    phase: Phase = "play"
    ready: list[bool] = field(default_factory=list)
    order: tuple[int, ...] = ()
    """The seats still in, in turn order, starting anywhere."""
    to_move: int | None = None
    must_lead: Rank | None = None
    """The rank that the opening play must have; None after it, and if any card may open."""
    may_pass: bool = False
    """Whether this is a bonus turn, which may be declined."""
    quiet: int = 0
    """How many plies in a row have brought no progress; too many are a draw (G-03)."""
    places: tuple[int, ...] = ()
    outcome: Outcome | None = None
    luck: tuple[int, ...] = ()
    """The seats in the order in which they win ties, drawn from the seed."""
    public_hands: list[CardSet] = field(default_factory=list, compare=False)
    """For each hand, the cards that everybody saw go there, from the pile or a face-up row.

    It is what the table remembers, not where cards lie, so positions as JSON do not have it and equality ignores it.
    """
    declined: list[CardSet] = field(default_factory=list, compare=False)
    """For each hand, the cards that might have been laid when its player took a pile instead.

    Unless the pile may be taken by choice, its hidden cards are none of these. It ends when other hidden cards come.
    """
    top: Rank = NO_RANK
    """The rank that counts as the top of the pile: a mirror counts as the card beneath it."""
    run: int = 0
    """How many cards in a row, from the top down, count as that rank."""

    @property
    def stock_left(self) -> int:
        """How many cards are left in the stock."""
        return len(self.stock)

    def copy(self) -> "State":
        """An independent copy."""
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
            self.declined.copy(),
            self.top,
            self.run,
        )

    def is_out(self, seat: int) -> bool:
        """Whether a seat holds no card in any zone."""
        return not (
            self.hands[seat]
            or self.ups[seat]
            or self.reserves[seat]
            or self.downs[seat].count(None) < len(self.downs[seat])
        )

    def cards_of(self, seat: int) -> int:
        """How many cards a seat holds in all zones."""
        held = self.hands[seat] | self.ups[seat] | self.reserves[seat]
        return held.bit_count() + len(self.downs[seat]) - self.downs[seat].count(None)
