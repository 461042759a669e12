"""What is typed to solve puzzles, and what ops do about those that players have reported."""

from collections.abc import Mapping
from typing import Final

from engine.errors import InputError
from engine.legality import check
from engine.moves import Move
from engine.rules import Json
from engine.rulesets import DEFAULT
from engine.wording.phrases import listed, quantity
from server.commands.acts import done, op_command
from server.commands.games import OwnLine
from server.commands.registry import Answer, Command, Context, declared_in
from server.extension import Feature
from server.language.parsing import parse_typed_move
from server.language.position_text import table_text
from server.lobby.personal_data import PersonalData
from server.lobby.service import Runs
from server.player.player_session import PlayerSession
from server.puzzles.puzzle import Puzzle, PuzzleProgress
from server.puzzles.service import NOT_REPORTED, SOLVED_TO_REPORT, Puzzles, forget_reports, reports_of
from server.puzzles.solving import MOST_LEVEL
from server.puzzles.view import PUZZLE, PuzzleView, is_solution, puzzle_snapshot, streak_text, task_lines, verdict_lines
from server.render.scene import LobbyHint

YOU: Final = "You"
HELP_PUZZLE: Final = (
    "A puzzle is a position from a finished game, as one seat saw it, in which one move is clearly best: type it.",
    "A long search found that move better than all others by at least 15 points; 100 is a win, 0 the last place.",
    "The level says how many simulations it takes to see the move. The more you solve in a row, the harder they get.",
    "Only the first move that you type counts. With an ssh key your streak is kept.",
    f"report               tell the host that a verdict seems wrong; needs a key and {SOLVED_TO_REPORT} solved puzzles",
    "puzzle life          puzzles with other rules, as soon as games were played with them here",
    "ssh HOST puzzle      shows your next puzzle; ssh HOST puzzle 7 7 answers it with two sevens",
)


@Command(
    "puzzle [RULES]",
    where={"lobby"},
    pages={"lobby"},
    in_full=True,
    ssh="answer or screen",
    details=HELP_PUZZLE,
    words="puzzles",
)
async def puzzle(context: Context, rest: str) -> Answer | None:
    """Find the best move in a position."""
    if isinstance(context, PlayerSession):
        rules = context.lobby.rulebook.find(rest).name if rest else DEFAULT
        view = PuzzleView(context.lobby.service(Puzzles), context.player, rules, context.front_end.told)
        await view.go_on()
        context.must_be_at_no_table()
        context.set_side_view(view)
        context.talk.count_anew()
        return None
    word, _, move = rest.partition(" ")
    names = context.lobby.rulebook.names
    rules, typed = (word, move) if word in names else (DEFAULT, rest)
    asked, progress = await context.lobby.service(Puzzles).next_for(context.player, rules)
    return await _answered(context, asked, typed) if typed else _asked(asked, progress)


@Command("next", where={"puzzle"}, pages={"puzzle"}, aliases=("n", ""))
async def next_puzzle(session: PlayerSession, _: str) -> None:
    """Show another puzzle, once you have typed a move."""
    if isinstance(session.side_view, PuzzleView):
        await session.side_view.go_on()


@Command("report", where={"puzzle"}, pages={"puzzle"}, in_full=True)
async def report(session: PlayerSession, _: str) -> Answer:
    """Report a puzzle whose verdict you think wrong."""
    if isinstance(session.side_view, PuzzleView):
        await session.side_view.report()
    return Answer(["Thank you: the host is told, and a puzzle that two players report is hidden, if few are."])


async def own_line(context: Context) -> str:
    """What a player is told of their puzzles on their own page; empty before the first is solved."""
    progress = await context.lobby.service(Puzzles).progress_of(context.player)
    return f"{progress.solved} solved. {streak_text(progress)}".rstrip(".") if progress.solved else ""


def _asked(asked: Puzzle, progress: PuzzleProgress) -> Answer:
    """The puzzle, for a player outside a session."""
    lines = [*table_text(puzzle_snapshot(asked, YOU)), *task_lines(asked, progress)]
    return Answer([*lines, "To answer: ssh HOST puzzle MOVE, as in ssh HOST puzzle 7 7"], _value(asked, progress))


async def _answered(context: Context, asked: Puzzle, typed: str) -> Answer:
    """The verdict on what was typed. Raises InputError if it is no legal move."""
    view = asked.position()
    move = parse_typed_move(typed, view)
    if move is None:
        raise InputError("bad_request", f"{typed[:20]!r} is no move: type ranks, as in puzzle 7 7, or puzzle p")
    check(view, asked.seat, move)
    solved = is_solution(asked, move)
    progress = await context.lobby.service(Puzzles).answered(context.player, asked, is_right=solved)
    lines = verdict_lines(asked, move, await context.lobby.service(Puzzles).line_of(asked), YOU)
    if context.player.account:
        lines.append(streak_text(progress))
    return Answer(lines, _value(asked, progress, move))


def _value(asked: Puzzle, progress: PuzzleProgress, move: Move | None = None) -> Mapping[str, Json]:
    answer: dict[str, Json] | None = None
    if move is not None:
        solved, best = is_solution(asked, move), str(asked.best)
        answer = {"move": str(move), "solved": solved, "best": best, "chances": asked.chances}
    return {
        **_position(asked),
        "levels": MOST_LEVEL,
        "seat": asked.seat,
        "moves": sorted(asked.chances),
        "streak": progress.streak,
        "best_streak": progress.best,
        "solved": progress.solved,  # how many puzzles
        "answer": answer,
    }


def _position(puzzle: Puzzle) -> Mapping[str, Json]:
    return {"id": puzzle.id, "rules": puzzle.rules, "level": puzzle.level, "view": puzzle.view}


# What ops can do about puzzles whose verdict players think wrong.


@op_command("reports [ID]", details=("reports ID also shows the puzzle, and what each move is worth in 100.",))
async def reports(context: Context, rest: str) -> Answer:
    """List puzzles that players have reported."""
    lines, value = list[str](), list[Mapping[str, Json]]()
    for each, by, is_hidden in await context.lobby.service(Puzzles).reported():
        if rest not in {"", each.id}:
            continue
        hidden = ", hidden" if is_hidden else ""
        lines.append(f"{each.id}  {each.rules}, level {each.level}: reported by {quantity(len(by), 'player')}{hidden}")
        if rest:
            worth = listed([f"{move} {chance}" for move, chance in each.chances.items()], "and")
            lines += [*table_text(puzzle_snapshot(each, YOU)), f"Worth: {worth}."]
        # The chances by move, best first: 100 for a win, 0 for the last place; the accounts that have reported it.
        value.append({**_position(each), "chances": each.chances, "by": by, "hidden": is_hidden})
    if rest and not lines:
        raise InputError("bad_request", NOT_REPORTED)
    return Answer(lines or ["No puzzle is reported."], {"reports": value})


@op_command("unreport ID")
async def unreport(context: Context, rest: str) -> Answer:
    """Show a puzzle again that players have reported."""
    await context.lobby.service(Puzzles).drop_reports(rest)
    return await done(context, f"Puzzle {rest} is shown again.", "unreport", rest)


FEATURE: Final = Feature(
    "puzzles",
    (
        *declared_in(__name__),
        PUZZLE,
        Runs(Puzzles),
        LobbyHint("puzzle"),
        PersonalData(
            name="puzzles reported",
            told=lambda _: "how you get on with puzzles, and which ones you have reported",
            read=reports_of,
            forget=forget_reports,
        ),
        OwnLine("puzzles", own_line),
    ),
)
