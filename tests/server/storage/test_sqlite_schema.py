"""The schema of the database file: how it is made, and what does not grow."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import apsw

from server.storage.memory_log import MemoryLog
from server.storage.sqlite_file import open_for_writing


def test_processes_may_create_the_file_at_the_same_time(tmp_path: Path) -> None:
    """When servers start at once on an empty folder, each gets the same complete schema."""
    start = threading.Barrier(4)

    def make(file: Path) -> None:
        start.wait(10)
        with closing(open_for_writing(file, patience=10)) as db:
            db.execute("INSERT INTO opener VALUES (?, 1)", (str(threading.get_ident()),))

    with ThreadPoolExecutor(4) as threads:
        for number in range(10):
            file = tmp_path / f"{number}.db"
            list(threads.map(make, [file] * 4))
            with closing(apsw.Connection(str(file))) as db:
                assert db.pragma("journal_mode") == "wal"
                assert db.execute("SELECT count(*) FROM opener").fetchall() == [(4,)]


async def test_old_deletions_are_dropped() -> None:
    """The file does not grow for ever, however long a server runs. Texts that were not deleted stay."""
    log = MemoryLog()
    log.deletions_kept = 20

    async def put(kind: str, key: str, value: str | None) -> None:
        await log.put_text(kind, key, value)

    async def texts(kind: str) -> dict[str, str | None]:
        return {row.key: row.text for row in await log.read_texts(kind)}

    await put("name", "always", "here")
    for number in range(100):
        await put("here", f"passing {number}", "by")
        await put("here", f"passing {number}", None)
        for _ in range(6):
            await put("name", "often", f"here {number}")
        if number == 50:
            await put("name", "once", "here")
        assert len(await texts("here")) <= 4
    assert [*await texts("here")][-1] == "passing 99"
    assert await texts("name") == {"always": "here", "once": "here", "often": "here 99"}
