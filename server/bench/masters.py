"""`quatch bench masters`: how soon keys are echoed while masters think at many tables, over real ssh.

Each table has a spectator, since a table without people sleeps; some of them type, as people do who talk. The baseline
is the same people in the same server's lobby before any table is open.
"""

import asyncio
import os
import re
import time
from argparse import Namespace
from collections.abc import Iterator
from typing import Final

from engine.errors import InputError
from server.bench.figures import Line, delays, no_garbage_collection
from server.bench.people import Person, few_at_a_time
from server.bench.servers import Server, quatch, server_process
from server.limits import USUAL_SIZE

TYPISTS: Final = 50
KEY_SECONDS: Final = 0.2
LINE: Final = 20
PATIENCE_SECONDS: Final = 10.0
ERASE: Final = "\x15"
PERCENTS: Final = {"half of all keys": 50, "all but 1 in 100": 99, "all but 1 in 1000": 99.9}
_CURSOR: Final = re.compile(rb"\x1b\[%d;(\d+)H\x1b\[\?25h" % USUAL_SIZE[1])
"""Every frame leaves the cursor in the input line."""


class Typist(Person):
    """A person who watches the cursor: it moves when a key has been echoed."""

    def __init__(self) -> None:
        super().__init__()
        self.delays: list[float] = []
        """Seconds from each key to its echo."""
        self._column = 0
        self._moved = asyncio.Event()

    def data_received(self, data: bytes, datatype: int | None) -> None:
        """See `asyncssh.SSHClientSession`."""
        super().data_received(data, datatype)
        if stands := _CURSOR.findall(data):
            self._column = int(stands[-1])
            self._moved.set()

    async def type_for(self, seconds: float, later: float) -> None:
        """Type key after key, starting after so many seconds. Raises TimeoutError if one has no echo."""
        await asyncio.sleep(later)
        end = time.perf_counter() + seconds
        while (begun := time.perf_counter()) < end:
            for number in range(LINE):
                await asyncio.sleep(begun + number * KEY_SECONDS - time.perf_counter())
                pressed, wanted = time.perf_counter(), self._column + 1
                self.press("a")
                async with asyncio.timeout(PATIENCE_SECONDS):
                    while self._column != wanted:
                        self._moved.clear()
                        await self._moved.wait()
                self.delays.append(time.perf_counter() - pressed)
            self.press(ERASE)
            await asyncio.sleep(KEY_SECONDS)


def bench_masters(options: Namespace) -> Iterator[Line]:
    """Measure the same people typing without tables and with them."""
    tables, people = options.tables, options.players or TYPISTS
    if not 0 < people <= tables:
        raise InputError("bad_request", f"--players: 1 to {tables}, one for each table at most, not {people}")
    idle, busy, moves = asyncio.run(_measure(options.seconds, tables, people))
    yield f"{people} people type while masters play at {tables} tables, beside no tables:"
    yield from delays(f"masters: from a key to its echo, {{}}, {tables} tables, beside none", busy, idle, PERCENTS)
    yield f"{len(busy)} keys; the masters made {moves:.1f} moves a second meanwhile"
    yield f"load of this machine over the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


async def _measure(seconds: float, tables: int, people: int) -> tuple[list[float], list[float], float]:
    """Let people log in and type, then open tables, watch them and type again.

    Returns the seconds from each key to its echo before there is a table, and while masters think; and the moves that
    the masters made a second.
    """
    with server_process(quatch) as server:
        visitors = list[Typist]()
        try:
            visitors += await few_at_a_time(Typist.come_in(server.port, f"p{n}") for n in range(tables))
            typists = visitors[:people]
            idle = await _typed(typists, seconds)
            await few_at_a_time(_open(server, person, f"p{n}") for n, person in enumerate(visitors))
            before, begun = sum(table.ply for table in server.tables()), time.perf_counter()
            busy = await _typed(typists, seconds)
            moves, took = sum(table.ply for table in server.tables()) - before, time.perf_counter() - begun
        finally:
            await asyncio.gather(*(person.go() for person in visitors))
    return idle, busy, moves / took


async def _open(server: Server, person: Typist, name: str) -> None:
    """Start a game among masters and watch it: a player who leaves is replaced by a master."""
    person.type("play seats=4 level=master")
    table = await server.table(
        lambda each: each.playing and name in {sitter and sitter.name for sitter in each.sitters}
    )
    for _ in range(2):  # the second leave confirms the first
        person.type("leave")
    person.type(f"watch {table.number}")
    await server.table(lambda each: each.number == table.number and bool(each.watching))


async def _typed(typists: list[Typist], seconds: float) -> list[float]:
    shift = KEY_SECONDS / len(typists)
    with no_garbage_collection():
        await asyncio.gather(*(typist.type_for(seconds, number * shift) for number, typist in enumerate(typists)))
    took = [delay for typist in typists for delay in typist.delays]
    for typist in typists:
        typist.delays.clear()
    return took
