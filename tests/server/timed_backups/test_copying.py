"""`quatch backup`: a copy that can be put in the place of the database, made while the server writes to it."""

import asyncio
import stat
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from server.cli.main import main
from server.storage.database import EMPTY, NotSaved
from server.storage.sqlite_database import SqliteDatabase
from server.timed_backups.copying import copy_file
from tests.support.faulty_disk import faulty_disk
from tests.support.log_entries import entry, finished, grow, heads, texts_of


async def fill(file: Path) -> None:
    """Make a database with a little of everything."""
    async with SqliteDatabase(file) as log:
        head = await grow(log, 1, 20)
        await log.append(head, entry(1, 21), finished("g1"))
        await log.put_text("name", "a", "b")


async def test_a_copy_is_a_database_like_the_original(tmp_path: Path) -> None:
    """A log opened on it holds the same; it is private, and nothing else is left behind."""
    source, target = tmp_path / "quatch.db", tmp_path / "copies" / "monday.db"
    await fill(source)
    target.parent.mkdir()
    await asyncio.to_thread(copy_file, source, target)
    assert [(each.name, stat.S_IMODE(each.stat().st_mode)) for each in target.parent.iterdir()] == [
        ("monday.db", 0o600)
    ]
    async with SqliteDatabase(target) as log:
        assert [kept.seq for kept in await log.read(1)] == list(range(1, 22))
        assert await log.game("g1") == finished("g1")
        assert await texts_of(log, "name") == {"a": "b"}


async def test_a_copy_made_while_the_server_writes_is_of_one_moment(tmp_path: Path) -> None:
    """Writing goes on; the copy holds all that was durable before, and of what came meanwhile nothing by halves."""
    source, target = tmp_path / "quatch.db", tmp_path / "copy.db"
    async with SqliteDatabase(source) as log:
        await grow(log, 1, 50)
        copying = asyncio.create_task(asyncio.to_thread(copy_file, source, target))
        written = 0
        while not copying.done():
            written += 1
            await log.append(EMPTY, entry(1 + written, 1), finished(f"g{written}"))
        await copying
    async with SqliteDatabase(target) as copy:
        tables = await heads(copy)
        assert tables[1].seq == 50
        assert len(tables) - 1 == len(await copy.games()) <= written
        assert set(tables) == set(range(1, len(tables) + 1))


def test_nothing_is_overwritten_and_nothing_half_done_is_left(tmp_path: Path) -> None:
    """Not a file that is there, nor a copy of what cannot be read."""
    source, target = tmp_path / "quatch.db", tmp_path / "copy.db"
    with pytest.raises(NotSaved, match="there is no such file; --data names the folder"):
        copy_file(source, target)
    asyncio.run(fill(source))
    target.write_text("precious")
    with pytest.raises(NotSaved, match="is there already"):
        copy_file(source, target)
    assert target.read_text() == "precious"
    target.unlink()
    pages = source.read_bytes()
    source.write_bytes(pages[:4096] + b"\xa5" * (len(pages) - 4096))
    with pytest.raises(NotSaved, match=r"quatch\.db: the file is damaged"):
        copy_file(source, target)
    assert [each.name for each in tmp_path.iterdir()] == ["quatch.db"]


def test_a_backup_beside_an_old_log_is_not_copied(tmp_path: Path) -> None:
    """It would be damaged by that, as by a start."""
    source, copy = tmp_path / "quatch.db", tmp_path / "copy.db"
    asyncio.run(fill(source))
    copy_file(source, copy)
    Path(f"{copy}-wal").write_bytes(b"of another file")
    with pytest.raises(NotSaved, match=r"copy\.db: the file is a backup, and the -wal file"):
        copy_file(copy, tmp_path / "another.db")


def test_a_copy_that_did_not_arrive_is_no_copy(tmp_path: Path) -> None:
    """It is read again before anybody relies on it."""
    asyncio.run(fill(tmp_path / "quatch.db"))
    with faulty_disk() as disk:
        disk.forgetful = True
        with pytest.raises(NotSaved, match=r"copy\.db: the file is damaged"):
            copy_file(tmp_path / "quatch.db", tmp_path / "copy.db")
    assert [each.name for each in tmp_path.iterdir()] == ["quatch.db"]


def test_the_command_says_what_is_wrong_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 0, the size of the copy and how it is restored, or 1 and the line; the folder as for `quatch serve`."""
    asyncio.run(fill(tmp_path / "quatch.db"))
    target = tmp_path / "copy.db"
    command = ["backup", str(target), "--data", str(tmp_path)]
    assert main(command) == 0
    size, restore = capsys.readouterr().out.splitlines()
    assert (size, "put it there as quatch.db" in restore) == (f"{target}: {target.stat().st_size / 1e6:.1f} MB", True)
    with closing(apsw.Connection(str(target))) as db:
        assert db.execute("SELECT count(*) FROM entry").fetchall() == [(21,)]
    assert main(command) == 1
    assert capsys.readouterr() == ("", f"quatch: {target}: the file is there already; name a new one\n")
    config = tmp_path / "quatch.toml"
    config.write_text(f"data = '{tmp_path}'\n", "utf-8")
    assert main(["backup", str(tmp_path / "second.db"), "--config", str(config)]) == 0
    assert capsys.readouterr().out.startswith(str(tmp_path / "second.db"))
    target = tmp_path / "nowhere" / "copy.db"
    assert main(["backup", str(target), "--data", str(tmp_path)]) == 1
    assert capsys.readouterr() == ("", f"quatch: {target}: No such file or directory\n")


def test_the_copy_of_a_stopped_server_leaves_its_folder_as_it_was(tmp_path: Path) -> None:
    """No second file stays beside the database, though the copy is made through SQLite."""
    source = tmp_path / "var" / "quatch.db"
    asyncio.run(fill(source))
    copy_file(source, tmp_path / "copy.db")
    assert [each.name for each in source.parent.iterdir()] == ["quatch.db"]


async def test_a_backup_holds_no_messages(tmp_path: Path) -> None:
    """Talk passes through them."""
    source, target = tmp_path / "quatch.db", tmp_path / "copy.db"
    async with SqliteDatabase(source) as log:
        log.send("a secret word")
        await log.put_text("kind", "key", "kept")
        copy_file(source, target)
    assert b"a secret word" not in target.read_bytes()
    async with SqliteDatabase(target) as copy:
        assert await copy.text("kind", "key") == "kept"


def test_a_file_of_another_program_is_not_copied(tmp_path: Path) -> None:
    """It is left as it is."""
    with closing(apsw.Connection(str(tmp_path / "quatch.db"))) as db:
        db.execute("CREATE TABLE entry (data); INSERT INTO entry VALUES ('kept')")
    with pytest.raises(NotSaved, match=r"quatch\.db: the file was made before release 1\.0\.0"):
        copy_file(tmp_path / "quatch.db", tmp_path / "copy.db")
    assert [each.name for each in tmp_path.iterdir()] == ["quatch.db"]
