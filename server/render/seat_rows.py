"""The seats of the other players in turn order, with their cards as text in a row or drawn."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, Self

from engine.cards import Card, CardSet, cards_in, ranks_in
from engine.position import Phase
from engine.rules import Rules
from engine.view import UNSEEN, View
from server.cells import BOLD, PLAIN, Fragment, Row, fit, hconcat, joined, pad, row_width
from server.render import card_art
from server.render.canvas import PARTS_KEPT, Canvas, Scale
from server.render.theme import Theme
from server.table.snapshot import Sitter, Snapshot

EMPTY_SLOT: Final = "[  ]"
BLIND: Final = "[##]"
NAME_CELLS: Final = 10


class Seat(NamedTuple):
    """All that a view shows of one seat."""

    name: str
    sitter: Sitter | None
    rules: Rules
    phase: Phase
    moves: bool
    """Whether it is the seat's turn."""
    ready: bool
    place: int | None
    """1 if the seat went out first; None if it is not out."""
    hand_count: int
    hand: CardSet
    """The visible cards of the hand."""
    up_count: int
    ups: CardSet
    downs: tuple[Card | None, ...]
    reserve_count: int
    reserve: CardSet

    @classmethod
    def of(cls, snapshot: Snapshot, view: View, seat: int) -> Self:
        """The seat of this number."""
        place = view.places.index(seat) + 1 if seat in view.places else None
        return cls(
            snapshot.name(seat), snapshot.sitters[seat], view.rules, view.phase, seat == view.to_move, view.ready[seat],
            place, view.hand_counts[seat], view.hands[seat], view.up_counts[seat], view.ups[seat], view.downs[seat],
            view.reserve_counts[seat], view.reserves[seat],
        )  # fmt: skip

    @property
    def who(self) -> Fragment:
        """The name, in bold if it is the seat's turn. Only the name is bold, because every move sends it again."""
        return (BOLD if self.moves else PLAIN, f" {'>' if self.moves else ' '} {pad(self.name, NAME_CELLS)}")

    @property
    def level(self) -> str:
        """The kind of player, filled with spaces."""
        sitter = self.sitter
        said = (
            f"*{sitter.ai_level}" if sitter and sitter.ai_level is not None else "bot" if sitter and sitter.bot else ""
        )
        return f" {said:<8}"

    @property
    def state(self) -> str:
        """Whether the seat is out, ready, about to go out, or played by an AI player while its person is away."""
        away = " (away)" if self.sitter and self.sitter.away else ""
        if self.place is not None:
            return f"  out, {self.place}.{away}"
        if self.phase == "arrange":
            return f"  {'ready' if self.ready else 'arranging'}{away}"
        cards = self.hand_count + self.up_count + self.reserve_count + self.hidden
        return f"  last card!{away}" if self.phase == "play" and cards == 1 else away

    @property
    def hidden(self) -> int:
        """How many face-down cards there are."""
        return len(self.downs) - self.downs.count(None)

    @property
    def up_slots(self) -> list[Card | None]:
        """The face-up cards, those still hidden, and the empty slots."""
        rules = self.rules
        slots = max(rules.deal_up, rules.arrange_lay if rules.arrange_mode == "lay-up" else 0, self.up_count)
        known: list[Card | None] = [*cards_in(self.ups)]
        known += [UNSEEN] * (self.up_count - len(known))
        return known + [None] * (slots - len(known))


def others(view: View) -> list[int]:
    """The other seats, in turn order after the player's own."""
    order = [*view.order, *(seat for seat in view.seats if seat not in view.order)]
    if view.seat is None or view.seat not in order:
        return [seat for seat in order if seat != view.seat]
    at = order.index(view.seat)
    return order[at + 1 :] + order[:at]


def opponents(snapshot: Snapshot, view: View, canvas: Canvas) -> list[Row]:
    """The seats of all other players: a row for each or, on a wide screen, drawn side by side."""
    seats = [Seat.of(snapshot, view, seat) for seat in others(view)]
    if canvas.scale < Scale.WIDE:
        return [row for seat in seats for row in _opponent(seat, canvas)]
    cells = canvas.width // len(seats)
    panels = [_panel(seat, canvas.theme, cells) for seat in seats]
    rows = [*panels[0]]
    for at, panel in enumerate(panels[1:], 1):
        rows = hconcat(rows, panel, at * cells, (PLAIN, ""))
    return rows


