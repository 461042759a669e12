"""Servers that share a simulated log, in virtual time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from server.config import Config
from server.features import NO_FEATURES, Features, load
from server.lobby.lobby import Lobby
from server.lobby.peers import OneServer
from server.lobby.tables import READ_SECONDS
from server.storage.sqlite_database import MemoryDatabase
from server.table.table import Table
from tests.support.simulated_log import PERFECT, Faults, World
from tests.support.tables import ANA, BO, Watcher, known_seeds, table_settings
from tests.support.virtual_time import now

CONFIG = Config(pace=1.0, grace=10.0, keep_table=60.0, keep_seat=60.0, workers=0)
CLOCK = 30.0
DEAF = Faults(bell_lost=1)


def node(world: World, name: str, config: Config = CONFIG, features: Features = NO_FEATURES) -> Lobby:
    """A server among others in a simulated world; they know each other if the feature for that is there."""
    log = world.node(name)
    makers = load().all(OneServer)
    peers = makers[0].peers(log, config.node_name) if makers else None
    return Lobby(config, log, new_seed=known_seeds(), wall=now, peers=peers, features=features)


@asynccontextmanager
async def lobbies(
    faults: Faults = PERFECT, number: int = 2, features: Features = NO_FEATURES
) -> AsyncIterator[tuple[MemoryDatabase, list[Lobby]]]:
    """Servers that share a log."""
    world = World(1, faults)
    servers = [node(world, str(number), features=features) for number in range(number)]
    for server in servers:
        await server.open()
    yield world.log, servers
    for server in servers:
        await server.close()


async def meet(here: Lobby, there: Lobby) -> tuple[Table, Watcher, Table, Watcher]:
    """Ana opens a table here and Bo sits down there."""
    ana, bo = Watcher(), Watcher()
    table = await here.tables.open_table(table_settings(clock=CLOCK))
    await table.sit(ana, ANA)
    await asyncio.sleep(READ_SECONDS * 1.1)
    other = await there.tables.bring_up("1")
    await other.sit(bo, BO)
    await asyncio.sleep(READ_SECONDS * 1.1)
    return table, ana, other, bo
