"""The seats of a table: those of the others in turn order, and the player's own with turn, clock and hand.

Cards are text in a row or drawn. Cards that can be played are in parentheses or, as big cards, one row higher. Colour
is never the only sign.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Self

from msgspec import Struct

from engine.cards import RANK_CARDS, Card, CardSet, Rank, cards_in, ranks_in
from engine.moves import Play
from engine.position import Phase
from engine.view import UNSEEN, View
from server.cells import BLANK, BOLD, LOUD, PLAIN, Row, cut, fit, hconcat, joined, justify, pad, styled
from server.language.event_text import ordinal
from server.number_text import countdown_text
from server.render import card_art
from server.render.canvas import MOMENTS_KEPT, PARTS_KEPT, Canvas, Scale
from server.render.theme import Theme
from server.table.snapshot import Sitter, Snapshot

EMPTY_SLOT: Final = "[  ]"
BLIND: Final = "[##]"
NAME_CELLS: Final = 10
_HAND_INDENT: Final = 14
_BIG_INDENT: Final = 3
_OWN_NAME_CELLS: Final = 12
"""The most cells of a name that stands in place of YOU."""
_GAP: Final = 8
"""Cells between the cards on the table and the hand, if both are drawn."""


class Seat(Struct, frozen=True):
    """All that a view shows of one seat."""

    name: str
    sitter: Sitter | None
    phase: Phase
    moves: bool
    """Whether it is the seat's turn."""
    ready: bool
    place: int | None
    """1 if the seat went out first; None if it is not out."""
    hand_count: int
    hand: CardSet
    """The visible cards of the hand."""
    up_slots: tuple[Card | None, ...]
    """The face-up cards, those still hidden, and the empty slots."""
    ups: CardSet
    downs: tuple[Card | None, ...]
    reserve_count: int
    reserve: CardSet

    @classmethod
    def of(cls, snapshot: Snapshot, view: View, seat: int) -> Self:
        """The seat of this number."""
        rules, place = view.rules, view.places.index(seat) + 1 if seat in view.places else None
        sitter = snapshot.sitters[seat]
        name = sitter.name if sitter else snapshot.name(seat)
        slots = max(rules.deal_up, rules.arrange_lay if rules.arrange_mode == "lay-up" else 0)
        slots *= bool(view.up_counts[seat] or not snapshot.place.guides)  # a learner would ask what empty ones are
        return cls(
            name, sitter, view.phase, seat == view.to_move, view.ready[seat], place,
            view.hand_counts[seat], view.hands[seat], _slots_of(view.ups[seat], view.up_counts[seat], slots),
            view.ups[seat], view.downs[seat], view.reserve_counts[seat], view.reserves[seat],
        )  # fmt: skip

    @property
    def who(self) -> Row:
        """The name, in bold if it is the seat's turn. Only the name is bold, because every move sends it again."""
        return styled(BOLD if self.moves else PLAIN, f" {'>' if self.moves else ' '} {pad(self.name, NAME_CELLS)}")

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
            return f"  out {ordinal(self.place)}{away}"
        if self.phase == "arrange":
            return f"  {'ready' if self.ready else 'arranging'}{away}"
        ups = len(self.up_slots) - self.up_slots.count(None)
        cards = self.hand_count + ups + self.reserve_count + self.hidden
        return f"  last card!{away}" if self.phase == "play" and cards == 1 else away

    @property
    def hidden(self) -> int:
        """How many face-down cards there are."""
        return len(self.downs) - self.downs.count(None)


@lru_cache(PARTS_KEPT)
def _slots_of(ups: CardSet, count: int, slots: int) -> tuple[Card | None, ...]:
    known: list[Card | None] = [*cards_in(ups)]
    known += [UNSEEN] * (count - len(known))
    return (*known, *[None] * (slots - len(known)))


