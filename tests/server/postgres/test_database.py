"""The log in PostgreSQL: how it is opened, shares transactions, and bears a database that goes away."""

import asyncio
import dataclasses
import socket
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from server.postgres import database as engine
from server.postgres.database import WRITES_LOCK, PostgresDatabase
from server.postgres.url import DatabaseUrl
from server.storage.database import EMPTY, Conflict, Database, DatabaseAway, NotSaved, OutcomeUnknown
from server.storage.engines import database_at
from tests.support.log_entries import entry, finished, grow, heads
from tests.support.postgres import PASSWORD, PASSWORD_IN_URL, USER, Postgres
from tests.support.resources import settled


@pytest.fixture
async def log(database: DatabaseUrl) -> AsyncIterator[Database]:
    """An open log."""
    async with PostgresDatabase(database) as log:
        yield log


async def connect(database: DatabaseUrl) -> Any:  # noqa: ANN401 - the driver has no types
    """A connection of another program."""
    return await asyncpg.connect(database.text, server_settings={"search_path": "quatch"})


async def test_a_process_that_closes_is_heard_to_the_end(log: Database, database: DatabaseUrl) -> None:
    """Its last message says that it has gone, so that the others need not wait for its silence."""
    heard, other = list[str](), PostgresDatabase(database)
    log.tell_message = heard.append
    await other.open()
    other.send("bye")
    await other.close()
    await settled(lambda: heard == ["bye"])


async def test_closing_writes_what_is_waiting(log: Database) -> None:
    """The running transaction ends, and the one after it is written too."""
    writing = [asyncio.create_task(log.append(EMPTY, entry(table, 1))) for table in range(3)]
    await asyncio.sleep(0)
    writing.append(asyncio.create_task(log.append(EMPTY, entry(3, 1))))
    await asyncio.sleep(0)
    await log.close()
    await asyncio.gather(*writing)
    await log.open()
    assert (await heads(log)).keys() == {0, 1, 2, 3}


async def test_writes_that_wait_together_share_one_transaction(log: Database, database: DatabaseUrl) -> None:
    """A conflict and a bug among a hundred moves fail alone; the others are written."""
    tables = range(1, 101)
    await asyncio.gather(*(grow(log, table, 1) for table in tables))
    head = entry(1, 1, b"%8d" % 1).head
    await log.append(head, entry(100, 2))
    moves = [log.append(head, entry(table, 2)) for table in tables]
    outcomes = await asyncio.gather(*moves, log.append(head, entry(2**64, 2)), return_exceptions=True)
    failed = {number: type(outcome) for number, outcome in enumerate(outcomes, 1) if outcome is not None}
    assert failed[100] is Conflict
    assert failed[101] is asyncpg.DataError
    assert len(failed) == 2
    await asyncio.gather(*(log.append(entry(table, 2).head, entry(table, 3)) for table in tables))
    db = await connect(database)
    assert await db.fetchval("SELECT count(DISTINCT xmin::text) FROM entry WHERE seq = 3") <= 2
    await db.close()


async def test_a_bug_in_one_write_affects_no_other(log: Database) -> None:
    """Of those that are no moves, too."""
    writes = [log.append(EMPTY, entry(table, 1), finished(f"g{table}")) for table in (1, 2)]
    bad = log.append(EMPTY, entry(3, 1), finished("\udc80"))
    outcomes = await asyncio.gather(*writes, bad, log.put_text("name", "a", "b"), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes if outcome is not None] == [asyncpg.DataError]
    assert (await heads(log)).keys() == {1, 2}
    assert await log.text("name", "a") == "b"


async def test_a_change_that_is_committed_late_is_not_missed(log: Database, database: DatabaseUrl) -> None:
    """Its transaction has a lower number than one of which the changes were read already."""
    for table in (1, 2):
        await grow(log, table, 1)
    place = await log.place()
    slow = await connect(database)
    transaction = slow.transaction()
    await transaction.start()
    await slow.execute("UPDATE game_table SET due = 9, change = pg_current_xact_id() WHERE table_id = 1")
    await log.append(entry(2, 1, b"%8d" % 1).head, entry(2, 2))

    async def news() -> list[tuple[int, float | None]]:
        nonlocal place
        changes, place = await log.changes(place)
        return [(change.table, change.due) for change in changes]

    assert await news() == [(2, None)]
    assert await news() == []
    await transaction.commit()
    assert await news() == [(1, 9)]
    assert await news() == []
    await slow.close()


