"""The pictures in `deploy/pictures`: a screen for the README, and a newcomer's first session for `asciinema play`.

Both are made from one session by `make pictures`, anew after a change of what is shown.
"""

import asyncio
import json
import os
import re
import secrets
from collections.abc import Callable, Iterator
from html import escape
from itertools import count, groupby
from pathlib import Path
from random import Random
from typing import Final

import pyte
import pytest
from pyte.screens import Char

from engine.ai import LEVELS
from engine.wording.typed_moves import typed_form
from server.config import Config
from server.lobby.lobby import Lobby
from server.storage.sqlite_database import MemoryDatabase
from tests.support.asciicast import screens
from tests.support.emulated_screen import Emulator, shown_by, suggested_by
from tests.support.emulator import EmulatorTransport, TerminalPlayer, opened
from tests.support.features import FEATURES
from tests.support.virtual_time import in_virtual_time

SEED: Final = "5eed" * 16
WALL: Final = 1_800_000_000.0
"""When it was recorded, in seconds since 1970."""
KEY_SECONDS: Final = 0.15
THINKING_SECONDS: Final = 1.5
READING_SECONDS: Final = 3.0
"""How long the player takes for a key, before a move, and to read a new screen."""

LESSON: Final = ("i play the 9", "both 9s", "the king", "pick up", "8")
ARRANGED: Final = ("what should i swap?", "swap the king and the 4", "ready")
QUESTIONS: Final = {3: "what should i do?", 6: "what does the 10 do?"}
"""What the player says in the lesson, before the first card, and at some turns of the game."""


class RecordingTransport(EmulatorTransport):
    """A connection to an emulator that remembers what was sent, and when."""

    def __init__(self, columns: int, rows: int, answer: Callable[[bytes], None]) -> None:
        super().__init__(columns, rows, answer)
        self.written: list[tuple[float, str]] = []

    def write(self, data: bytes) -> None:
        """Show it, and remember it."""
        super().write(data)
        self.written.append((asyncio.get_running_loop().time(), data.decode()))


async def recorded_session(at_turn: Callable[[int, Emulator], None]) -> str:
    """A newcomer's first session, as an asciicast: the lesson's first steps, a game to its result, and another one.

    ``at_turn`` takes the screen each time when it is the player's turn in the game, with the number of the turn.
    """
    lobby = Lobby(Config(grace=0), MemoryDatabase(), new_seed=lambda: SEED, wall=lambda: WALL, features=FEATURES)
    async with opened(lobby):
        ana = TerminalPlayer(lobby, "ana", transport=RecordingTransport)
        await asyncio.sleep(READING_SECONDS)
        for line in ("how do i play?", "", *LESSON, "leave", "play with two computers", *ARRANGED):
            await type_slowly(ana, line)
            await asyncio.sleep(READING_SECONDS)
        chance, turns = Random(3), count(1)
        while (view := ana.session.player_session.view) is not None and view.phase != "over":
            if view.to_move == view.seat:
                await asyncio.sleep(THINKING_SECONDS)
                turn = next(turns)
                at_turn(turn, ana.transport.screen)
                if turn in QUESTIONS:
                    await type_slowly(ana, QUESTIONS[turn])
                    await asyncio.sleep(READING_SECONDS)
                await type_slowly(ana, typed_form(LEVELS["hard"](view, chance)))
            await asyncio.sleep(KEY_SECONDS)
        await asyncio.sleep(2 * READING_SECONDS)
        for line in ("gg", "", "bye", "bye"):
            await type_slowly(ana, line)
            await asyncio.sleep(READING_SECONDS)
        await ana.go()
    assert isinstance(ana.transport, RecordingTransport)
    head = {"version": 2, "width": 80, "height": 24, "timestamp": int(WALL), "title": "A first session of Quatch"}
    lines = [
        head | {"env": {"TERM": "xterm-256color"}},
        *([round(at, 3), "o", text] for at, text in ana.transport.written),
    ]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


async def type_slowly(player: TerminalPlayer, line: str) -> None:
    """Type a line at the pace of a person."""
    for key in f"{line}\r":
        player.terminal.feed(key.encode())
        await asyncio.sleep(KEY_SECONDS)


