"""`quatch bench`: how fast the program is, each figure beside a baseline of the same run.

What it must not know: nothing is forbidden. The server never imports it, and no test measures time with it.
Where to begin: `figures.py` has the figures and their reports, `servers.py` starts what is measured, `people.py` drives
it; `playing.py` measures people at tables over ssh, `attacks.py` a server under attack.
"""

from argparse import ArgumentTypeError
from pathlib import Path
from typing import Final

from server.command_line import SubParsers, command_lines, number
from server.number_text import read_decimal

BENCHES: Final = {
    "engine": "server.bench.engine:bench_engine",
    "log": "server.bench.log:bench_log",
    "start": "server.bench.servers:bench_start",
    "table": "server.bench.playing:bench_table",
    "calls": "server.bench.calls:bench_calls",
    "attacks": "server.bench.attacks:bench_attacks",
    "growth": "server.bench.growth:bench_growth",
}
"""The benches of the core: functions of the parsed options that yield figures, as those of features."""
IN_ALL: Final = ("engine", "log", "start", "table")
"""What `bench all` measures: the benches that take less than a minute."""


def all_benches() -> dict[str, str]:
    """The benches of the core and of the features."""
    return BENCHES | {name: run for each in command_lines().values() for name, run in each.benches.items()}


def add_bench_to(commands: SubParsers) -> None:
    """Add the parser of `quatch bench`."""
    bench = commands.add_parser("bench", help="measure speed, beside a baseline of the same run")
    benches = all_benches()
    parts = f"the part to measure: {', '.join(benches)}; all: those that take less than a minute"
    bench.add_argument(
        "what", metavar="PART", choices=(*benches, "all", "compare"), help=f"{parts}; compare: which ratios have moved"
    )
    compared = "for compare: two files, the old one first"
    bench.add_argument("files", nargs="*", type=Path, default=[], metavar="FILE", help=compared)  # else it is required
    bench.add_argument("--json", action="store_true", help="one JSON object with every figure")
    bench.add_argument("--runs", type=number, default=1, help="with --json: the median of so many")
    bench.add_argument("--seats", type=int, choices=(2, 3, 4), help="for calls: at the table (default: 2, then 4)")
    bench.add_argument("--seconds", type=_seconds, default=1.0, help="how long each figure is measured (default: 1)")
    bench.add_argument("--players", type=int, default=100, help="for table: people (default: 100)")
    bench.add_argument("--ramp", action="store_true", help="for table: the most people that one core carries")
    bench.add_argument("--only", default="", metavar="TEXT", help="for attacks and growth: a part of their names")
    other = "an empty database, besides a file, for parts that write to both"
    bench.add_argument("--database", default="", metavar="URL", help=other)
    sizes = "for growth: how much there is (100,10000,100000)"
    bench.add_argument("--sizes", type=lambda text: [*map(number, text.split(","))], metavar="N,N", help=sizes)
    bench.set_defaults(run="server.bench.figures:bench")


def _seconds(text: str) -> float:
    """A time in seconds. Raises ArgumentTypeError."""
    if (seconds := read_decimal(text)) is None:
        raise ArgumentTypeError(f"{text[:20]!r} is no number of seconds")
    return seconds
