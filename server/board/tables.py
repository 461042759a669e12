"""Tables on the big board: side by side in boxes, or one of them as large as it can be. Pure."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.cards import cards_in
from server.board.scene import BoardTable
from server.cells import BOLD, LOUD, PLAIN, Row, cut, fit, justify, pad, row_width, wrap
from server.number_text import countdown_text
from server.render.canvas import PARTS_KEPT, Canvas, Scale
from server.render.card_art import box, side_by_side
from server.render.pile_rows import middle
from server.render.results_frame import result_rows
from server.render.seat_rows import Seat, opponents
from server.render.theme import Theme
from server.table.snapshot import Sitter, Snapshot

NAME_CELLS: Final = 12
"""The cells of a name on a board."""
BOX_CELLS: Final = 39
"""The least cells of a table's box, with its border."""
BOX_SEATS: Final = 4
"""The rows for seats in a box; with title, heading, pile, news and border it has six more."""
BOX_ROWS: Final = BOX_SEATS + 6
MOST_BOX_ROWS: Final = BOX_ROWS + 5
"""A box as high as this shows a few more lines of what has happened."""
HEADING: Final = f"  {'':<{NAME_CELLS}} hand   up        down"
UP_CELLS: Final = 10
"""The cells of the face-up cards and of the space behind them."""
ROOMY: Final = 59
"""On a board of at least so many cells a single table is drawn as players see it."""
LAST_SECONDS: Final = 10
"""A clock with so few seconds left stands out."""


