"""Database files that are damaged, of another kind, or moved away: nothing is written to them, and the host is told."""

import asyncio
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from server.storage import sql
from server.storage.database import NotSaved
from server.storage.sqlite_database import SqliteDatabase
from server.storage.sqlite_file import DAMAGED, FORM, in_one_line, open_for_writing, refuse_old_log
from tests.support.database_files import filled, refusal, spoil
from tests.support.log_entries import entry, grow
from tests.support.resources import settled


def test_a_file_that_is_no_database_is_left_alone(file: Path) -> None:
    """One line says what is wrong and what would be right."""
    file.write_text("My diary.\n" * 100)
    assert refusal(file).startswith(f"{file}: the file is no database; put a backup in its place")
    assert file.read_text() == "My diary.\n" * 100


def test_a_file_whose_first_page_is_damaged_is_not_opened(file: Path) -> None:
    """Every start reads that page."""
    asyncio.run(filled(file))
    spoil(file, slice(100, 4096))
    assert refusal(file).startswith(f"{file}: the file is damaged; put a backup in its place")


def test_a_file_of_a_newer_program_is_left_alone(file: Path) -> None:
    """This version does not know its schema."""
    with closing(open_for_writing(file, 0)) as db:
        db.pragma("user_version", FORM + 1)
    assert refusal(file).startswith(f"{file}: the file was written by a newer version of this program")


@pytest.mark.parametrize("version", [0, 1, 6])
@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_file_from_before_release_1_0_0_is_left_alone(file: Path, tmp_path: Path, journal: str, version: int) -> None:
    """One line tells what to do, and not a byte changes."""
    with closing(apsw.Connection(str(file))) as db:
        db.pragma("journal_mode", journal)
        db.execute("CREATE TABLE entry (data); INSERT INTO entry VALUES ('kept')")
        db.pragma("user_version", version)
    content = file.read_bytes()
    before = f"{file}: the file was made before release 1.0.0 or by another program, and cannot be read; move it away"
    assert refusal(file).startswith(before)
    assert [each.name for each in tmp_path.iterdir()] == ["quatch.db"]
    assert file.read_bytes() == content


def test_a_backup_beside_the_log_of_the_file_before_stays_as_it_is(file: Path, tmp_path: Path) -> None:
    """SQLite would write the pages of that log into it. Without that log it is opened."""
    old_log, backup = Path(f"{file}-wal"), tmp_path / "backup.db"
    with closing(open_for_writing(file, 0)) as db:
        db.execute("VACUUM INTO ?", (str(backup),))
        db.execute("CREATE TABLE more (row)")
        newest = old_log.read_bytes()
    shutil.copyfile(backup, file)
    old_log.write_bytes(newest)
    assert refusal(file).startswith(f"{file}: the file is a backup, and the -wal file beside it is of another one")
    assert (file.read_bytes(), old_log.read_bytes()) == (backup.read_bytes(), newest)
    old_log.unlink()
    with closing(open_for_writing(file, 0)) as db:
        assert not db.table_exists(None, "more")


def test_a_look_for_an_old_log_leaves_the_process_its_locks(file: Path) -> None:
    """The system drops those on a file that the process closes: then another program may take it for unused."""
    lock = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+b'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    with closing(open_for_writing(file, 0)):
        refuse_old_log(file)
        other = subprocess.run([sys.executable, "-c", lock, file], check=False, capture_output=True)
        assert b"BlockingIOError" in other.stderr


def move(source: str, target: str) -> None:
    """Rename a file, over another one if there is one."""
    Path(source).rename(target)


@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
@pytest.mark.parametrize("replaced", [True, False])
async def test_nothing_is_written_to_a_file_that_was_moved(file: Path, ending: str, replaced: bool) -> None:  # noqa: FBT001
    """Nobody would find it there. All is well again when the file is back in its place."""
    async with SqliteDatabase(file) as log:
        head = await grow(log, 1, 2)
        entries = await log.read(1)
        in_place, away = f"{file}{ending}", f"{file}.away"
        move(in_place, away)
        if replaced:
            shutil.copyfile(away, in_place)
        told = (
            "which saves everything, and start it again" if ending else "put a backup in its place and delete the -wal"
        )
        with pytest.raises(NotSaved, match=f"was deleted, moved or replaced while .*{told}"):
            await log.append(head, entry(1, 3))
        assert "deleted, moved or replaced" in log.problem
        assert await log.read(1) == entries
        move(away, in_place)
        await log.append(head, entry(1, 3))
        assert not log.problem


async def test_a_file_that_was_moved_is_noticed_although_nobody_writes(file: Path) -> None:
    """The problem ends without a write, too, as soon as the file is back, even if a write has failed meanwhile."""
    async with SqliteDatabase(file) as log:
        assert not log.problem
        move(str(file), f"{file}.away")
        await settled(lambda: "deleted, moved or replaced" in log.problem)
        with pytest.raises(NotSaved):
            await log.put_text("name", "a", "b")
        move(f"{file}.away", str(file))
        await settled(lambda: not log.problem)


async def test_a_deleted_write_ahead_log_loses_nothing_if_the_server_stops(file: Path) -> None:
    """As the line for the host says."""
    log = SqliteDatabase(file)
    await log.open()
    head = await grow(log, 1, 2)
    for ending in ("-wal", "-shm"):
        move(f"{file}{ending}", f"{file}.away{ending}")
    with pytest.raises(NotSaved, match="stop the server, which saves everything"):
        await log.append(head, entry(1, 3))
    await log.close()
    await log.open()
    assert len(await log.read(1)) == 2
    await log.append(head, entry(1, 3))
    await log.close()


async def test_damage_that_a_read_finds_is_told_and_nothing_is_written_to_it(file: Path) -> None:
    """At once."""
    await filled(file)
    async with SqliteDatabase(file) as log:
        spoil(file, slice(4096, None))
        with pytest.raises(NotSaved, match="the file is damaged"):
            await log.select(sql.BEST, 20)
        assert log.problem
        with pytest.raises(NotSaved, match="the file is damaged"):
            await log.put_text("name", "a", "b")


def test_an_error_of_a_kind_of_its_own_is_named_like_its_family() -> None:
    """Whatever SQLite's binding raises for damage."""

    class SpecialCorruptError(apsw.CorruptError):
        """A kind of damage."""

    assert isinstance(SpecialCorruptError(), DAMAGED)
    assert in_one_line(SpecialCorruptError()).startswith("the file is damaged")
