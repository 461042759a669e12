"""`quatch bench growth`: what a start, a login and commands take as there is more and more of everything that is kept.

For each kind of `GROWING` by itself, a real server starts on a database with so much of it, and players come over ssh.
"""

import asyncio
import time
from collections.abc import Awaitable, Iterator, Sequence
from functools import partial
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from server.bench.attackers import Process
from server.bench.growth_data import GROWING, Fill
from server.bench.people import connect_guest
from server.bench.servers import Server, Serving, quatch, server_process
from server.storage.sqlite_file import FILE_NAME
from server.storage.sqlite_log import SqliteLog

SIZES: Final = (100, 10_000, 100_000)
LOGINS: Final = 9
PATIENCE_SECONDS: Final = 120.0
"""After this time an answer is given up."""
MEGABYTE: Final = 1 << 20
FIGURES: Final = {
    "start": "s",
    "first top": "ms",
    "first play": "ms",
    "login": "ms",
    "top": "ms",
    "play": "ms",
    "memory": "MB",
}
"""The measured figures with their units. Those of logins and of later commands are the fastest of several."""
ASKED: Final = {"top": b"All rule sets", "play": b"Arrange your cards"}
"""What is typed, and a part of the answer."""


def bench_growth(sizes: Sequence[int] = SIZES, only: str = "") -> Iterator[str]:
    """For each kind whose name contains this text: a line for each figure, with the ratio of the last to the first."""
    yield f"{'':<30}{''.join(f'{size:>12,}' for size in sizes)}{'':>7}{'last / first':>14}"
    for kind, fill in GROWING.items():
        if only in kind:
            found = [_measured(fill, size) for size in sizes]
            for figure, unit in FIGURES.items():
                values = [each[figure] for each in found]
                shown = "".join(f"{value:>12.2f}" if value < inf else f"{'none':>12}" for value in values)
                yield f"{f'{kind}: {figure}':<30}{shown} {unit:<6}{values[-1] / values[0]:>12.2f} x"


def _measured(fill: Fill, size: int) -> dict[str, float]:
    """All figures of a server with so much of one kind; infinite if there was no answer."""
    with TemporaryDirectory() as folder:
        file = Path(folder, FILE_NAME)
        asyncio.run(_fill(fill, size, file))
        with server_process(partial(_serve, Path(folder))) as server:
            figures = asyncio.run(_ask(server))
            memory = server.memory()
        return figures | {"start": server.started_in, "memory": memory / MEGABYTE}


async def _fill(fill: Fill, size: int, file: Path) -> None:
    log = SqliteLog(file)
    await log.open()
    await fill(log, size)
    await log.close()


async def _serve(folder: Path, _: Path) -> Serving:
    """Serve what lies in this folder."""
    return await quatch(folder)


async def _ask(server: Server) -> dict[str, float]:
    """Milliseconds of the first answers, and of the fastest of those that follow."""
    taken: dict[str, list[float]] = {"login": [], **{command: [] for command in ASKED}}
    for _ in range(LOGINS):
        begin = time.perf_counter()
        connection = await connect_guest(server.port, "guest")
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
