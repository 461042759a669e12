"""`quatch bench`: measures the parts of the program."""

import argparse
import sys
from collections.abc import Callable, Iterator
from pkgutil import resolve_name
from typing import Final

from engine.errors import InputError
from server.bench.attacks import bench_attacks
from server.bench.calls import bench_calls
from server.bench.cluster import bench_cluster
from server.bench.figures import Figure, Line, Missing
from server.bench.frames import bench_frames
from server.bench.growth import SIZES, bench_growth
from server.bench.key_echo import bench_masters
from server.bench.log import bench_log
from server.bench.main import bench_ai, bench_engine
from server.bench.ramp import bench_ramp
from server.bench.report import compare, read_report, report_of, report_text
from server.bench.table import bench_table
from server.cli.print_lines import print_lines
from server.command_line import command_lines

BENCHES: Final[dict[str, Callable[[argparse.Namespace], Iterator[Line]]]] = {
    "engine": lambda options: bench_engine(options.seconds),
    "ai": lambda options: bench_ai(options.seconds),
    "frames": lambda options: bench_frames(options.seconds),
    "log": lambda options: bench_log(options.seconds),
    "cluster": lambda options: bench_cluster(options.seconds, is_full=options.full),
    "table": lambda options: bench_ramp() if options.ramp else bench_table(options.seconds, options.players or 100),
    "calls": lambda options: bench_calls(options.seconds),
    "masters": lambda options: bench_masters(options.seconds, options.tables, options.players or 50),
    "attacks": lambda options: bench_attacks(options.seconds, options.only),
    "growth": lambda options: bench_growth(options.sizes or SIZES, options.only),
}
"""Those of the core by name, as in `developer_arguments.BENCHES`."""
ALL: Final = ("engine", "ai", "frames", "log", "table", "masters")
"""What `bench all` measures: the benches that take less than a minute and need no other program."""


def bench(options: argparse.Namespace) -> int:
    """Measure one part, or compare two reports. Raises InputError."""
    if options.what == "compare":
        if len(options.files) != 2:
            raise InputError("bad_request", "bench compare: name two files that quatch bench --json has written")
        return print_lines(compare(*map(read_report, options.files)))
    if options.files:
        raise InputError("bad_request", f"bench {options.what}: no files, not {options.files[0]}")
    of_features = {name: run for each in command_lines().values() for name, run in each.benches.items()}
    benches = BENCHES | {name: resolve_name(run) for name, run in of_features.items()}
    parts = ALL if options.what == "all" else (options.what,)
    if not options.json:
        return max(print_lines(benches[part](options)) for part in parts)
    if options.what == "attacks":
        raise InputError("bad_request", "bench attacks: it has limits and no ratios, so leave out --json")
    runs = [[line for part in parts for line in benches[part](options)] for _ in range(options.runs)]
    print(report_text(report_of([[line for line in run if isinstance(line, Figure)] for run in runs])))
    missing = [line for run in runs for line in run if isinstance(line, Missing)]
    for line in missing:
        print(f"quatch: {line}", file=sys.stderr)
    return int(bool(missing))
