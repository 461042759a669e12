"""Puzzles: positions from finished games in which one move is clearly best.

A puzzle is a position as one seat saw it, and what a search thinks of each of its moves (`solving.py`). The
service looks through the latest finished game once a minute, with one worker that mostly rests; never through a game
that was played alone, as a daily deal, or under house rules.
The bundled ones are in `puzzles.json`, made by `quatch puzzles`. The log keeps the texts `puzzle` (300 that were found
here, by id) and `puzzles` (how an account gets on). A puzzle that a newer version has written is left out; what it has
written of an account stays as it is.
What it must not know: hands that the seat of a puzzle did not see; a puzzle is made of a view.
Where to begin: `puzzle.py` is a puzzle as it is kept, `service.py` finds puzzles and knows how players get on,
`commands.py` is what a player looks at, and what they type.
"""

from pathlib import Path
from typing import Final

from server.command_line import CommandLine, SubParsers


def _add_to(commands: SubParsers) -> None:
    puzzles = commands.add_parser("puzzles", help="look for puzzles in games of AI players")
    puzzles.add_argument("file", type=Path, help="the file to write; the program has server/puzzles/puzzles.json")
    puzzles.add_argument("--games", type=int, default=100, help="how many games to look through (default: 100)")
    puzzles.add_argument("--seed", default="1", help="any text; the same seed gives the same puzzles (default: 1)")
    puzzles.set_defaults(run="server.puzzles.making:puzzles")


PROGRESS: Final = "puzzles"
"""The kind of the texts that hold each account's progress."""
COMMAND_LINE: Final = CommandLine(
    "server.puzzles.commands:FEATURE",
    add_to=_add_to,
    part="make",
    account_texts=(PROGRESS,),
    growing={"puzzles": "server.puzzles.puzzle:many_puzzles"},
)
