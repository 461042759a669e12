"""Draws the host's console: how the server is, its tables, its people and its log. Pure.

It shows only what everybody may know of a game: whose turn it is, and never a card.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from server.cells import BLANK, BOLD, PLAIN, Row, fit, hconcat, justify, newest, pad, styled, wrap
from server.render.canvas import Canvas
from server.render.frame import Frame, draw_page
from server.render.scene import Page
from server.render.theme import Theme

Part: TypeAlias = Literal["all", "join", "tables", "people", "log"]
PARTS: Final[tuple[Part, ...]] = ("all", "join", "tables", "people", "log")
LEAST_LOG: Final = 5
"""The least rows of the log, with its title, on a console that shows all parts."""
MOST_COMPETITIONS: Final = 2
"""How many competitions are shown at once."""
TWO_COLUMNS: Final = 119
"""On a console of at least so many cells the people stand beside the tables."""
LEAST_BESIDE: Final = 30
"""The cells that text beside a QR code needs."""
NAME_CELLS: Final = 17
ADDRESS_CELLS: Final = 16
PROMPT: Final = "admin> "


class ConsoleScene(Struct, frozen=True):
    """All that a console shows."""

    status: str
    """How many are here, and how the server is, in a few words."""
    time: str
    join: str
    """What guests type; empty if nobody can come."""
    invitation: Sequence[str] = ()
    """All that they can type or scan, and the key of the server in words."""
    code: Sequence[Row] = ()
    """The QR code of a link that comes here; empty if there is none."""
    notice: str = ""
    """Where the log is, or that the server is about to stop."""
    tables: Sequence[tuple[int, str, str, str, str]] = ()
    """Their numbers, rules, names and states, and whose turn it is with the seconds left; empty if it is nobody's."""
    people: Sequence[tuple[str, str, str]] = ()
    """Their names and addresses, and where they are."""
    log: Sequence[str] = ()
    """The newest line last."""
    part: Part = "all"
    answer: str = ""
    hints: str = ""
    page: Page | None = None
    competitions: Sequence[str] = ()
    """How far those are that go on, a sentence or two each."""


def draw_console(scene: ConsoleScene, columns: int, rows: int, theme: Theme) -> Frame:
    """Draw the console, with the last row left for the input line."""
    canvas = Canvas.of(columns - 1, rows - 1, theme)
    if scene.page is not None:
        body, prompt = draw_page(scene.page, canvas)
    else:
        body, prompt = _overview(scene, canvas), PROMPT
    body = [*body, *[BLANK] * (rows - 1 - len(body))][: rows - 1]
    return Frame(tuple([fit(row, canvas.width) for row in body]), prompt)


def _overview(scene: ConsoleScene, canvas: Canvas) -> list[Row]:
    head = [justify(styled(BOLD, f" {scene.status}"), styled(BOLD, f"{scene.time} "), canvas.width)]
    if scene.join and scene.part != "join":
        head += [styled(BOLD, f" {line}") for line in wrap(f"join: {scene.join}", canvas.width - 2)]
    if scene.notice and scene.part != "join" and canvas.height > len(head) + 2 * LEAST_LOG:
        head += [styled(canvas.theme.faint, f" {line}") for line in wrap(scene.notice, canvas.width - 2)]
    if scene.part != "join":
        head += _competitions(scene, canvas)
    answer = [styled(BOLD, f" {line}") for line in wrap(scene.answer, canvas.width - 2)]
    below = [*answer, styled(canvas.theme.faint, f" {scene.hints}")]
    middle = _parts(scene, canvas, canvas.height - len(head) - len(below))
    return [*head, *middle, *below]


