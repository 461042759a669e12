"""`quatch bench masters`: how soon keys are echoed while masters think at many tables, over real ssh.

Each table has a spectator, since a table without people sleeps; some of them type, as people do who talk. The baseline
is the same people in the same server's lobby before any table is open.
"""

import asyncio
import gc
import os
import re
import time
from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.errors import InputError
from server.bench.people import Person, percentile
from server.bench.servers import Server, quatch, server_process
from server.limits import USUAL_SIZE

AT_ONCE: Final = 8
"""How many people log in, or open a table, at a time."""
KEY_SECONDS: Final = 0.2
"""Seconds between two keys of a person."""
LINE: Final = 20
"""Keys until the line is erased."""
PATIENCE_SECONDS: Final = 10.0
POLL_SECONDS: Final = 0.02
ERASE: Final = "\x15"
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
        """Type key after key, starting after so many seconds."""
        await asyncio.sleep(later)
        end = time.perf_counter() + seconds
        while (begun := time.perf_counter()) < end:
            for number in range(LINE):
                await asyncio.sleep(begun + number * KEY_SECONDS - time.perf_counter())
                pressed = time.perf_counter()
                await self._press_and_see("a")
                self.delays.append(time.perf_counter() - pressed)
            self.press(ERASE)
            await asyncio.sleep(KEY_SECONDS)

    async def _press_and_see(self, key: str) -> None:
        wanted = self._column + 1
        self.press(key)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self._column != wanted:
                self._moved.clear()
                await self._moved.wait()


def bench_masters(seconds: float, tables: int, people: int) -> Iterator[str]:
    """Measure the same people typing without tables and with them."""
    if not 0 < people <= tables:
        raise InputError("bad_request", f"--players: 1 to {tables}, one for each table at most, not {people}")
    found = asyncio.run(_measure(seconds, tables, people))
    yield f"{f'{tables} tables of masters, {people} people type':<44}{'with them':>12}{'before':>12}"
    for label, percent in (("half of all keys", 50), ("all but 1 in 100", 99), ("all but 1 in 1000", 99.9)):
        mine, before = (1e3 * percentile(delays, percent) for delays in (found.busy, found.idle))
        yield f"{f'from a key to its echo, {label}':<44}{mine:>9.2f} ms{before:>9.2f} ms"
    yield f"{len(found.busy)} keys; the masters made {found.moves:.1f} moves a second meanwhile"
    yield f"load of this machine over the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


class EchoFigures(NamedTuple):
    """The figures."""

    idle: list[float]
    """Seconds from each key to its echo while no games are played."""
    busy: list[float]
    """Seconds from each key to its echo while masters think."""
    moves: float
    """Moves that the masters made each second."""


async def _measure(seconds: float, tables: int, people: int) -> EchoFigures:
    """Let people log in and type, then open tables, watch them and type again."""
    with server_process(quatch) as server:
        everybody = list[Typist]()
        try:
            for first in range(0, tables, AT_ONCE):
                numbers = range(first, min(first + AT_ONCE, tables))
                everybody += await asyncio.gather(*(Typist.come_in(server.port, f"p{n}") for n in numbers))
            typists = everybody[:people]
            idle = await _typed(typists, seconds)
            for first in range(0, tables, AT_ONCE):
                numbers = range(first, min(first + AT_ONCE, tables))
                await asyncio.gather(*(_open(server, everybody[n], f"p{n}") for n in numbers))
            before, begun = _plies(server), time.perf_counter()
            busy = await _typed(typists, seconds)
            after, took = _plies(server), time.perf_counter() - begun
        finally:
            await asyncio.gather(*(person.go() for person in everybody))
    return EchoFigures(idle, busy, sum(after[number] - before[number] for number in before) / took)


async def _open(server: Server, person: Typist, name: str) -> None:
    """Start a game among masters and watch it: a player who leaves is replaced by a master."""
    person.type("play seats=4 level=master")
    number = await _number_of(server, name)
    for _ in range(2):  # the second leave confirms the first
        person.type("leave")
    person.type(f"watch {number}")
    while not any(each.number == number and each.watching for each in server.tables()):  # noqa: ASYNC110 - it is another process
        await asyncio.sleep(POLL_SECONDS)


async def _number_of(server: Server, name: str) -> int:
    """The number of the table where this person plays, once they do."""
    while True:
        for listing in server.tables():
            if listing.playing and any(sitter is not None and sitter.name == name for sitter in listing.sitters):
                return listing.number
        await asyncio.sleep(POLL_SECONDS)


def _plies(server: Server) -> dict[int, int]:
    """The ply of each table."""
    return {listing.number: listing.ply for listing in server.tables()}


async def _typed(typists: list[Typist], seconds: float) -> list[float]:
    """The delays of all keys while these people type for so long."""
    gc.collect()
    # A pause of this process would count as one of the server.
    gc.disable()
    shift = KEY_SECONDS / len(typists)
    await asyncio.gather(*(typist.type_for(seconds, number * shift) for number, typist in enumerate(typists)))
    gc.enable()
    delays = [delay for typist in typists for delay in typist.delays]
    for typist in typists:
        typist.delays.clear()
    return delays
