"""What the big board shows, and how it is drawn for a projector or a spare screen in the room. Pure.

It holds nothing that a spectator may not know. Every row is at least one column narrower than the terminal, so that
nothing wraps.
"""

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache, partial
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from msgspec import Struct

from engine.cards import cards_in
from engine.wording.phrases import quantity
from server.cells import BLANK, BOLD, LOUD, PLAIN, Row, cut, fit, hconcat, joined, justify, newest, pad, styled, wrap
from server.lobby.competitions import Competition, Leaders
from server.number_text import countdown_text
from server.render.canvas import PARTS_KEPT, Canvas, Scale
from server.render.card_art import box, side_by_side
from server.render.seat_rows import Seat, opponents
from server.render.table_frame import middle, result_rows
from server.render.theme import Theme
from server.table.snapshot import Sitter, Snapshot


class BoardSize(IntEnum):
    """How much a board shows at once. Its terminal's font decides: the larger the letters, the fewer there are."""

    SMALL = 0
    """One thing at a time, to be read from far away: a table, the standings, or how to join."""
    MEDIUM = 1
    """A page of tables, or one table drawn large; from 60x18."""
    LARGE = 2
    """The tables, the standings, the news and how to join, all at once; from 110x36."""


LEAST: Final = {BoardSize.MEDIUM: (60, 18), BoardSize.LARGE: (110, 36)}
"""The least columns and rows of each size."""
Kind: TypeAlias = Literal["tables", "table", "standings", "people", "join", "clock", "call"]


class Shown(NamedTuple):
    """What a board shows now. A large board always shows the standings, the people and how to join as well."""

    kind: Kind
    at: int = 0
    """The page of tables or of a call, from 0, or the number of the table."""


class BoardTable(Struct, frozen=True):
    """One table as its spectators see it."""

    snapshot: Snapshot
    left: int | None = None
    """Seconds left for the present decision; None if there is no clock."""
    log: tuple[str, ...] = ()
    """What has happened there, the newest line last."""


class Board(Struct, frozen=True, kw_only=True):
    """All that boards show."""

    time: str
    """The time of day, as 20:41."""
    join: str = ""
    """What to type to come here; empty if there is no way."""
    code: tuple[Row, ...] = ()
    """The QR code of a link that comes here; empty if there is none."""
    page: str = ""
    """The address to which it leads, if any browser opens that; otherwise empty."""
    key: str = ""
    """The beginning of the host key's fingerprint, and all of it in words; empty if nobody can come."""
    tables: Sequence[BoardTable] = ()
    """The public tables, in the order of their numbers."""
    private: int = 0
    """How many private tables are in use."""
    people: tuple[tuple[str, str], ...] = ()
    """The players on the server, each with where they are, in words."""
    news: tuple[str, ...] = ()
    """The headlines of all tables, the newest last."""
    talk: tuple[str, ...] = ()
    """What was said in the lobby, if the host of the server wants that to be shown."""
    message: str = ""
    """What an op has announced just now."""
    competition: Competition | None = None
    """What goes on, or has just ended."""

    def table(self, number: int) -> BoardTable | None:
        """The table of this number; None if it is not shown."""
        return next((each for each in self.tables if each.snapshot.table == number), None)


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
    rows = [*rows[: BOX_SEATS + 2], *[BLANK] * (BOX_SEATS + 2 - len(rows)), _pile(table.snapshot, theme, inside)]
    rows += [styled(theme.faint, f" {line}") for line in newest(table.log, log_rows, inside - 1) if line]
    return box(theme, [fit(row, inside) for row in (*rows, *[BLANK] * (height - 2 - len(rows)))], inside)


def title(table: BoardTable, width: int) -> Row:
    """The table's number and rules, how far its game is, and its clock."""
    snapshot = table.snapshot
    right = styled(PLAIN, f"{_state(snapshot)} ")
    if table.left is not None:
        right = styled(LOUD if table.left <= LAST_SECONDS else BOLD, f"{countdown_text(table.left)} ")
    return justify(styled(BOLD, f" {snapshot.table}  {snapshot.rules.title}"), right, width)


