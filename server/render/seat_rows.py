"""The seats of the other players in turn order, with their cards as text in a row or drawn."""

from collections.abc import Iterator
from typing import Final

from engine.cards import Card, cards_in, ranks_in
from engine.view import UNSEEN, View
from server.cells import BOLD, PLAIN, Fragment, Row, fit, hconcat, joined, pad, row_width
from server.render import card_art
from server.render.canvas import Canvas, Scale
from server.render.theme import Theme
from server.table.snapshot import Snapshot

EMPTY_SLOT: Final = "[  ]"
BLIND: Final = "[##]"
NAME_CELLS: Final = 10


def others(view: View) -> list[int]:
    """The other seats, in turn order after the player's own."""
    order = [*view.order, *(seat for seat in view.seats if seat not in view.order)]
    if view.seat is None or view.seat not in order:
        return [seat for seat in order if seat != view.seat]
    at = order.index(view.seat)
    return order[at + 1 :] + order[:at]


def opponents(snapshot: Snapshot, view: View, canvas: Canvas) -> list[Row]:
    """The seats of all other players: a row for each or, on a wide screen, drawn side by side."""
    seats = others(view)
    if canvas.scale < Scale.WIDE:
        return [row for seat in seats for row in _opponent(snapshot, view, seat, canvas)]
    cells = canvas.width // len(seats)
    panels = [_panel(snapshot, view, seat, canvas.theme, cells) for seat in seats]
    rows = panels[0]
    for at, panel in enumerate(panels[1:], 1):
        rows = hconcat(rows, panel, at * cells, (PLAIN, ""))
    return rows


def _opponent(snapshot: Snapshot, view: View, seat: int, canvas: Canvas) -> Iterator[Row]:
    theme, downs = canvas.theme, Row()
    who, level = _who(snapshot, view, seat)
    count = view.hand_counts[seat]
    reserve = f"  reserve {view.reserve_counts[seat]}" if view.reserve_counts[seat] else ""
    if canvas.scale == Scale.COMPACT:
        hidden = sum(card is not None for card in view.downs[seat])
        up = ((PLAIN, "  up "), *theme.cards(cards_in(view.ups[seat]))) if view.ups[seat] else ()
        down = f"  down {hidden}" if hidden else ""
        # While cards are swapped all hands are equal; where cards are laid, the players who have done so hold fewer.
        are_equal = view.phase == "arrange" and view.rules.arrange_mode == "swap"
        hand = "" if are_equal else f" hand {count:>2}"
        state: Fragment = (PLAIN, f" {level:<8}{hand}{seat_state(snapshot, view, seat)}")
        yield (who, state, *up, (PLAIN, f"{down}{reserve}"))
    else:
        ups, downs = _ups_in_a_row(view, seat, theme, PLAIN), _downs_in_a_row(view, seat, theme, PLAIN)
        state = (PLAIN, f"{reserve}{seat_state(snapshot, view, seat)}")
        first = (who, (PLAIN, f" {level:<8} hand {count:>2}"), *ups)
        if row_width((*first, *downs, state)) <= canvas.width:
            first, downs = (*first, *downs), ()
        yield (*first, state)
    if second := (*_open_hand(view, seat, theme), *downs):
        yield ((PLAIN, "      "), *second)


def _open_hand(view: View, seat: int, theme: Theme) -> Row:
    """The visible cards of a player's hand and reserve."""
    hand = joined(" ", (theme.group(rank, view.hands[seat]) for rank, _ in ranks_in(view.hands[seat])))
    reserve = ((PLAIN, "   reserve "), *theme.cards(cards_in(view.reserves[seat]))) if view.reserves[seat] else ()
    return (*hand, *reserve)


def _who(snapshot: Snapshot, view: View, seat: int) -> tuple[Fragment, str]:
    """A seat's name and its kind of player. Only the name is bold, because every move sends it again."""
    sitter = snapshot.sitters[seat]
    moving = seat == view.to_move
    level = f"*{sitter.ai_level}" if sitter and sitter.ai_level is not None else "bot" if sitter and sitter.bot else ""
    return (BOLD if moving else PLAIN, f" {'>' if moving else ' '} {pad(snapshot.name(seat), NAME_CELLS)}"), level


def _panel(snapshot: Snapshot, view: View, seat: int, theme: Theme, cells: int) -> list[Row]:
    """A seat drawn in so many cells: name and hand, face-up cards, face-down cards."""
    who, level = _who(snapshot, view, seat)
    reserve = f"   reserve {view.reserve_counts[seat]}" if view.reserve_counts[seat] else ""
    state = f" {level:<8} hand {view.hand_counts[seat]:>2}{reserve}{seat_state(snapshot, view, seat)}"
    rows: list[Row] = [(who, (PLAIN, state)), *(((PLAIN, "   "), *row) for row in lying_drawn(view, seat, theme))]
    if open_hand := _open_hand(view, seat, theme):
        rows.append(((PLAIN, "   "), *open_hand))
    return [fit(row, cells - 1) for row in rows]


def seat_state(snapshot: Snapshot, view: View, seat: int) -> str:
    """Whether a seat is out, ready, about to go out, or played by an AI player while its person is away."""
    sitter = snapshot.sitters[seat]
    away = " (away)" if sitter and sitter.away else ""
    if seat in view.places:
        return f"  out, {view.places.index(seat) + 1}.{away}"
    if view.phase == "arrange":
        return f"  {'ready' if view.ready[seat] else 'arranging'}{away}"
    return f"  last card!{away}" if view.phase == "play" and view.cards_of(seat) == 1 else away


def lying_in_a_row(view: View, seat: int, theme: Theme, style: str = PLAIN) -> Row:
    """A seat's cards on the table as one row. Empty slots stay visible."""
    return (*_ups_in_a_row(view, seat, theme, style), *_downs_in_a_row(view, seat, theme, style))


def _ups_in_a_row(view: View, seat: int, theme: Theme, style: str) -> Row:
    slots = _up_slots(view, seat)
    return ((style, "  up "), *(part for card in slots for part in _slot(card, theme, style))) if slots else ()


def _downs_in_a_row(view: View, seat: int, theme: Theme, style: str) -> Row:
    slots = view.downs[seat]
    return ((style, "  down "), *(part for card in slots for part in _slot(card, theme, style))) if slots else ()


def lying_drawn(view: View, seat: int, theme: Theme) -> list[Row]:
    """A seat's cards on the table, drawn: the face-up row, and under it the face-down row."""
    rows: list[Row] = []
    if slots := _up_slots(view, seat):
        rows += card_art.side_by_side(
            card_art.slot(theme, card, theme.faint if card is None else PLAIN) for card in slots
        )
    if view.downs[seat]:
        down = joined("  ", (_slot(card, theme, PLAIN) for card in view.downs[seat]))
        rows.append(((PLAIN, " "), *down))
    return rows


def _up_slots(view: View, seat: int) -> list[Card | None]:
    """The face-up cards, those still hidden, and the empty slots."""
    rules = view.rules
    slots = max(rules.deal_up, rules.arrange_lay if rules.arrange_mode == "lay-up" else 0, view.up_counts[seat])
    known: list[Card | None] = [*cards_in(view.ups[seat])]
    known += [UNSEEN] * (view.up_counts[seat] - len(known))
    return known + [None] * (slots - len(known))


def _slot(card: Card | None, theme: Theme, style: str) -> Row:
    if card is None or card == UNSEEN:
        return ((style, EMPTY_SLOT if card is None else BLIND),)
    return ((style, "["), theme.card(card, style), (style, "]"))
