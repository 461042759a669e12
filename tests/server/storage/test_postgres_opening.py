"""Opening a log in PostgreSQL: which databases are refused, and what several hosts or processes make of it."""

import asyncio
import dataclasses
import socket
import sys
from pathlib import Path

import pytest

from server.database_url import DatabaseUrl
from server.storage.database import postgres_log
from server.storage.table_log import DatabaseAway, NotSaved
from tests.support.log_entries import grow, heads
from tests.support.postgres import PASSWORD, Postgres


async def refusal(url: DatabaseUrl) -> tuple[type[NotSaved], str]:
    """Why a database is not opened, and whether it is worth while to wait."""
    with pytest.raises(NotSaved) as caught:
        await postgres_log(url).open()
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
    assert (await refusal(replace(database, options="sslmode=x")))[1].startswith(wrong)
    denied = "the database refuses this user or password"
    assert await refusal(replace(database, password="wrong")) == (NotSaved, denied)  # noqa: S106 - it is none
    assert await refusal(replace(database, user="nobody")) == (NotSaved, denied)
    no_such = "there is no database of this name; create it with createdb"
    assert await refusal(replace(database, name="nothing")) == (NotSaved, no_such)
    away = "the database cannot be reached"
    assert await refusal(replace(database, ports=(1,))) == (DatabaseAway, away)
    unknown = "there is no host called nowhere.invalid, or no name server answers; "
    kind, problem = await refusal(replace(database, hosts=("nowhere.invalid",)))
    assert kind is DatabaseAway
    assert problem.startswith(unknown)
    no_tls = "the database has no TLS: turn ssl on there, or take sslmode out of its address"
    assert await refusal(replace(database, options="sslmode=require")) == (NotSaved, no_tls)
    missing = "sslrootcert=/nowhere/ca.pem"
    kind, problem = await refusal(replace(database, options=f"sslmode=verify-full&{missing}"))
    assert (kind, problem) == (NotSaved, f"{missing}: there is no such file, or it cannot be read")
    kind, problem = await refusal(replace(database, options=f"sslmode=require&sslrootcert={__file__}"))
    assert (kind, problem[:27]) == (NotSaved, "TLS with the database fails")
    postgres.run("DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN PASSWORD 'guest'")
    guest = replace(DatabaseUrl.read(postgres.new_database()), user="guest", password="guest")  # noqa: S106
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
    options = f"passfile={file}" if place == "passfile" else ""
    log = postgres_log(dataclasses.replace(database, user=role, password=None, options=options))
    await log.open()
    await log.close()


async def test_a_schema_of_a_newer_release_is_refused(postgres: Postgres) -> None:
    """Nothing is changed, and the database opens again for the release that wrote it."""
    database = DatabaseUrl.read(postgres.new_database())
    log = postgres_log(database)
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
    database: DatabaseUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain install does not have it."""
    for name in [name for name in sys.modules if name.startswith("server.storage.postgres_")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(NotSaved, match="PostgreSQL needs the package asyncpg: pip install asyncpg, or make setup"):
        postgres_log(database)


async def test_many_open_a_new_database_at_once(postgres: Postgres) -> None:
    """One makes the schema, and the others wait for it."""
    database = DatabaseUrl.read(postgres.new_database())
    logs = [postgres_log(database) for _ in range(4)]
    await asyncio.gather(*(log.open() for log in logs))
    await asyncio.gather(*(grow(log, table, 2) for table, log in enumerate(logs)))
    assert (await heads(logs[0])).keys() == {0, 1, 2, 3}
    for log in logs:
        await log.close()


async def test_the_host_that_can_be_written_is_taken(postgres: Postgres, database: DatabaseUrl) -> None:
    """Of several hosts; one that is read-only counts as away, for it may be promoted."""
    several = dataclasses.replace(database, hosts=("127.0.0.1", "127.0.0.1"), ports=(1, postgres.port))
    log = postgres_log(several)
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


async def test_a_host_that_does_not_answer_hides_no_other(postgres: Postgres, database: DatabaseUrl) -> None:
    """As a machine without power; once another one has answered, that one is asked first."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        ports = (silent.getsockname()[1], postgres.port)
        log = postgres_log(dataclasses.replace(database, hosts=("127.0.0.1", "127.0.0.1"), ports=ports))
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
    unknown = dataclasses.replace(database, options="colour=red")
    assert await refusal(unknown) == (NotSaved, 'unrecognized configuration parameter "colour"')
    postgres.run("CREATE SCHEMA quatch; CREATE TABLE quatch.entry ()", database=database.name)
    foreign = "its schema quatch was made by another program, and cannot be read; "
    assert await refusal(database) == (NotSaved, f"{foreign}use another database")
    postgres.run(
        "DROP DATABASE IF EXISTS latin",
        "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0",
    )
    _, problem = await refusal(dataclasses.replace(database, name="latin"))
    assert problem == "its encoding is LATIN1, not UTF8; create it with createdb -T template0 -E UTF8"