@lru_cache(PARTS_KEPT)
def _opponent(seat: Seat, canvas: Canvas) -> tuple[Row, ...]:
    """A seat on one row or, if the cards need it, on two."""
    theme, downs = canvas.theme, Row()
    reserve = f"  reserve {seat.reserve_count}" if seat.reserve_count else ""
    first: Row
    if canvas.scale == Scale.COMPACT:
        up = ((PLAIN, "  up "), *theme.cards(cards_in(seat.ups))) if seat.ups else ()
        down = f"  down {seat.hidden}" if seat.hidden else ""
        # While cards are swapped all hands are equal; where cards are laid, the players who have done so hold fewer.
        are_equal = seat.phase == "arrange" and seat.rules.arrange_mode == "swap"
        hand = "" if are_equal else f" hand {seat.hand_count:>2}"
        first = (seat.who, (PLAIN, f"{seat.level}{hand}{seat.state}"), *up, (PLAIN, f"{down}{reserve}"))
    else:
        ups, downs = _slots("up", seat.up_slots, theme), _slots("down", seat.downs, theme)
        state: Fragment = (PLAIN, f"{reserve}{seat.state}")
        first = (seat.who, (PLAIN, f"{seat.level} hand {seat.hand_count:>2}"), *ups)
        if row_width((*first, *downs, state)) <= canvas.width:
            first, downs = (*first, *downs), ()
        first = (*first, state)
    second = (*_open_hand(seat, theme), *downs)
    return (first, ((PLAIN, "      "), *second)) if second else (first,)


def _open_hand(seat: Seat, theme: Theme) -> Row:
    """The visible cards of a player's hand and reserve."""
    hand = joined(" ", (theme.group(rank, seat.hand) for rank, _ in ranks_in(seat.hand)))
    reserve = ((PLAIN, "   reserve "), *theme.cards(cards_in(seat.reserve))) if seat.reserve else ()
    return (*hand, *reserve)


@lru_cache(PARTS_KEPT)
def _panel(seat: Seat, theme: Theme, cells: int) -> tuple[Row, ...]:
    """A seat drawn in so many cells: name and hand, face-up cards, face-down cards."""
    reserve = f"   reserve {seat.reserve_count}" if seat.reserve_count else ""
    state = f"{seat.level} hand {seat.hand_count:>2}{reserve}{seat.state}"
    rows: list[Row] = [(seat.who, (PLAIN, state)), *(((PLAIN, "   "), *row) for row in lying_drawn(seat, theme))]
    if open_hand := _open_hand(seat, theme):
        rows.append(((PLAIN, "   "), *open_hand))
    return tuple([fit(row, cells - 1) for row in rows])


def lying_in_a_row(seat: Seat, theme: Theme, style: str = PLAIN) -> Row:
    """A seat's cards on the table as one row. Empty slots stay visible."""
    return (*_slots("up", seat.up_slots, theme, style), *_slots("down", seat.downs, theme, style))


def _slots(label: str, slots: Sequence[Card | None], theme: Theme, style: str = PLAIN) -> Row:
    return ((style, f"  {label} "), *(part for card in slots for part in _slot(card, theme, style))) if slots else ()


def lying_drawn(seat: Seat, theme: Theme) -> list[Row]:
    """A seat's cards on the table, drawn: the face-up row, and under it the face-down row."""
    rows: list[Row] = []
    if slots := seat.up_slots:
        rows += card_art.side_by_side(
            card_art.slot(theme, card, theme.faint if card is None else PLAIN) for card in slots
        )
    if seat.downs:
        down = joined("  ", (_slot(card, theme, PLAIN) for card in seat.downs))
        rows.append(((PLAIN, " "), *down))
    return rows


def _slot(card: Card | None, theme: Theme, style: str) -> Row:
    if card is None or card == UNSEEN:
        return ((style, EMPTY_SLOT if card is None else BLIND),)
    return ((style, "["), theme.card(card, style), (style, "]"))
