"""Databases of every earlier schema are opened: what can be read goes on, and players are told of what cannot."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Final

import apsw
import pytest

from engine.errors import InputError
from server.config import Config
from server.lobby.lobby import Lobby
from server.people.players import Player
from server.storage.sqlite_log import SqliteLog
from server.storage.sqlite_schema import MIGRATIONS
from server.table.entries import Committed, Dealt, Moved
from server.table.journal import Journal
from tests.support.log_entries import heads

DATABASES: Final = Path(__file__).parents[1] / "storage" / "databases"
ANA: Final = "SHA256:" + "A" * 43
LINKED: Final = "SHA256:" + "B" * 43
"""A key that ana has linked."""


@asynccontextmanager
async def opened(file: Path, sql: str) -> AsyncIterator[Lobby]:
    """A lobby on a database that this SQL makes."""
    with closing(apsw.Connection(str(file))) as db:
        db.execute((DATABASES / sql).read_text("utf-8"))
    lobby = Lobby(Config(), SqliteLog(file))
    await lobby.open()
    try:
        yield lobby
    finally:
        await lobby.close()


def test_there_is_a_database_of_every_earlier_schema() -> None:
    """A database of the newest schema goes here when another follows it."""
    assert {each.name for each in DATABASES.glob("schema-*.sql")} == {
        f"schema-{version}.sql" for version in range(1, len(MIGRATIONS))
    }


@pytest.mark.parametrize(
    ("sql", "awake", "unreadable"),
    [
        ("schema-1.sql", {2: False}, {1, 3}),
        ("schema-2.sql", {1: True, 2: False, 3: False}, set()),
        ("schema-3.sql", {1: True, 2: False, 3: False}, set()),
        ("schema-4.sql", {1: True, 3: False}, set()),
        ("schema-5.sql", {1: True, 3: False}, set()),
    ],
)
async def test_a_database_of_an_earlier_schema_is_opened(
    tmp_path: Path, sql: str, awake: dict[int, bool], unreadable: set[int]
) -> None:
    """Tables, finished games and names are there; a table that cannot go on says why and keeps its log."""
    async with opened(tmp_path / "quatch.db", sql) as lobby:
        await lobby.log_follower.read()
        assert {table.number: table.playing for table in lobby.tables.listings()} == awake
        assert set(await heads(lobby.store)) == {1, 2, 3}
        for number in unreadable:
            with pytest.raises(InputError, match=f"^Table {number} cannot go on here: entry . was written under other"):
                await lobby.tables.find_table(str(number))
            assert len(await lobby.store.read(number)) >= 6
        if unreadable:
            with pytest.raises(InputError, match="kept in the log"):
                lobby.tables.refuse_if_unreadable(ANA)
        assert (await lobby.store.games())[0][1].id == "GAME0003"
        assert (await lobby.profiles.name_of(ANA), await lobby.profiles.owner("ANA")) == ("ana", ANA)


@pytest.mark.parametrize("sql", ["schema-3.sql", "schema-4.sql", "schema-5.sql"])
async def test_a_database_with_standings_and_keys_is_opened(tmp_path: Path, sql: str) -> None:
    """Its counted games are not counted again; settings and linked keys are there."""
    async with opened(tmp_path / "quatch.db", sql) as lobby:
        await lobby.standings.count_all()
        assert [(each.name, each.games, each.wins) for each in await lobby.standings.top("quatch", 1)] == [
            ("hal", 1, 1)
        ]
        assert (await lobby.profiles.settings_of(Player(ANA, "ana"))).cards == "words"
        assert await lobby.accounts.of(LINKED) == ANA


async def test_a_table_that_slept_in_an_earlier_schema_wakes(tmp_path: Path) -> None:
    """Its players are known while it sleeps."""
    async with opened(tmp_path / "quatch.db", "schema-4.sql") as lobby:
        assert await lobby.store.count_asleep() == 1
        assert (await lobby.tables.seats_of(ANA))[2] == "ana"
        assert (await lobby.tables.find_table("2")).number == 2
        assert await lobby.store.count_asleep() == 0


async def test_games_of_the_second_schema_go_on_and_get_checkpoints(tmp_path: Path) -> None:
    """A move in the running game; a new game at another table."""
    async with opened(tmp_path / "quatch.db", "schema-2.sql") as lobby:
        log = lobby.store
        running = await Journal.load(log, 1, lambda: 1763700001.0)
        await running.add(Moved(1, "ready"))
        between = await Journal.load(log, 3, lambda: 1763700001.0)
        for change in (Committed("GAME0004", "1" * 64), Dealt(0)):
            await between.add(change)
        assert (await Journal.load(log, 1, lambda: 0.0)).state == running.state
        assert (await Journal.load(log, 3, lambda: 0.0)).state == between.state
        assert between.state.game_id == "GAME0004"
