"""The sub-commands for developers: ``referee``, ``bench``, ``arena``, ``fit``."""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from engine.ai import LEVELS
from engine.ai.weights import GENERAL
from engine.errors import InputError
from engine.protocol.referee import answer_line
from engine.rulesets import ruleset, rulesets
from server.bench.attacks import bench_attacks
from server.bench.cluster import bench_cluster
from server.bench.frames import bench_frames
from server.bench.growth import SIZES, bench_growth
from server.bench.key_echo import bench_masters
from server.bench.log import bench_log
from server.bench.main import bench_ai, bench_engine
from server.bench.table import bench_table
from server.cli.parser import Parser
from server.training.arena import Match, run_arena
from server.training.fit_weights import SHIPPED, fit_weights
from server.training.ladder import run_ladder

BENCHES: Final[dict[str, Callable[[argparse.Namespace], Iterator[str]]]] = {
    "engine": lambda options: bench_engine(options.seconds),
    "ai": lambda options: bench_ai(options.seconds),
    "frames": lambda options: bench_frames(options.seconds),
    "log": lambda options: bench_log(options.seconds),
    "cluster": lambda options: bench_cluster(options.seconds),
    "table": lambda options: bench_table(options.seconds, options.players or 100),
    "masters": lambda options: bench_masters(options.seconds, options.tables, options.players or 50),
    "attacks": lambda options: bench_attacks(options.seconds, options.only),
    "growth": lambda options: bench_growth(options.sizes, options.only),
}
MOST_SECONDS: Final = 3600
"""The longest that `quatch bench` measures one figure."""


def add_to(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the parsers of these sub-commands."""
    referee = commands.add_parser("referee", help="rules over a pipe: one JSON request per line, one answer per line")
    referee.set_defaults(run=_referee)

    bench = commands.add_parser("bench", help="measure speed, beside a baseline of the same run")
    bench.add_argument("what", metavar="PART", choices=list(BENCHES), help=f"the part to measure: {', '.join(BENCHES)}")
    bench.add_argument("--seconds", type=_seconds, default=1.0, help="how long each figure is measured (default: 1)")
    bench.add_argument(
        "--players", type=int, help="people: at tables for bench table (default: 100), who type for masters (50)"
    )
    bench.add_argument("--tables", type=int, default=100, help="of masters, for bench masters (default: 100)")
    bench.add_argument(
        "--only", default="", metavar="TEXT", help="for attacks and growth: only those with this in their names"
    )
    bench.add_argument(
        "--sizes", type=_sizes, default=SIZES, metavar="N,N", help="for growth: how much there is (100,10000,100000)"
    )
    bench.set_defaults(run=_bench)

    arena = commands.add_parser("arena", help="matches between AI players, each deal from every seat")
    arena.add_argument("rules", nargs="?", help=f"one of {', '.join(rulesets())}")
    arena.add_argument(
        "players", nargs="*", metavar="PLAYER", help=f"LEVEL[/STYLE][@SIMULATIONS]; levels: {', '.join(LEVELS)}"
    )
    arena.add_argument(
        "--ladder", type=Path, metavar="FILE", help="play all levels against each other, and write this page about it"
    )
    arena.add_argument("--games", type=int, default=200, help="at least so many (default: 200)")
    arena.add_argument("--seed", default="1", help="any text; the same seed plays the same games (default: 1)")
    arena.add_argument("--jobs", type=int, help="processes (default: one for each core)")
    arena.add_argument(
        "--keep",
        nargs="?",
        type=Path,
        const=Path(),
        metavar="FILE",
        help="store deals here; the same match continues after them. With --ladder: go on with that file",
    )
    arena.add_argument("--json", action="store_true", help="one JSON object")
    arena.set_defaults(run=_arena)

    fit = commands.add_parser("fit", help="learn weights by self-play; continues where it was stopped")
    fit.add_argument("rules", help=f"one of {', '.join(rulesets())}, or {GENERAL} for all others")
    fit.add_argument("--games", type=int, default=8000, help="to learn from, for each number of seats (default: 8000)")
    fit.add_argument("--seed", default="1", help="any text; the same seed gives the same weights (default: 1)")
    fit.add_argument(
        "--to", type=Path, default=SHIPPED, help="folder for the file (default: where the engine reads it)"
    )
    fit.set_defaults(run=_fit)


def _sizes(text: str) -> tuple[int, ...]:
    """Numbers from 1 on, with commas between them. Raises ArgumentTypeError."""
    if not re.fullmatch(r"[1-9][0-9]*(,[1-9][0-9]*)*", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"numbers from 1 on, as in 100,10000, not {text[:20]!r}")
    return tuple(map(int, text.split(",")))


def _seconds(text: str) -> float:
    """A time that can be measured. Raises ArgumentTypeError."""
    with suppress(ValueError):
        if 0 < (seconds := float(text)) <= MOST_SECONDS:
            return seconds
    raise argparse.ArgumentTypeError(f"more than 0, up to {MOST_SECONDS}, not {text[:20]!r}")


def _referee(_: argparse.Namespace) -> int:
    return _print_all(answer for line in sys.stdin.buffer if (answer := answer_line(line)) is not None)


def _bench(options: argparse.Namespace) -> int:
    return _print_all(BENCHES[options.what](options))


def _fit(options: argparse.Namespace) -> int:
    return _print_all(fit_weights(options.rules, options.games, options.seed, options.to))


def _print_all(lines: Iterator[str]) -> int:
    """Print each line as soon as it is known. Return the exit status: what a generator returned, or 0."""
    while True:
        try:
            print(next(lines), flush=True)
        except StopIteration as end:
            return end.value or 0


def _arena(options: argparse.Namespace) -> int:
    if options.ladder:
        with suppress(KeyboardInterrupt):
            _print_all(run_ladder(options.ladder, options.jobs or os.cpu_count() or 1, keep=options.keep is not None))
        return 0
    if options.rules is None or options.keep == Path():
        raise InputError("bad_request", "arena: name a rule set and players, and a file to --keep; or --ladder FILE")
    match = Match(ruleset(options.rules), tuple(options.players), options.seed)
    report = run_arena(match, options.games, options.jobs, options.keep)
    print(json.dumps(report.to_json()) if options.json else "\n".join(report.lines()))
    return 0
