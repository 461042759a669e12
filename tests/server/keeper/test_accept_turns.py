"""Processes that accept from one socket take turns."""

import asyncio
import os
import socket
from collections.abc import Callable, Iterator

import pytest

from server.keeper import accept_turns
from server.keeper.accept_turns import ConnectionCounts, shared_counts

NUMBER = 3


class Process:
    """A process as the others know it: it counts the connections that it has accepted from a socket."""

    close: Callable[[], object]

    def __init__(self, descriptor: int, number: int) -> None:
        self.counts = ConnectionCounts(os.dup(descriptor), number)
        self.counts.note(0)
        self.accepted = 0

    async def begin(self, listening: socket.socket) -> None:
        """Accept connections until `close`."""
        self.close = await self.counts.accept_from(listening.dup(), self._connected)

    def _connected(self) -> asyncio.Protocol:
        self.accepted += 1
        self.counts.note(self.accepted)
        return asyncio.Protocol()


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    """A socket on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as opened:
        yield opened


async def come(listening: socket.socket, processes: list[Process], number: int) -> None:
    """So many clients come one after the other, and each is accepted."""
    for _ in range(number):
        before = sum(process.accepted for process in processes)
        _, writer = await asyncio.open_connection(*listening.getsockname())
        async with asyncio.timeout(10):
            while sum(process.accepted for process in processes) == before:
                await asyncio.sleep(0.001)
        writer.close()


async def test_the_process_with_the_fewest_connections_is_first(listening: socket.socket) -> None:
    """So all have about the same number, whichever the kernel wakes first; one that was busy may miss its turn."""
    descriptor = shared_counts()
    processes = [Process(descriptor, number) for number in range(NUMBER)]
    for process in processes:
        await process.begin(listening)
    await come(listening, processes, 4 * NUMBER)
    for process in processes:
        process.close()
    accepted = [process.accepted for process in processes]
    assert sum(accepted) == 4 * NUMBER
    assert max(accepted) - min(accepted) <= 2


async def test_a_process_that_does_not_answer_keeps_nobody_waiting(
    listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It seems to have no connections, but accepts none; one that has ended is not waited for."""
    descriptor = shared_counts()
    stuck = ConnectionCounts(os.dup(descriptor), 1)
    stuck.note(0)
    other = Process(descriptor, 0)
    await other.begin(listening)
    await come(listening, [other], 3)
    assert not other.counts.is_my_turn()
    monkeypatch.setattr(accept_turns, "LEAVE_SECONDS", 3600.0)
    stuck.end()
    assert other.counts.is_my_turn()
    await come(listening, [other], 3)
    other.close()
