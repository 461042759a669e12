"""How a player gets on with puzzles: the streak, and which puzzle comes next. Pure."""

from collections.abc import Sequence
from typing import Final

from msgspec import json
from msgspec.structs import replace

from engine.ai.puzzles import MOST_LEVEL
from server.puzzles.puzzle import Puzzle
from server.typed_json import Versioned, read_versioned, write_versioned

KIND: Final = "puzzles"
"""The kind of the texts that hold each account's progress."""
REMEMBERED: Final = 200
"""A puzzle does not come again before so many others."""
STREAK_A_LEVEL: Final = 3
"""After so many puzzles in a row the next ones are a level harder."""


class PuzzleProgress(Versioned, frozen=True):
    """A player's progress."""

    streak: int = 0
    """The puzzles solved in a row."""
    best: int = 0
    """The longest streak."""
    solved: int = 0
    tried: tuple[str, ...] = ()
    """The ids of the last puzzles, the latest last."""

    def after(self, puzzle: Puzzle, *, is_right: bool) -> "PuzzleProgress":
        """The progress after an answer to a puzzle."""
        streak = self.streak + 1 if is_right else 0
        others = [each for each in self.tried if each != puzzle.id]
        return replace(
            self,
            streak=streak,
            best=max(self.best, streak),
            solved=self.solved + is_right,
            tried=(*others[1 - REMEMBERED :], puzzle.id),
        )

    def next_of(self, puzzles: Sequence[Puzzle]) -> Puzzle:
        """The next of these puzzles: a new one that is about as hard as the streak asks, or the one tried longest ago.

        The same progress gives the same puzzle.
        """
        wanted = min(MOST_LEVEL, 1 + self.streak // STREAK_A_LEVEL)
        age = {each: number for number, each in enumerate(self.tried)}
        return min(puzzles, key=lambda each: (age.get(each.id, -1), abs(each.level - wanted), each.id))

    def to_json(self) -> str:
        """As the log keeps it."""
        return write_versioned(self)


_PROGRESS: Final = json.Decoder(PuzzleProgress)


def read_progress(text: str | None) -> PuzzleProgress:
    """The progress in a text; that of a beginner without one. Raises ValueError with one line if it is none."""
    return PuzzleProgress() if text is None else read_versioned(text, _PROGRESS)
