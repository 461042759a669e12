"""The schema of the database: how it is made and upgraded, and its indexes."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from server.storage.sqlite_file import migrate, open_for_writing
from server.storage.sqlite_queries import (
    BEST,
    BEST_UNDER,
    LINKED_KEYS,
    NAME_OWNER,
    OLDEST,
    OLDEST_TEXTS,
    STANDINGS_OF,
    TEXT,
    TEXTS,
)
from server.storage.sqlite_writes import put_text


def test_processes_may_create_the_file_at_the_same_time(tmp_path: Path) -> None:
    """When servers start at once on an empty folder, each gets the same complete schema."""
    start = threading.Barrier(4)

    def make(file: Path) -> None:
        start.wait(10)
        with closing(open_for_writing(file, patience=10)) as db:
            db.execute("INSERT INTO text (kind, key, value) VALUES ('who', ?, '')", (str(threading.get_ident()),))

    with ThreadPoolExecutor(4) as threads:
        for number in range(10):
            file = tmp_path / f"{number}.db"
            list(threads.map(make, [file] * 4))
            with closing(apsw.Connection(str(file))) as db:
                assert db.pragma("journal_mode") == "wal"
                assert db.execute("SELECT count(*) FROM text").fetchall() == [(4,)]


def test_old_deletions_are_dropped() -> None:
    """The file does not grow for ever, however long a server runs. Texts that were not deleted stay."""
    with closing(apsw.Connection(":memory:")) as db:
        migrate(db)

        def put(kind: str, key: str, value: str | None) -> None:
            put_text(db, kind, key, value, deletions_kept=20)

        def texts(kind: str) -> dict[str, str | None]:
            return {key: value for _, key, value in db.execute(TEXTS, (kind, 0))}

        put("name", "always", "here")
        for number in range(100):
            put("here", f"passing {number}", "by")
            put("here", f"passing {number}", None)
            for _ in range(3):  # each of which gives two numbers
                put("name", "often", f"here {number}")
            if number == 50:  # and this one, one
                put("name", "once", "here")
            assert len(texts("here")) <= 3
        assert [*texts("here")][-1] == "passing 99"
        assert texts("name") == {"always": "here", "once": "here", "often": "here 99"}


@pytest.mark.parametrize("query", [BEST, BEST_UNDER, STANDINGS_OF, OLDEST, TEXT, LINKED_KEYS, NAME_OWNER, OLDEST_TEXTS])
def test_frequent_queries_scan_and_sort_no_table(query: str) -> None:
    """So they take the same time in a large file."""
    with closing(apsw.Connection(":memory:")) as db:
        migrate(db)
        values = (None,) * query.count("?")
        plan = [step[-1] for step in db.execute(f"EXPLAIN QUERY PLAN {query}", values)]
        reads = [step for step in plan if step.startswith("SCAN") and " USING " not in step]
        assert reads == []
        assert not [step for step in plan if "TEMP B-TREE" in step]


def test_a_failed_migration_leaves_the_version_before_it() -> None:
    """Its data stays too. Earlier migrations are kept, and none is carried out twice."""
    first, second = "CREATE TABLE a (x); INSERT INTO a VALUES (1)", "ALTER TABLE a ADD y DEFAULT 2"
    with closing(apsw.Connection(":memory:")) as db:
        with pytest.raises(apsw.SQLError):
            migrate(db, [first, second, "DELETE FROM a; SELECT nonsense"])
        assert db.pragma("user_version") == 2
        migrate(db, [first, second])
        assert db.execute("SELECT * FROM a").fetchall() == [(1, 2)]
