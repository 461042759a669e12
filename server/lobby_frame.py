"""The lobby drawn as rows: the one key to press, who plays what, the game in brief, who is here, the talk. Pure."""

from collections.abc import Sequence
from typing import Final

from engine.notes import brief
from engine.rulesets import DEFAULT
from server.canvas import Canvas, Scale
from server.cells import BOLD, PLAIN, Row, cut, ends, newest, pad, wrap
from server.drawn import box, side_by_side
from server.scene import Scene, answer_rows
from server.update import Listing

TITLE: Final = "QUATCH"
HINTS: Final = (
    "play",
    "lesson",
    "new",
    "sit 1",
    "watch 1",
    "rules",
    "replay",
    "top",
    "who",
    "set",
    "help",
    "quit",
    "/ talks",
)
LEAST_TALK: Final = 3
"""Rows of talk, its title among them, that everything else leaves."""
LEAST_TABLES: Final = 4
_NAMES: Final = 34
_HERE_CELLS: Final = 25


def lobby_rows(scene: Scene, canvas: Canvas) -> list[Row]:
    """The lobby at this size."""
    head = [*_head(scene, canvas), *_first_steps()]
    below = [*answer_rows(scene, canvas.width), ((canvas.faces.faint, _hints(canvas.width)),)]
    height = canvas.height - len(head) - len(below)
    if canvas.scale == Scale.WIDE:
        between = canvas.two_columns(
            lambda left: _tables_and_talk(scene, left, height),
            lambda right: [*_brief(scene, right, height // 2), (), *_here(scene, right, height - height // 2)],
            canvas.width - canvas.width // 3,
        )
    elif canvas.scale == Scale.COMPACT:
        between = [*_tables(scene, canvas, height - 7), *_here_in_a_row(scene, canvas)]
        between = [*between, *_talk(scene, canvas, height - len(between))]
    else:
        between = _usual(scene, canvas, height)
    return [*head, *between, *below]


def _usual(scene: Scene, canvas: Canvas, height: int) -> list[Row]:
    """Tables, then the game in brief and who is here beside each other, then the talk."""
    tables = _tables(scene, canvas, max(LEAST_TABLES, height - 11 - LEAST_TALK))
    told = _brief(scene, canvas.part(canvas.width - _HERE_CELLS - 3), height - len(tables) - LEAST_TALK)
    middle = canvas.two_columns(
        lambda _: told,
        lambda right: _here(scene, right, len(told)),
        canvas.width - _HERE_CELLS - 3,
    )
    return [*tables, *middle, *_talk(scene, canvas, height - len(tables) - len(middle))]


def _head(scene: Scene, canvas: Canvas) -> list[Row]:
    here = f"{len(scene.people)} here, {len(scene.tables)} {'table' if len(scene.tables) == 1 else 'tables'}"
    if canvas.scale < Scale.ROOMY:
        return [ends(((BOLD, f" {TITLE}   welcome, {scene.name}"),), (PLAIN, here), canvas.width), canvas.rule()]
    suits = canvas.faces.suits or "cdhs"
    letters = [
        box(canvas.faces, [((BOLD, f" {letter} "),), ((canvas.faces.colours[at % 4], f"  {suits[at % 4]}"),)], 3)
        for at, letter in enumerate(TITLE)
    ]
    beside_it = ["", f"   welcome, {scene.name}", f"   {here}", ""]
    drawn = side_by_side(letters)
    rows: list[Row] = [((PLAIN, " "), *row, (BOLD, said)) for row, said in zip(drawn, beside_it, strict=True)]
    return [*rows, canvas.rule()]


def _first_steps() -> list[Row]:
    return [
        ((PLAIN, " Press "), (BOLD, "Enter"), (PLAIN, " to play: AI players take the other seats at once.")),
        ((PLAIN, " New to it? "), (BOLD, "lesson"), (PLAIN, " teaches it in five minutes, step by step.")),
    ]


def _hints(width: int) -> str:
    hint = ""
    for part in HINTS:
        if len(hint) + len(part) + 3 <= width:
            hint += f"   {part}" if hint else f" {part}"
    return hint


def _tables(scene: Scene, canvas: Canvas, height: int) -> list[Row]:
    """As many tables as there is space for, those one can join first."""
    rows = [canvas.rule("tables")]
    room = max(1, height - 1)
    tables = sorted(scene.tables, key=lambda table: (table.asleep, table.open_seats == 0, table.number))
    rows += [_table_row(table, canvas) for table in tables[:room]]
    if len(tables) > room:
        rows[-1] = ((canvas.faces.faint, f"      and {len(tables) - room + 1} more: type tables"),)
    if not tables:
        rows.append(((canvas.faces.faint, "   none yet: new opens one that others can join"),))
    return rows


def _table_row(table: Listing, canvas: Canvas) -> Row:
    names = " ".join("-" if s is None else f"{'*' if s.ai_level else ''}{s.name}" for s in table.sitters)
    title, seats = (14, 22) if canvas.scale == Scale.COMPACT else (16, _NAMES)
    if canvas.width > 99:
        title, seats = 26, canvas.width - 26 - 30
    watching = f"  {table.watching} watching" if table.watching and canvas.scale else ""
    return (
        (BOLD, f"{table.number:>4}"),
        (PLAIN, f"  {pad(table.rules_title, title)} {pad(names, seats)}  {_state(table)}{watching}"),
    )


def _state(table: Listing) -> str:
    if table.asleep:
        return "asleep"
    state = f"move {table.ply}" if table.playing else f"{table.open_seats} of {len(table.sitters)} free"
    return f"{state} key" if table.private else state


def _brief(scene: Scene, canvas: Canvas, height: int) -> list[Row]:
    """The rules in brief; of sentences that do not fit, none is begun."""
    rows = [canvas.rule("the game in brief")]
    for line in brief(scene.rulebook.find(DEFAULT)):
        parts = wrap(line, canvas.width - 2)
        if len(rows) + len(parts) > height:
            break
        rows += [((PLAIN, f" {part}"),) for part in parts]
    others = f" {len(scene.rulebook.names)} rule sets: {', '.join(scene.rulebook.names)}"
    if len(rows) < height:
        rows.append(((canvas.faces.faint, cut(others, canvas.width)),))
    return rows


def _here(scene: Scene, canvas: Canvas, height: int) -> list[Row]:
    """Who is here, and where they sit."""
    at = {s.name: table.number for table in scene.tables for s in table.sitters if s and not s.ai_level}
    rows = [canvas.rule("here")]
    for name in scene.people[: height - 1]:
        where = f"table {at[name]}" if name in at else "lobby"
        rows.append(
            ends(((BOLD if name == scene.name else PLAIN, name),), (canvas.faces.faint, where), canvas.width - 1)
        )
    if len(scene.people) >= height:
        rows[-1] = ((canvas.faces.faint, f"and {len(scene.people) - height + 2} more: type who"),)
    return rows


def _here_in_a_row(scene: Scene, canvas: Canvas) -> list[Row]:
    return [canvas.rule("here"), ((PLAIN, cut(f" {', '.join(scene.people)}", canvas.width)),)]


def _tables_and_talk(scene: Scene, canvas: Canvas, height: int) -> list[Row]:
    tables = _tables(scene, canvas, height // 2)
    return [*tables, (), *_talk(scene, canvas, height - len(tables) - 1)]


def _talk(scene: Scene, canvas: Canvas, height: int) -> list[Row]:
    if height < 2:
        return []
    lines: Sequence[str] = newest(scene.talk, height - 1, canvas.width - 2)
    return [canvas.rule("talk"), *(((PLAIN, f" {line}"),) for line in lines)]
