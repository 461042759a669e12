"""What the SQLite log writes: each function is one write, and `commit` carries out many in one transaction."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import apsw

from server.storage.sqlite_file import FAULTS, in_one_line, transaction
from server.storage.sqlite_queries import NAME_OWNER
from server.storage.table_log import (
    DELETIONS_KEPT,
    EMPTY,
    Conflict,
    FinishedGame,
    Head,
    LogEntry,
    NotSaved,
    OutcomeUnknown,
    StandingRow,
    TakenSeat,
)

Write: TypeAlias = Callable[[apsw.Connection], Conflict | None]
"""A change to the database. It runs in the writing thread, inside a transaction."""

MESSAGE_SECONDS: Final = 5.0
MESSAGES_KEPT: Final = 500

LAST: Final = "SELECT seq, hash FROM entry WHERE table_id = ? ORDER BY seq DESC LIMIT 1"
SLEEP: Final = """
    UPDATE table_row SET due = ?, change = (SELECT max(change) + 1 FROM table_row) WHERE table_id = ?
"""
WAKE: Final = """
    UPDATE table_row SET due = NULL, change = (SELECT max(change) + 1 FROM table_row)
    WHERE table_id = ? AND due IS NOT NULL
"""


def commit(db: apsw.Connection, writes: Sequence[Write]) -> list[Exception | None]:
    """Carry out all writes in one transaction, and return the outcome of each. A bug in one affects no other."""
    at_the_end = False
    try:
        with transaction(db):
            outcomes: list[Exception | None] = [write(db) for write in writes]
            at_the_end = True
    except tuple(FAULTS) as error:
        # If the COMMIT itself fails, only a full disk proves that nothing was committed.
        failure = OutcomeUnknown if at_the_end and not isinstance(error, apsw.FullError) else NotSaved
        return [failure(in_one_line(error)) for _ in writes]
    except Exception as error:  # noqa: BLE001 - goes to the caller
        if at_the_end:
            return [OutcomeUnknown(str(error)) for _ in writes]
        return [error] if len(writes) == 1 else [commit(db, [write])[0] for write in writes]
    return outcomes


def append_entry(
    db: apsw.Connection,
    head: Head,
    entry: LogEntry,
    game: FinishedGame | None = None,
    *,
    keep_from: int = 0,
    seats: Sequence[TakenSeat] | None = None,
    openers: Sequence[str] = (),
) -> Conflict | None:
    """Append an entry as `TableLog.append` says; return the conflict if ``head`` is not the head of its table."""
    table = entry.table
    if conflict := _conflict(db, table, head):
        return conflict
    values = (table, entry.seq, entry.hash, entry.at, entry.data)
    db.execute("INSERT INTO entry (table_id, seq, hash, at, data) VALUES (?, ?, ?, ?, ?)", values)
    if keep_from:
        db.execute("DELETE FROM entry WHERE table_id = ? AND seq < ?", (table, keep_from))
    if seats is not None:
        _put_seats(db, table, seats)
    if openers:
        db.executemany("INSERT INTO opener (opener, table_id) VALUES (?, ?)", [(each, table) for each in openers])
    _keep_game(db, game)
    return None


def delete_table(
    db: apsw.Connection, table: int, head: Head, game: FinishedGame | None, due_by: float | None
) -> Conflict | None:
    """Delete the log of a table as `TableLog.delete` says."""
    if conflict := _conflict(db, table, head):
        return conflict
    due = db.execute("SELECT 1 FROM table_row WHERE table_id = ? AND due <= ?", (table, due_by))
    if due_by is not None and due.fetchone() is None:
        return Conflict(f"table {table} is not due")
    db.execute("DELETE FROM entry WHERE table_id = ?", (table,))
    _keep_game(db, game)
    return None


def put_to_sleep(
    db: apsw.Connection, table: int, head: Head, due: float, seats: Sequence[TakenSeat]
) -> Conflict | None:
    """Put a table to sleep as `TableLog.put_to_sleep` says."""
    if conflict := _conflict(db, table, head):
        return conflict
    db.execute(SLEEP, (due, table))
    _put_seats(db, table, seats)
    return None


def wake(db: apsw.Connection, table: int) -> Conflict | None:
    """Wake a table as `TableLog.wake` says."""
    if db.execute("SELECT 1 FROM table_row WHERE table_id = ? AND is_open = 1", (table,)).fetchone() is None:
        return Conflict(f"table {table} has closed")
    db.execute(WAKE, (table,))
    return None


def _put_seats(db: apsw.Connection, table: int, seats: Sequence[TakenSeat]) -> None:
    db.execute("DELETE FROM seat WHERE table_id = ?", (table,))
    rows = [(table, look, seat.player_id, seat.name) for seat in seats for look in seat.looks]
    db.executemany("INSERT INTO seat (table_id, look, player_id, name) VALUES (?, ?, ?, ?)", rows)


def _keep_game(db: apsw.Connection, game: FinishedGame | None) -> None:
    if game is not None:
        sql = "INSERT INTO game (id, rules, at, result, record) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"
        db.execute(sql, (game.id, game.rules, game.at, game.result, game.record))


def _conflict(db: apsw.Connection, table: int, head: Head) -> Conflict | None:
    row: Any = db.execute(LAST, (table,)).fetchone()
    current = Head(*row) if row else EMPTY
    return None if current == head else Conflict(f"table {table} stands at {current.seq}, not at {head.seq}")


def delete_games_through(db: apsw.Connection, last: int) -> None:
    """Delete the finished games up to the number ``last``."""
    db.execute("DELETE FROM game WHERE number <= ?", (last,))


def put_standings(db: apsw.Connection, before: int, after: int, rows: Sequence[StandingRow]) -> Conflict | None:
    """Save standings as `TableLog.put_standings` says."""
    db.execute("UPDATE counted SET number = ? WHERE number = ?", (after, before))
    if not db.changes():
        return Conflict(f"the standings do not contain exactly the games up to {before}")
    sql = "INSERT OR REPLACE INTO standing (rules, key, strength, value) VALUES (?, ?, ?, ?)"
    db.executemany(sql, rows)
    return None


def put_name(db: apsw.Connection, key: str, name: str, looks: Sequence[str]) -> Conflict | None:
    """Save a name as `TableLog.put_name` says."""
    owners = [owner for look in looks for (owner,) in db.execute(NAME_OWNER, (look,))]
    if any(owner != key for owner in owners):
        return Conflict(f"{name} is the name of another player")
    put_text(db, "name", key, name)
    number = db.last_insert_rowid()
    db.executemany("INSERT INTO look (look, written) VALUES (?, ?)", [(look, number) for look in looks])
    return None


def put_text(db: apsw.Connection, kind: str, key: str, value: str | None, deletions_kept: int = DELETIONS_KEPT) -> None:
    """Save or delete a text; deletions of texts are forgotten after ``deletions_kept`` changes of texts."""
    # A new row each time, so that the rows stand in the order of their last write.
    db.execute("DELETE FROM text WHERE kind = ? AND key = ?", (kind, key))
    if value is not None:
        db.execute("INSERT INTO text (kind, key, value) VALUES (?, ?, ?)", (kind, key, value))
    _drop_old_deletions(db, deletions_kept)


def _drop_old_deletions(db: apsw.Connection, kept: int) -> None:
    """Drop deletions of texts more than so many changes old, after each change of a text."""
    (last,) = db.execute("SELECT ifnull(max(number), 0) FROM text_change").fetchone() or (0,)
    newest = last - kept
    db.execute(
        "DELETE FROM text_change WHERE number > ? AND number <= ?"
        " AND NOT EXISTS (SELECT 1 FROM text WHERE text.kind = text_change.kind AND text.key = text_change.key)",
        (newest - 2, newest),  # at most two numbers were just used
    )


def put_messages(
    db: apsw.Connection, sender: str, now: float, messages: Sequence[str], kept: int = MESSAGES_KEPT
) -> None:
    """Add messages, and delete old ones; ``now`` is in seconds since 1970.

    A message is deleted after `MESSAGE_SECONDS`, or when ``kept`` have followed: all others have heard it by then.
    """
    sql = "INSERT INTO message (sender, at, text) VALUES (?, ?, ?)"
    db.executemany(sql, [(sender, now, message) for message in messages])
    old = db.last_insert_rowid() - kept
    # All processes have one clock, which may be put back.
    sql = "DELETE FROM message WHERE number <= ? OR at < ? OR at > ?"
    db.execute(sql, (old, now - MESSAGE_SECONDS, now + MESSAGE_SECONDS))