def _parts(scene: ConsoleScene, canvas: Canvas, height: int) -> list[Row]:
    """One part, or all of them: the log takes what the others leave, and has some rows in any case."""
    if scene.part == "all":
        rows = _tables_and_people(scene, canvas, max(0, height - min(LEAST_LOG, height // 3 + 1)))
        rows += _log(scene, canvas, height - len(rows))
    else:
        rows = {"join": _join, "tables": _tables, "people": _people, "log": _log}[scene.part](scene, canvas, height)
    return [*rows, *[BLANK] * (height - len(rows))]


def _join(scene: ConsoleScene, canvas: Canvas, height: int) -> list[Row]:
    """What guests type, the code beside it, or below it, if it fits, and the log where most rows are left."""
    code_cells = scene.code[0].width if scene.code else 0
    fits = 0 < len(scene.code) < height and code_cells < canvas.width
    beside = fits and code_cells + LEAST_BESIDE <= canvas.width
    column = canvas.part(canvas.width - code_cells - 1) if beside else canvas
    text = [styled(PLAIN, f" {part}") for line in scene.invitation for part in wrap(line, column.width - 2)]
    text += [styled(canvas.theme.faint, f" {part}") for part in wrap(scene.notice, column.width - 2)]
    text += _competitions(scene, column)
    log_beside = beside and height - len(scene.code) <= LEAST_LOG
    if beside:
        if log_beside:
            text += _log(scene, column, len(scene.code) - len(text))
        text = hconcat([*scene.code], text, code_cells, styled(PLAIN, " "))
    elif fits and len(text) + len(scene.code) < height:
        text += scene.code
    rows = [canvas.rule("join"), *text][:height]
    return rows if log_beside else rows + _log(scene, canvas, height - len(rows))


def _competitions(scene: ConsoleScene, canvas: Canvas) -> list[Row]:
    shown = scene.competitions[:MOST_COMPETITIONS]
    return [styled(BOLD, f" {line}") for its in shown for line in wrap(its, canvas.width - 2)]


def _tables_and_people(scene: ConsoleScene, canvas: Canvas, height: int) -> list[Row]:
    if canvas.width >= TWO_COLUMNS:
        return canvas.two_columns(
            lambda left: _tables(scene, left, height),
            lambda right: _people(scene, right, height),
            canvas.width * 3 // 5,
        )
    # Each has half of the rows, and what the other does not need.
    wanted = 1 + max(1, len(scene.tables))
    tables = min(wanted, max(height // 2, height - 1 - max(1, len(scene.people))))
    return [*_tables(scene, canvas, tables), *_people(scene, canvas, height - tables)]


def _tables(scene: ConsoleScene, canvas: Canvas, height: int) -> list[Row]:
    rows: list[Row] = []
    for number, rules, names, state, to_move in scene.tables:
        left = styled(BOLD, f"{number:>4}") + styled(PLAIN, f"  {pad(rules, 12)} {names}  ")
        rows.append(justify(left, styled(PLAIN, f"{state}{f'  {to_move}' * bool(to_move)} "), canvas.width))
    return _listed("tables", rows or [styled(PLAIN, " no player is at a table")], canvas, height)


def _people(scene: ConsoleScene, canvas: Canvas, height: int) -> list[Row]:
    rows = [
        styled(PLAIN, f" {pad(name, NAME_CELLS)} {pad(address, ADDRESS_CELLS)} {where}")
        for name, address, where in scene.people
    ]
    return _listed("people", rows or [styled(PLAIN, " no players")], canvas, height)


def _listed(title: str, rows: list[Row], canvas: Canvas, height: int) -> list[Row]:
    """Returns as many rows as fit below their title; the last one says how many more there are."""
    if height < 2:
        return []
    if len(rows) >= height:
        more = f" and {len(rows) - height + 2} more: type {title}"
        rows = [*rows[: height - 2], styled(canvas.theme.faint, more)]
    return [canvas.rule(title), *rows]


def _log(scene: ConsoleScene, canvas: Canvas, height: int) -> list[Row]:
    """The newest lines, wrapped."""
    return canvas.block("log", newest(scene.log, height - 1, canvas.width - 2), indent="") if height > 1 else []
