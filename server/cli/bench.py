"""`quatch bench`: measures the parts of the program."""

import argparse
from collections.abc import Callable, Iterator
from typing import Final

from server.bench.attacks import bench_attacks
from server.bench.cluster import bench_cluster
from server.bench.frames import bench_frames
from server.bench.growth import SIZES, bench_growth
from server.bench.key_echo import bench_masters
from server.bench.log import bench_log
from server.bench.main import bench_ai, bench_engine
from server.bench.pairing import bench_tournament
from server.bench.table import bench_table
from server.cli.print_lines import print_lines

BENCHES: Final[dict[str, Callable[[argparse.Namespace], Iterator[str]]]] = {
    "engine": lambda options: bench_engine(options.seconds),
    "ai": lambda options: bench_ai(options.seconds),
    "frames": lambda options: bench_frames(options.seconds),
    "log": lambda options: bench_log(options.seconds),
    "cluster": lambda options: bench_cluster(options.seconds),
    "table": lambda options: bench_table(options.seconds, options.players or 100),
    "masters": lambda options: bench_masters(options.seconds, options.tables, options.players or 50),
    "attacks": lambda options: bench_attacks(options.seconds, options.only),
    "growth": lambda options: bench_growth(options.sizes or SIZES, options.only),
    "tournament": lambda _: bench_tournament(),
}
"""By name, as in `developer_arguments.BENCHES`."""


def bench(options: argparse.Namespace) -> int:
    """Measure one part."""
    return print_lines(BENCHES[options.what](options))
