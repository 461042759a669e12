"""`quatch bench growth`: what a start, a login and commands take as there is more and more of everything that is kept.

For each thing that grows by itself, `quatch serve` starts on a database with so much of it, and players come by ssh.
"""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import asyncssh

from server.bench.attackers import Process
from server.bench.figures import Figure, Line
from server.bench.growth_data import WISHED, Fill, add_a_full_server, growing
from server.bench.people import connect_guest
from server.bench.servers import ADDRESS, MEGABYTE, memory_of
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
"""After this time an answer is given up."""
FIGURES: Final = {
    "start": "s",
    "first top": "ms",
    "first play": "ms",
    "first top month": "ms",
    "first nights": "ms",
    "login": "ms",
    "top": "ms",
    "play": "ms",
    "top month": "ms",
    "nights": "ms",
    "memory": "MB",
}
"""The measured figures with their units. Those of starts, logins and later commands are the fastest of several."""
ASKED: Final = {
    "top": b"All rule sets",
    "top month": b"This month",
    "nights": b" night ",
    "play": b"Arrange your cards",
}
"""What is typed, and a part of the answer."""
ROOT: Final = Path(__file__).parents[2]


class ReadyServer(NamedTuple):
    """A server that is ready."""

    port: int
    seconds: float
    """From the start of its process to its ready line."""
    process_id: int


def bench_growth(sizes: Sequence[int] = SIZES, only: str = "") -> Iterator[Line]:
    """For each kind whose name contains this text: a line for each figure, with the ratio of the last to the first."""
    yield f"{'':<30}{''.join(f'{size:>12,}' for size in sizes)}{'':>7}{'last / first':>14}"
    for kind, fill in growing().items():
        if only in kind:
            found = [asyncio.run(measure(fill, size)) for size in sizes]
            for figure, unit in FIGURES.items():
                values = [each[figure] for each in found]
                shown = "".join(f"{value:>12.2f}" if value < inf else f"{'none':>12}" for value in values)
                text = f"{f'{kind}: {figure}':<30}{shown} {unit:<6}{_growth(values)}"
                name = f"growth: {kind}, {figure}, {sizes[-1]} beside {sizes[0]}"
                yield Figure(name, values[-1], values[0], unit, text)
    if only in (kind := "a full server"):
        seconds = asyncio.run(measure(add_a_full_server, sizes[-1]))["start"]
        verdict = "ready in time" if seconds <= READY_SECONDS else "too slow"
        yield f"{f'{kind}: start':<30}{seconds:>12.2f} s  {verdict}"


def _growth(values: Sequence[float]) -> str:
    """How many times the first figure the last one is, and whether that counts as growth."""
    ratio = values[-1] / values[0]
    return f"{ratio:>12.2f} x  {'flat' if ratio <= FLAT else 'grows'}"


async def measure(fill: Fill, size: int) -> dict[str, float]:
    """All figures of a server with so much of one kind; infinite if there was no answer."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with SqliteLog(folder / FILE_NAME) as log:
            await fill(log, size)
        figures = dict.fromkeys(FIGURES, inf)
        try:
            for _ in range(STARTS):
                async with _serving(folder) as server:
                    figures["start"] = min(figures["start"], server.seconds)
            async with _serving(folder) as server:
                figures |= await _ask(server.port)
                figures["memory"] = memory_of(server.process_id) / MEGABYTE
        except (OSError, asyncssh.Error, EOFError):
            pass  # the figures that are missing say so
        return figures


@asynccontextmanager
async def _serving(folder: Path) -> AsyncIterator[ReadyServer]:
    """Run `quatch serve` on what lies in this folder. Raises EOFError if it does not get ready."""
    begin = time.perf_counter()
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server", "serve", "--host", ADDRESS, "--port", "0", "--data", str(folder),
        cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert server.stdout is not None  # noqa: S101 - it is a pipe
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            ready = await server.stdout.readuntil(b"\n")
        yield ReadyServer(int(ready.split()[-1]), time.perf_counter() - begin, server.pid)
    finally:
        if server.returncode is None:
            server.terminate()
        await server.communicate()


async def _ask(port: int) -> dict[str, float]:
    """Milliseconds of the first answers, and of the fastest of those that follow."""
    taken: dict[str, list[float]] = {"login": [], **{command: [] for command in ASKED}}
    for _ in range(LOGINS):
        begin = time.perf_counter()
        connection = await connect_guest(port, WISHED)
        async with connection, connection.create_process(encoding=None) as player:
            taken["login"].append(await _patiently(begin, player.stdout.readuntil(b"Type play")))
            for command, answer in ASKED.items():
                taken[command].append(await _answer(player, command, answer))
    firsts = {f"first {command}": taken[command][0] for command in ASKED}
    return firsts | {what: min(times[1:]) for what, times in taken.items()}


async def _answer(player: Process, command: str, answer: bytes) -> float:
    begin = time.perf_counter()
    player.stdin.write(f"{command}\n".encode())
    return await _patiently(begin, player.stdout.readuntil(answer))


async def _patiently(begin: float, answer: Awaitable[bytes]) -> float:
    """Milliseconds until the answer; infinite if none comes."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await answer
    except (TimeoutError, EOFError):
        return inf
    return 1e3 * (time.perf_counter() - begin)
