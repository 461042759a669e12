"""What the line suggests in faint text: a move, a game; and which keys take it over."""

import asyncio
import re
from contextlib import AsyncExitStack

import pytest

from server.config import Config
from server.lobby.lobby import Lobby
from server.storage.memory_log import MemoryLog
from tests.support.emulated_screen import suggested_by
from tests.support.emulator import SETTLED, TerminalPlayer
from tests.support.features import FEATURES
from tests.support.keys import (
    CTRL_E,
    CTRL_W,
    LEFT,
    RIGHT,
)
from tests.support.screens import viewer
from tests.support.tables import known_seeds

pytestmark = pytest.mark.virtual_time


@pytest.mark.parametrize("key", [RIGHT, CTRL_E, b"\x1b[F"])
async def test_a_faint_suggestion_stands_behind_the_cursor_until_a_key_takes_it_over(key: bytes) -> None:
    """Enter on the empty line sends none of it."""
    async with viewer() as ana:
        ana.guide.moves = ["7", "7 7", "k"]
        ana.mode.refresh()
        assert await ana.type(b"\r") == ">"
        assert ana.suggestion() == "7"
        assert b"\x1b[0;2m7" in b"".join(ana.transport.writes), "faint (SGR 2), whatever the colours"
        assert ana.transport.screen.cursor.x == 2
        assert ana.typed == [""]
        assert await ana.type(key) == "> 7"
        assert ana.suggestion() == ""
        await ana.type(b"\r")
        assert ana.typed == ["", "7"]


async def test_right_takes_over_the_suggestion_and_then_walks_on_through_the_moves() -> None:
    """Left walks back; in a line that was typed both move the cursor."""
    async with viewer() as ana:
        ana.guide.moves = ["7", "7 7", "k"]
        ana.mode.refresh()
        shown = [await ana.type(key) for key in (RIGHT, RIGHT, RIGHT, LEFT, LEFT, b" ", RIGHT)]
        assert shown == ["> 7", "> k", "> 7", "> k", "> 7", "> 7 7", "> k"]
        assert await ana.type(b"\x7f", b"79", LEFT, b"8") == "> 789"


async def test_what_is_typed_narrows_the_suggestion() -> None:
    """It is the rest of a line that begins so; a whole move, or a cursor inside the line, has none."""
    async with viewer() as ana:
        ana.guide.moves = ["s q 6", "ready", "7", "7 7"]
        ana.mode.refresh()
        for keys, suggestion in ((b"R", "eady"), (b"\x7fs", " q 6"), (LEFT, ""), (RIGHT, " q 6"), (b"\x7f7", "")):
            await ana.type(keys)
            assert ana.suggestion() == suggestion
        assert await ana.type(b"\x7fs", RIGHT) == "> s q 6"
        assert await ana.type(CTRL_W, CTRL_W, b"z") == "> s z"
        assert ana.suggestion() == ""


async def test_a_suggestion_never_makes_the_row_too_long() -> None:
    """At every length of the typed text, in the smallest window."""
    async with viewer(60, 20) as ana:
        ana.guide.moves = ["x" * 58 + "\u6f22" * 20]
        ana.mode.refresh()
        for _ in range(60):
            await ana.type(b"x")
            assert ana.transport.screen.display[-1].endswith("  "), (
                "one column for the cursor, and the last is never used"
            )
        assert ana.transport.screen.cursor.y == 19


async def test_the_screen_suggests_a_game_and_in_it_a_move() -> None:
    """In the lobby `play`, between games `start`, at one's turn what the right arrow key would show."""
    async with AsyncExitStack() as leaving:
        ana = await at_terminal("ana", leaving)
        assert suggested_by(ana.transport.screen) == "play"
        await ana.send(RIGHT)
        assert ana.shown.endswith("lobby> play")
        await ana.send(b" life\r")
        await ana.type("ready")
        assert ana.shown.endswith("play>")
        suggestion = suggested_by(ana.transport.screen)
        assert suggestion
        before = ana.shown.split("\n")[0]
        await ana.send(b"\r\r\r")
        assert ana.shown.split("\n")[0] == before, "Enter alone never moves"
        await ana.send(CTRL_E)
        assert ana.shown.endswith(f"play> {suggestion}")
        await ana.type("")
        assert ana.shown.split("\n")[0] != before, "the move was made"
        await ana.send(b"\x03")
        await ana.type("leave", "leave", "new life", "set colour contrast")
        assert suggested_by(ana.transport.screen) == "", "what is faint has little contrast"


@pytest.mark.parametrize(("typed", "title"), [("r", "rules"), ("? typing", "help typing"), ("rul  life", "rules life")])
async def test_a_page_is_called_by_its_command_in_full(typed: str, title: str) -> None:
    """Not by the letter that was typed."""
    async with AsyncExitStack() as leaving:
        ana = await at_terminal("ana", leaving)
        await ana.type(typed)
        assert re.match(rf" {title}(   .*)?\n", ana.shown)


@pytest.mark.parametrize("term", ["dumb", "xterm"])
async def test_plain_lines_hold_no_suggestion(term: str) -> None:
    """A dumb terminal, and a window that is too small for the screen."""
    async with AsyncExitStack() as leaving:
        ana = await at_terminal("ana", leaving, term=term, size=(50, 24))
        await ana.send(RIGHT + CTRL_E)
        await ana.type("play life", "ready")
        sent = b"".join(ana.transport.writes)
        assert b"[0;2m" not in sent
        assert sent.endswith(b"> ")


async def at_terminal(
    name: str, leaving: AsyncExitStack, term: str = "xterm-256color", size: tuple[int, int] = (80, 24)
) -> TerminalPlayer:
    """A player in the lobby of a new server."""
    lobby = Lobby(Config(pace=0), MemoryLog(), new_seed=known_seeds(), features=FEATURES)
    await lobby.open()
    person = TerminalPlayer(lobby, name, size, term)
    leaving.push_async_callback(lobby.close)
    leaving.push_async_callback(person.go)
    await asyncio.sleep(SETTLED)
    return person