def page_of_tables(tables: Sequence[BoardTable], canvas: Canvas) -> list[Row]:
    """The boxes of some tables, side by side as far as they fit, and one row of them above the other."""
    across = min(max(1, canvas.width // BOX_CELLS), len(tables)) or 1
    height = min(MOST_BOX_ROWS, max(BOX_ROWS, canvas.height // max(1, -(-len(tables) // across))))
    rows: list[Row] = []
    for at in range(0, len(tables), across):
        beside = tables[at : at + across]
        rows += side_by_side([_box(table, canvas.theme, canvas.width // across, height) for table in beside])
    return rows


def _box(table: BoardTable, theme: Theme, cells: int, height: int) -> list[Row]:
    """One table in a box of this size."""
    inside, log_rows = cells - 2, height - BOX_ROWS + 1
    rows = [title(table, inside), *_seats(table.snapshot, theme, inside)]
    rows = [*rows[: BOX_SEATS + 2], *[()] * (BOX_SEATS + 2 - len(rows)), _pile(table.snapshot, theme, inside)]
    rows += [((theme.faint, f" {line}"),) for line in last_whole(table.log, log_rows, inside - 1)]
    return box(theme, [fit(row, inside) for row in (*rows, *[()] * (height - 2 - len(rows)))], inside)


def title(table: BoardTable, width: int) -> Row:
    """The table's number and rules, how far its game is, and its clock."""
    snapshot = table.snapshot
    right = (PLAIN, f"{_state(snapshot)} ")
    if table.left is not None:
        right = (LOUD if table.left <= LAST_SECONDS else BOLD, f"{countdown_text(table.left)} ")
    return justify(((BOLD, f" {snapshot.table}  {snapshot.rules.title}"),), right, width)


def _state(snapshot: Snapshot) -> str:
    if snapshot.view is None:
        return "waits"
    return {"arrange": "arranging", "over": "game over", "play": f"move {snapshot.ply}"}[snapshot.view.phase]


def _seats(snapshot: Snapshot, theme: Theme, width: int) -> list[Row]:
    """A heading, and the seats below it: with their cards, or before a game only the names."""
    view = snapshot.view
    if view is None:
        rows: list[Row] = [((theme.faint, f"  free seats: sit {snapshot.table}" if None in snapshot.sitters else ""),)]
        return rows + [((PLAIN, f"  {cut(_name(sitter), width - 3)}"),) for sitter in snapshot.sitters]
    heading = "  places" if view.phase == "over" else HEADING
    return [((theme.faint, heading),), *(_seat(Seat.of(snapshot, view, seat), theme) for seat in _order(snapshot))]


def _order(snapshot: Snapshot) -> list[int]:
    """The seats as they sit; after a game as they came in."""
    view = snapshot.view
    if view is None or view.phase != "over":
        return [*range(len(snapshot.sitters))]
    return [*view.places, *(seat for seat in view.seats if seat not in view.places)]


def _name(sitter: Sitter | None) -> str:
    """A player's name: of an AI player with a star before it, of one who is away in brackets."""
    if sitter is None:
        return "-"
    if sitter.away:
        return f"({sitter.name})"
    return f"{'*' if sitter.is_ai else ''}{sitter.name}"


@lru_cache(PARTS_KEPT)
def _seat(seat: Seat, theme: Theme) -> Row:
    """A seat in one row: whose turn it is, name, cards in hand, cards on the table."""
    name = pad(_name(seat.sitter) if seat.sitter else seat.name, NAME_CELLS)
    who = (BOLD if seat.moves else PLAIN, f"{'>' if seat.moves else ' '} {name}")
    if seat.place is not None:
        return (who, (PLAIN, f"  out, {seat.place}."))
    if seat.phase == "arrange":
        return (who, (PLAIN, f"  {'ready' if seat.ready else 'arranging'}"))
    reserve = f" +{seat.reserve_count}" if seat.reserve_count else ""
    ups = theme.cards(cards_in(seat.ups)) if seat.ups else ()
    room = " " * max(1, UP_CELLS - row_width(ups))
    downs = theme.strokes.back * seat.hidden
    return (who, (PLAIN, f" {seat.hand_count:>3}{reserve}   "), *ups, (PLAIN, f"{room}{downs}"))


def _pile(snapshot: Snapshot, theme: Theme, width: int) -> Row:
    """The pile with its top cards, and the stock."""
    view = snapshot.view
    if view is None or view.phase != "play":
        return ()
    top = theme.cards(view.pile[-1:])
    under = theme.cards(view.pile[-5:-1][::-1])
    said = ((PLAIN, f"  pile {len(view.pile):<2} "), *((BOLD, text) for _, text in top))
    below: Row = ((PLAIN, " on "), *under) if under else ()
    return justify((*said, *below), (PLAIN, f"stock {view.stock_left} "), width)


def one_table(table: BoardTable, canvas: Canvas) -> list[Row]:
    """One table over the whole canvas: the seats, the pile and what has happened; after a game its results."""
    snapshot, view = table.snapshot, table.snapshot.view
    rows = [title(table, canvas.width)]
    if canvas.width < ROOMY:
        rows += [*_seats(snapshot, canvas.theme, canvas.width), _pile(snapshot, canvas.theme, canvas.width)]
    elif view is None:
        rows += [(), *_seats(snapshot, canvas.theme, canvas.width), ()]
    elif view.phase == "over":
        rows += [canvas.rule(), *result_rows(snapshot, view, canvas)]
    else:
        between = [canvas.rule()] if canvas.scale > Scale.COMPACT else []
        rows += [canvas.rule(), *opponents(snapshot, view, canvas), *between, *middle(snapshot, canvas)]
    return [*rows, *_log(table, canvas, canvas.height - len(rows))]


def _log(table: BoardTable, canvas: Canvas, height: int) -> list[Row]:
    """The newest lines, under a line across if there is space for it."""
    rule = [canvas.rule()] if canvas.width >= ROOMY else []
    lines = last_whole(table.log, height - len(rule), canvas.width - 2)
    return [*rule, *(((PLAIN, f" {line}"),) for line in lines)] if lines else []


def last_whole(lines: Sequence[str], height: int, width: int) -> list[str]:
    """The last of these lines that are whole in so many rows; of a last one that is too long its beginning."""
    shown: list[str] = []
    for line in reversed(lines):
        parts = wrap(line, width)
        if shown and len(shown) + len(parts) > height:
            break
        shown = [*parts, *shown]
    return shown[: max(0, height)]
