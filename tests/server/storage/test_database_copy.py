"""Everything that a database keeps is copied into another one, of the same engine or of the other."""

from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from engine.errors import InputError
from server.bench.growth_data import WISHED, add_finished_games, add_names, add_sleeping_tables, add_the_rest
from server.database_url import DatabaseUrl
from server.people.names import looks
from server.storage import database_copy
from server.storage.database_copy import PARTS, copy_database, unfinished_copy
from server.storage.postgres_copy import WholePostgres
from server.storage.postgres_log import PostgresLog
from server.storage.sqlite_copy import WholeSqlite
from tests.support.log_entries import entry, grow
from tests.support.postgres import Postgres

Whole: TypeAlias = WholeSqlite | WholePostgres
AWAKE: Final = 12


@pytest.fixture(params=["sqlite to postgres", "postgres to sqlite", "sqlite to sqlite", "postgres to postgres"])
def new(request: pytest.FixtureRequest, tmp_path: Path, postgres: Postgres) -> Callable[[], Whole]:
    """Makes new databases: first one of the first kind, then of the second kind."""
    numbers, engines = count(), request.param.split(" to ")

    def make() -> Whole:
        number = next(numbers)
        if engines[min(number, 1)] == "sqlite":
            return WholeSqlite(tmp_path / str(number) / "quatch.db")
        return WholePostgres(DatabaseUrl.read(postgres.new_database()))

    return make


async def filled(database: Whole) -> Whole:
    """An open database with some of everything that is kept."""
    await database.open()
    await add_finished_games(database, 30)
    await add_sleeping_tables(database, 10)
    await database.delete(11, await grow(database, 11, 1))
    await grow(database, AWAKE, 5)
    await database.append(entry(AWAKE, 5, b"%8d" % 5).head, entry(AWAKE, 6), keep_from=3)
    await add_names(database, 10)
    await add_the_rest(database, 10)
    return database


async def copied(source: Whole, target: Whole, add: Callable[[int], None] = lambda _: None) -> dict[str, int]:
    """How many rows of each part were copied."""
    return await copy_database(source, target, add)


async def test_a_copy_has_everything_and_goes_on_as_the_first_one_would(new: Callable[[], Whole]) -> None:
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
            assert await database.awake() == [AWAKE]
            assert [each.seq for each in await database.read(AWAKE)] == [3, 4, 5, 6]
            assert len(await database.due(1e13, 100)) == 10
            assert await database.free_number(0) == 11
            assert await database.free_number(11) == 13
            assert await database.counted() == 30
            assert len(await database.best("quatch", 100)) == 3
            (owner,) = await database.name_owners([min(looks(WISHED))])
            assert await database.text("name", owner) == WISHED
            await database.append(entry(AWAKE, 6).head, entry(AWAKE, 7))
            known = (await database.read_texts("ban"))[-1].number
            await database.put_text("ban", "another", "{}")
            assert [row.key for row in await database.read_texts("ban", known)] == ["another"]
            assert [row.key for row in await database.oldest_texts("ban", 100)][-1] == "another"
        for part in PARTS:
            if part != "text":
                assert await source.rows(part, ()) == await target.rows(part, ())


async def test_a_copy_that_was_stopped_anywhere_goes_on(new: Callable[[], Whole]) -> None:
    """It does not copy again what it has."""
    async with AsyncExitStack() as undo:
        source, target = await filled(new()), new()
        source.rows_at_once = target.rows_at_once = 7
        undo.push_async_callback(source.close)
        await undo.enter_async_context(target)
        counted = 0
        for stop_after in count(3, 3):
            steps = count()

            def stop(rows: int, steps: Iterator[int] = steps, stop_after: int = stop_after) -> None:
                nonlocal counted
                counted += rows
                if next(steps) == stop_after:
                    raise KeyboardInterrupt

            try:
                rows = await copied(source, target, stop)
                break
            except KeyboardInterrupt:
                assert await unfinished_copy(target) == source.name
        assert await unfinished_copy(target) == ""
        assert counted < 10 * sum(rows.values())
        for part in PARTS:
            assert await source.count_rows(part) == rows[part]


async def test_nothing_is_copied_over_other_data(new: Callable[[], Whole], monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor from or into the unfinished copy of something else; and a copy that differs is told."""
    async with AsyncExitStack() as undo:
        opened: list[Whole] = [new() for _ in range(4)]
        for database in opened:
            await undo.enter_async_context(database)
        source, target, third, fourth = opened
        await source.put_text("name", "ana", "ana")
        await target.put_text("name", "bo", "bo")
        with pytest.raises(InputError, match="--to: this database has data already"):
            await copied(source, target)
        await third.add_rows("text", [(0, database_copy.MOVE, "another one", "")])
        with pytest.raises(InputError, match="--to: this database is an unfinished copy of another one"):
            await copied(source, third)
        with pytest.raises(InputError, match="--from: this database is an unfinished copy of another one"):
            await copied(third, source)
        monkeypatch.setattr(type(fourth), "end_copy", lambda self: self.put_text("name", "eve", "eve"))
        with pytest.raises(InputError, match="--to: the copy differs in its text rows"):
            await copied(source, fourth)


async def test_a_database_that_a_server_uses_is_not_copied(postgres: Postgres, tmp_path: Path) -> None:
    """It would change meanwhile."""
    url = DatabaseUrl.read(postgres.new_database())
    async with PostgresLog(url), WholePostgres(url) as source, WholeSqlite(tmp_path / "quatch.db") as target:
        with pytest.raises(InputError, match="--from: a server uses this database: stop it first"):
            await copied(source, target)
        with pytest.raises(InputError, match="--to: a server uses this database: stop it first"):
            await copied(target, source)
