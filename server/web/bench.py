"""`quatch bench web`: what a view that is sent to a phone costs, beside the simplest server of `websockets`."""

import asyncio
import json
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import Final, NamedTuple

from websockets.asyncio import client, server

from server.bench.attackers import Attack, pour
from server.bench.calls import calls_of_move
from server.bench.figures import Figure, Line
from server.bench.people import BEAT, HOMES, SEATS, Person, play_at, table_of
from server.bench.servers import ADDRESS, Serve, Serving, quatch, server_process

_pour: Final = partial(pour, carrier="web")
_GET: Final = b"GET / HTTP/1.1\r\nHost: attack\r\n\r\n"
_UPGRADE: Final = (
    b"GET /play HTTP/1.1\r\nHost: attack\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def _frame(message: bytes) -> bytes:
    """A whole message as browsers send it (RFC 6455, 5.2), masked with zeros, which leave it as it is."""
    size = len(message)
    length = bytes((0x80 | size,)) if size < 126 else bytes((0x80 | 126,)) + size.to_bytes(2)
    return b"\x81" + length + bytes(4) + message


_HELLO: Final = _UPGRADE + _frame(b'{"type":"hello","name":"attack","token":"","columns":40}')

ATTACKS: Final[Mapping[str, Attack]] = {
    "62 web silent": Attack(_pour(b"GET / HT"), 200, 1),
    "62 web pages": Attack(_pour(b"", _GET), 16),
    "62 web headers": Attack(_pour(b"GET / HTTP/1.1\r\n", b"X-More: " + b"x" * 1_000 + b"\r\n"), 8),
    "63 web sockets": Attack(_pour(_HELLO), 60, 1),
    "63 web lines": Attack(_pour(_HELLO, _frame(b'{"type":"type","line":"who"}') * 200), 8),
    "63 web nonsense": Attack(_pour(_UPGRADE, _frame(b"[[[[") * 200), 8),
    "63 web large messages": Attack(_pour(_UPGRADE, _frame(b"x" * 60_000)), 8),
    "63 web questions": Attack(_pour(_HELLO, _frame(b"") * 500), 8),
    "64 web reads nothing": Attack(_pour(_HELLO, _frame(b'{"type":"type","line":"rules life"}') * 100, reads=False), 8),
}


COLUMNS: Final = 50
FIRST: Final = '{"type":"shown"'
"""How the first message begins that shows something."""
MOVES: Final = 30
"""The moves whose calls are counted, for each second that is measured."""


class Page(Person):
    """A person whose terminal is a page."""

    carrier = "web"
    _socket: client.ClientConnection

    async def log_in(self, port: int, name: str) -> None:
        """See `Person`."""
        self._socket = await client.connect(
            f"ws://{ADDRESS}:{port}/play", local_addr=(next(HOMES), 0), compression=None
        )
        await self._socket.send(json.dumps({"type": "hello", "name": name, "columns": COLUMNS}))
        self._task = asyncio.create_task(self._read())
        await self.came_in.wait()

    def type(self, line: str) -> None:
        """Tap the button of a line."""
        self._tap = asyncio.create_task(self._socket.send(json.dumps({"type": "type", "line": line})))

    async def go(self) -> None:
        """Close the page."""
        await self._socket.close()
        await self._task

    async def _read(self) -> None:
        async for message in self._socket:
            text = str(message)
            self.data_received(text.encode(), None)
            if text.startswith(FIRST):
                self.came_in.set()


class Spent(NamedTuple):
    """What phones have cost a server."""

    view: float
    """CPU seconds for each view sent to a person at a table."""
    calls: float
    """Python calls of a move at one table."""
    push: float
    """Python calls of showing it to one more person."""
    first_screen: float
    update: float
    """The mean bytes of these."""


def bench_web(options: Namespace, beat_seconds: float = BEAT) -> Iterator[Line]:
    """Measure phones at tables, and a bare server that sends as many bytes. A move is due every ``beat_seconds``."""
    people = max(1, options.players // SEATS) * SEATS
    spend = partial(_spend, people=people, seconds=options.seconds, beat_seconds=beat_seconds)
    found = asyncio.run(spend(quatch_of_phones))
    floor = asyncio.run(spend(partial(bare, round(found.first_screen), round(found.update))))
    yield f"{people} phones at tables of {SEATS}, a view a second, beside bare websockets:"
    yield Figure(f"web: CPU for a view, {people} phones", found.view * 1e3, floor.view * 1e3, "ms")
    yield Figure(f"web: a move, {SEATS} seats", found.calls, floor.calls, "calls")
    yield Figure("web: showing it to one more phone", found.push, floor.push, "calls")
    yield Figure(f"web: bytes of an update, mean, {people} phones", found.update, None, "bytes")


async def _spend(serve: Serve, people: int, seconds: float, beat_seconds: float) -> Spent:
    times = max(1, round(seconds * MOVES))
    with server_process(serve) as process:
        async with AsyncExitStack() as stack:
            numbers = range(people // SEATS)
            tables = [await stack.enter_async_context(table_of(SEATS, process, each, kind=Page)) for each in numbers]
            begun = process.ask(Serving.used_resources)
            await play_at(tables, seconds, beat_seconds)
            cpu = process.ask(Serving.used_resources).cpu - begun.cpu
            view = cpu / (SEATS * sum(table.moves for table in tables))
            pair, moves = await stack.enter_async_context(table_of(2, process, people, kind=Page)), range(times)
            calls, of_two = [median([await calls_of_move(process, each) for _ in moves]) for each in (tables[0], pair)]
    first_screens = [size for table in tables for size in table.first_screens]
    push = (calls - of_two) / (SEATS - 2)
    return Spent(view, calls, push, fmean(first_screens), fmean([size for table in tables for size in table.updates]))


async def quatch_of_phones(folder: Path) -> Serving:
    """Quatch with its page."""
    return await quatch(folder, {"web_port": 0})


async def bare(first_screen: int, update: int, _: Path) -> Serving:
    """The floor: sends so many bytes at the first message of a phone, and to all of its table at each further one."""
    tables: dict[str, list[server.ServerConnection]] = defaultdict(list)

    async def serve(socket: server.ServerConnection) -> None:
        table = tables[json.loads(await socket.recv())["name"].partition("-")[0]]
        table.append(socket)
        await socket.send(FIRST.ljust(first_screen))
        async for _ in socket:
            for each in table:
                await each.send(" " * update)
        table.remove(socket)

    acceptor = await server.serve(serve, ADDRESS, 0, compression=None)

    async def stop() -> None:
        acceptor.close()

    return Serving({"web": next(iter(acceptor.sockets)).getsockname()[1]}, stop)
