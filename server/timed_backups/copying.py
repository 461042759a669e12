"""A checked copy of a database file, made while the server may be running, and `quatch backup`, which makes one."""

import argparse
import os
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path

import apsw

from server.config import Config
from server.storage.database import WAS_MOVED, Database, NotSaved, moved_to
from server.storage.engines import database_of
from server.storage.sql import OLDEST_TEXTS, SQLITE
from server.storage.sqlite_file import DAMAGED, FAULTS, check_form, in_one_line, named_errors, refuse_old_log, size_of


def backup(options: argparse.Namespace) -> int:
    """Run `quatch backup`. Raises NotSaved."""
    config = Config.load(options.config, os.environ, {"data": options.data, "although_moved": options.although_moved})
    copy_database(database_of(config), options.file, although_moved=config.although_moved)
    print(f"{options.file}: {size_of(options.file) / 1e6:.1f} MB")
    print("To restore it, stop the server, delete quatch.db and its -wal and -shm, and put it there as quatch.db.")
    return 0


def copy_database(database: Database, target: Path, *, although_moved: bool = False) -> None:
    """Copy a database to a new file; it need not be open. Raises NotSaved, as `copy_file`."""
    if database.how_to_copy:
        raise NotSaved(database.how_to_copy.replace("FILE", str(target)))
    copy_file(Path(database.name), target, although_moved=although_moved)


def copy_file(source: Path, target: Path, *, although_moved: bool = False) -> None:
    """Copy the database to a new file and check the copy. The server may be running.

    Raises NotSaved with one line, also if the database was moved, so that others are the newest.
    """
    if not source.exists():
        raise NotSaved(f"{source}: there is no such file; --data names the folder that it is in")
    if target.exists():
        raise NotSaved(f"{target}: the file is there already; name a new one")
    with named_errors(source):
        refuse_old_log(source)
    with named_errors(source), closing(apsw.Connection(str(source), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
        check_form(db)
        moved = db.execute(SQLITE[OLDEST_TEXTS], (WAS_MOVED, 1)).fetchall()
        if moved and not although_moved:
            raise NotSaved(moved_to(str(moved[0][1])))
    with named_errors(target), ExitStack() as undo:
        handle, unfinished = tempfile.mkstemp(prefix=f"{target.name}.", dir=target.parent)
        undo.callback(Path(unfinished).unlink, missing_ok=True)
        undo.callback(os.close, handle)
        with closing(apsw.Connection(str(source), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
            try:
                db.execute("VACUUM INTO ?", (unfinished,))
            except DAMAGED as error:
                raise NotSaved(f"{source}: {in_one_line(error)}") from error
        with closing(apsw.Connection(unfinished, flags=apsw.SQLITE_OPEN_READWRITE)) as copy:
            copy.pragma("secure_delete", True)  # noqa: FBT003 - no name is taken
            copy.execute("DELETE FROM message")  # what is said is in no backup
            if copy.pragma("integrity_check", 1) != "ok":
                raise NotSaved(FAULTS[apsw.CorruptError])
        os.fsync(handle)  # SQLite does not sync a copy
        Path(unfinished).rename(target)
