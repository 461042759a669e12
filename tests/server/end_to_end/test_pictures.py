"""The pictures in `deploy/pictures`: a screen for the README, and a whole game for `asciinema play`.

Both are made from one game by `make pictures`, anew after a change of what is shown.
"""

import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final
from xml.etree import ElementTree as ET

import pyte
import pytest

from tests.support.asciicast import screen_by_screen, screens
from tests.support.emulated_screen import shown_by, suggested_by
from tests.support.picture import BACKGROUND, BASELINE, CELL, STROKES, channels, svg
from tests.support.recording import recorded_game
from tests.support.virtual_time import in_virtual_time

ROOT: Final = Path(__file__).parents[3]
README: Final = (ROOT / "README.md").read_text("utf-8")
PICTURE: Final = ROOT / "deploy" / "pictures" / "screen.svg"
RECORDING: Final = ROOT / "deploy" / "pictures" / "game.cast"
FIRST_SESSION: Final = ROOT / "deploy" / "pictures" / "first-session.cast"
PICTURED_TURN: Final = 8
TITLE: Final = "The screen of a game of Quatch in a terminal of 80 by 24"
LEAST_CONTRAST: Final = 4.5
"""For text that everybody can read (WCAG 2.2, success criterion 1.4.3)."""


class Recorded:
    """One game: the pictured screen as text and as SVG, and the recording."""

    def __init__(self) -> None:
        self.shown = self.picture = ""
        self.cast = in_virtual_time(recorded_game)(self._at_turn)

    def _at_turn(self, turn: int, screen: pyte.Screen) -> None:
        if turn == PICTURED_TURN:
            self.shown = f"{shown_by(screen)} {suggested_by(screen)}"
            self.picture = svg(screen, TITLE)


@pytest.fixture(scope="module")
def recorded() -> Iterator[Recorded]:
    """The game, the same in every run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "choice", Random(7).choice)
        yield Recorded()


def test_the_picture_is_current(recorded: Recorded) -> None:
    """Made anew, it is the same to the byte. The README shows it."""
    write_if_asked(PICTURE, recorded.picture)
    assert PICTURE.read_text("utf-8") == recorded.picture, "the picture is old: make pictures"
    assert f"]({PICTURE.relative_to(ROOT)})" in README


def test_the_recorded_game_plays_to_its_end(recorded: Recorded) -> None:
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


def test_the_first_session_comes_to_its_second_game_within_ten_minutes() -> None:
    """It was recorded at a real ssh, where somebody types natural words. `make pictures` leaves it as it is."""
    shown = [(seconds, shown_by(screen)) for seconds, screen in screen_by_screen(FIRST_SESSION.read_text("utf-8"))]
    over = next(at for at, (_, screen) in enumerate(shown) if "game over" in screen)
    assert any("step 1 of 14" in screen for _, screen in shown[:over])
    assert next(seconds for seconds, screen in shown[over:] if "arranging" in screen) < 600
    assert "Good-bye" in shown[-1][1]
    assert FIRST_SESSION.name in README


def at_the_table(cast: str) -> list[str]:
    """The screens of a recording without those of the lobby."""
    return [screen for screen in screens(cast) if "lobby>" not in screen]


def write_if_asked(file: Path, content: str) -> None:
    """Write a picture anew if the environment says so."""
    if os.environ.get("GOLDENS") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(content, "utf-8")


def test_each_text_of_the_picture_is_in_its_cells(recorded: Recorded) -> None:
    """As wide as on the screen, whatever the font."""
    cells = [[" "] * 80 for _ in range(24)]
    for text in ET.fromstring(recorded.picture).findall(".//{*}text"):  # noqa: S314 - it is our own
        content, (x, y) = text.text or "", (int(text.attrib[key]) for key in "xy")
        assert int(text.attrib["textLength"]) == len(content) * CELL[0]
        at = x // CELL[0]
        cells[(y - BASELINE) // CELL[1]][at : at + len(content)] = content
    letters = re.sub(f"[{''.join(STROKES)}]", " ", recorded.shown)
    assert ["".join(row).rstrip() for row in cells] == [row.rstrip() for row in letters.split("\n")]


def test_each_colour_of_the_picture_can_be_read(recorded: Recorded) -> None:
    """Text on its background, whatever page is around it."""
    inks = set(re.findall(r'<text[^>]* fill="(#\w{6})"', recorded.picture)) - {BACKGROUND}
    assert len(inks) >= 5
    assert {ink: contrast(ink, BACKGROUND) for ink in inks if contrast(ink, BACKGROUND) < LEAST_CONTRAST} == {}


def contrast(one: str, other: str) -> float:
    """How far two colours are apart, from 1 to 21 (WCAG 2.2, contrast ratio)."""
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """From 0 for black to 1 for white (WCAG 2.2, relative luminance)."""
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in channels(colour))
    ]
    return sum(part * value for part, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
