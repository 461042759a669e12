"""Games in this terminal without a network: against AI players, and replays."""

import getpass
import hashlib
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count

from server.clean import clean_name
from server.config import Config
from server.history.replay import Replay, Viewpoint
from server.lobby.dailies import SECRET
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.records.fairness import new_seed
from server.records.record import Record
from server.session.terminal_session import TerminalSession
from server.storage.memory_log import MemoryLog
from server.transport.local_terminal import LocalTerminal


async def play_locally(config: Config, first: str, seed: str | None) -> None:
    """Play, with this as the first command. The same seed deals the same games."""
    async with _session(config, _seeds(seed)) as session:
        await session.run(first)


async def replay_locally(config: Config, record: Record, viewpoint: Viewpoint) -> None:
    """Step through a finished game. Raises InputError if the record is no possible game or has no such seat."""
    async with _session(config, new_seed) as session:
        session.player_session.look_at(Replay(record, viewpoint))
        await session.run()


@asynccontextmanager
async def _session(config: Config, seeds: Callable[[], str]) -> AsyncIterator[TerminalSession]:
    """A session at this terminal, without an idle limit: no other player needs it."""
    log = MemoryLog()
    await log.put_text(SECRET, "", "")  # so that today's deal is the same wherever it is played without a server
    lobby = Lobby(replace(config, idle=math.inf), log, new_seed=seeds)
    await lobby.open()
    with LocalTerminal().attached() as terminal:
        session = TerminalSession(lobby, terminal, Caller(clean_name(getpass.getuser()), may_return=False))
        await session.player_session.identify()
        yield session
    await lobby.close()


def _seeds(seed: str | None) -> Callable[[], str]:
    if seed is None:
        return new_seed
    numbers = count(1)
    return lambda: hashlib.sha256(f"{seed} {next(numbers)}".encode()).hexdigest()
