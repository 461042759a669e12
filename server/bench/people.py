"""The people of a bench: real ssh clients, mostly at tables with a move a second at each.

They do not read screens. Every table is dealt from a known seed, so that they follow the game with the engine and type
legal moves. They note when bytes come, and how many.
"""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from ipaddress import IPv4Address
from itertools import count
from random import Random
from typing import Final, Self, TypeAlias

import asyncssh

from engine.game import deal, play
from engine.legality import legal_moves
from engine.moves import READY, Flip, Move, Play
from engine.rulesets import ruleset
from engine.state import State
from server.bench.figures import until
from server.bench.servers import ADDRESS, FIRST_SCREEN_ENDS, PATIENCE_SECONDS, SEED, Server
from server.limits import CLOCK_SECONDS, USUAL_SIZE
from server.records.fairness import deal_seed
from server.terminal.terminal import NARROW_SAFE, WHERE

SEATS: Final = 4
BEAT: Final = 1.0
"""Seconds from one move at a table to the next."""
TERM: Final = "xterm-256color"
LEAST_MOVES: Final = 8
"""How many moves each table makes at least while it is measured."""
HOMES: Final = (str(IPv4Address("127.2.0.1") + number) for number in count())
"""The addresses that people come from, each from their own: those of one address share its computing time."""
Process: TypeAlias = "asyncssh.SSHClientProcess[bytes]"


async def connect_guest(port: int, name: str, source: str = ADDRESS, **options: int) -> asyncssh.SSHClientConnection:
    """Log in without a key; the empty password is for a challenge that asks nothing."""
    return await asyncssh.connect(
        ADDRESS, port, username=name, password="", known_hosts=None, client_keys=None, agent_path=None, config=None,
        local_addr=(source, 0), **options,
    )  # fmt: skip


@asynccontextmanager
async def in_lines(port: int, name: str) -> AsyncIterator[tuple[Process, float]]:
    """A guest in line mode, and the seconds until the greeting."""
    begin = time.perf_counter()
    connection = await connect_guest(port, name)
    try:
        process = await connection.create_process(encoding=None)
        await process.stdout.readuntil(b"Type play")
        yield process, time.perf_counter() - begin
    finally:
        connection.abort()


async def answer(player: Process, line: str, expected: bytes) -> float:
    """Type a line; return the seconds until this answer. Raises EOFError if the session ends."""
    begin = time.perf_counter()
    player.stdin.write(f"{line}\n".encode())
    await player.stdout.readuntil(expected)
    return time.perf_counter() - begin


class Person(asyncssh.SSHClientSession[bytes]):
    """One person at a terminal."""

    def __init__(self) -> None:
        self.came_in = asyncio.Event()
        """Set when the first screen has come."""
        self.heard = 0
        """Bytes since the last move."""
        self.heard_at = 0.0
        """When the first of them came."""
        self._channel: asyncssh.SSHClientChannel[bytes]
        self._connection: asyncssh.SSHClientConnection

    async def come_in(self, port: int, name: str) -> Self:
        """Log in and wait for the first screen. Returns this person. Raises OSError."""
        try:
            self._connection = await connect_guest(port, name, next(HOMES))
            self._channel, _ = await self._connection.create_session(
                lambda: self, term_type=TERM, term_size=USUAL_SIZE, encoding=None
            )
        except asyncssh.Error as error:
            raise ConnectionError(f"{name} cannot come in: {error.reason}") from None
        await self.came_in.wait()
        return self

    def type(self, line: str) -> None:
        """Type a line and press Enter."""
        self.press(line + "\r")

    def press(self, keys: str) -> None:
        """Press these keys."""
        self._channel.write(keys.encode())

    async def go(self) -> None:
        """Hang up."""
        self._connection.close()
        await self._connection.wait_closed()

    def data_received(self, data: bytes, datatype: int | None) -> None:  # noqa: ARG002
        """Count; see `asyncssh.SSHClientSession`."""
        if not self.heard:
            self.heard_at = time.perf_counter()
        self.heard += len(data)
        if WHERE.encode() in data:
            self._channel.write(NARROW_SAFE.encode())
        if FIRST_SCREEN_ENDS in data:
            self.came_in.set()


