"""What the PostgreSQL log writes: each function is one write, or carries out many in one transaction.

Nearly all writes are moves: an entry behind the head, and nothing else. Those of one process that wait together are one
statement, in which each is compared and appended by itself, and processes do not wait for each other. All other writes
of all processes take turns under a lock. So the numbers of texts and games grow in the order of the commits, and a
reader that has read up to a number has missed nothing.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from asyncpg import Connection

from server.storage.postgres_queries import NAME_OWNERS
from server.storage.table_log import (
    DELETIONS_KEPT,
    EMPTY,
    Conflict,
    FinishedGame,
    Head,
    LogEntry,
    StandingRow,
    TakenSeat,
)

WRITES_LOCK: Final = 0x51_75_61_74_63_69
"""The advisory lock under which everything but moves is written; `postgres_schema` has another one."""

Outcome: TypeAlias = Conflict | None


class Append(NamedTuple):
    """An entry, and the head behind which it must stand."""

    head: Head
    entry: LogEntry


class Write(NamedTuple):
    """A change to the database. It runs in a transaction, of which it is a part."""

    act: Callable[[Connection], Awaitable[Outcome]]
    table: int | None
    """The table that it concerns, if there is one."""


APPEND: Final = """
    WITH given AS (
        SELECT * FROM unnest($1::int8[], $2::int8[], $3::bytea[], $4::int8[], $5::bytea[], $6::float8[], $7::bytea[])
        WITH ORDINALITY AS given (table_id, head_seq, head_hash, seq, hash, at, data, place)
    ), locked AS MATERIALIZED (
        SELECT table_id FROM table_row WHERE table_id = ANY ($1) ORDER BY table_id FOR NO KEY UPDATE
    ), moved AS (
        UPDATE table_row SET seq = given.seq, hash = given.hash, due = NULL,
            change = nextval('change_number'), written_by = pg_current_xact_id()
        FROM given JOIN locked USING (table_id)
        WHERE table_row.table_id = given.table_id AND table_row.seq = head_seq AND table_row.hash = head_hash
        RETURNING given.*
    ), added AS (
        INSERT INTO entry SELECT table_id, seq, hash, at, data FROM moved
    )
    SELECT place FROM moved
"""
"""Rows are locked in the order of the tables, so that no two processes wait for each other in a circle.

PostgreSQL compares the head after it has got the lock, with the row as it is then: of two entries at one head, one
finds the head moved.
"""
LOCK_TABLES: Final = "SELECT FROM table_row WHERE table_id = ANY ($1) ORDER BY table_id FOR NO KEY UPDATE"
OPEN: Final = "INSERT INTO table_row (table_id, seq, hash) VALUES ($1, 0, '') ON CONFLICT DO NOTHING"
CLOSE: Final = """
    UPDATE table_row SET seq = 0, hash = '', due = NULL,
        change = nextval('change_number'), written_by = pg_current_xact_id()
    WHERE table_id = $1 AND seq = $2 AND hash = $3 AND ($4::float8 IS NULL OR due <= $4) RETURNING 1
"""
SLEEP: Final = """
    UPDATE table_row SET due = $4, change = nextval('change_number'), written_by = pg_current_xact_id()
    WHERE table_id = $1 AND seq = $2 AND hash = $3 RETURNING 1
"""
WAKE: Final = """
    UPDATE table_row SET due = NULL, change = nextval('change_number'), written_by = pg_current_xact_id()
    WHERE table_id = $1 AND due IS NOT NULL
"""
IS_OPEN: Final = "SELECT EXISTS (SELECT FROM table_row WHERE table_id = $1 AND seq > 0)"
PUT_SEATS: Final = "INSERT INTO seat (table_id, look, player_id, name) VALUES ($1, $2, $3, $4)"
KEEP_GAME: Final = "INSERT INTO game (id, rules, at, result, record) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING"
COUNT: Final = "UPDATE counted SET number = $2 WHERE number = $1 RETURNING 1"
PUT_STANDING: Final = """
    INSERT INTO standing (rules, key, strength, value) VALUES ($1, $2, $3, $4)
    ON CONFLICT (rules, key) DO UPDATE SET strength = excluded.strength, value = excluded.value
"""
PUT_TEXT: Final = """
    INSERT INTO text (kind, key, value, number) VALUES ($1, $2, $3, nextval('text_number'))
    ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value, number = excluded.number
"""
DELETE_TEXT: Final = """
    UPDATE text SET value = NULL, number = nextval('text_number') WHERE kind = $1 AND key = $2 AND value IS NOT NULL
"""
DROP_OLD_DELETIONS: Final = """
    DELETE FROM text WHERE value IS NULL AND number <= (SELECT last_value FROM text_number) - $1
