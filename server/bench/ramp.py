"""`quatch bench table --ramp`: the largest number of people that one core carries, beside that of bare asyncssh.

A server carries people at tables of four with a move a second if everybody sees each move before the next one is due,
and 99 of 100 within 100 ms. Their number is doubled until a server does not carry them, and then halved between the
last two. All people come to one server, and those who are too many for a trial sit and wait.

The people are a process of their own on another core. Its share of that core is told as well: with bare asyncssh they
may be full before the server is.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean
from typing import Final

from server.bench.figures import Figure, Line, percentile
from server.bench.people import SEATS, Table
from server.bench.servers import MOST_CONNECTIONS, Serve, Server, bare, quatch, server_process
from server.bench.table import SitDown, count_in_time, play, sit_down_at_a_table, table_of, wait_for_nothing
from server.limits import TABLES
from server.process.fd_limit import room_for

P99_SECONDS: Final = 0.1
FIRST_TABLES: Final = 8
TRIAL_SECONDS: Final = 3.0
CALM_SECONDS: Final = 3.0
"""The pause after a trial with too many people, in which the server shows them the last moves."""
LONGEST_SECONDS: Final = 140.0
"""When the search ends with what it has found; both servers together take less than five minutes."""
NEAR: Final = 16
"""The search ends when it has found the largest number up to one part in so many."""


@dataclass
class Ramp:
    """What the search has found."""

    carried: int = 0
    """The largest number of tables that were carried."""
    too_many: int | None = None
    """The smallest number that were not; None if there was none."""
    first_screens: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    """The bytes of first screens and of updates."""
    clients_busy: float = 0.0
    """The share of a core that the people themselves took in the last trial."""

    def next(self, most: int) -> int | None:
        """The number of tables to try next; None if the largest one is found, up to a part in `NEAR`."""
        if self.too_many is None:
            return min(2 * self.carried or FIRST_TABLES, most) if self.carried < most else None
        between = (self.carried + self.too_many) // 2
        return between if between > self.carried * (1 + 1 / NEAR) else None


def bench_ramp() -> Iterator[Line]:
    """Search with both servers and compare them."""
    room_for(MOST_CONNECTIONS)
    found = asyncio.run(_ramp(quatch, TABLES, sit_down_at_a_table))
    like_it = partial(bare, round(fmean(found.first_screens)), round(fmean(found.sizes)))
    floor = asyncio.run(_ramp(like_it, MOST_CONNECTIONS // SEATS, wait_for_nothing))
    yield from ramp_lines(found, floor)


def ramp_lines(found: Ramp, floor: Ramp) -> Iterator[Line]:
    """What the search with Quatch and with bare asyncssh has found."""
    yield f"people with a view a second, 99 of 100 within {1e3 * P99_SECONDS:.0f} ms:"
    for name, ramp in (("Quatch", found), ("bare asyncssh", floor)):
        at_least = "at least " if ramp.too_many is None else ""
        people = f"{at_least}{SEATS * ramp.carried:,}"
        yield f"{name:<20}{people:>16}{f'the people took {ramp.clients_busy:.0%} of their own core':>48}"
    mine, theirs = SEATS * found.carried, SEATS * floor.carried
    if theirs:
        at_most = "at most " if floor.too_many is None else ""
        text = f"Quatch carries {at_most}{mine / theirs:.2f} x as many (goal: at least 0.35)"
        yield Figure("table: people that one core carries, beside bare asyncssh", mine, theirs, "people", text)


async def _ramp(serve: Serve, most: int, sit_down: SitDown) -> Ramp:
    """Search with one server, until the time is over."""
    ramp = Ramp()
    with server_process(serve) as server:
        try:
            async with asyncio.timeout(LONGEST_SECONDS), AsyncExitStack() as people:
                tables = list[Table]()
                while (wanted := ramp.next(most)) is not None:
                    while len(tables) < wanted:
                        coming = table_of(SEATS, server, len(tables), sit_down)
                        tables.append(await people.enter_async_context(coming))
                        ramp.first_screens += tables[-1].first_screens
                    await _try(ramp, server, tables[:wanted])
        except TimeoutError:
            pass  # what it has found by now
    return ramp


async def _try(ramp: Ramp, server: Server, tables: list[Table]) -> None:
    """Have these tables play, and note whether the server has carried them."""
    for table in tables:
        table.forget()
    begun, cpu = time.perf_counter(), time.process_time()
    await play(tables, TRIAL_SECONDS)
    ramp.clients_busy = (time.process_time() - cpu) / (time.perf_counter() - begun)
    delays = [delay for table in tables for delay in table.delays]
    ramp.sizes += [size for table in tables for size in table.sizes]
    in_time = count_in_time(server, tables) == sum(table.due for table in tables)
    if in_time and percentile(delays, 99) < P99_SECONDS:
        ramp.carried = len(tables)
    else:
        ramp.too_many = len(tables)
        await asyncio.sleep(CALM_SECONDS)
