"""After a crash it is known whether the write-ahead log is whole."""

import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from server.storage.file_check import pages_lost
from server.storage.sqlite_file import open_for_writing


def crashed(folder: Path, *, copied: bool = False) -> Path:
    """A database as a crash leaves it; ``copied`` says that everything was also copied from the write-ahead log."""
    file = folder / "running.db"
    with closing(open_for_writing(file, patience=1)) as db:
        for number in range(20):
            db.execute("INSERT INTO opener VALUES (?, ?)", (f"{number} {'x' * 3000}", number))
        if copied:
            db.pragma("wal_checkpoint")
        # In another process: closing one of the files would drop the locks of this one.
        subprocess.run(
            ["sh", "-c", f"cd {folder}; for end in '' -wal -shm; do cp running.db$end left.db$end; done"], check=True
        )
    return folder / "left.db"


def cut(file: Path) -> None:
    """Leave half of a file."""
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def test_a_whole_file_has_lost_nothing(tmp_path: Path) -> None:
    """After a crash, before the first start, and after a proper end."""
    file = crashed(tmp_path)
    assert pages_lost(file) == pages_lost(tmp_path / "new.db") == pages_lost(tmp_path / "running.db") == 0
    file.with_name("left.db-shm").unlink()
    assert pages_lost(file) == 0


@pytest.mark.parametrize("damage", [Path.unlink, lambda file: file.write_bytes(b""), cut])
def test_a_missing_or_short_write_ahead_log_is_noticed(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    """Also what is lost by that alone: SQLite opens the database, and does not say so."""
    file = crashed(tmp_path)
    damage(file.with_name("left.db-wal"))
    assert pages_lost(file) > 10
    with closing(apsw.Connection(str(file))) as db:
        assert db.pragma("quick_check") == "ok"
    assert pages_lost(file) == 0


def test_what_is_also_in_the_database_is_not_lost(tmp_path: Path) -> None:
    """Then the write-ahead log is not needed."""
    file = crashed(tmp_path, copied=True)
    file.with_name("left.db-wal").unlink()
    assert pages_lost(file) == 0


@pytest.mark.parametrize("content", [b"", b"x" * 50, b"x" * 32768, bytes(32768)])
def test_an_unknown_index_says_nothing(tmp_path: Path, content: bytes) -> None:
    """It may be of another version, or not complete."""
    file = crashed(tmp_path)
    file.with_name("left.db-wal").unlink()
    file.with_name("left.db-shm").write_bytes(content)
    assert pages_lost(file) == 0
