"""A lobby with callers from many addresses who open tables, for tests."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_address

from server.config import Config
from server.limits import TABLES, TABLES_PER_PLAYER
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.storage.sqlite_database import MemoryDatabase
from server.table.table import Table
from tests.support.tables import Watcher, known_seeds, table_settings

OP = "SHA256:" + 43 * "o"


@asynccontextmanager
async def a_lobby(
    log: MemoryDatabase | None = None, *, tables: int = TABLES.share, per_player: int = TABLES_PER_PLAYER.share
) -> AsyncIterator[Lobby]:
    """A lobby with an op, where so many tables may run. If they are few, one address may run all of them."""
    config = Config(pace=1.0, per_address=2, ops=(OP,))
    lobby = Lobby(config, log or MemoryDatabase(), new_seed=known_seeds(), wall=asyncio.get_running_loop().time)
    limits = lobby.tables.limits
    limits.tables, limits.per_player = tables, per_player
    if tables < TABLES.share:
        limits.part_of_free = 1
    await lobby.open()
    try:
        yield lobby
    finally:
        await lobby.close()


def caller(host: int) -> Caller:
    """A caller from an address of their own."""
    return Caller(address=ip_address(f"192.0.2.{host}"))


async def comes(lobby: Lobby, host: int, *, plays: bool = True, player_id: str = "") -> tuple[Table, Watcher]:
    """A player from this address opens a table, and begins a game if they play."""
    watcher = Watcher()
    table = await lobby.tables.open_table(table_settings(), caller(host), player_id)
    await table.sit(watcher, Player(f"guest:{host}", f"guest{host}"))
    if plays:
        await table.start(watcher)
    await asyncio.sleep(1)
    return table, watcher


def running(lobby: Lobby) -> set[int]:
    """The tables that players are present at, as the lobby lists them."""
    return {listing.number for listing in lobby.tables.listings() if not listing.asleep}