class Table:
    """People at a table, and their game as it must be in the server."""

    def __init__(self, name: str, people: Sequence[Person]) -> None:
        """``name`` is the prefix of their names."""
        self.name = name
        self.people = people
        self.first_screens = [person.heard for person in people]
        """Bytes that each person received for the first screen."""
        self.moves = 0
        """Moves made."""
        self.delays: list[float] = []
        """Seconds from a move until its first bytes came to each of the others."""
        self.updates: list[int] = []
        """Bytes that each person received for one move."""
        self._chance = Random(name)
        self._dealer: int | None = None
        self._moved_at = 0.0
        self._mover = 0
        self._awaited = False
        """Whether others have still to see the last move."""
        self._agreed = 0
        """How many have asked for another game. Once all have, it is dealt."""
        self._game = self._deal()

    def beat(self) -> None:
        """A move is due: make it if all have seen the last one, for people wait for that."""
        if self.collect():
            self.enter(*self.next_line())

    def collect(self) -> bool:
        """Note what the last move caused, if all others have seen it. Returns whether they have."""
        if not self._awaited:
            return True
        others = [person for seat, person in enumerate(self.people) if seat != self._mover]
        if not all(person.heard for person in others):
            return False
        self.updates += [person.heard for person in self.people]
        self.delays += [person.heard_at - self._moved_at for person in others]
        self._awaited = False
        return True

    def end(self) -> None:
        """Collect for the last time: a move that others have not seen has taken until now."""
        if not self.collect():
            self.delays += [time.perf_counter() - self._moved_at] * (len(self.people) - 1)

    def enter(self, mover: int, line: str) -> None:
        """Let this player type the rest of the line of their move, and press Enter."""
        self._mover = mover
        for person in self.people:
            person.heard, person.heard_at = 0, 0.0
        self._moved_at = time.perf_counter()
        self.people[mover].type(line)
        self.moves += 1
        self._awaited = True

    def next_line(self) -> tuple[int, str]:
        """Returns the seat whose turn it is, and the line that its player types. The game goes on with that move."""
        game = self._game
        if game.phase == "over":
            agreeing, self._agreed = self._agreed, (self._agreed + 1) % len(self.people)
            if not self._agreed:
                self._game = self._deal()
            return agreeing, "start"
        seat = (game.to_move or 0) if game.phase == "play" else game.ready.index(False)
        move: Move = READY
        if game.phase == "play":
            legal = legal_moves(game, seat)
            move = self._chance.choice([move for move in legal if isinstance(move, Play | Flip)] or legal)
        self._game, _ = play(game, seat, move)
        return seat, str(move)

    async def next_move(self) -> tuple[int, str]:
        """As `next_line`, but only of a move of play: `start` and `ready` before it are typed, and seen by all."""
        await until(self.collect, PATIENCE_SECONDS)  # else a busy server could be asked for two moves at once
        seat, line = self.next_line()
        while line in {"start", str(READY)}:
            await self.make(seat, line)
            seat, line = self.next_line()
        return seat, line

    async def begin_play(self) -> None:
        """Make the first move of play. Nothing counts that has come up to then."""
        await self.make(*await self.next_move())
        self.collect()
        self.moves, self.updates, self.delays = 0, [], []

    async def make(self, seat: int, line: str) -> None:
        """Type a line, and wait until everybody else has seen what it does."""
        self.enter(seat, line)
        await until(self.collect, PATIENCE_SECONDS)

    def _deal(self) -> State:
        game, _ = deal(ruleset("quatch"), len(self.people), deal_seed(SEED, ()), self._dealer)
        # As in the server: the deal goes round, and the cards fix the first starter.
        self._dealer = (game.luck[0] - 1 if self._dealer is None else self._dealer + 1) % len(self.people)
        return game


@asynccontextmanager
async def table_of(seats: int, server: Server, number: int, clock: int = CLOCK_SECONDS[-1]) -> AsyncIterator[Table]:
    """Let so many people come, sit down unless there is no clock, and begin their game; they go at the end."""
    name = f"t{number}"
    coming = (Person().come_in(server.port, f"{name}-{seat}") for seat in range(seats))
    table = Table(name, list(await asyncio.gather(*coming)))
    try:
        if server.has_tables and clock:
            await _sit_down(server, table, clock)
        yield table
    finally:
        await asyncio.gather(*(person.go() for person in table.people))


async def _sit_down(server: Server, table: Table, clock: int) -> None:
    """Open a table with this clock, which moves for nobody in time; the others sit down in order."""
    seats = len(table.people)

    async def number(taken: int) -> int:
        """The number of the table, once so many of these people sit there."""
        names = {f"{table.name}-{seat}" for seat in range(seats)}
        listing = await server.table(lambda each: sum(s is not None and s.name in names for s in each.sitters) == taken)
        return listing.number

    host, *others = table.people
    host.type(f"new seats={seats} clock={clock}")
    for taken, person in enumerate(others, 1):
        person.type(f"sit {await number(taken)}")
    wanted = await number(seats)
    host.type("start")
    await server.table(lambda each: each.number == wanted and each.playing)


async def play_at(tables: Sequence[Table], seconds: float) -> None:
    """Have a move be due at each table once a beat, the tables one after the other."""
    loop = asyncio.get_running_loop()
    gc.collect()
    gc.disable()  # a pause of this process would count as one of the server
    begin = loop.time()
    for beat in range(max(LEAST_MOVES, round(seconds / BEAT))):
        for number, table in enumerate(tables):
            await asyncio.sleep(begin + (beat + number / len(tables)) * BEAT - loop.time())
            table.beat()
    await asyncio.sleep(BEAT)
    gc.enable()
    for table in tables:
        table.end()
