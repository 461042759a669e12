"""No statement takes longer because a database has grown: each is tried on one that is large."""

from collections.abc import Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Final

from server.storage import sql
from server.storage.database import Value
from server.storage.sql import SQLITE
from server.storage.sqlite_file import open_for_writing, transaction
from tests.support.large_database import ASKED, ENTRIES, ROWS, fill

GROWING: Final = {"COUNT_ASLEEP", "COUNT_SEEN"}
"""They count entries of an index, and are asked once in a while."""


def test_every_statement_is_tried() -> None:
    """That of the changes of tables is tried with a place that only a database knows."""
    statements = {name for name, text in vars(sql).items() if name.isupper() and name[0] != "_" and type(text) is str}
    assert statements == {"SCHEMA", "CHANGED", *ASKED, *GROWING}


def test_no_statement_reads_much_of_a_large_file(file: Path) -> None:
    """SQLite takes at most one step for ten rows."""
    with closing(open_for_writing(file, 1)) as db:
        with transaction(db):
            for statement in fill(SQLITE):
                db.execute(statement)
            db.executemany(SQLITE[sql.ADD_ENTRY], ENTRIES)
        steps, taken = count(), dict[str, int]()

        def note(name: str, values: Sequence[Value]) -> None:
            before = next(steps)
            db.execute("SAVEPOINT before")
            db.execute(SQLITE[getattr(sql, name)], values).fetchall()
            db.execute("ROLLBACK TO before; RELEASE before")
            taken[name] = next(steps) - before

        db.set_progress_handler(lambda: next(steps) < 0, 1)
        for name, values in ASKED.items():
            note(name, values)
        ((place,),) = db.execute(SQLITE[sql.PLACE])
        note("CHANGED", [place - 10])
    assert {name: number for name, number in taken.items() if number > ROWS / 10} == {}
