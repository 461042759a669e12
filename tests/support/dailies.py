"""Servers on which daily deals are played: a clock to set, quick AI players in the background, and whole games."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import pytest

from server.ai.pool import AIPool, any_moves
from server.config import Config
from server.lobby import daily_deals, daily_work
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.session import exec_commands
from server.storage.memory_log import MemoryLog
from server.storage.table_log import TableLog
from tests.support.emulator import SETTLED, TerminalPlayer
from tests.support.tables import known_seeds

T = TypeVar("T")
NOON: Final = datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp()
DAY: Final = 86400.0
GUEST: Final = Caller("bo")


class Clock:
    """The time of day, in seconds since 1970, which tests set; it goes on with the event loop's time."""

    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        """The time."""
        return self.now + asyncio.get_running_loop().time()


def quicken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have AI players play a deal in a moment: few games, and a weaker one in Master's place."""

    async def at_once(_: AIPool, work: Callable[[], T]) -> T:
        return work()

    async def here(work: Callable[[], T]) -> T:
        return work()

    monkeypatch.setattr(AIPool, "run", at_once)
    monkeypatch.setattr(AIPool, "run_in_background", at_once)
    monkeypatch.setattr(daily_deals, "to_thread", here)
    monkeypatch.setattr(daily_deals, "QUICK_CANDIDATES", 0)
    monkeypatch.setattr(daily_work, "FIELD_GAMES", 4)
    monkeypatch.setattr(daily_work, "PAR_LEVEL", "hard")
    monkeypatch.setattr(daily_work, "PAR_GAMES", 1)


@asynccontextmanager
async def daily_lobby(wall: Callable[[], float], store: TableLog | None = None) -> AsyncIterator[Lobby]:
    """A lobby at this time of day."""
    lobby = Lobby(Config(pace=0, workers=0), store or MemoryLog(), new_seed=known_seeds(), wall=wall)
    await lobby.open()
    try:
        yield lobby
    finally:
        await lobby.close()


@asynccontextmanager
async def person(
    lobby: Lobby, name: str, *, guest: bool = False, term: str = "xterm-256color"
) -> AsyncIterator[TerminalPlayer]:
    """A person at a terminal, with a key of their own if they are no guest."""
    caller = Caller(name) if guest else Caller(name, f"SHA256:{name}")
    here = TerminalPlayer(lobby, name, caller=caller, term=term, size=(100, 40))
    await asyncio.sleep(SETTLED)
    try:
        yield here
    finally:
        await here.go()


async def play(here: TerminalPlayer, moves: int = 1000) -> list[str]:
    """Make so many moves, or all up to the end of the game; returns them. The same cards get the same moves."""
    session, made = here.session.player_session, list[str]()
    while len(made) < moves:
        snapshot = session.location.snapshot
        assert snapshot is not None
        view = snapshot.view
        assert view is not None
        if not snapshot.playing:
            break
        if snapshot.my_turn:
            move = any_moves(view, view.seat or 0)[0]
            made.append(str(move))
            await session.table.move(session, snapshot.ply, move, snapshot.game)
        await asyncio.sleep(SETTLED)
    return made


async def asked(lobby: Lobby, command: str, name: str = "ana") -> Any:  # noqa: ANN401 - it is JSON
    """The answer to `ssh HOST COMMAND --json` of the owner of a key."""
    _, (said,) = await exec_commands.answer(f"{command} --json", lobby, Caller(name, f"SHA256:{name}"))
    return json.loads(said)


def flat(here: TerminalPlayer) -> str:
    """The screen as one line."""
    return " ".join(here.shown.split())
