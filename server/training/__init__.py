"""How AI players learn and are compared: self-play, fitting weights, matches.

What it must not know: connections, sessions and tables. It uses the engine and a progress bar.
Where to begin: `arena.py` plays matches, and the many of a ladder; `fit.py` learns weights.
"""

from pathlib import Path

from engine.levels import LEVEL_NAMES
from server.command_line import SubParsers


def add_training_to(commands: SubParsers) -> None:
    """Add the parsers of `quatch arena` and `quatch fit`."""
    arena = commands.add_parser("arena", help="matches between AI players, each deal from every seat")
    arena.add_argument("rules", nargs="?", help="a rule set; quatch rules lists them")
    arena.add_argument(
        "players", nargs="*", metavar="PLAYER", help=f"LEVEL[/STYLE][@SIMULATIONS]; levels: {', '.join(LEVEL_NAMES)}"
    )
    arena.add_argument(
        "--ladder", type=Path, metavar="FILE", help="play all levels against each other, and write this page about it"
    )
    arena.add_argument("--games", type=int, default=200, help="at least so many (default: 200)")
    arena.add_argument("--seed", default="1", help="any text; the same seed plays the same games (default: 1)")
    arena.add_argument("--jobs", type=int, help="processes (default: one for each core)")
    arena.add_argument("--keep", action="store_true", help="with --ladder: go on with that file")
    arena.add_argument("--json", action="store_true", help="one JSON object")
    arena.set_defaults(run="server.training.arena:arena")
    fit = commands.add_parser("fit", help="learn weights by self-play")
    fit.add_argument("rules", help="a rule set, or general for all others")
    fit.add_argument("--games", type=int, default=8000, help="to learn from, for each number of seats (default: 8000)")
    fit.add_argument("--seed", default="1", help="any text; the same seed gives the same weights (default: 1)")
    fit.add_argument("--to", type=Path, help="folder for the file (default: where the engine reads it)")
    fit.set_defaults(run="server.training.fit:fit")
