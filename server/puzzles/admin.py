"""What ops can do about puzzles whose verdict players think wrong."""

from typing import Any

from msgspec import Struct

from engine.errors import InputError
from engine.wording.phrases import listed, quantity
from server.commands.admin import done, op_command
from server.commands.registry import Answer, Context
from server.language.position_text import table_text
from server.puzzles.commands import YOU
from server.puzzles.service import NOT_REPORTED, Puzzles
from server.puzzles.text import puzzle_snapshot


class _ReportedJson(Struct):
    id: str
    rules: str
    level: int
    view: dict[str, Any]
    chances: dict[str, int]
    """By move, best first: 100 for a win, 0 for the last place."""
    by: list[str]
    """The accounts that have reported it."""
    hidden: bool
    """Whether it is not shown any more."""


class _ReportsJson(Struct):
    reports: list[_ReportedJson]


@op_command("reports [ID]", details=("reports ID also shows the puzzle, and what each move is worth in 100.",))
async def reports(context: Context, rest: str) -> Answer:
    """List puzzles that players have reported."""
    lines, value = list[str](), _ReportsJson([])
    for each, by, is_hidden in await context.lobby.service(Puzzles).reported():
        if rest not in {"", each.id}:
            continue
        hidden = ", hidden" if is_hidden else ""
        lines.append(f"{each.id}  {each.rules}, level {each.level}: reported by {quantity(len(by), 'player')}{hidden}")
        if rest:
            worth = listed([f"{move} {chance}" for move, chance in each.chances.items()], "and")
            lines += [*table_text(puzzle_snapshot(each, YOU)), f"Worth: {worth}."]
        value.reports.append(
            _ReportedJson(each.id, each.rules, each.level, each.view, each.chances, by, hidden=is_hidden)
        )
    if rest and not lines:
        raise InputError("bad_request", NOT_REPORTED)
    return Answer(lines or ["No puzzle is reported."], value)


@op_command("unreport ID")
async def unreport(context: Context, rest: str) -> Answer:
    """Show a puzzle again that players have reported."""
    await context.lobby.service(Puzzles).drop_reports(rest)
    return done(context, f"Puzzle {rest} is shown again.", "unreport", rest)