def others(view: View) -> list[int]:
    """The other seats, in turn order after the player's own."""
    order = [*view.order, *sorted({*range(len(view.hands))} - {*view.order, view.seat})]
    if view.seat not in view.order:
        return order
    at = order.index(view.seat)
    return order[at + 1 :] + order[:at]


def opponents(public: Snapshot, view: View, canvas: Canvas) -> list[Row]:
    """The seats of all but this view's player: a row for each or, on a wide screen, drawn side by side."""
    seats = others(view)
    cells = canvas.width // len(seats) if canvas.scale == Scale.WIDE else 0
    drawn = _drawn_seats(public, canvas, cells)
    rows = [*drawn[seats[0]]]
    for at, seat in enumerate(seats[1:], 1):
        rows = hconcat(rows, drawn[seat], at * cells) if cells else [*rows, *drawn[seat]]
    return rows


@lru_cache(MOMENTS_KEPT)
def _drawn_seats(public: Snapshot, canvas: Canvas, cells: int) -> list[tuple[Row, ...]]:
    """Every seat as the others see it: in so many cells or, if that is 0, on a row or two."""
    view = public.view
    if view is None:
        return []
    seats = [Seat.of(public, view, seat) for seat in view.seats]
    if cells:
        return [_panel(seat, canvas.theme, cells) for seat in seats]
    return [_opponent(seat, canvas, view.rules.arrange_mode) for seat in seats]


@lru_cache(PARTS_KEPT)
def _opponent(seat: Seat, canvas: Canvas, arrange_mode: str) -> tuple[Row, ...]:
    """A seat on one row or, if the cards need it, on two."""
    theme, downs = canvas.theme, BLANK
    reserve = f"  reserve {seat.reserve_count}" if seat.reserve_count else ""
    if canvas.scale == Scale.COMPACT:
        up = styled(PLAIN, "  up ") + theme.cards(cards_in(seat.ups)) if seat.ups else BLANK
        down = f"  down {seat.hidden}" if seat.hidden else ""
        # While cards are swapped all hands are equal; where cards are laid, the players who have done so hold fewer.
        are_equal = seat.phase == "arrange" and arrange_mode == "swap"
        hand = "" if are_equal else f" hand {seat.hand_count:>2}"
        first = seat.who + styled(PLAIN, f"{seat.level}{hand}{seat.state}") + up + styled(PLAIN, f"{down}{reserve}")
    else:
        ups, downs = _lying(seat, theme)
        state = styled(PLAIN, f"{reserve}{seat.state}")
        parts = [seat.who, styled(PLAIN, f"{seat.level} hand {seat.hand_count:>2}"), ups, downs, state]
        first = joined("", parts)
        if first.width > canvas.width:
            first = joined("", [*parts[:3], state])
        else:
            downs = BLANK
    second = _open_hand(seat, theme) + downs
    return (first, styled(PLAIN, "      ") + second) if second != BLANK else (first,)


def _open_hand(seat: Seat, theme: Theme) -> Row:
    """The visible cards of a player's hand and reserve."""
    hand = joined(" ", (theme.group(rank, seat.hand) for rank, _ in ranks_in(seat.hand)))
    reserve = styled(PLAIN, "   reserve ") + theme.cards(cards_in(seat.reserve)) if seat.reserve else BLANK
    return hand + reserve


@lru_cache(PARTS_KEPT)
def _panel(seat: Seat, theme: Theme, cells: int) -> tuple[Row, ...]:
    """A seat drawn in so many cells: name and hand, face-up cards, face-down cards."""
    reserve = f"   reserve {seat.reserve_count}" if seat.reserve_count else ""
    state = f"{seat.level} hand {seat.hand_count:>2}{reserve}{seat.state}"
    rows = [seat.who + styled(PLAIN, state), *(styled(PLAIN, "   ") + row for row in lying_drawn(seat, theme))]
    if (open_hand := _open_hand(seat, theme)) != BLANK:
        rows.append(styled(PLAIN, "   ") + open_hand)
    return tuple([fit(row, cells - 1) for row in rows])


