"""Replays: a player steps through a finished game, watches it go on by itself, or records it for asciinema.

What it must not know: how a game is stored; it gets records from `history`.
Where to begin: `view.py` is what a player looks at, and `commands.py` is what they type; `recording.py` makes the
recording, and `on_command_line.py` is `quatch replay`.
"""

from pathlib import Path
from typing import Final

from server.command_line import CommandLine, SubParsers, add_which_game, number


def _add_to(commands: SubParsers) -> None:
    replay = commands.add_parser("replay", help="step through a finished game")
    add_which_game(replay)
    replay.add_argument(
        "--seat",
        type=number,
        metavar="N",
        help="what this seat saw, from 1 (default: all cards; with --cast what spectators saw)",
    )
    way = replay.add_mutually_exclusive_group()
    way.add_argument("--all", action="store_true", help="print the whole game")
    way.add_argument("--export", type=Path, metavar="FILE", help="write the record to this file instead")
    way.add_argument("--json", action="store_true", help="print everything as one JSON object instead")
    way.add_argument("--cast", type=Path, metavar="FILE", help="write a recording for asciinema to this file instead")
    replay.add_argument("--size", metavar="80x24", help="with --cast: its columns and rows (default: 80x24)")
    replay.set_defaults(run="server.replay.on_command_line:replay")


COMMAND_LINE: Final = CommandLine("server.replay.commands:FEATURE", add_to=_add_to)