async def test_a_restored_database_counts_from_now_on(log: Database, database: DatabaseUrl) -> None:
    """It holds numbers of transactions that this PostgreSQL has yet to give out."""
    await grow(log, 1, 1)
    await grow(log, 2, 1)
    db = await connect(database)
    await db.execute("UPDATE game_table SET change = '4000000000' WHERE table_id = 1")
    await db.execute("UPDATE entry SET change = '4000000000' WHERE table_id = 2")
    assert len((await log.changes(await log.place()))[0]) == 2
    await log.close()
    await log.open()
    place = await log.place()
    assert (await log.changes(place))[0] == []
    await log.append(entry(2, 1, b"%8d" % 1).head, entry(2, 2))
    assert [change.table for change in (await log.changes(place))[0]] == [2]
    await db.close()


async def test_a_table_that_fell_asleep_while_a_move_waited_is_woken_by_it(
    log: Database, database: DatabaseUrl
) -> None:
    """A move locks the row of its table: it sees what was committed meanwhile, and closing waits for it."""
    head = await grow(log, 1, 1)
    db = await connect(database)
    transaction = db.transaction()
    await transaction.start()
    await db.execute("UPDATE game_table SET due = 9, change = pg_current_xact_id() WHERE table_id = 1")
    moving = asyncio.create_task(log.append(head, entry(1, 2)))
    await asyncio.sleep(0.1)
    assert not moving.done()
    await transaction.commit()
    await moving
    assert await log.awake() == {1: ""}
    assert await log.due(99, 9) == []
    await db.close()


