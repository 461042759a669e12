"""`quatch replay` and `verify`: which games they find, what they print, and what is wrong usage."""

import asyncio
import json
from pathlib import Path

import pytest

from server.cli.main import main
from server.pieces import at_once
from server.records.record_reader import read_record
from server.replay.playback import Playback, record_json, transcript
from server.storage.database import EMPTY, FinishedGame, LogEntry
from server.storage.sqlite_database import SqliteDatabase
from server.storage.sqlite_file import FILE_NAME
from tests.support.recorded import GOLDEN


def test_the_command_prints_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    """In sentences with all cards open, or as one seat saw it."""
    record = read_record(GOLDEN.read_text("utf-8"))
    for arguments in ([], ["--all"]):
        assert main(["replay", str(GOLDEN), *arguments]) == 0
        assert capsys.readouterr().out.splitlines() == list(transcript(Playback(record)))
    assert main(["replay", str(GOLDEN), "--seat", "2"]) == 0
    assert capsys.readouterr().out.splitlines() == list(transcript(Playback(record, 1)))
    assert next(transcript(Playback(record))) == "Game 7KQ2M9XA: College with mirrors, 2026-11-21 19:03 UTC."


def test_the_command_gives_the_record_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file that is written is the record itself."""
    assert main(["replay", str(GOLDEN), "--export", str(tmp_path / "copy.txt")]) == 0
    assert (tmp_path / "copy.txt").read_bytes() == GOLDEN.read_bytes()
    assert main(["replay", str(GOLDEN), "--json"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert json.loads(out) == at_once(record_json(read_record(GOLDEN.read_text("utf-8"))))


def write_database(folder: Path) -> None:
    """A server's database with one finished game."""

    async def write() -> None:
        async with SqliteDatabase(folder / FILE_NAME) as log:
            text = GOLDEN.read_text("utf-8")
            await log.append(EMPTY, LogEntry(1, 1, b"", 0.0, b""), FinishedGame("7KQ2M9XA", "college", 0.0, "{}", text))

    folder.mkdir(exist_ok=True)
    asyncio.run(write())


def test_a_game_is_found_in_the_database_by_its_id(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """In the folder that was named or is the default; small letters will do; a folder without one is not made."""
    monkeypatch.chdir(tmp_path)
    write_database(tmp_path / "var")
    write_database(tmp_path / "elsewhere")
    assert main(["verify", "7KQ2M9XA"]) == 0
    assert main(["verify", "7kq2m9xa", "--data", "elsewhere"]) == 0
    assert main(["replay", "7KQ2M9XA", "--export", "game.txt"]) == 0
    assert (tmp_path / "game.txt").read_text("utf-8") == GOLDEN.read_text("utf-8")
    capsys.readouterr()
    assert main(["replay", "8KQ2M9XA"]) == 1
    assert capsys.readouterr().err == "quatch: '8KQ2M9XA' is no file, and no game in the log in var\n"
    assert main(["verify", "8KQ2M9XA"]) == 1
    assert capsys.readouterr().err == "quatch: '8KQ2M9XA' is no file, and no game in the log in var\n"
    Path("quatch.toml").write_text("data = 'none'\n")
    for where in (("--data", "none"), ("--config", "quatch.toml")):
        assert main(["verify", "7KQ2M9XA", *where]) == 1
        missing = f"quatch: '7KQ2M9XA' is no file, and there is no {Path('none', FILE_NAME)}: name the file"
        said = capsys.readouterr().err
        assert said.startswith(missing)
        assert said.endswith("; quatch play keeps no games\n")
    assert not (tmp_path / "none").exists()


def test_a_database_that_cannot_be_read_is_said_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 1, in the log's own words."""
    (tmp_path / FILE_NAME).write_bytes(b"nothing of ours" * 9)
    assert main(["verify", "7KQ2M9XA", "--data", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "the file is no database" in error


@pytest.mark.parametrize("seat", ["0", "3"])
def test_a_seat_that_is_not_there_is_wrong_usage(seat: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 2, and the seats there are."""
    assert main(["replay", str(GOLDEN), "--seat", seat]) == 2
    assert capsys.readouterr().err == f"quatch: there are seats 1 to 2, not {seat}\n"


@pytest.mark.parametrize("seat", ["0010", "01", "+1", "1_0", "\u0661", "x"])
@pytest.mark.parametrize("command", ["replay", pytest.param("review", marks=pytest.mark.features("review"))])
def test_a_seat_is_a_plain_number(command: str, seat: str, capsys: pytest.CaptureFixture[str]) -> None:
    """No sign, no leading zeros, no digits of other scripts."""
    with pytest.raises(SystemExit):
        main([command, str(GOLDEN), "--seat", seat])
    assert f"argument --seat: {seat!r} is no number" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["--json"], ["--all"]])
def test_a_record_that_does_not_hold_is_not_replayed(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 1, as for `verify`."""
    for old, new in (("play 8 8", "play 9 9"), ("seed: 11", "seed: 22"), ("dealer:", "deal:")):
        file = tmp_path / "game.txt"
        file.write_text(GOLDEN.read_text("utf-8").replace(old, new), "utf-8")
        assert main(["replay", str(file), *arguments]) == 1
        told_ = capsys.readouterr()
        assert (told_.out, told_.err.count("\n")) == ("", 1)


def test_two_ways_at_once_are_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """One of --all, --export and --json."""
    with pytest.raises(SystemExit) as stopped:
        main(["replay", str(GOLDEN), "--json", "--all"])
    assert stopped.value.code == 2
    assert "not allowed with" in capsys.readouterr().err
