"""What is typed to solve puzzles, and how a player goes through them: a position, a move, and the verdict in words."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from engine.ai.explain import reason_for_move
from engine.ai.judging import named_by_rank
from engine.ai.verdict import Line
from engine.errors import InputError
from engine.legality import check
from engine.moves import Move, parse_move
from engine.rulesets import DEFAULT
from engine.wording.phrases import line_words, move_words
from server.commands.games import OwnLine
from server.commands.registry import Command, Context, declared_in
from server.features import Feature
from server.language.position_text import table_text
from server.lobby.lobby import Runs
from server.lobby.personal_data import PersonalData
from server.people.players import Player
from server.player.player_session import PlayerSession, SideView
from server.puzzles.puzzle import Puzzle, PuzzleProgress
from server.puzzles.service import Puzzles
from server.puzzles.solving import MOST_LEVEL
from server.render.scene import LobbyHint
from server.table.place import MOVES, Place
from server.table.snapshot import NO_TABLE, Sitter, Snapshot

PUZZLE: Final = Place(
    "puzzle",
    "exercise",
    "at a puzzle",
    "type puzzle first",
    "puzzle",
    heading="Puzzle",
    count="",
    hints=("type your move, like 7 7", MOVES, "o odds", "leave"),
    suggests=False,  # it is often the solution
)
ANSWERED: Final = replace(PUZZLE, hints=("Enter shows the next puzzle", "leave"), guides=True)
"""A puzzle after the move that counts."""
OTHERS: Final = ("Ada", "Ben", "Cleo", "Dan")
"""The names of the other seats, in place of those in the game; one more than needed, if the player has one of them."""


def puzzle_snapshot(puzzle: Puzzle, name: str) -> Snapshot:
    """The position as a table would show it to this player."""
    view, others = puzzle.position(), (other for other in OTHERS if other.lower() != name.lower())
    sitters = tuple(Sitter(name if seat == puzzle.seat else next(others)) for seat in view.seats)
    return Snapshot(NO_TABLE, view.rules, puzzle.seat, sitters, view, 0, place=PUZZLE)


def known_cards(puzzle: Puzzle, snapshot: Snapshot) -> list[str]:
    """A line with the cards that all saw go into the hands of others: odds counts them, and the table hides them."""
    seats = [
        f"{snapshot.name(seat)} {' '.join(name[:-1].replace('T', '10') for name in names)}"
        for seat, names in enumerate(puzzle.public_hands)
        if names and seat != puzzle.seat
    ]
    return [f"Known, and counted by odds: {', '.join(seats)}."] if seats else []


def streak_text(progress: PuzzleProgress) -> str:
    """The streak in a sentence."""
    return f"Solved in a row: {progress.streak}, at best {progress.best}."


def verdict_lines(puzzle: Puzzle, move: Move, line: Line, name: str) -> list[str]:
    """Whether a legal move solves the puzzle, what the moves are worth, and why.

    ``line``: how the game could go on after the best move; empty if that is not known.
    """
    view, best, made = puzzle.position(), puzzle.best, named_by_rank(move)
    worth, second, *_ = puzzle.chances.values()
    if made == best:
        made = parse_move([*puzzle.chances][1])
        lines = [f"Right: it is worth {worth} in 100, the next best move {second}."]
    else:
        lines = [f"No: to {move_words(best)} is worth {worth} in 100, yours {puzzle.chances[str(made)]}."]
    why = [f"Why: {reason}."] if (reason := reason_for_move(view, best, made)) else []
    if line:
        names = [sitter.name if sitter else "" for sitter in puzzle_snapshot(puzzle, name).sitters]
        why.append(f"It could go on: {line_words(line, names, puzzle.seat)}.")
    return [*lines, *filter(None, [" ".join(why)])]


GO_ON = "Enter shows the next puzzle, leave ends."


class PuzzleView(SideView):
    """Shows one puzzle after the other."""

    place = PUZZLE

    def __init__(self, puzzles: Puzzles, player: Player, rules: str, tell: Callable[[list[str]], None]) -> None:
        """Call `go_on` before use. ``tell`` takes lines for players who see no screen."""
        self._puzzles = puzzles
        self._player = player
        self._rules = rules
        self._tell = tell
        self._is_answered = True
        self._task: list[str] = []
        """The task, and later the verdict on the move that counts."""

    async def go_on(self) -> None:
        """Show the next puzzle. Raises InputError if this one is not answered yet, or if there is none."""
        if not self._is_answered:
            raise InputError("bad_request", "type the move that you think is best; leave ends the puzzles")
        puzzle, progress = await self._puzzles.next_for(self._player, self._rules)
        self._puzzle, self._is_answered = puzzle, False
        self.snapshot = puzzle_snapshot(puzzle, self._player.name)
        self.log = self._task = [
            self._head(progress),
            "One move is clearly better than all others: type it.",
            *known_cards(puzzle, self.snapshot),
        ]
        self._tell([*table_text(self.snapshot), *self.log])

    async def move(self, move: Move) -> list[str]:
        """Try a move: only the first one counts. Raises InputError if it is not legal, or cannot be noted now."""
        check(self._puzzle.position(), self._puzzle.seat, move)
        line = await self._puzzles.line_of(self._puzzle)
        lines = verdict_lines(self._puzzle, move, line, self._player.name)
        if not self._is_answered:
            is_right = named_by_rank(move) == self._puzzle.best
            progress = await self._puzzles.answered(self._player, self._puzzle, is_right=is_right)
            self._is_answered = True
            self.snapshot = replace(self.snapshot, seat=None, place=ANSWERED)  # nobody has a turn
            self.log = self._task = [self._head(progress), *self._task[1:], *lines, GO_ON]
            lines.append(streak_text(progress))
        else:
            self.log = [*self._task, *lines, GO_ON]
        self._tell([*lines, GO_ON])
        return []

    def _head(self, progress: PuzzleProgress) -> str:
        return f"Puzzle {self._puzzle.id}, level {self._puzzle.level} of {MOST_LEVEL}. {streak_text(progress)}"


HELP_PUZZLE: Final = (
    "A puzzle is a position from a finished game, as one seat saw it, in which one move is clearly best: type it.",
    "A long search found that move better than all others by at least 15 points; 100 is a win, 0 the last place.",
    "The level says how many simulations it takes to see the move. The more you solve in a row, the harder they get.",
    "Only the first move that you type counts. With an ssh key your streak is kept.",
    "puzzle life          puzzles with other rules, as soon as games were played with them here",
)


@Command(
    "puzzle [RULES]",
    may=lambda context: context.snapshot is None or context.snapshot.place == ANSWERED,
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
    may=lambda context: context.snapshot is not None and context.snapshot.place == ANSWERED,
    where={"puzzle"},
    pages={"puzzle"},
    aliases=("n", ""),
    words="another, another one, another puzzle, one more, one more puzzle",
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
