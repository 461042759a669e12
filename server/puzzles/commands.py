"""What is typed to solve puzzles."""

from typing import Final

from engine.rulesets import DEFAULT
from server.commands.games import OwnLine
from server.commands.registry import Command, Context, declared_in
from server.extension import Feature
from server.lobby.personal_data import PersonalData
from server.lobby.service import Runs
from server.player.player_session import PlayerSession
from server.puzzles.service import Puzzles
from server.puzzles.view import PUZZLE, PuzzleView, streak_text
from server.render.scene import LobbyHint

HELP_PUZZLE: Final = (
    "A puzzle is a position from a finished game, as one seat saw it, in which one move is clearly best: type it.",
    "A long search found that move better than all others by at least 15 points; 100 is a win, 0 the last place.",
    "The level says how many simulations it takes to see the move. The more you solve in a row, the harder they get.",
    "Only the first move that you type counts. With an ssh key your streak is kept.",
    "puzzle life          puzzles with other rules, as soon as games were played with them here",
)


@Command(
    "puzzle [RULES]",
    where={"lobby", "puzzle"},
    pages={"lobby"},
    in_full=True,
    ssh="screen",
    details=HELP_PUZZLE,
    words="puzzles",
)
async def puzzle(session: PlayerSession, rest: str) -> None:
    """Find the best move in a position."""
    view = session.side_view
    if rest or not isinstance(view, PuzzleView):
        rules = session.lobby.rulebook.find(rest).name if rest else DEFAULT
        view = PuzzleView(session.lobby.service(Puzzles), session.player, rules, session.front_end.told)
    await view.go_on()
    session.must_be_at_no_table()
    session.set_side_view(view)
    session.talk.count_anew()


@Command(
    "next",
    where={"puzzle"},
    pages={"puzzle"},
    aliases=("n", ""),
    words="another, another one, another ..., one more, one more ...",
)
async def next_puzzle(session: PlayerSession, _: str) -> None:
    """Show another puzzle, once you have typed a move."""
    await puzzle(session, "")


async def own_line(context: Context) -> str:
    """What a player is told of their puzzles on their own page; empty before the first is solved."""
    progress = await context.lobby.service(Puzzles).progress_of(context.player)
    return f"{progress.solved} solved. {streak_text(progress)}".rstrip(".") if progress.solved else ""


FEATURE: Final = Feature(
    "puzzles",
    (
        *declared_in(__name__),
        PUZZLE,
        Runs(Puzzles),
        LobbyHint("puzzle"),
        PersonalData(name="puzzles", told=lambda _: "how you get on with puzzles"),
        OwnLine("puzzles", own_line),
    ),
)
