"""The database file: how it is created and opened, and its errors in plain words."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeAlias

import apsw

from server.storage.database import NotSaved
from server.storage.sql import SCHEMA, SQLITE

FILE_NAME: Final = "quatch.db"
"""The file's name in the folder that `data` names."""

APPLICATION_ID: Final = 0x51_74_63_68
"""Stands in the header of a file of this program."""
FORM: Final = 1
"""The version of the schema; a file with another one is not opened."""
MESSAGES: Final = """
    CREATE TABLE message (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        sender TEXT NOT NULL,
        at REAL NOT NULL,
        text TEXT NOT NULL
    ) STRICT;
"""
"""What only the file has: messages between the processes that have it open, see `Database.send`."""

FAULTS: Final[dict[type[apsw.Error], str]] = {
    apsw.FullError: "the disk is full",
    apsw.ReadOnlyError: "the file is read-only",
    apsw.BusyError: "the file is locked by another program",
    apsw.LockedError: "the file is locked by another program",
    apsw.ProtocolError: "the file is locked by another program",
    apsw.CantOpenError: "the file cannot be opened; it must belong to the user of the server",
    apsw.PermissionsError: "the file cannot be opened; it must belong to the user of the server",
    apsw.IOError: "the disk reports an error",
    apsw.CorruptError: "the file is damaged; put a backup in its place and delete the -wal file beside it",
    apsw.NotADBError: "the file is no database; put a backup in its place and delete the -wal file beside it",
}
"""Errors that are nobody's bug, with the line for the host. Any other error of the library is a bug of the server."""

DAMAGED: Final = (apsw.CorruptError, apsw.NotADBError)
"""The errors that do not go away by waiting."""

FOREIGN: Final = (
    "the file was made before release 1.0.0 or by another program, and cannot be read;"
    " move it away, and the next start makes a new one"
)
NEWER: Final = "the file was written by a newer version of this program; use that one, or put a backup in its place"
OLD_LOG: Final = "the file is a backup, and the -wal file beside it is of another one; delete that, or move it away"
"""Why a file is not opened. Nothing in it was changed."""

MOVED: Final = (
    "quatch.db was deleted, moved or replaced while the server runs; put it back, or stop the server, put a backup in"
    " its place and delete the -wal file beside it"
)
"""Why nothing is written to a database that nobody would find."""
LOG_MOVED: Final = (
    "quatch.db-wal or quatch.db-shm was deleted, moved or replaced while the server runs;"
    " stop the server, which saves everything, and start it again"
)
"""Why nothing is written if a file beside the database is not found: another program would make a new one."""


def in_one_line(error: Exception) -> str:
    """The error in one line for the host."""
    return next((words for kind, words in FAULTS.items() if isinstance(error, kind)), str(error))


def open_for_writing(path: Path, patience: float) -> apsw.Connection:
    """Open the database, and create it if there is none.

    Waits up to ``patience`` seconds for another program's lock, here and in every later transaction.
    Raises NotSaved with one line that says what is wrong and what would be right.
    """
    with named_errors(path.parent):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with named_errors(path):
        # An existing file is opened by SQLite alone: closing it would drop the locks of this process's connections.
        with suppress(FileExistsError):
            path.touch(0o600, exist_ok=False)
        refuse_old_log(path)
        db = apsw.Connection(str(path))
        try:
            db.set_busy_timeout(int(patience * 1000))
            _prepare(db)
        except BaseException:
            db.close()
            raise
        return db


def open_for_reading(path: Path) -> apsw.Connection:
    """A second connection, which reads committed data and waits for no writer. Raises NotSaved."""
    with named_errors(path):
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        db.set_busy_timeout(100)  # after a crash the first reader repairs the WAL index, and the others wait
        return db


def refuse_old_log(path: Path) -> None:
    """Raise NotSaved if a backup was put beside the log of the file before, which SQLite would carry out on it."""
    if path.with_name(f"{path.name}-wal").exists():
        file = apsw.VFSFile("", str(path), [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
        if file.xRead(2, 18) == b"\1\1":  # it is b"\2\2" from before the first log of a file is made
            raise NotSaved(OLD_LOG)


def make_schema(db: apsw.Connection) -> None:
    """Make the tables, if there are none yet."""
    with transaction(db):
        if not db.pragma("user_version"):  # another process may just have made them
            db.execute(SQLITE[SCHEMA] + MESSAGES)
            db.pragma("application_id", APPLICATION_ID)
            db.pragma("user_version", FORM)


def check_form(db: apsw.Connection) -> None:
    """Raise NotSaved if this is a database of another program, or of a newer release."""
    is_empty = not db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
    if db.pragma("application_id") != APPLICATION_ID and not is_empty:
        raise NotSaved(FOREIGN)
    if db.pragma("user_version") > FORM:
        raise NotSaved(NEWER)


@contextmanager
def transaction(db: apsw.Connection) -> Iterator[None]:
    """A transaction. The library's own ``with`` hides an error after which SQLite itself has rolled back."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with suppress(apsw.Error):
            if db.in_transaction:
                db.execute("ROLLBACK")
        raise


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Turn errors into NotSaved with one line that names the file."""
    try:
        yield
    except NotSaved as error:
        raise NotSaved(f"{path}: {error}") from None
    except apsw.Error as error:
        raise NotSaved(f"{path}: {in_one_line(error)}") from error
    except OSError as error:
        raise NotSaved(f"{path}: {error.strerror}") from error


def size_of(path: Path) -> int:
    """The bytes that the database takes on the disk, with the part that is not yet in the file itself."""
    files = (path, path.with_name(f"{path.name}-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


Files: TypeAlias = list[tuple[int, int] | None]
"""The device and inode of the database and of the files beside it; None for one that is not there."""


def files_in_place(path: Path) -> Files:
    """The files that are there now. They stay the same as long as a process has the database open."""
    found: Files = []
    for ending in ("", "-wal", "-shm"):
        try:
            state = os.stat(f"{path}{ending}")  # noqa: PTH116 - each commit asks, and Path.stat takes twice as long
            found.append((state.st_dev, state.st_ino))
        except OSError:
            found.append(None)
    return found


def moved(path: Path, opened: Files) -> str:
    """What is wrong if the files are not those that were opened; empty if they are."""
    now = files_in_place(path)
    return "" if now == opened else MOVED if now[0] != opened[0] else LOG_MOVED


def _prepare(db: apsw.Connection) -> None:
    if db.readonly("main"):
        raise NotSaved(FAULTS[apsw.ReadOnlyError])
    check_form(db)
    try:
        db.pragma("journal_mode", "wal")
    except apsw.BusyError:  # SQLite does not wait here, so a transaction waits for the other server that makes the file
        with transaction(db):
            pass
        db.pragma("journal_mode", "wal")
    db.pragma("synchronous", "full")
    make_schema(db)
