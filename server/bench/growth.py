"""`quatch bench growth`: what a start, a login and commands take as there is more and more of everything that is kept.

For each thing that grows by itself, `quatch serve` starts on a database with so much of it, and players come by ssh.
"""

import asyncio
from argparse import Namespace
from collections.abc import Iterator
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import asyncssh

from server.bench.figures import Figure, Line
from server.bench.growth_data import WISHED, Fill, add_a_full_server, growing
from server.bench.people import answer, in_lines
from server.bench.servers import MEGABYTE, memory_of, program
from server.storage.sqlite_file import FILE_NAME
from server.storage.sqlite_log import SqliteLog

SIZES: Final = (100, 10_000, 100_000)
FLAT: Final = 1.5
"""A figure is flat if the last is at most so many times the first."""
READY_SECONDS: Final = 2.0
"""A full server is to be ready within this time."""
STARTS: Final = 3
LOGINS: Final = 9
PATIENCE_SECONDS: Final = 120.0
"""After this time a player gives up."""
ASKED: Final = {
    "top": b"All rule sets",
    "top month": b"This month",
    "nights": b" night ",
    "play": b"Arrange your cards",
}
"""What is typed, and a part of the answer."""
FIGURES: Final = {"start": "s", **dict.fromkeys((f"first {each}" for each in ASKED), "ms"), "login": "ms"} | {
    **dict.fromkeys(ASKED, "ms"),
    "memory": "MB",
}
"""The measured figures with their units. Those of starts, logins and later commands are the fastest of several."""


def bench_growth(options: Namespace) -> Iterator[Line]:
    """For each kind whose name contains the text of `--only`: its figures with much of it, beside those with little."""
    sizes, only, growing_figures = options.sizes or SIZES, options.only, list[str]()
    yield f"A server with so much of each kind, beside one with {sizes[0]:,}:"
    for kind, fill in growing().items():
        if only in kind:
            found = {size: asyncio.run(measure(fill, size)) for size in sizes}
            for what, unit in FIGURES.items():
                for size in sizes[1:] or sizes:
                    name = f"growth: {kind}, {what}, {size} beside {sizes[0]}"
                    figure = Figure(name, found[size][what], found[sizes[0]][what], unit)
                    yield figure
                if figure.ratio is not None and figure.ratio > FLAT:
                    growing_figures.append(f"{kind}, {what}")
    yield f"more than {FLAT} x: {'; '.join(growing_figures) or 'nothing'}"
    if only in (kind := "a full server"):
        seconds = asyncio.run(measure(add_a_full_server, sizes[-1]))["start"]
        yield f"{kind} starts in {seconds:.2f} s: {'in time' if seconds <= READY_SECONDS else 'too slow'}"


async def measure(fill: Fill, size: int) -> dict[str, float]:
    """All figures of a server with so much of one kind; infinite if there was no answer."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with SqliteLog(folder / FILE_NAME) as log:
            await fill(log, size)
        figures = dict.fromkeys(FIGURES, inf)
        try:
            for _ in range(STARTS):
                async with program(folder) as server:
                    figures["start"] = min(figures["start"], server.seconds)
            async with program(folder) as server:
                figures |= await _ask(server.port)
                figures["memory"] = memory_of(server.process_id) / MEGABYTE
        except (OSError, asyncssh.Error, EOFError):
            pass  # the figures that are missing say so
        return figures


async def _ask(port: int) -> dict[str, float]:
    """Milliseconds of the first answers, and of the fastest of those that follow. Raises TimeoutError if none comes."""
    taken: dict[str, list[float]] = {"login": [], **{command: [] for command in ASKED}}
    for _ in range(LOGINS):
        async with asyncio.timeout(PATIENCE_SECONDS), in_lines(port, WISHED) as (player, took):
            taken["login"].append(1e3 * took)
            for command, expected in ASKED.items():
                taken[command].append(1e3 * await answer(player, command, expected))
    firsts = {f"first {command}": taken[command][0] for command in ASKED}
    return firsts | {what: min(times[1:]) for what, times in taken.items()}
