"""The bench of what a second process costs.

The players are bots, which play as fast as they are asked. They need the same cores as the servers, so that no number
of people can be shown that two processes carry on a machine of two cores. What is compared is the CPU time of a move
in all processes of the server: two cores carry as many more people as that time allows.
"""

import asyncio
import json
import os
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from server.bench.figures import Figure, Line, until
from server.bench.people import HOMES, connect_guest
from server.bench.servers import START_SECONDS, Program, program

BOTS: Final = 16


def bench_cluster(options: Namespace) -> Iterator[Line]:
    """The CPU time of a move with two processes, beside that with one, on a file and elsewhere."""
    yield f"{BOTS} bots at a server of two processes, beside one process:"
    for where, database in {"": "", " elsewhere": options.database}.items():
        if database or not where:
            with TemporaryDirectory() as keys:
                measure = partial(_cpu_of_a_move, options.seconds, QUATCH_DATABASE=database, QUATCH_HOSTKEYS=keys)
                one, two = (asyncio.run(measure(QUATCH_PROCESSES=processes)) for processes in "12")
            yield Figure(f"cluster: CPU of a move with two processes{where}, beside one", two * 1e6, one * 1e6, "us")
            yield f"so two cores of the server's own carry {2 * one / two:.2f} x as many people as one"


async def _cpu_of_a_move(seconds: float, **settings: str) -> float:
    """CPU seconds of all processes of a server with these settings."""
    moves = Counter[str]()
    with TemporaryDirectory() as folder:
        async with (
            program(Path(folder), QUATCH_PACE="0", QUATCH_WORKERS="0", **settings) as server,
            asyncio.TaskGroup() as group,
        ):
            playing = [group.create_task(_play_on(server.port, home, moves)) for home in islice(HOMES, BOTS)]
            await until(lambda: len(moves) == BOTS, START_SECONDS)
            cpu, before = _cpu_seconds(server), moves.total()
            await asyncio.sleep(seconds)
            used = (_cpu_seconds(server) - cpu) / max(1, moves.total() - before)
            for task in playing:
                task.cancel()
    return used


def _cpu_seconds(server: Program) -> float:
    """The CPU time of all its processes so far."""
    ticks = 0
    for each in server.processes():
        with suppress(OSError):  # it has just ended
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(") ")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def _play_on(port: int, home: str, moves: Counter[str]) -> None:
    """A bot plays one game after the other against an AI player, and counts its moves, until it is cancelled."""
    requests: dict[str, object] = {"hello": {"type": "new", "seats": 2, "fill": "easy"}, "over": {"type": "again"}}
    async with await connect_guest(port, "bot", home) as connection:
        bot = await connection.create_process(subsystem="bot", encoding=None)
        while line := await bot.stdout.readline():
            message: dict[str, Any] = json.loads(line)
            if message["type"] == "turn":
                moves[home] += 1
                requests["turn"] = {"type": "move", "ply": message["ply"], "move": message["legal"][0]}
            if request := requests.get(message["type"]):
                bot.stdin.write(json.dumps(request).encode() + b"\n")
