"""Games in this terminal without a network: against AI players, and replays."""

import getpass
import hashlib
import math
from collections.abc import Callable
from dataclasses import replace
from itertools import count

from server.config import Config
from server.history.replay import Viewpoint
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.records.fairness import new_seed
from server.records.record import Record
from server.session.terminal_session import TerminalSession
from server.storage.table_log import MemoryLog
from server.transport.local_terminal import LocalTerminal


async def play_locally(config: Config, first: str, seed: str | None) -> None:
    """Play, with this as the first command. The same seed deals the same games."""
    lobby = Lobby(_without_idle_limit(config), MemoryLog(), new_seed=_seeds(seed))
    await lobby.open()
    transport = LocalTerminal()
    with transport.attached() as terminal:
        await TerminalSession(lobby, terminal, Caller(getpass.getuser())).run(first)
    await lobby.close()


async def replay_locally(config: Config, record: Record, viewpoint: Viewpoint) -> None:
    """Step through a finished game. Raises InputError if the record is no possible game or has no such seat."""
    lobby = Lobby(_without_idle_limit(config), MemoryLog())
    await lobby.open()
    transport = LocalTerminal()
    with transport.attached() as terminal:
        session = TerminalSession(lobby, terminal, Caller(getpass.getuser()))
        session.player_session.look_at(record, viewpoint)
        await session.run()
    await lobby.close()


def _without_idle_limit(config: Config) -> Config:
    """The settings without an idle limit: no other player needs this terminal."""
    return replace(config, idle=math.inf)


def _seeds(seed: str | None) -> Callable[[], str]:
    """The source of seeds: random, or all derived from one."""
    if seed is None:
        return new_seed
    numbers = count(1)
    return lambda: hashlib.sha256(f"{seed} {next(numbers)}".encode()).hexdigest()
