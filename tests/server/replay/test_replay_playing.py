"""A replay that plays by itself: at a pace, until a key, a game or the end of the session stops it."""

import asyncio

import pytest

from server.fair_queue import FairQueue, Payer
from server.replay.playback import Playback
from server.replay.view import ReplayView
from tests.server.replay.replays import GAME, LENGTH, answer, at_a_replay, hints, progress
from tests.support.each import for_each
from tests.support.emulator import TerminalPlayer
from tests.support.front_end import Remembering
from tests.support.keys import ESC, HOME, LEFT, RIGHT

pytestmark = pytest.mark.virtual_time
WRONG_SECONDS = ("0", "0.1", "61", "x", "-1", "nan", "1 2")


async def test_a_replay_plays_by_itself_at_a_pace() -> None:
    """A move every second or as was asked, to the end; the pace of the last time counts again."""
    async with at_a_replay("xterm-256color") as (_, ana):
        await ana.send(b" ")
        assert answer(ana) == "A move every second: Space stops it."
        assert hints(ana).startswith("Space stops")
        assert progress(ana) == f"0 of {LENGTH}"
        await asyncio.sleep(3)
        assert progress(ana) == f"3 of {LENGTH}"
        await ana.send(b" ")
        assert not answer(ana)
        assert hints(ana).startswith("Left/Right move")
        await asyncio.sleep(10)
        assert progress(ana) == f"3 of {LENGTH}"
        await ana.type("play 2.5")
        assert answer(ana) == "A move every 2.5 seconds: Space stops it."
        await asyncio.sleep(5)
        assert progress(ana) == f"5 of {LENGTH}"
        await ana.send(b"\r")
        await ana.type("end", "back")
        await ana.send(b" ")
        await asyncio.sleep(2.5)
        assert progress(ana) == f"{LENGTH} of {LENGTH}"
        assert answer(ana).startswith("That is the end: b goes")
        assert hints(ana).startswith("Left/Right move")


@for_each(
    ("key", "ply"),
    [(b" ", 2), (b"\r", 2), (ESC, 2), (b"\x03", 2), (RIGHT, 3), (LEFT, 1), (HOME, 0), (b"7", 2), (b"\x0c", 2)],
)
async def test_any_key_stops_it(key: bytes, ply: int) -> None:
    """Space, Enter, Esc and Ctrl-C do nothing else; other keys do what they always do."""
    async with at_a_replay("xterm-256color") as (_, ana):
        await ana.send(b" ")
        await asyncio.sleep(2)
        await ana.send(key)
        await asyncio.sleep(5)
        assert progress(ana) == f"{ply} of {LENGTH}"
        assert not answer(ana)
        assert ana.shown.split("\n")[-1] == ("replay> 7" if key == b"7" else "replay>")


async def test_lines_play_a_replay_in_words_and_enter_or_a_letter_stops_it() -> None:
    """A screen reader has more time for each move."""
    async with at_a_replay("dumb") as (_, ana):
        assert "A move every 3 seconds: Enter stops it." in await ana.type("play")
        await asyncio.sleep(6)
        assert f"Move 2 of {LENGTH}." in ana.shown
        assert "Stopped. Type play to go on." in await ana.type("")
        await asyncio.sleep(10)
        assert f"Move 3 of {LENGTH}." not in ana.shown
        await ana.type("play 1")
        await ana.send(b"w")
        await asyncio.sleep(5)
        assert f"Move 3 of {LENGTH}." not in ana.shown
        assert f"Move 12 of {LENGTH}." in await ana.type("\x15next 10", "back 2")
        assert f"Move 10 of {LENGTH}." in ana.shown


@for_each(
    ("line", "said"),
    [
        *((f"play {wrong}", "Type the seconds for a move behind play, from 0.2 to 60.") for wrong in WRONG_SECONDS),
        ("next x", "Type a number behind next."),
        ("back -1", "Type a number behind back."),
        ("move", "Type a number behind move."),
        ("seat 9", "There are seats 1 to 2, not 9."),
    ],
)
async def test_a_wrong_number_is_answered_in_one_line(line: str, said: str) -> None:
    """It says what would be right, and nothing moves."""
    async with at_a_replay("xterm-256color") as (_, ana):
        await ana.type(line)
        assert answer(ana) == said
        await asyncio.sleep(5)
        assert progress(ana) == f"0 of {LENGTH}"


async def test_it_goes_on_when_a_game_begins_and_stops_when_the_person_hangs_up() -> None:
    """No task is left that would go on."""
    async with at_a_replay("xterm-256color") as (lobby, ana):
        bo = TerminalPlayer(lobby, "bo")
        await bo.type("sit 1")
        await ana.type("play 60")
        playing = len(asyncio.all_tasks())
        await bo.type("start")
        assert "It is your turn: leave goes back to the table." in ana.shown
        assert len(asyncio.all_tasks()) >= playing
        await ana.go()
        await bo.go()
        assert playing > len(asyncio.all_tasks())


async def test_the_pace_is_that_of_the_present_mode() -> None:
    """The replay of a file is opened before the screen is there."""
    front_end = Remembering()
    view = ReplayView(Playback(GAME), front_end)
    assert view.play(None) == ["A move every 3 seconds: Enter stops it."]
    front_end.is_drawn = True
    assert view.play(None) == ["A move every second: Space stops it."]
    view.stop()


async def test_a_replay_that_plays_is_charged_to_its_player() -> None:
    """As if the player had typed."""
    queue = FairQueue()
    view = ReplayView(Playback(GAME), Remembering())

    async def play() -> None:
        view.play(1.0)

    await Payer(queue.address()).run(play())
    charged = queue.charged
    await asyncio.sleep(3.5)
    assert view.progress.at == 3
    assert queue.charged > charged
    view.stop()
