"""Finished games as recordings for asciinema; tests/server/history/test_archive.py asks for one over ssh."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from server.cli.main import main
from server.render.frame import draw
from server.render.scene import Scene
from server.replay.playback import Playback
from server.replay.recording import recording
from server.terminal.terminal import RESTORE
from tests.support.asciicast import screens
from tests.support.emitted import check_emitted
from tests.support.random_games import TABLES, Table
from tests.support.recorded import GOLDEN, random_record


@pytest.fixture
def cast(tmp_path: Path) -> Path:
    """The file to write."""
    return tmp_path / "game.cast"


@pytest.mark.parametrize("at", TABLES[::9], ids=str)
def test_each_move_is_shown_as_spectators_saw_it(at: Table) -> None:
    """The other seats, the pile and the log; and nobody's hand."""
    record = random_record(at, 3)
    *shown, _ = screens("\n".join(recording(Playback(record, None), (80, 24))))
    replay = Playback(record, None)
    for ply, screen in enumerate(shown):
        seats = draw(Scene("", snapshot=replay.to(ply).snapshot, has_signs=True), 80, 24).rows[:6]
        assert screen.split("\n")[:6] == [row.text.rstrip() for row in seats]
        assert f"move {ply} of {replay.length}" in screen
        assert "as spectators saw it" in screen
    assert "game over" in shown[-1]


def test_the_command_writes_a_recording(cast: Path) -> None:
    """Of the size that was asked for, with a pace that can be followed, as one seat saw it if one is named."""
    assert main(["replay", str(GOLDEN), "--cast", str(cast), "--seat", "2", "--size", "100x30"]) == 0
    text = cast.read_text("ascii")
    header, *events = map(json.loads, text.splitlines())
    assert (header["width"], header["height"]) == (100, 30)
    assert header["title"] == "game 7KQ2M9XA, College with mirrors, played by ana and Fox"
    pauses = [after - before for (before, *_), (after, *_) in pairwise(events)]
    assert 1 < min(pauses) <= max(pauses) < 10
    check_emitted("".join(written for _, _, written in events).encode(), "xterm-256color")
    assert events[-1][2].startswith(RESTORE)
    assert "wins the game!" in screens(text)[-1], "it ends on the result"
    assert "as Fox saw it" in screens(text)[0]
    assert "   Fox   hand " in screens(text)[0]


def test_a_dash_prints_the_recording(cast: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same as in a file."""
    main(["replay", str(GOLDEN), "--cast", str(cast)])
    assert main(["replay", str(GOLDEN), "--cast", "-"]) == 0
    assert capsys.readouterr().out == cast.read_text("ascii")


@pytest.mark.parametrize("size", ["", "80", "80x", "x24", "59x20", "60x19", "301x24", "80x101", "-80x24", "8\u0660x24"])
def test_a_size_that_no_screen_has_is_wrong_usage(size: str, cast: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line says which there are."""
    assert main(["replay", str(GOLDEN), "--cast", str(cast), f"--size={size}"]) == 2
    assert capsys.readouterr().err.startswith("quatch: --size: columns and rows from 60x20 to 300x100, as in 80x24")
    assert not cast.exists()


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["--cast", "/nowhere/game.cast"], 1, "/nowhere/game.cast: No such file or directory"),
        (["--size", "80x24"], 2, "--size goes with --cast FILE"),
    ],
)
def test_what_cannot_be_recorded_is_said_in_one_line(
    options: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that cannot be written, and a size of nothing."""
    assert main(["replay", str(GOLDEN), *options]) == status
    assert capsys.readouterr().err == f"quatch: {said}\n"