def _state(snapshot: Snapshot) -> str:
    if snapshot.view is None:
        return "waits"
    return {"arrange": "arranging", "over": "game over", "play": f"move {snapshot.ply}"}[snapshot.view.phase]


def _seats(snapshot: Snapshot, theme: Theme, width: int) -> list[Row]:
    """A heading, and the seats below it: with their cards, or before a game only the names."""
    view = snapshot.view
    if view is None:
        rows = [styled(theme.faint, f"  free seats: sit {snapshot.table}" if None in snapshot.sitters else "")]
        return rows + [styled(PLAIN, f"  {cut(_name(sitter), width - 3)}") for sitter in snapshot.sitters]
    is_over = view.phase == "over"
    came_in = view.places if is_over else ()
    order = [*came_in, *(seat for seat in view.seats if seat not in came_in)]
    heading = "  places" if is_over else HEADING
    return [styled(theme.faint, heading), *(_seat(Seat.of(snapshot, view, seat), theme) for seat in order)]


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
    who = styled(BOLD if seat.moves else PLAIN, f"{'>' if seat.moves else ' '} {name}")
    if seat.place is not None:
        return who + styled(PLAIN, f"  out, {seat.place}.")
    if seat.phase == "over":  # the log counts the cards
        return who
    if seat.phase == "arrange":
        return who + styled(PLAIN, f"  {'ready' if seat.ready else 'arranging'}")
    reserve = f" +{seat.reserve_count}" if seat.reserve_count else ""
    ups = theme.cards(cards_in(seat.ups))
    room = " " * max(1, UP_CELLS - ups.width)
    downs = theme.strokes.back * seat.hidden
    return who + styled(PLAIN, f" {seat.hand_count:>3}{reserve}   ") + ups + styled(PLAIN, f"{room}{downs}")


def _pile(snapshot: Snapshot, theme: Theme, width: int) -> Row:
    """The pile with its top cards, and the stock."""
    view = snapshot.view
    if view is None or view.phase != "play":
        return BLANK
    top = theme.cards(view.pile[-1:])
    under = theme.cards(view.pile[-5:-1][::-1])
    said = styled(PLAIN, f"  pile {len(view.pile):<2} ") + styled(BOLD, top.text)
    below = styled(PLAIN, " on ") + under if under.text else BLANK
    return justify(said + below, styled(PLAIN, f"stock {view.stock_left} "), width)


def one_table(table: BoardTable, canvas: Canvas) -> list[Row]:
    """One table over the whole canvas: the seats, the pile and what has happened; after a game its results."""
    snapshot, view = table.snapshot, table.snapshot.view
    rows = [title(table, canvas.width)]
    if canvas.width < ROOMY:
        rows += [*_seats(snapshot, canvas.theme, canvas.width), _pile(snapshot, canvas.theme, canvas.width)]
    elif view is None:
        rows += [BLANK, *_seats(snapshot, canvas.theme, canvas.width), BLANK]
    elif view.phase == "over":
        rows += [canvas.rule(), *result_rows(snapshot, view, canvas)]
    else:
        between = [canvas.rule()] if canvas.scale > Scale.COMPACT else []
        rows += [canvas.rule(), *opponents(snapshot, view, canvas), *between, *middle(snapshot, canvas)]
    return [*rows, *_log(table, canvas, canvas.height - len(rows))]


def _log(table: BoardTable, canvas: Canvas, height: int) -> list[Row]:
    """The newest lines, under a line across if there is space for it."""
    rule = [canvas.rule()] if canvas.width >= ROOMY else []
    lines = [line for line in newest(table.log, height - len(rule), canvas.width - 2) if line]
    return [*rule, *(styled(PLAIN, f" {line}") for line in lines)] if lines else []