async def test_a_process_that_is_frozen_in_a_transaction_loses_its_locks(
    database: DatabaseUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others wait for them, but not for ever."""
    monkeypatch.setitem(engine.SETTINGS, "idle_in_transaction_session_timeout", "100ms")
    async with PostgresDatabase(database) as log:
        frozen = await asyncpg.connect(database.text, server_settings=engine.SETTINGS)
        await frozen.execute("BEGIN")
        await frozen.execute("SELECT pg_advisory_xact_lock($1)", WRITES_LOCK)
        await log.put_text("name", "a", "b")
        assert await log.text("name", "a") == "b"
        frozen.terminate()


async def test_strangers_on_the_channels_are_ignored(log: Database, database: DatabaseUrl) -> None:
    """Whatever they send; our own messages arrive."""
    heard, rung = list[str](), list[None]()
    log.tell_message = heard.append
    log.tell_of_change = lambda: rung.append(None)
    db, other = await connect(database), PostgresDatabase(database)
    await other.open()
    for payload in ("", "x", "0123456789abcdef 1", "' OR 1", "0123456789ABCDEF 1 upper"):
        await db.execute("SELECT pg_notify('quatch_' || channel, $1) FROM quatch.form", payload)
    await db.execute("SELECT pg_notify('quatch_', '0123456789abcdef 1 from a role that cannot read our tables')")
    other.send("hello")
    other.send("hello")
    await settled(lambda: len(heard) == 2)
    assert (heard, rung) == (["hello", "hello"], [])
    await other.put_text("name", "a", "b")
    await settled(lambda: bool(rung))
    await other.close()
    await db.close()


async def test_a_lost_connection_is_made_again(log: Database, database: DatabaseUrl) -> None:
    """Each of them, while nothing is asked: what was missed is read, and others are heard."""
    await grow(log, 1, 1)
    place = await log.place()
    rung = list[None]()
    log.tell_of_change = lambda: rung.append(None)
    db, other = await connect(database), PostgresDatabase(database)
    await db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quatch'")
    await settled(lambda: log.problem != "" or bool(rung))
    await settled(lambda: bool(rung) and log.problem == "")
    rung.clear()
    await other.open()
    await other.append(entry(1, 1, b"%8d" % 1).head, entry(1, 2))
    await settled(lambda: bool(rung))
    assert [change.head.seq for change in (await log.changes(place))[0]] == [2]
    known = [1, 7]  # by now the database may have lost the end of the log, in which table 7 was opened
    assert {change.table: change.head.seq for change in (await log.changes(place, known))[0]} == {1: 2, 7: 0}
    assert (await log.changes(await log.place(), known))[0] == []
    place = f"0 {10**9}:{10**9}:"
    assert [change.head.seq for change in (await log.changes(place))[0]] == [2]
    await other.close()
    await db.close()


async def test_a_clock_that_is_ahead_of_that_of_the_database_is_noticed(database: DatabaseUrl) -> None:
    """At the start and while it runs."""
    wrong = 600.0
    async with PostgresDatabase(database, wall=lambda: time.time() + wrong) as log:
        assert log.clock_ahead == pytest.approx(600, abs=2)
        wrong = 0.0
        await settled(lambda: abs(log.clock_ahead) < 2)


@pytest.mark.parametrize(
    ("code", "problem"),
    [("disk_full", "the disk of the database is full"), ("read_only_sql_transaction", "the database is read-only")],
)
async def test_what_the_database_refuses_is_not_saved(
    log: Database, database: DatabaseUrl, code: str, problem: str
) -> None:
    """Nothing of the transaction is kept. The problem is named until a write succeeds."""
    head = await grow(log, 1, 1)
    db = await connect(database)
    await db.execute(
        "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN RAISE '' USING ERRCODE = '{code}'; END $$;"
        "CREATE TRIGGER fail BEFORE INSERT ON entry FOR EACH ROW EXECUTE FUNCTION fail()"
    )
    writes = (log.append(head, entry(1, 2)), log.append(EMPTY, entry(2, 1), finished("g")))
    for outcome in await asyncio.gather(*writes, return_exceptions=True):
        assert type(outcome) is NotSaved
        assert str(outcome).startswith(problem)
    assert log.problem.startswith(problem)
    await db.execute("DROP TRIGGER fail ON entry; DROP FUNCTION fail")
    assert await log.games() == []
    await log.append(head, entry(1, 2))
    assert log.problem == ""
    await db.close()


async def test_a_connection_that_breaks_during_a_commit_leaves_it_open_whether_it_was_made(
    log: Database, database: DatabaseUrl
) -> None:
    """Reading tells."""
    head = await grow(log, 1, 1)
    db = await connect(database)
    async with db.transaction():
        await db.execute("SELECT FROM game_table WHERE table_id = 1 FOR UPDATE")
        writing = asyncio.create_task(log.append(head, entry(1, 2)))
        waits = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        async with asyncio.timeout(10):
            while (pid := await db.fetchval(waits)) is None:
                await asyncio.sleep(0.005)
        await db.execute("SELECT pg_terminate_backend($1)", pid)
        with pytest.raises(OutcomeUnknown):
            await writing
    assert [each.seq for each in await log.read(1)] == [1]
    await log.append(head, entry(1, 2))
    await db.close()


def of_user(url: DatabaseUrl, user: str, options: str = "") -> DatabaseUrl:
    """The same address for another user, with a password behind a colon or without."""
    return DatabaseUrl.read(f"{url}{options}".replace("//", f"//{user}@"))


async def refusal(url: DatabaseUrl) -> tuple[type[NotSaved], str]:
    """Why a database is not opened, and whether it is worth while to wait."""
    with pytest.raises(NotSaved) as caught:
        await PostgresDatabase(url).open()
    line = str(caught.value)
    assert "\n" not in line
    assert PASSWORD not in line
    place, _, problem = line.partition(f"{url}: ")
    assert place == ""
    return caught.type, problem


async def test_what_is_wrong_is_one_line(postgres: Postgres, database: DatabaseUrl) -> None:
    """A wrong password, name, user or host; only the last may pass by itself."""
    replace = dataclasses.replace
    wrong = "an option in the address of the database is wrong: "
    assert (await refusal(replace(database, text=f"{database.text}?sslmode=x")))[1].startswith(wrong)
    denied = "the database refuses this user or password"
    assert await refusal(of_user(database, f"{USER}:wrong")) == (NotSaved, denied)
    assert await refusal(of_user(database, f"nobody:{PASSWORD_IN_URL}")) == (NotSaved, denied)
    no_such = "there is no database of this name; create it with createdb"
    assert await refusal(DatabaseUrl.read(f"{database.text}_nothing")) == (NotSaved, no_such)
    away = "the database cannot be reached"
    assert await refusal(replace(database, ports=(1,))) == (DatabaseAway, away)
    unknown = "there is no host called nowhere.invalid, or no name server answers; "
    kind, problem = await refusal(replace(database, hosts=("nowhere.invalid",)))
    assert kind is DatabaseAway
    assert problem.startswith(unknown)
    no_tls = "the database has no TLS: turn ssl on there, or take sslmode out of its address"
    assert await refusal(replace(database, text=f"{database.text}?sslmode=require")) == (NotSaved, no_tls)
    missing = "sslrootcert=/nowhere/ca.pem"
    kind, problem = await refusal(replace(database, text=f"{database.text}?sslmode=verify-full&{missing}"))
    assert (kind, problem) == (NotSaved, f"{missing}: there is no such file, or it cannot be read")
    kind, problem = await refusal(replace(database, text=f"{database.text}?sslmode=require&sslrootcert={__file__}"))
    assert (kind, problem[:27]) == (NotSaved, "TLS with the database fails")
    postgres.run("DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN PASSWORD 'guest'")
    guest = of_user(DatabaseUrl.read(postgres.new_database()), "guest:guest")
    assert await refusal(guest) == (NotSaved, "the user may not do this; it must own the database")


@pytest.mark.parametrize("place", ["PGPASSWORD", "PGPASSFILE", "HOME", "passfile"])
async def test_the_password_need_not_be_in_the_address(
    postgres: Postgres, database: DatabaseUrl, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`ps` shows an address that is typed to all users, but neither the environment nor a file."""
    role = f"with_{place.lower()}"
    postgres.run(f"CREATE ROLE {role} SUPERUSER LOGIN PASSWORD 'hidden'")
    (file := tmp_path / ".pgpass").write_text(f"127.0.0.1:{postgres.port}:*:{role}:hidden\n")
    file.chmod(0o600)
    environment = {"PGPASSWORD": "hidden", "PGPASSFILE": str(file), "HOME": str(tmp_path)}
    if place in environment:
        monkeypatch.setenv(place, environment[place])
    options = f"?passfile={file}" if place == "passfile" else ""
    async with PostgresDatabase(of_user(database, role, options)):
        pass


async def test_a_schema_of_a_newer_release_is_refused(postgres: Postgres) -> None:
    """Nothing is changed, and the database opens again for the release that wrote it."""
    database = DatabaseUrl.read(postgres.new_database())
    log = PostgresDatabase(database)
    await log.open()
    await grow(log, 1, 1)
    await log.close()
    postgres.run("UPDATE quatch.form SET version = version + 1", database=database.name)
    newer = "the database was written by a newer version of this program; use that one"
    assert await refusal(database) == (NotSaved, newer)
    postgres.run("UPDATE quatch.form SET version = version - 1", database=database.name)
    await log.open()
    assert (await heads(log)).keys() == {1}
    await log.close()


async def test_without_the_driver_one_line_says_what_to_install(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain install does not have it."""
    for name in [name for name in sys.modules if name.startswith("server.postgres.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(NotSaved, match="needs the package asyncpg: pip install asyncpg, or make setup"):
        database_at(postgres.new_database(), "")


async def test_many_open_a_new_database_at_once(postgres: Postgres) -> None:
    """One makes the schema, and the others wait for it."""
    database = DatabaseUrl.read(postgres.new_database())
    logs = [PostgresDatabase(database) for _ in range(4)]
    await asyncio.gather(*(log.open() for log in logs))
    await asyncio.gather(*(grow(log, table, 2) for table, log in enumerate(logs)))
    assert (await heads(logs[0])).keys() == {0, 1, 2, 3}
    for log in logs:
        await log.close()


async def test_the_host_that_can_be_written_is_taken(postgres: Postgres, database: DatabaseUrl) -> None:
    """Of several hosts; one that is read-only counts as away, for it may be promoted."""
    several = dataclasses.replace(database, hosts=("127.0.0.1", "127.0.0.1"), ports=(1, postgres.port))
    log = PostgresDatabase(several)
    await log.open()
    await grow(log, 1, 1)
    await log.close()
    postgres.run(f"ALTER DATABASE {database.name} SET default_transaction_read_only = on")
    try:
        read_only = "the database is read-only: it is a standby, or set to be"
        assert await refusal(database) == (DatabaseAway, read_only)
        assert await refusal(several) == (DatabaseAway, "the database cannot be reached")  # for the other may be away
    finally:
        postgres.run(f"SET default_transaction_read_only = off; ALTER DATABASE {database.name} RESET ALL")


async def test_a_host_that_does_not_answer_hides_no_other(
    postgres: Postgres, database: DatabaseUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a machine without power; once another one has answered, that one is asked first."""
    monkeypatch.setattr(engine, "CONNECT_SECONDS", 1.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        ports = (silent.getsockname()[1], postgres.port)
        both = dataclasses.replace(database, hosts=("127.0.0.1", "127.0.0.1"), ports=ports)
        log = PostgresDatabase(both)
        await log.open()
        silent.setblocking(False)  # noqa: FBT003 - no name is taken
        silent.accept()[0].close()
        await grow(log, 1, 1)
        assert (await heads(log)).keys() == {1}
        await log.close()
        with pytest.raises(BlockingIOError):
            silent.accept()


async def test_a_database_that_cannot_be_used_is_refused_in_one_line(postgres: Postgres) -> None:
    """Its schema is of another program, its encoding lacks letters, or its address has an unknown option."""
    database = DatabaseUrl.read(postgres.new_database())
    unknown = dataclasses.replace(database, text=f"{database.text}?colour=red")
    assert await refusal(unknown) == (NotSaved, 'unrecognized configuration parameter "colour"')
    postgres.run("CREATE SCHEMA quatch; CREATE TABLE quatch.entry ()", database=database.name)
    foreign = "its schema quatch was made by another program, and cannot be read; "
    assert await refusal(database) == (NotSaved, f"{foreign}use another database")
    postgres.run(
        "DROP DATABASE IF EXISTS latin",
        "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0",
    )
    _, problem = await refusal(DatabaseUrl.read(postgres.url("latin")))
    assert problem == "its encoding is LATIN1, not UTF8; create it with createdb -T template0 -E UTF8"
