"""A lobby at a time of day, people at terminals in it, and the whole games that they play."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final

from server.ai.pool import any_moves
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.session import exec_commands
from server.storage.database import Database
from tests.support.accounts import keep_account
from tests.support.emulator import SETTLED, TerminalPlayer, open_lobby
from tests.support.features import not_looking_back

GUEST: Final = Caller("bo")


def lobby_at(
    wall: Callable[[], float], store: Database | None = None, workers: int = 0
) -> AbstractAsyncContextManager[Lobby]:
    """A lobby with all features at this time of day; none looks back at a game that has just ended."""
    return open_lobby(store, features=not_looking_back(), wall=wall, workers=workers)


@asynccontextmanager
async def person(
    lobby: Lobby, name: str, *, guest: bool = False, term: str = "xterm-256color"
) -> AsyncIterator[TerminalPlayer]:
    """A person at a terminal, with a key of their own if they are no guest."""
    caller = Caller(name) if guest else Caller(name, f"SHA256:{name}")
    here = await TerminalPlayer(lobby, name, caller=caller, term=term, size=(100, 40)).arrived()
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
    caller = Caller(name, f"SHA256:{name}")
    await keep_account(lobby, caller)
    _, (said,) = await exec_commands.answer(f"{command} --json", lobby, caller)
    return json.loads(said)


def flat(here: TerminalPlayer) -> str:
    """The screen as one line."""
    return " ".join(here.shown.split())