def _lying(seat: Seat, theme: Theme, style: str = PLAIN) -> tuple[Row, Row]:
    """The face-up and the face-down row. A 10 needs one cell more, which the gap gives, so that columns stay."""
    ups = _slots("  up ", seat.up_slots, theme, style)
    is_wider = ups.width > len("  up ") + len(EMPTY_SLOT) * len(seat.up_slots)
    return ups, _slots(" down " if ups != BLANK and is_wider else "  down ", seat.downs, theme, style)


@lru_cache(PARTS_KEPT)
def _slots(label: str, slots: tuple[Card | None, ...], theme: Theme, style: str) -> Row:
    return joined("", [styled(style, label if slots else ""), *(_slot(card, theme, style) for card in slots)])


def lying_drawn(seat: Seat, theme: Theme) -> list[Row]:
    """A seat's cards on the table, drawn: the face-up row, and under it the face-down row."""
    rows: list[Row] = []
    if slots := seat.up_slots:
        rows += card_art.side_by_side(
            card_art.slot(theme, card, theme.faint if card is None else PLAIN) for card in slots
        )
    if seat.downs:
        down = joined("  ", (_slot(card, theme, PLAIN) for card in seat.downs))
        rows.append(styled(PLAIN, " ") + down)
    return rows


@lru_cache(PARTS_KEPT)
def _slot(card: Card | None, theme: Theme, style: str) -> Row:
    if card is None or card == UNSEEN:
        return styled(style, EMPTY_SLOT if card is None else BLIND)
    return joined("", (styled(style, "["), theme.card(card, style), styled(style, "]")))


def own(snapshot: Snapshot, canvas: Canvas, clock_left: int | None) -> tuple[Row, ...]:
    """The player's own seat, or for a spectator that they are watching."""
    view, my_turn = snapshot.view, snapshot.my_turn
    if view is None:
        return ()
    clock = "" if clock_left is None else countdown_text(clock_left)
    if clock and not my_turn and view.to_move is not None:
        clock = f"{snapshot.name(view.to_move)} {clock}"
    is_record = snapshot.place.kind == "record"
    if view.seat is None:
        return (
            justify(styled(PLAIN, "" if is_record else "   You are watching."), styled(PLAIN, clock), canvas.width),
        )
    label = _turn_label(snapshot, view, clock, " " if canvas.scale else "")
    who = cut(snapshot.name(view.seat), _OWN_NAME_CELLS) if is_record else "YOU"
    legal = snapshot.legal if my_turn and view.phase == "play" else []
    playable = frozenset([move.picks[0].rank for move in legal if isinstance(move, Play)]) if legal else None
    head, *rows = _own_cards(Seat.of(snapshot, view, view.seat), who, playable, canvas, is_asked=my_turn)
    return (justify(head, styled(LOUD if my_turn else PLAIN, label), canvas.width), *rows)


@lru_cache(PARTS_KEPT)
def _own_cards(
    seat: Seat, who: str, playable: frozenset[Rank] | None, canvas: Canvas, *, is_asked: bool
) -> tuple[Row, ...]:
    """All cards of the player, behind their name. ``playable``: ranks, or None if no card may be played now."""
    theme = canvas.theme
    mine = BOLD if is_asked else PLAIN
    place = styled(mine, seat.state if seat.place is not None else "")
    if canvas.scale == Scale.WIDE:
        head = styled(mine, f"   {who}   hand {seat.hand_count:>2}") + place
        rows = _wide(seat, playable, canvas)
    else:
        ups, downs = _lying(seat, theme, mine)
        is_drawn = seat.hand and _inside(canvas, len([*ranks_in(seat.hand)]))  # else its row has the number
        count = f"   hand {seat.hand_count:>2}" if is_drawn else ""
        head = joined("", (styled(mine, f"   {who}{count}"), ups, downs, place))
        rows = list(_own_hand(seat, playable, canvas))
    if seat.reserve:
        cards = joined(" ", [theme.group(rank, seat.reserve) for rank, _ in ranks_in(seat.reserve)])
        rows.append(styled(PLAIN, "   reserve    ") + cards + styled(PLAIN, "   for the end"))
    return (head, *rows)


