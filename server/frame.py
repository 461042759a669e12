"""A scene drawn as rows of styled text: the lobby, the table, a page of help. Pure.

Every row is at most one column narrower than the terminal, so nothing ever wraps.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.wording import listed
from server.cells import BOLD, DIM, PLAIN, Row, cut, ends, fit, newest, pad, rule, titled_rule, wrap
from server.limits import LEAST_SCREEN
from server.scene import Scene, answer_rows
from server.table_frame import table_rows
from server.update import Listing

TOO_SMALL: Final = "This window is too small for the table: make it 60 by 20, or type set mode line."


@dataclass(frozen=True, slots=True)
class Frame:
    """A whole screen; the last row is where the person types, behind ``prompt``."""

    rows: tuple[Row, ...]
    prompt: str


def draw(scene: Scene, columns: int, rows: int) -> Frame:
    """The scene at this size; the rows leave the last line of the terminal free for typing."""
    width = columns - 1
    if columns < LEAST_SCREEN[0] or rows < LEAST_SCREEN[1]:
        body: list[Row] = [((PLAIN, line),) for line in wrap(TOO_SMALL, width)]
        prompt = "> "
    elif scene.page:
        body = list(_page(scene, rows - 1))
        prompt = "Enter goes on> "
    elif scene.update is None:
        body = _lobby(scene, width, rows - 1)
        prompt = "lobby> "
    else:
        body = table_rows(scene, scene.update, width, rows - 1)
        prompt = "play> " if scene.update.my_turn else "replay> " if scene.update.is_replay else "> "
    body = body[: rows - 1] + [()] * (rows - 1 - len(body))
    return Frame(tuple(fit(row, width) for row in body), prompt)


def page_rows(rows: int) -> int:
    """How many lines of a page one screen shows."""
    return rows - 3


def _lobby(scene: Scene, width: int, height: int) -> list[Row]:
    """Who plays what, who is here, and the talk in what is left of the screen."""
    above = [
        ends(((BOLD, f" QUATCH   welcome, {scene.name}"),), (PLAIN, f"{len(scene.people)} here"), width),
        rule(width),
        ((PLAIN, " Type "), (BOLD, "play"), (PLAIN, " and press Enter: a game against AI players begins at once.")),
        ((PLAIN, " New to it? "), (BOLD, "lesson"), (PLAIN, " teaches it in five minutes, step by step.")),
        ((DIM, f" Other rule sets: play {listed(scene.rulebook.names[1:])}."),),
        titled_rule("tables", width),
    ]
    below = [*answer_rows(scene, width), ((DIM, " play  new  sit N  watch N  rules  who  help  quit   / talks"),)]
    here = cut(f" Here: {', '.join(scene.people)}", width)
    room = max(3, height - len(above) - len(below) - 5)
    tables = [_table_row(table) for table in scene.tables[:room]]
    if len(scene.tables) > room:
        tables[-1] = ((DIM, f"  and {len(scene.tables) - room + 1} more: type tables"),)
    if not tables:
        tables = [((DIM, "  no tables yet: new opens one for others to join, play one of your own"),)]
    middle: list[Row] = [*tables, titled_rule("talk", width), ((PLAIN, here),)]
    talk = newest(scene.talk, height - len(above) - len(middle) - len(below), width - 2)
    return [*above, *middle, *(((PLAIN, f" {line}"),) for line in talk), *below]


def _table_row(table: Listing) -> Row:
    names = " ".join("-" if s is None else f"{'*' if s.ai_level else ''}{s.name}" for s in table.sitters)
    state = _table_state(table)
    return ((PLAIN, f"{table.number:>3}  {pad(table.rules_title, 22)}  {pad(names, 32)}  {state}"),)


def _table_state(table: Listing) -> str:
    if table.asleep:
        return "asleep"
    state = f"move {table.ply}" if table.playing else f"{table.open_seats} of {len(table.sitters)} free"
    return f"{state}{' key' if table.private else ''}{'' if table.hints else ' no hints'}"


# A page of text.


def _page(scene: Scene, height: int) -> Iterator[Row]:
    shown = scene.page[scene.page_at : scene.page_at + page_rows(height + 1)]
    yield from (((PLAIN, f" {line}"),) for line in shown)
    yield ()
    left = len(scene.page) - scene.page_at - len(shown)
    yield ((DIM, f" press Enter for the rest, {left} more" if left > 0 else " press Enter to go back"),)
