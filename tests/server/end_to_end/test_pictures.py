"""The pictures in `deploy/pictures`: a screen for the README, and a newcomer's first session for `asciinema play`.

Both are made from one session by `make pictures`, anew after a change of what is shown.
"""

import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.support.asciicast import screens
from tests.support.emulated_screen import Emulator, shown_by, suggested_by
from tests.support.picture import svg
from tests.support.recording import recorded_session
from tests.support.virtual_time import in_virtual_time

ROOT: Final = Path(__file__).parents[3]
README: Final = (ROOT / "README.md").read_text("utf-8")
PICTURE: Final = ROOT / "deploy" / "pictures" / "screen.svg"
RECORDING: Final = ROOT / "deploy" / "pictures" / "first-session.cast"
PICTURED_TURN: Final = 7
TITLE: Final = "The screen of a game of Quatch in a terminal of 80 by 24"


class Recorded:
    """One session: the pictured screen as text and as SVG, and the recording."""

    def __init__(self) -> None:
        self.shown = self.picture = ""
        self.cast = in_virtual_time(recorded_session)(self._at_turn)

    def _at_turn(self, turn: int, screen: Emulator) -> None:
        if turn == PICTURED_TURN:
            self.shown = f"{shown_by(screen)} {suggested_by(screen)}"
            self.picture = svg(screen, TITLE)


@pytest.fixture(scope="module")
def recorded() -> Iterator[Recorded]:
    """The session, the same in every run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "choice", Random(7).choice)
        yield Recorded()


def test_the_picture_is_current(recorded: Recorded) -> None:
    """Made anew, it is the same to the byte. The README shows it."""
    write_if_asked(PICTURE, recorded.picture)
    assert PICTURE.read_text("utf-8") == recorded.picture, "the picture is old: make pictures"
    assert f"]({PICTURE.relative_to(ROOT)})" in README


def test_the_recorded_session_goes_on_to_a_second_game(recorded: Recorded) -> None:
    """From the lobby to the good-bye. It is written anew if a table looks otherwise, not for a word in the lobby."""
    if not RECORDING.exists() or at_the_table(RECORDING.read_text("utf-8")) != at_the_table(recorded.cast):
        write_if_asked(RECORDING, recorded.cast)
    for cast in (RECORDING.read_text("utf-8"), recorded.cast):
        shown = screens(cast)
        assert any("lobby>" in screen for screen in shown)
        assert sum("YOUR TURN" in screen for screen in shown) > 10
        assert any("game over" in screen for screen in shown)
        assert "Good-bye" in shown[-1]
    assert f"asciinema play {RECORDING.relative_to(ROOT)}" in README


def at_the_table(cast: str) -> list[str]:
    """The screens of a recording without those of the lobby."""
    return [screen for screen in screens(cast) if "lobby>" not in screen]


def write_if_asked(file: Path, content: str) -> None:
    """Write a picture anew if the environment says so."""
    if os.environ.get("GOLDENS") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(content, "utf-8")