def _wide(seat: Seat, playable: frozenset[Rank] | None, canvas: Canvas) -> list[Row]:
    lying = [styled(PLAIN, "   ") + row for row in lying_drawn(seat, canvas.theme)]
    if not lying:
        return list(_own_hand(seat, playable, canvas))
    cells = max(row.width for row in lying) + _GAP
    hand = list(_own_hand(seat, playable, canvas.part(canvas.width - cells)))
    return hconcat([BLANK, *lying], hand, cells)


def _turn_label(snapshot: Snapshot, view: View, clock: str, gap: str) -> str:
    if view.phase == "over":
        return "game over"
    if snapshot.away:
        return f"*{gap}AWAY: type back{gap}*"
    return f"*{gap}{' '.join(['YOUR TURN', *clock.split()])}{gap}*" if snapshot.my_turn else clock


def _own_hand(seat: Seat, playable: frozenset[Rank] | None, canvas: Canvas) -> Iterator[Row]:
    """The hand by rank, or the face-up row if there is no hand, with the playable cards marked."""
    theme, zone = canvas.theme, seat.hand or seat.ups
    ranks = [rank for rank, _ in ranks_in(zone)]
    marked = playable or frozenset()
    if inside := _inside(canvas, len(ranks)):
        boxes = card_art.ranks(theme, [(rank, zone, rank in marked) for rank in ranks], inside)
        yield from (styled(PLAIN, " " * _BIG_INDENT) + row for row in boxes)
        if not seat.hand:
            yield styled(PLAIN, _instead_of_a_hand(seat))
        return
    parts = [styled(PLAIN, f"   hand {seat.hand.bit_count():>2}    ")]
    for rank in ranks:
        style = BOLD if rank in marked else PLAIN if playable is None else theme.faint
        parts.append(_in_hand(theme, rank, zone & RANK_CARDS[rank], style, marked=rank in marked))
    if not seat.hand:
        parts.append(styled(PLAIN, _instead_of_a_hand(seat)))
    while parts:
        fitting = len(parts)
        while (row := joined("", parts[:fitting])).width > canvas.width and fitting > 2:
            fitting -= 1
        yield row
        parts = [styled(PLAIN, " " * _HAND_INDENT), *parts[fitting:]] if fitting < len(parts) else []


@lru_cache(16 * PARTS_KEPT)
def _in_hand(theme: Theme, rank: Rank, cards: CardSet, style: str, *, marked: bool) -> Row:
    """The cards of one rank in a hand, in parentheses if they are marked."""
    before, after = ("(", ") ") if marked else (" ", "  ")
    return joined("", (styled(style, before), theme.group(rank, cards, style), styled(style, after)))


def _inside(canvas: Canvas, ranks: int) -> tuple[int, int] | None:
    """The size at which so many ranks can be drawn; None if they do not fit."""
    if canvas.scale < Scale.ROOMY or not ranks or not canvas.theme.suits:
        return None
    sizes = ([card_art.LARGE] if canvas.scale == Scale.WIDE else []) + [card_art.BROAD, card_art.SMALL]
    return next((size for size in sizes if ranks * (size[0] + 3) - 1 + _BIG_INDENT <= canvas.width), None)


def _instead_of_a_hand(seat: Seat) -> str:
    if seat.phase == "over":
        return "the game is over"
    if seat.ups:
        return "  (from the face-up row)"
    slots = " ".join(str(n + 1) for n, card in enumerate(seat.downs) if card is not None)
    return f"turn a face-down card: {slots}" if slots else "no cards left"
