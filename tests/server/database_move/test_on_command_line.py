"""`quatch move`: what a host types, reads, and gets."""

import asyncio
import re
from itertools import count
from pathlib import Path

import pytest

from server.cli.main import main
from server.config import Config
from server.lobby.lobby import Lobby
from server.storage.database import NotSaved, Write
from server.storage.engines import database_at
from server.storage.sqlite_database import SqliteDatabase
from tests.support.log_entries import entry, finished, grow


async def fill(folder: Path) -> None:
    """A database with a little."""
    async with SqliteDatabase(folder / "quatch.db") as log:
        await log.append(await grow(log, 1, 20), entry(1, 21), finished("g1"))


async def start(folder: Path, *, although_moved: bool = False) -> None:
    """A server starts on the file in a folder."""
    lobby = Lobby(Config(although_moved=although_moved), SqliteDatabase(folder / "quatch.db"))
    try:
        await lobby.open()
    finally:
        await lobby.close()


def test_a_database_is_moved_to_postgresql_and_back(
    tmp_path: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The password is told nowhere, but the host is told that others could read it."""
    asyncio.run(fill(tmp_path))
    url, back = database, tmp_path / "back"
    name = re.sub(r"//.*@", "//", url)
    assert main(["move", "--from", str(tmp_path), "--to", url]) == 0
    out, err = capsys.readouterr()
    assert out == f"copied and compared 24 rows, with 1 finished game, into {name}\n"
    assert err.startswith("quatch: ps shows the password in --to to all users here; ")
    assert main(["move", "--from", url, "--to", f"sqlite:///{back}"]) == 0
    assert capsys.readouterr().out == f"copied and compared 24 rows, with 1 finished game, into {back}/quatch.db\n"

    assert main(["backup", "--data", str(tmp_path), str(tmp_path / "copy.db")]) != 0
    assert f"the database was moved to {name}, and what happened since is there" in capsys.readouterr().err
    with pytest.raises(NotSaved, match="the database was moved to"):
        asyncio.run(start(tmp_path))
    asyncio.run(start(tmp_path, although_moved=True))
    assert main(["backup", "--although-moved", "--data", str(tmp_path), str(tmp_path / "copy.db")]) == 0
    assert main(["move", "--from", str(tmp_path), "--to", str(tmp_path / "elsewhere")]) == 2
    assert "--from: the database was moved to" in capsys.readouterr().err

    async def kept() -> list[int]:
        async with database_at(url, "") as log, SqliteDatabase(back / "quatch.db") as again:
            assert await log.read(1) == await again.read(1)
            assert await log.game("g1") == await again.game("g1") == finished("g1")
            return [each.seq for each in await log.read(1)]

    assert asyncio.run(kept()) == list(range(1, 22))


def test_what_cannot_be_moved_is_told_in_one_line(
    tmp_path: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And nothing is written."""
    asyncio.run(fill(tmp_path))
    here, wrong = str(tmp_path), re.sub(r"@127.*", "@127.0.0.1:1/quatch", database)
    for source, target, problem in (
        (str(tmp_path / "none"), database, r"--from: there is no .*/none/quatch.db"),
        (here, here, r"--to: this database has data already: name an empty one"),
        (here, "postgres:/x", r"--to: must be .*postgresql://USER:PASSWORD@HOST:PORT/NAME.*"),
        (here, wrong, r"postgresql://127.0.0.1:1/quatch: .*"),
    ):
        assert main(["move", "--from", source, "--to", target]) in {1, 2}
        assert re.search(f"^quatch: {problem}\n$", capsys.readouterr().err, re.MULTILINE)
    assert not (tmp_path / "none").exists()


def test_a_move_that_was_stopped_goes_on_when_it_is_typed_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile no server starts on the unfinished copy."""
    asyncio.run(fill(tmp_path / "old"))
    command = ["move", "--from", str(tmp_path / "old"), "--to", str(tmp_path / "new")]

    write, writes = SqliteDatabase.write, count()

    async def stop(log: SqliteDatabase, some: Write, table: int | None = None) -> None:
        if next(writes) == 3:
            raise KeyboardInterrupt
        await write(log, some, table)

    with monkeypatch.context() as stopping:
        stopping.setattr(SqliteDatabase, "write", stop)
        assert main(command) == 130
    assert capsys.readouterr().err == "quatch: stopped; the same command goes on with what is missing\n"

    with pytest.raises(NotSaved, match=r"unfinished copy of .*/old/quatch.db: quatch move goes on with it"):
        asyncio.run(start(tmp_path / "new"))
    assert main(command) == 0
    asyncio.run(start(tmp_path / "new"))
