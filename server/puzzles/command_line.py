"""`quatch puzzles`, and what grows with puzzles."""

from pathlib import Path
from typing import Final

from server.command_line import CommandLine, SubParsers


def _add_to(commands: SubParsers) -> None:
    puzzles = commands.add_parser("puzzles", help="look for puzzles in games of AI players")
    puzzles.add_argument("file", type=Path, help="the file to write; the program has server/puzzles/puzzles.json")
    puzzles.add_argument("--games", type=int, default=100, help="how many games to look through (default: 100)")
    puzzles.add_argument("--seed", default="1", help="any text; the same seed gives the same puzzles (default: 1)")
    puzzles.set_defaults(run="server.puzzles.making:puzzles")


COMMAND_LINE: Final = CommandLine(add_to=_add_to, growing={"puzzles": "server.puzzles.growth:add_puzzles"})
