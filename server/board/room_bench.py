"""The second part of `quatch bench boards`: how soon what people type is answered in a room with boards, over real ssh.

The people sit at tables of four. At each table there is a move a second, and its player types it key by key. The
baseline is the same room in the same server without boards.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final, NamedTuple

import asyncssh

from server.bench.figures import Figure, Line, no_garbage_collection, percentile, until
from server.bench.key_echo import Typist
from server.bench.people import SEATS, TERM, Table, connect_guest
from server.bench.servers import PATIENCE_SECONDS, Server, quatch, server_process
from server.bench.table import count_in_time, sit_down_at_a_table
from server.terminal.probe import NARROW_SAFE, WHERE

SIZES: Final = ((80, 24), (120, 40), (200, 60))
"""Of the boards: none of them shares its picture with another."""
PARTS: Final = 3
"""How often the room is measured without boards and with them, by turns."""
BEAT: Final = 1.0
"""Seconds from one move at a table to the next."""
KEY_SECONDS: Final = 0.06
"""Seconds from one key of a move to the next."""
MOST_MS: Final = 50
"""The target: 99 of 100 answers come sooner."""


class Answers(NamedTuple):
    """Seconds until what was typed was answered."""

    keys: list[float]
    """From each key to its echo."""
    moves: list[float]
    """From the Enter of each move to the screens of the others at the table."""


class WatchedBoard(asyncssh.SSHClientSession[bytes]):
    """A big board on somebody's screen."""

    def __init__(self) -> None:
        self.heard = 0
        """Bytes so far."""
        self._channel: asyncssh.SSHClientChannel[bytes]

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        """See `asyncssh.SSHClientSession`."""
        self._channel = chan

    def data_received(self, data: bytes, datatype: int | None) -> None:  # noqa: ARG002
        """Answer the question where the cursor is; see `asyncssh.SSHClientSession`."""
        self.heard += len(data)
        if WHERE.encode() in data:
            self._channel.write(NARROW_SAFE.encode())


@asynccontextmanager
async def watched(port: int, size: tuple[int, int]) -> AsyncIterator[WatchedBoard]:
    """A board of this size inside the context, once it shows something. Raises OSError."""
    board = WatchedBoard()
    async with await connect_guest(port, "board") as connection:
        await connection.create_session(lambda: board, "board", term_type=TERM, term_size=size, encoding=None)
        await until(lambda: bool(board.heard), PATIENCE_SECONDS)
        yield board


class RoomTable(Table):
    """Four people who type their moves key by key."""

    def __init__(self, name: str, typists: list[Typist]) -> None:
        super().__init__(name, [*typists])
        self.typists = typists


def bench_room(seconds: float, people: int) -> Iterator[Line]:
    """Milliseconds from a key, and from a move, to its answer; half of all, and all but 1 in 100."""
    tables = max(1, people // SEATS)
    without, with_them, received, late = asyncio.run(_measure(seconds, tables))
    yield f"{f'{tables * SEATS} people play and type, over ssh':<44}{f'{len(SIZES)} boards':>13}{'no board':>13}"
    for what, mine, theirs in (
        ("key to its echo", with_them.keys, without.keys),
        ("move to the others", with_them.moves, without.moves),
    ):
        for label, percent in (("half of all", 50), ("all but 1 in 100", 99)):
            found, baseline = (1e3 * percentile(each, percent) for each in (mine, theirs))
            most = f" (at most {MOST_MS})" if percent > 50 else ""
            name = f"from a {what}, {label}"
            text = f"{name:<44}{found:>10.2f} ms{baseline:>10.2f} ms{found / baseline:>7.2f} x{most}"
            yield Figure(f"boards: {name}, {tables * SEATS} people", found, baseline, "ms", text)
    yield f"{len(with_them.keys)} keys, {len(with_them.moves)} answers to moves; the boards received {received:,} bytes"
    if late:
        yield f"the server is overloaded: {late} moves were not seen by all in time"


async def _measure(seconds: float, tables: int) -> tuple[Answers, Answers, int, int]:
    """The answers without boards and with them, the bytes that boards received, and how many moves came late."""
    found, boards = (Answers([], []), Answers([], [])), list[WatchedBoard]()
    with server_process(quatch) as server:
        async with AsyncExitStack() as stack:
            room = [await _table(stack, server, f"t{number}") for number in range(tables)]
            for part in range(2 * PARTS):
                async with AsyncExitStack() as walls:
                    if part % 2:
                        boards += [await walls.enter_async_context(watched(server.port, size)) for size in SIZES]
                    await _play(room, seconds / PARTS)
                for table in room:
                    found[part % 2].moves.extend(table.delays)
                    table.delays.clear()
                    for typist in table.typists:
                        found[part % 2].keys.extend(typist.delays)
                        typist.delays.clear()
            late = sum(table.due for table in room) - count_in_time(server, room)
    return *found, sum(board.heard for board in boards), late


async def _table(stack: AsyncExitStack, server: Server, name: str) -> RoomTable:
    typists = await asyncio.gather(*(Typist.come_in(server.port, f"{name}-{seat}") for seat in range(SEATS)))
    for typist in typists:
        stack.push_async_callback(typist.go)
    table = RoomTable(name, typists)
    await sit_down_at_a_table(server, table)
    return table


async def _play(room: Sequence[RoomTable], seconds: float) -> None:
    """Play at all tables, whose beats follow each other."""
    with no_garbage_collection():
        await asyncio.gather(
            *(_play_at(table, seconds, BEAT * number / len(room)) for number, table in enumerate(room))
        )


async def _play_at(table: RoomTable, seconds: float, later: float) -> None:
    await asyncio.sleep(later)
    begun = time.perf_counter()
    for beat in range(max(2, round(seconds / BEAT))):
        await asyncio.sleep(begun + beat * BEAT - time.perf_counter())
        table.due += 1
        if table.collect():
            mover, line = table.next_line()
            for key in line:
                await table.typists[mover].press_and_see(key)
                await asyncio.sleep(KEY_SECONDS)
            table.enter(mover, "")
    await asyncio.sleep(BEAT)
    table.end()