MOST_NAMES: Final = 10
"""The most names in a list: more are not read from afar."""
SIDE_CELLS: Final = 38
"""The cells beside the tables of a large board."""
NEWS_ROWS: Final = 6
"""The least rows of news under the tables of a large board, with their title."""
MOST_TALK: Final = 6
CALL_CELLS: Final = 30
"""The cells of a name and its table in a call."""
LEAST_BESIDE: Final = 34
"""The least cells beside the code."""
LEAST_BOTH: Final = 19
"""A page of at least so many rows has the countdown above the standings."""
_EDGES: Final = {BoardSize.SMALL: 2, BoardSize.MEDIUM: 4, BoardSize.LARGE: 4}
"""The rows above and below the middle of a board, together."""
_DIGITS: Final = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", "  #", "  #"),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    ":": (" ", "#", " ", "#", " "),
}
"""Each character of a pattern is two cells wide, so that it looks square."""


class Capacity(NamedTuple):
    """How much a board shows at once."""

    size: BoardSize
    tables: int
    """How many tables; a small board shows a single one."""
    calls: int = 1
    """How many names of a call."""

    @classmethod
    def of(cls, columns: int, rows: int) -> Self:
        """That of a terminal of so many columns and rows."""
        fitting = [size for size, (width, height) in LEAST.items() if columns >= width and rows >= height]
        size = max(fitting, default=BoardSize.SMALL)
        width, height, news = columns - 1, rows - _EDGES[size], 0
        if size == BoardSize.LARGE:
            width, news = width - SIDE_CELLS - 3, NEWS_ROWS
        tables = (width // BOX_CELLS) * ((height - news) // BOX_ROWS) if size else 1
        return cls(size, tables, max(1, width // CALL_CELLS) * max(1, height - 3))


def draw_board(board: Board, shown: Shown, columns: int, rows: int, theme: Theme) -> tuple[Row, ...]:
    """Draw the board on exactly so many rows."""
    (size, most, _), width = Capacity.of(columns, rows), columns - 1
    above, below = _head(board, size, width, theme), _foot(board, size, width, theme)
    canvas = Canvas.of(width, rows - len(above) - len(below), theme)
    if size == BoardSize.LARGE:  # beside the tables and the news stand the standings, the people and how to join
        left = _page_of if shown.kind in {"table", "call"} else _tables_and_news
        sides = partial(left, board, shown, most=most), partial(_beside, board)
        body = canvas.two_columns(*sides, canvas.width - SIDE_CELLS - 3)
    else:
        body = _scene(board, shown, canvas, most)
    body = [*body, *[BLANK] * (canvas.height - len(body))][: canvas.height]
    return tuple([fit(row, width) for row in (*above, *body, *below)])


def _head(board: Board, size: BoardSize, width: int, theme: Theme) -> list[Row]:
    tables = f"   {quantity(len(board.tables) + board.private, 'table')}" if size else ""
    title = styled(BOLD, " QUATCH") + styled(PLAIN, f"   {len(board.people)} here{tables}")
    if (its := board.competition) is not None:
        clock = BLANK if its.left is None or not size else styled(BOLD, f" {countdown_text(its.left)}")
        waits_for = f"   {its.waits_for}" if size and its.waits_for else ""
        title = styled(BOLD, f" {its.name}") + styled(PLAIN, f"   {its.stage}{waits_for}") + clock
        if waits_for and title.width + len(board.time) + 3 > width:  # the countdown says more
            title = styled(BOLD, f" {its.name}") + styled(PLAIN, waits_for) + clock
    head = justify(title, styled(BOLD, f"{board.time} "), width)
    return [head, Canvas.of(width, 1, theme).rule()] if size else [head]


def _foot(board: Board, size: BoardSize, width: int, theme: Theme) -> list[Row]:
    """The last announcement or else the newest headline, and what to type to come here."""
    news = board.news[-1] if board.news and size == BoardSize.MEDIUM else ""
    is_paused = board.competition is not None and board.competition.is_paused
    message = "PAUSED by the host: no clock runs" if is_paused else board.message
    row = styled(LOUD, pad(f" {message}", width)) if message else styled(theme.faint, f" {news}")
    page = styled(BOLD, board.page) + styled(PLAIN, "  or  ") if board.page else BLANK
    join = styled(PLAIN, " join: ") + page + styled(BOLD, board.join) if board.join else BLANK
    return [row, join] if message or size else [join]


def _scene(board: Board, shown: Shown, canvas: Canvas, most: int) -> list[Row]:
    """One page; while nobody plays the way in stands beside it."""
    code = board.code
    beside = canvas.width - code[0].width - 3 if code else 0
    if board.tables or shown.kind == "join" or canvas.height < len(code) or beside < LEAST_BESIDE:
        return _page_of(board, shown, canvas, most)
    key = _key_rows(board, beside)
    page = _page_of(board, shown, Canvas.of(beside, canvas.height - len(key), canvas.theme), most)
    return _beside_code(board, [*page, *key])


def _beside_code(board: Board, rows: Sequence[Row]) -> list[Row]:
    """The code, with these rows beside it."""
    return hconcat(board.code, rows, board.code[0].width, styled(PLAIN, "   "))


def _key_rows(board: Board, width: int) -> list[Row]:
    said = f"The key of this server is {board.key}" if board.key else ""
    return [styled(BOLD, line) for line in wrap(said, width)] if said else []


def _page_of(board: Board, shown: Shown, canvas: Canvas, most: int) -> list[Row]:
    """One thing over the whole canvas."""
    if shown.kind == "table" and (table := board.table(shown.at)) is not None:
        return one_table(table, canvas)
    if (its := board.competition) is not None:
        match shown.kind:
            case "call":
                return _call(its, shown.at, canvas)
            case "clock":
                return _clock(its, canvas)
            case "standings":
                return _competition(its, canvas)
    if shown.kind in {"tables", "table"} and board.tables:
        return page_of_tables(_page(board, shown, most), canvas)
    return _join(board, canvas) if shown.kind == "join" else _people(board, canvas)


def _page(board: Board, shown: Shown, most: int) -> Sequence[BoardTable]:
    """The tables of the page that is shown; the last page if there are fewer by now."""
    page = min(shown.at if shown.kind == "tables" else 0, max(0, len(board.tables) - 1) // most)
    return board.tables[page * most : (page + 1) * most]


def _tables_and_news(board: Board, shown: Shown, canvas: Canvas, most: int) -> list[Row]:
    page = _page(board, shown, most)
    rows = page_of_tables(page, canvas)
    if not rows:
        its = board.competition
        what = f"type {its.enter}" if its is not None and its.enter else "press Enter to play"
        said = wrap(f"No game is going on. Come in and {what}.", canvas.width - 2)
        rows = [BLANK, *(styled(PLAIN, f" {line}") for line in said), BLANK]
    if len(board.tables) > len(page):
        rows.append(styled(canvas.theme.faint, f" {len(page)} of {quantity(len(board.tables), 'table')}"))
    return [*rows, *canvas.block("news", newest(board.news, canvas.height - len(rows) - 1, canvas.width - 2))]


def _beside(board: Board, canvas: Canvas) -> list[Row]:
    code = _code(board, canvas)
    room = canvas.height - len(code)
    its = board.competition
    rows = _competition(its, canvas) if its else []
    talk = [*canvas.block("talk", newest(board.talk, MOST_TALK, canvas.width - 2)), BLANK] if board.talk else []
    people = _people(board, canvas)
    if len(rows) + len(people) + len(talk) <= room:
        rows = [*rows, *people]
    rows = [*rows, *talk][:room] if len(rows) + len(talk) <= room else rows[:room]
    return [*rows, *[BLANK] * (room - len(rows)), *code]


def _competition(its: Competition, canvas: Canvas) -> list[Row]:
    clock = _clock(its, canvas) if canvas.height >= LEAST_BOTH else []
    return [*clock, *_standings(its.standings, canvas), *_honours(its, canvas)]


def _clock(its: Competition, canvas: Canvas) -> list[Row]:
    """The countdown in digits that are read from the other end of a room, below what it is for; nothing without one."""
    if its.left is None:
        return []
    patterns = map(" ".join, zip(*map(_DIGITS.__getitem__, countdown_text(its.left)), strict=True))
    digits = (
        joined("", [styled("reverse" if pixel == "#" else PLAIN, "  ") for pixel in pattern]) for pattern in patterns
    )
    rows = [styled(BOLD, f" {its.waits_for}"), BLANK, *(styled(PLAIN, " ") + row for row in digits), BLANK]
    return [fit(row, canvas.width) for row in rows]


def _call(its: Competition, page: int, canvas: Canvas) -> list[Row]:
    """To which table each is called, in columns by name, so that people find theirs."""
    height = max(1, canvas.height - 3)
    most = max(1, canvas.width // CALL_CELLS) * height
    names = its.calls[page * most : (page + 1) * most] or its.calls[:most]
    cells = [
        styled(PLAIN, f" {pad(name, 17)} ") + styled(BOLD, f"{f'table {table}':<{CALL_CELLS - 19}}")
        for name, table in names
    ]
    columns = (joined("", cells[y::height]) for y in range(min(height, len(names))))
    return [styled(LOUD, pad(" to your tables", canvas.width)), BLANK, *columns]


def _standings(standings: Leaders, canvas: Canvas) -> list[Row]:
    rows = [canvas.rule(standings.title)]
    room = min(MOST_NAMES, max(1, canvas.height - 3))
    for place, name, points in standings.rows[:room]:
        rows.append(
            justify(styled(BOLD, f" {place:>3} ") + styled(PLAIN, name), styled(BOLD, f"{points} "), canvas.width)
        )
    notes = wrap(standings.note, canvas.width - 2) if standings.note else []
    return [*rows, *(styled(canvas.theme.faint, f" {line}") for line in notes), BLANK]


def _honours(its: Competition, canvas: Canvas) -> list[Row]:
    lines = [part for line in its.honours for part in wrap(line, canvas.width - 2)]
    return [*canvas.block("honours", lines), BLANK] if lines else []


def _people(board: Board, canvas: Canvas) -> list[Row]:
    """Where people are, those who came last first, since they look for their names."""
    rows = [canvas.rule("here")]
    room = min(MOST_NAMES, max(1, canvas.height - 3))
    latest = board.people[::-1]
    shown = latest if len(latest) <= room else latest[: room - 1]
    rows += [
        justify(styled(PLAIN, f" {name}"), styled(canvas.theme.faint, f"{where} "), canvas.width)
        for name, where in shown
    ]
    if len(latest) > len(shown):
        rows.append(styled(canvas.theme.faint, f" and {len(latest) - len(shown)} more"))
    if not latest:
        rows.append(styled(PLAIN, " Nobody yet: you can be the first."))
    return [*rows, BLANK]


def _join(board: Board, canvas: Canvas) -> list[Row]:
    """How to come here, with the code beside it if there is room."""
    has_room = board.code and canvas.height >= len(board.code) and canvas.width >= board.code[0].width
    enter = board.competition.enter if board.competition is not None else ""
    said = ["To play, type in a terminal:", "", f"  {board.join}", "", *([f"and there: {enter}", ""] if enter else [])]
    if board.page:
        said += ["or open on a phone:", "", f"  {board.page}", ""]
    elif has_room:
        said += ["or scan the code with a phone that has ssh.", ""]
    width = canvas.width - (board.code[0].width + 3 if has_room else 2)
    rows = [styled(BOLD if line[:2] == "  " else PLAIN, part) for line in said for part in wrap(line, width)]
    rows += _key_rows(board, width)
    if has_room:
        return _beside_code(board, rows[: len(board.code)])
    return [BLANK, *(styled(PLAIN, " ") + row for row in rows[: canvas.height - 1])]


def _code(board: Board, canvas: Canvas) -> list[Row]:
    """The code, with what to type below it, for the lower end of a column."""
    if not board.code or board.code[0].width > canvas.width:
        return []
    ways = [part for way in (board.page, board.join) if way for part in wrap(way, canvas.width - 2)]
    key = [styled(PLAIN, " ") + row for row in _key_rows(board, canvas.width - 2)] if not board.tables else []
    return [canvas.rule("join"), *board.code, *(styled(BOLD, f" {way}") for way in ways), *key]
