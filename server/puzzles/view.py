"""Puzzles as a player goes through them: a position, what they type, and the verdict."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from engine.errors import InputError
from engine.legality import check
from engine.moves import Move
from server.language.position_text import table_text
from server.people.players import Caller, Player
from server.puzzles.puzzle import Puzzle, PuzzleProgress
from server.puzzles.service import Puzzles
from server.puzzles.text import PUZZLE, is_solution, puzzle_snapshot, streak_text, task_lines, verdict_lines
from server.render.scene import Progress
from server.table.place import Place

GO_ON = "Enter shows the next puzzle, leave ends."


class PuzzleView:
    """A side view that shows one puzzle after the other."""

    place: ClassVar[Place] = PUZZLE
    is_over = False
    to_type = ""
    record = None

    def __init__(
        self, puzzles: Puzzles, player: Player, caller: Caller, rules: str, tell: Callable[[list[str]], None]
    ) -> None:
        """Call `go_on` before use. ``tell`` takes lines for players who see no screen."""
        self._puzzles = puzzles
        self._player = player
        self._caller = caller
        self._rules = rules
        self._tell = tell
        self._is_answered = True
        self._task: list[str] = []
        """The task, and later the verdict on the move that counts."""
        self.log: Sequence[str] = ()

    @property
    def progress(self) -> Progress:
        """See `SideView`."""
        return Progress(0, 0, "")

    def stop(self) -> bool:
        """Nothing to stop: a puzzle waits for its player."""
        return False

    async def go_on(self) -> None:
        """Show the next puzzle. Raises InputError if this one is not answered yet, or if there is none."""
        if not self._is_answered:
            raise InputError("bad_request", "type the move that you think is best; leave ends the puzzles")
        self._show(*await self._puzzles.next_for(self._player, self._rules))

    def _show(self, puzzle: Puzzle, progress: PuzzleProgress) -> None:
        self._puzzle, self._is_answered = puzzle, False
        self.snapshot = puzzle_snapshot(puzzle, self._player.name)
        self.log = self._task = task_lines(puzzle, progress)
        self._tell([*table_text(self.snapshot), *self.log])

    async def report(self) -> None:
        """Note that the player thinks that this puzzle is wrong. Raises InputError if that cannot be noted."""
        if not self._is_answered:
            raise InputError(
                "bad_request", "type the move that you think is best first: then you see what is said of it"
            )
        await self._puzzles.report(self._player, self._puzzle)

    async def move(self, move: Move) -> list[str]:
        """Try a move: only the first one counts. Raises InputError if it is not legal, or cannot be noted now."""
        check(self._puzzle.position(), self._puzzle.seat, move)
        line = await self._puzzles.line_of(self._puzzle)
        lines = verdict_lines(self._puzzle, move, line, self._player.name)
        if not self._is_answered:
            solved = is_solution(self._puzzle, move)
            progress = await self._puzzles.answered(self._player, self._puzzle, is_right=solved, caller=self._caller)
            lines.append(streak_text(progress))
            self._is_answered = True
            self.log = self._task = [*self._task, *lines]
        else:
            self.log = [*self._task, *lines]
        self._tell(lines)
        return [GO_ON]
