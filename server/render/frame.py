"""Draws a scene as one screen: the lobby, a table, or a page of text. Pure.

Rows are made for one column less than the terminal has, so that nothing wraps.
"""

import re
from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from server.cells import BLANK, BOLD, MEASURE, PLAIN, Row, hconcat, justify, newest, styled, text_width, wrap
from server.render.canvas import Canvas
from server.render.lobby_frame import lobby_rows
from server.render.scene import Page, Scene
from server.render.table_frame import table_rows
from server.render.theme import theme_of

PAGE_FRAME: Final = 3
"""The rows around a page: its title, a line across, and the input line."""
GROUP: Final = 5
"""The most lines, at the end of a screen, that go to the next one together with what goes on there."""
_LISTED: Final = re.compile(r"(\S.*?\s{2,})(\S.*)")
"""A line in two columns: a term and its explanation."""


class Frame(Struct, frozen=True):
    """One screen. The last row is the input line, behind ``prompt``."""

    rows: tuple[Row, ...]
    prompt: str


def draw(scene: Scene, columns: int, rows: int) -> Frame:
    """Draw the scene at this size, at least `limits.LEAST_SCREEN`, with the last row left for the input line."""
    canvas = Canvas.of(columns - 1, rows - 1, theme_of(scene.settings, has_signs=scene.has_signs))
    if scene.page is not None:
        body, prompt = draw_page(scene.page, canvas, scene.news or scene.invitation)
        said = newest([*filter(None, (*scene.talk, scene.answer))], rows - len(body) - 2, canvas.width - 1)
        body += [BLANK, *(styled(PLAIN, f" {line}") for line in said)]
    elif scene.snapshot is None:
        body, prompt = lobby_rows(scene, canvas), "lobby> "
    else:
        body = table_rows(scene, scene.snapshot, canvas)
        prompt = "play> " if scene.snapshot.my_turn else scene.snapshot.place.prompt
    return Frame((*body[: rows - 1], *[BLANK] * (rows - 1 - len(body))), prompt)


@lru_cache(16)  # a page is drawn again and again
def page_rows(lines: tuple[str, ...], columns: int) -> Sequence[tuple[int, int, str]]:
    """The rows of a page, wrapped to fit, each behind the number of its line and its own in it; columns are kept."""
    width = min(columns - 2, MEASURE)
    return [(number, at, row) for number, line in enumerate(lines) for at, row in enumerate(_broken(line, width))]


def turned(page: Page, screens: int, columns: int, rows: int) -> Page | None:
    """The page so many screens later (or earlier); None after the last screen, and for 0."""
    starts = _starts(page, columns, rows)
    number = max(0, bisect(starts, page.at) - 1 + screens)
    return replace(page, at=starts[number]) if screens and number < len(starts) else None


def last_screen(page: Page, columns: int, rows: int) -> Page:
    """The last screen of a page, which is full."""
    page = replace(page, from_end=True)
    return replace(page, at=_starts(page, columns, rows)[-1])


def _broken(line: str, width: int) -> Sequence[str]:
    listed = _LISTED.fullmatch(line)
    if text_width(line) <= width or listed is None or text_width(listed[1]) > width * 3 // 5:
        return wrap(line, width)
    indent = text_width(listed[1])
    first, *more = (part.strip() for part in wrap(listed[2], width - indent - 2))
    return [listed[1] + first, *(" " * indent + part for part in more)]


def _starts(page: Page, columns: int, rows: int) -> list[tuple[int, int]]:
    """Where each screen of a page begins, full unless it is the last (or first). A wide screen shows two columns.

    What goes on from the line before is indented, and stays on one screen with it if it can.
    """
    most = (rows - PAGE_FRAME) * (2 if columns > 2 * MEASURE + 6 else 1)
    starts, lines = [0], page_rows(page.lines, columns)
    if page.from_end:
        starts += sorted(range(len(lines) - most, 0, -most))
    while len(lines) - starts[-1] > most:
        next_start = full = starts[-1] + most
        while lines[next_start][2].startswith(" ") and next_start > full - GROUP:
            next_start -= 1
        starts.append(full if lines[next_start][2].startswith(" ") else next_start)
    return [lines[start][:2] for start in starts]


def draw_page(page: Page, canvas: Canvas, notice: str = "") -> tuple[list[Row], str]:
    """A page on the whole canvas, with this notice beside its title; and its prompt."""
    height, starts = canvas.height + 1 - PAGE_FRAME, _starts(page, canvas.width + 1, canvas.height + 1)
    rows = page_rows(page.lines, canvas.width + 1)
    number = bisect(starts, page.at)
    is_last = number == len(starts)
    prompt = (f"Enter: {page.enter}> " if page.enter else "Enter goes back> ") if is_last else "Enter goes on> "
    if page.number_means:
        prompt = f"a {'name' if '{name}' in page.number_means else 'number'}, or {prompt}"
    elif is_last and starts[1:]:
        prompt = f"Up shows the lines before, {prompt}"
    first, end = (bisect(rows, start) for start in (*starts, (len(page.lines), 0))[number - 1 : number + 1])
    lines = [styled(PLAIN, f" {row}") for _, _, row in rows[first:end]]
    if len(lines) > height:
        between = styled(canvas.theme.faint, f" {canvas.theme.strokes.down} ")
        lines = hconcat(lines[:height], lines[height:], MEASURE + 2, between)
    numbers = f"lines {first + 1} to {end} of {len(rows)}" if starts[1:] else ""
    head = justify(styled(BOLD, f" {page.title}   {notice}".rstrip()), styled(PLAIN, numbers), canvas.width)
    return [head, canvas.rule(), *lines], prompt
