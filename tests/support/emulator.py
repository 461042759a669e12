"""Terminals for tests without a network: an emulator that shows what a session sends, and answers what it is asked."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self
from weakref import WeakKeyDictionary

import pyte

from server.commands.registry import commands_with
from server.config import Config
from server.features import NO_FEATURES, Features
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.session.terminal_session import HASTE_SECONDS, TerminalSession
from server.storage.database import Database
from server.storage.sqlite_database import MemoryDatabase
from server.terminal.terminal import Terminal
from tests.support.accounts import keep_account
from tests.support.emulated_screen import Emulator, shown_by
from tests.support.features import FEATURES
from tests.support.positions import at
from tests.support.tables import known_seeds, put

SETTLED: Final = 0.5
"""Seconds after which whatever a test did has been drawn, in a virtual time; less than anything else waits for."""


class EmulatorTransport:
    """A connection to an emulator, which may stop reading."""

    def __init__(self, columns: int, rows: int, answer: Callable[[bytes], None] = lambda _: None) -> None:
        """``answer`` takes what the emulator answers."""
        self.screen = Emulator(columns, rows, answer)
        self._stream = pyte.ByteStream(self.screen)
        self.writes: list[bytes] = []
        self.held_back = 0

    def write(self, data: bytes) -> None:
        """Show it."""
        self.writes.append(data)
        self._stream.feed(data)

    def waiting(self) -> int:
        """What was not read."""
        return self.held_back

    def hold(self, *, held: bool) -> None:
        """Nothing to hold."""

    def close(self, status: int) -> None:
        """Nothing to close."""

    def abort(self) -> None:
        """Nothing to cut."""


class TerminalPlayer:
    """A player at an emulator, with a session of a lobby and no network between."""

    of_lobbies: ClassVar[WeakKeyDictionary[Lobby, list["TerminalPlayer"]]] = WeakKeyDictionary()
    """All who have come to each lobby."""
    settled = SETTLED
    """How long to wait, in seconds, until what comes of a line is shown."""

    def __init__(
        self,
        lobby: Lobby,
        name: str,
        size: tuple[int, int] = (80, 24),
        term: str = "xterm-256color",
        *,
        answers: bool = True,
        environment: Mapping[str, str] = MappingProxyType({}),
        caller: Caller | None = None,
        first: str = "",
        transport: type[EmulatorTransport] = EmulatorTransport,
    ) -> None:
        """``answers`` says whether the terminal tells where its cursor is, when asked; ``first`` is the first line."""
        self.lobby = lobby
        self.transport = transport(*size, self._answer if answers else lambda _: None)
        self.terminal = Terminal(self.transport, term=term, size=size, is_tty=True, environment=environment)
        self.session = TerminalSession(lobby, self.terminal, caller or Caller(name, f"SHA256:{name}"))
        self._task = asyncio.create_task(self._run(first))
        self.of_lobbies.setdefault(lobby, []).append(self)

    async def arrived(self) -> Self:
        """The player, who has come in by then."""
        await asyncio.sleep(self.settled)
        return self

    async def type(self, *lines: str) -> str:
        """Type these lines, and wait until what comes of each is shown. Returns the screen then.

        Enter alone is pressed by a person who has read what it does.
        """
        for line in lines:
            await asyncio.sleep(0 if line else HASTE_SECONDS)
            await self.send(f"{line}\r".encode())
        return self.shown

    async def send(self, data: bytes) -> str:
        """Send keys as they are, and wait until what comes of them is shown. Returns the screen then."""
        self.terminal.feed(data)
        await asyncio.sleep(self.settled)
        return self.shown

    async def resize(self, columns: int, rows: int) -> None:
        """Have another size."""
        self.transport.screen.resize(rows, columns)
        self.terminal.resize(columns, rows)
        await asyncio.sleep(self.settled)

    @property
    def shown(self) -> str:
        """The screen as text."""
        return shown_by(self.transport.screen)

    async def go(self) -> None:
        """Hang up."""
        self.terminal.end_input()
        await self._task

    async def _run(self, first: str) -> None:
        player_session = self.session.player_session
        await keep_account(player_session.lobby, player_session.caller)
        await player_session.identify()
        self.session.first = first
        await self.session.run()

    def _answer(self, data: bytes) -> None:
        asyncio.get_running_loop().call_soon(self.terminal.feed, data)


@asynccontextmanager
async def opened(lobby: Lobby) -> AsyncIterator[Lobby]:
    """A lobby, closed at the end, when all at its terminals hang up."""
    await lobby.open()
    try:
        yield lobby
    finally:
        for person in TerminalPlayer.of_lobbies.get(lobby, ()):
            await person.go()
        await lobby.close()


@asynccontextmanager
async def open_lobby(
    store: Database | None = None,
    *,
    features: Features = NO_FEATURES,
    wall: Callable[[], float] = time.time,
    **settings: Any,  # noqa: ANN401 - whatever a setting may be
) -> AsyncIterator[Lobby]:
    """A lobby where AI players move at once, if no setting says otherwise; see `opened`."""
    config = Config(**{"pace": 0, **settings})
    lobby = Lobby(config, store or MemoryDatabase(), new_seed=known_seeds(), wall=wall, features=features)
    lobby.names.of_commands = {each.name for each in commands_with(features)}
    async with opened(lobby):
        await asyncio.sleep(0)  # its own tasks begin
        yield lobby


@asynccontextmanager
async def people(
    *names: str, term: str = "xterm-256color", size: tuple[int, int] = (80, 24), features: Features = NO_FEATURES
) -> AsyncIterator[list[TerminalPlayer]]:
    """These people at such terminals in a lobby of their own, where AI players move at once."""
    async with open_lobby(features=features) as lobby:
        here = [TerminalPlayer(lobby, name, size, term) for name in names]
        await asyncio.sleep(SETTLED)
        yield here


async def sit_together(host: TerminalPlayer, *others: TerminalPlayer, seats: int = 0) -> None:
    """Have the first open a table, for all of them if nothing else is said, and the others sit down there."""
    await host.type(f"new seats={seats or 1 + len(others)}")
    for each in others:
        await each.type("sit 1")


async def begin_together(host: TerminalPlayer, *others: TerminalPlayer) -> None:
    """Have them sit down together, and begin a game in which all have arranged their cards."""
    await sit_together(host, *others)
    await host.type("start", "ready")
    for each in others:
        await each.type("ready")


@asynccontextmanager
async def at_a_table(
    *chosen: str, term: str = "xterm-256color", size: tuple[int, int] = (80, 24)
) -> AsyncIterator[TerminalPlayer]:
    """A player to move, whose seven is too low on the nine of the pile, with these settings."""
    async with people("ana", term=term, size=size, features=FEATURES) as (ana,):
        await ana.type(*(f"set {choice}" for choice in chosen), "play seats=2", "ready")
        game = at("quatch", "hand 7c 7h Kd Ks / up 3s / down 4c - 5d", "hand 4s / down 6c 6d 6h", pile="9s")
        put(ana.lobby.tables.here[1], game)
        await asyncio.sleep(SETTLED)
        yield ana