"""
PUT_LOOKS: Final = "INSERT INTO look (look, key) SELECT unnest($2::text[]), $1 ON CONFLICT DO NOTHING"


async def append_all(db: Connection, appends: Sequence[Append]) -> list[Exception | None]:
    """Append entries in one statement, which is its own transaction if none has begun. The outcome of each."""
    rows = [(each.entry.table, *_head(each.head), *_entry(each.entry)) for each in appends]
    done = {place for (place,) in await db.fetch(APPEND, *zip(*rows, strict=True))}
    return [None if place in done else _not_at(each.entry.table, each.head) for place, each in enumerate(appends, 1)]


async def write_all(db: Connection, writes: Sequence[Write]) -> list[Exception | None]:
    """Carry out all writes within a transaction that has begun. The outcome of each."""
    await db.execute("SELECT pg_advisory_xact_lock($1)", WRITES_LOCK)
    if tables := {write.table for write in writes} - {None}:
        await db.execute(LOCK_TABLES, tables)
    return [await write.act(db) for write in writes]


def _head(head: Head) -> tuple[int, bytes]:
    return head.seq, head.hash


def _entry(entry: LogEntry) -> tuple[int, bytes, float, bytes]:
    return entry.seq, entry.hash, entry.at, entry.data


def _not_at(table: int, head: Head) -> Conflict:
    return Conflict(f"table {table} does not stand at {head.seq}")


async def append_entry(
    db: Connection,
    append: Append,
    game: FinishedGame | None,
    keep_from: int,
    seats: Sequence[TakenSeat] | None,
    openers: Sequence[str],
) -> Outcome:
    """Append an entry with all that `TableLog.append` writes with it."""
    table = append.entry.table
    if append.head == EMPTY:
        await db.execute(OPEN, table)
    (outcome,) = await append_all(db, [append])
    if isinstance(outcome, Conflict):
        return outcome
    if keep_from:
        await db.execute("DELETE FROM entry WHERE table_id = $1 AND seq < $2", table, keep_from)
    if seats is not None:
        await _put_seats(db, table, seats)
    await db.executemany("INSERT INTO opener (opener, table_id) VALUES ($1, $2)", [(each, table) for each in openers])
    await _keep_game(db, game)
    return None


async def delete_table(
    db: Connection, table: int, head: Head, game: FinishedGame | None, due_by: float | None
) -> Outcome:
    """Delete the log of a table as `TableLog.delete` says."""
    if head == EMPTY:
        return _not_at(table, head) if await db.fetchval(IS_OPEN, table) else None
    if await db.fetchval(CLOSE, table, *_head(head), due_by) is None:
        return Conflict(f"table {table} does not stand at {head.seq}, or is not due")
    for name in ("entry", "seat", "opener"):
        await db.execute(f"DELETE FROM {name} WHERE table_id = $1", table)  # noqa: S608 - one of these three
    await _keep_game(db, game)
    return None


async def put_to_sleep(db: Connection, table: int, head: Head, due: float, seats: Sequence[TakenSeat]) -> Outcome:
    """Put a table to sleep as `TableLog.put_to_sleep` says."""
    if head == EMPTY:
        return _not_at(table, head) if await db.fetchval(IS_OPEN, table) else None
    if await db.fetchval(SLEEP, table, *_head(head), due) is None:
        return _not_at(table, head)
    await _put_seats(db, table, seats)
    return None


async def wake(db: Connection, table: int) -> Outcome:
    """Wake a table as `TableLog.wake` says."""
    if not await db.fetchval(IS_OPEN, table):
        return Conflict(f"table {table} has closed")
    await db.execute(WAKE, table)
    return None


async def _put_seats(db: Connection, table: int, seats: Sequence[TakenSeat]) -> None:
    await db.execute("DELETE FROM seat WHERE table_id = $1", table)
    rows = [(table, look, seat.player_id, seat.name) for seat in seats for look in seat.looks]
    await db.executemany(PUT_SEATS, rows)


async def _keep_game(db: Connection, game: FinishedGame | None) -> None:
    if game is not None:
        await db.execute(KEEP_GAME, game.id, game.rules, game.at, game.result, game.record)


async def delete_games_through(db: Connection, last: int) -> None:
    """Delete the finished games up to the number ``last``."""
    await db.execute("DELETE FROM game WHERE number <= $1", last)


async def put_standings(db: Connection, before: int, after: int, rows: Iterable[StandingRow]) -> Outcome:
    """Save standings as `TableLog.put_standings` says."""
    if await db.fetchval(COUNT, before, after) is None:
        return Conflict(f"the standings do not contain exactly the games up to {before}")
    await db.executemany(PUT_STANDING, list(rows))
    return None


async def put_text(db: Connection, kind: str, key: str, value: str | None) -> None:
    """Save or delete a text. A trigger counts it and drops the looks of a name that is replaced."""
    if value is None:
        await db.execute(DELETE_TEXT, kind, key)
        await db.execute(DROP_OLD_DELETIONS, DELETIONS_KEPT)
    else:
        await db.execute(PUT_TEXT, kind, key, value)


async def put_name(db: Connection, key: str, name: str, looks: Sequence[str]) -> Outcome:
    """Save a name as `TableLog.put_name` says."""
    if any(owner not in {None, key} for (owner,) in await db.fetch(NAME_OWNERS, looks)):
        return Conflict(f"{name} is the name of another player")
    await db.execute(PUT_TEXT, "name", key, name)
    await db.execute(PUT_LOOKS, key, looks)
    return None