CELL: Final = (9, 20)
"""The width and height of a cell; the width of a letter is 0.6 of `FONT_SIZE` in the usual fonts."""
FONT_SIZE: Final = 15
BASELINE: Final = 15
MARGIN: Final = 14
FONTS: Final = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
BACKGROUND: Final = "#0d1117"
COLOURS: Final = {
    "default": "#e6edf3",
    "red": "#ff8f87",
    "green": "#7ee787",
    "brown": "#e3b341",
    "blue": "#8cc8ff",
    "magenta": "#d2a8ff",
    "cyan": "#76e3ea",
}
"""The names are those of pyte."""
FAINT: Final = 0.65
"""How much of its colour a faint text has; the rest is background."""
ACROSS: Final = "\u2500"
STROKES: Final = {
    ACROSS: "m0 10h9",
    "\u2502": "m4.5 0v20",
    "\u256d": "m9 10q-4.5 0-4.5 10",
    "\u256e": "m0 10q4.5 0 4.5 10",
    "\u2570": "m9 10q-4.5 0-4.5-10",
    "\u256f": "m0 10q4.5 0 4.5-10",
}
"""The characters of lines, as paths from the top left corner of their cell."""


def svg(screen: pyte.Screen, title: str) -> str:
    """The screen of an emulator as an SVG for a page; the title is what a screen reader says.

    Each text is as wide as its cells, whatever font the reader has. Lines are drawn, not written, so that they join.
    It has a background of its own, on which each colour can be read.
    """
    width, height = screen.columns * CELL[0] + 2 * MARGIN, screen.lines * CELL[1] + 2 * MARGIN
    frame = f'x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8" fill="{BACKGROUND}" stroke="#6e7681"'
    text = f'font-family="{FONTS}" font-size="{FONT_SIZE}" fill="{COLOURS["default"]}"'
    cursor = f'x="{screen.cursor.x * CELL[0]}" y="{screen.cursor.y * CELL[1] + 1}" width="2" height="18"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<rect {frame}/>",
        f'<g transform="translate({MARGIN} {MARGIN})" {text}>',
        *(drawn for y in range(screen.lines) for drawn in _row(screen, y)),
        f"<rect {cursor}/>",
        "</g>",
        "</svg>",
    ]
    return "".join(f"{line}\n" for line in lines)


def _row(screen: pyte.Screen, y: int) -> Iterator[str]:
    """Texts and lines. A text ends where its style changes, and where letters meet signs, perhaps of another font."""
    cells = [(x, screen.buffer[y][x]) for x in range(screen.columns)]
    for _, group in groupby(cells, lambda at: (at[1]._replace(data=""), at[1].data.isascii())):
        (x, char), *more = group
        text = char.data + "".join(cell.data for _, cell in more)
        ink, left, top = colour(char), x * CELL[0], y * CELL[1]
        if char.reverse:
            yield f'<rect x="{left}" y="{top}" width="{len(text) * CELL[0]}" height="{CELL[1]}" fill="{ink}"/>'
            ink = BACKGROUND
        if char.data in STROKES:
            yield f'<path d="{_path(text, left, top)}" stroke="{ink}" fill="none"/>'
        else:
            yield from _texts(text, (left, top + BASELINE), ink, bold=char.bold)


def _path(strokes: str, left: int, top: int) -> str:
    """The path of characters side by side, those across as one line."""
    found = re.finditer(f"{ACROSS}+|.", strokes)
    parts = ((left + part.start() * CELL[0], part[0]) for part in found)
    return "".join(f"M{x} {top}{STROKES[part[0]].replace('h9', f'h{len(part) * CELL[0]}')}" for x, part in parts)


def _texts(text: str, at: tuple[int, int], ink: str, *, bold: bool) -> Iterator[str]:
    """A text of one style, in parts where there is more than one space."""
    style = f' fill="{ink}"' * (ink != COLOURS["default"]) + ' font-weight="bold"' * bold
    for part in re.finditer(r"\S+(?: \S+)*", text):
        width = len(part[0]) * CELL[0]
        yield (
            f'<text x="{at[0] + part.start() * CELL[0]}" y="{at[1]}" textLength="{width}" '
            f'lengthAdjust="spacingAndGlyphs"{style}>{escape(part[0], quote=False)}</text>'
        )


def colour(char: Char) -> str:
    """The colour of a character, in hexadecimal. The emulator of the tests has italics for faint text."""
    ink = COLOURS[char.fg]
    if not char.italics:
        return ink
    mixed = (FAINT * one + (1 - FAINT) * other for one, other in zip(channels(ink), channels(BACKGROUND), strict=True))
    return "#" + "".join(f"{round(channel):02x}" for channel in mixed)


def channels(colour: str) -> list[int]:
    """Red, green and blue of a colour like #0d1117."""
    return [*bytes.fromhex(colour[1:])]


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
