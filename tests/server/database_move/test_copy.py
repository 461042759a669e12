"""Everything that a database keeps is copied into another one, of the same engine or of the other."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from engine.errors import InputError
from server.bench.growth import WISHED, add_finished_games, add_names, add_sleeping_tables, add_the_rest
from server.database_move.copy import (
    PARTS,
    copy_database,
    count_rows,
    mark_unfinished,
    read_rows,
    unfinished_copy,
    whole_database,
)
from server.history.ratings import Standings
from server.people.accounts import Account, Accounts
from server.people.names import looks
from server.storage import sql
from server.storage.database import EMPTY, Database
from server.storage.engines import database_at
from server.storage.sqlite_database import SqliteDatabase
from tests.soak import long
from tests.support.log_entries import entry, finished, grow
from tests.support.postgres import Postgres, running_postgres

Add: TypeAlias = Callable[[int], None]
AWAKE: Final = 12


@pytest.fixture(params=["sqlite to postgres", "postgres to sqlite", "sqlite to sqlite", "postgres to postgres"])
def new(request: pytest.FixtureRequest, tmp_path: Path, postgres: Postgres) -> Callable[[], Database]:
    """Opens empty databases: first one of the first kind, then of the second kind."""
    numbers, engines = count(), request.param.split(" to ")

    def make() -> Database:
        number = next(numbers)
        if engines[min(number, 1)] == "sqlite":
            return whole_database(str(tmp_path / str(number)))
        return whole_database(postgres.empty_database(number))

    return make


async def filled(database: Database) -> Database:
    """An open database with some of everything that is kept."""
    await database.open()
    await add_finished_games(database, 30)
    await add_sleeping_tables(database, 10)
    await database.delete(11, await grow(database, 11, 1))
    await grow(database, AWAKE, 5)
    await database.append(entry(AWAKE, 5, b"%8d" % 5).head, entry(AWAKE, 6), keep_from=3, listing="listed")
    await add_names(database, 10)
    await add_the_rest(database, 10)
    return database


async def copied(source: Database, target: Database, add: Add = lambda _: None, at_once: int = 2000) -> dict[str, int]:
    """How many rows of each part were copied."""
    return await copy_database(source, target, add, at_once)


async def test_a_copy_has_everything_and_goes_on_as_the_first_one_would(new: Callable[[], Database]) -> None:
    """Numbers go on behind those that were copied, and names are found by their looks."""
    done = list[int]()
    async with AsyncExitStack() as undo:
        source, target = await filled(new()), new()
        undo.push_async_callback(source.close)
        await undo.enter_async_context(target)
        rows = await copied(source, target, done.append)
        assert all(rows[part] for part in PARTS)
        assert sum(done) == 2 * sum(rows.values())
        for database in (source, target):
            assert await database.awake() == {AWAKE: "listed"}
            assert [each.seq for each in await database.read(AWAKE)] == [3, 4, 5, 6]
            assert len(await database.due(1e13, 100)) == 10
            assert await database.free_number(0, 0) == 11
            assert await database.free_number(11, 0) == 13
            assert await Standings(database).counted() == 30
            assert len(await database.select(sql.BEST_UNDER, "quatch", 100)) == 3
            (owner,) = await Accounts(database).name_owners([min(looks(WISHED))])
            assert (await Accounts(database).account(owner)).name == WISHED
            await database.append(entry(AWAKE, 6).head, entry(AWAKE, 7))
            known = (await database.read_texts("ban"))[-1].number
            await database.put_text("ban", "another", "{}")
            assert [row.key for row in await database.read_texts("ban", known)] == ["another"]
            assert [row.key for row in await database.oldest_texts("ban", 100)][-1] == "another"
        for part in PARTS:
            if part not in {"text", "total"}:
                assert await read_rows(source, part, (), 99) == await read_rows(target, part, (), 99)


async def test_a_copy_that_was_stopped_anywhere_goes_on(new: Callable[[], Database]) -> None:
    """It does not copy again what it has."""
    async with AsyncExitStack() as undo:
        source, target = await filled(new()), new()
        undo.push_async_callback(source.close)
        await undo.enter_async_context(target)
        counted = 0
        for stop_after in count(3, long(8, 3)):
            steps = count()

            def stop(rows: int, steps: Iterator[int] = steps, stop_after: int = stop_after) -> None:
                nonlocal counted
                counted += rows
                if next(steps) == stop_after:
                    raise KeyboardInterrupt

            try:
                rows = await copied(source, target, stop, at_once=7)
                break
            except KeyboardInterrupt:
                assert await unfinished_copy(target) == source.name
        assert await unfinished_copy(target) == ""
        assert counted < 10 * sum(rows.values())
        for part in PARTS:
            assert await count_rows(source, part) == rows[part]


async def test_nothing_is_copied_over_other_data(new: Callable[[], Database]) -> None:
    """Nor from or into the unfinished copy of something else; and a copy that differs is told."""
    async with AsyncExitStack() as undo:
        opened: list[Database] = [new() for _ in range(4)]
        for database in opened:
            await undo.enter_async_context(database)
        source, target, third, fourth = opened
        await source.put_text("name", "ana", "ana")
        await target.put_text("name", "bo", "bo")
        with pytest.raises(InputError, match="--to: this database has data already"):
            await copied(source, target)
        await mark_unfinished(third, "another one")
        with pytest.raises(InputError, match="--to: this database is an unfinished copy of another one"):
            await copied(source, third)
        with pytest.raises(InputError, match="--from: the database is an unfinished copy of another one"):
            await copied(third, source)
        await mark_unfinished(fourth, source.name)
        await fourth.put_text("name", "eve", "eve")
        with pytest.raises(InputError, match="--to: the copy differs in its text rows"):
            await copied(source, fourth)


async def test_a_database_that_a_server_uses_is_not_copied(database: str, tmp_path: Path) -> None:
    """It would change meanwhile."""
    server, source = database_at(database, ""), whole_database(database)
    target = SqliteDatabase(tmp_path / "quatch.db")
    async with server, source, target:
        with pytest.raises(InputError, match="--from: a server uses this database: stop it first"):
            await copied(source, target)
        with pytest.raises(InputError, match="--to: a server uses this database: stop it first"):
            await copied(target, source)


def run(server: Postgres, program: str, *arguments: str) -> None:
    """Run one of the programs of PostgreSQL."""
    subprocess.run([server.programs / program, *arguments], check=True)


async def test_a_dump_is_restored_into_another_postgresql(postgres: Postgres, database: str, tmp_path: Path) -> None:
    """Which has given out fewer numbers of transactions. Everything is there, and what is written next is news."""
    dump = str(tmp_path / "dump")
    async with database_at(database, "") as log:
        many = "DO $$ BEGIN FOR i IN 1..5000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$"
        postgres.run(many)
        await grow(log, AWAKE, 5)
        await log.append(entry(AWAKE, 5, b"%8d" % 5).head, entry(AWAKE, 6), finished("g1"))
        await Accounts(log).keep_account("ana", 1, name="Ana", looks=["ana"])
        await log.put_text("ban", "ana", "{}")
    run(postgres, "pg_dump", "--format=custom", f"--file={dump}", database)
    with running_postgres() as another:
        restored = another.new_database()
        run(another, "pg_restore", "--dbname", restored, dump)
        async with database_at(restored, "") as one, database_at(restored, "") as other:
            assert [each.seq for each in await one.read(AWAKE)] == [1, 2, 3, 4, 5, 6]
            assert await one.awake() == {AWAKE: ""}
            assert await Accounts(one).account("ana") == Account("ana", "Ana", 1)
            place = await other.place()
            assert (await other.changes(place))[0] == []
            await one.append(entry(AWAKE, 6).head, entry(AWAKE, 7))
            await one.append(EMPTY, entry(1, 1), finished("g2"))
            await one.put_text("ban", "bo", "{}")
            assert {change.table: change.head.seq for change in (await other.changes(place))[0]} == {AWAKE: 7, 1: 1}
            assert [(number, game.id) for number, game in await other.games()] == [(1, "g1"), (2, "g2")]
            assert [row.key for row in await other.read_texts("ban", 1)] == ["bo"]
