"""Windows that are too small for the screen: plain lines while they are, and the screen again by itself."""

import asyncio

import pytest

from server.limits import PLAYER_REQUESTS, RESIZE_SECONDS
from server.terminal.terminal import RESTORE
from tests.support.each import for_each
from tests.support.emulator import SETTLED, TerminalPlayer, at_a_table, begin_together, people
from tests.support.features import FEATURES

pytestmark = pytest.mark.virtual_time


def lines_of(ana: TerminalPlayer) -> str:
    """What was said in lines: everything but spaces at the end of rows."""
    return "\n".join(row.rstrip() for row in ana.transport.screen.display).strip()


def sent_to(ana: TerminalPlayer, after: int = 0) -> str:
    """All that was sent after so many pieces, whether or not it has scrolled away, however it was broken."""
    return " ".join(b"".join(ana.transport.writes[after:]).decode().split())


def ply_of(ana: TerminalPlayer) -> int:
    """How far the game has come that she sees."""
    snapshot = ana.session.player_session.snapshot
    assert snapshot is not None
    return snapshot.ply


@for_each("small", [(59, 20), (60, 19), (40, 12), (20, 5)])
async def test_a_window_made_small_tells_the_table_in_lines_and_a_larger_one_draws_it_again(
    small: tuple[int, int],
) -> None:
    """At once both times, without a key; what was being typed is neither lost nor carried out."""
    async with at_a_table() as ana:
        ply = ply_of(ana)
        await ana.send(b"kin")
        before = len(ana.transport.writes)
        await ana.resize(*small)
        assert b"".join(ana.transport.writes[before:]).startswith(RESTORE.encode()), "no frame is drawn before"
        assert lines_of(ana).endswith("> kin")
        assert "You can play a king." in sent_to(ana, before)
        await ana.resize(80, 24)
        assert ana.shown.endswith("play> kin")
        assert "YOUR TURN" in ana.shown
        assert ply_of(ana) == ply


async def test_a_small_window_is_told_why_and_can_be_played_in() -> None:
    """Lines are broken between words; a move counts; the screen that comes back shows it."""
    async with at_a_table() as ana:
        await ana.resize(45, 30)
        told = lines_of(ana)
        assert "This window is smaller than 60 by 20, so\n  here are plain lines." in told
        assert "\nYou are at table 1: quit keeps your" in told
        assert "The screen comes by itself when the window\n  is larger." in told
        ply = ply_of(ana)
        await ana.type("k k")
        assert ply_of(ana) > ply
        assert "You play two kings." in lines_of(ana)
        await ana.resize(60, 20)
        assert "You play two kings." in ana.shown
        assert ana.shown.endswith(">")


async def test_a_small_window_that_grows_gets_the_screen() -> None:
    """With suit signs: the terminal is asked what it can show before the first frame."""
    async with at_a_table(size=(50, 24)) as ana:
        assert "YOUR TURN" not in ana.shown
        await ana.resize(80, 24)
        assert "(K\u2666\u2660)" in ana.shown
        assert ana.shown.endswith("play>")


async def test_chosen_lines_stay_at_any_size() -> None:
    """No screen comes that was not asked for, nor is the size spoken of."""
    async with at_a_table("mode line") as ana:
        await ana.resize(40, 12)
        await ana.resize(120, 40)
        assert "YOUR TURN" not in ana.shown
        assert "smaller than" not in ana.shown


async def test_a_screen_that_is_chosen_in_a_small_window_comes_when_there_is_space_for_it() -> None:
    """The choice is taken, and what it waits for is said."""
    async with at_a_table("mode line") as ana:
        await ana.resize(50, 24)
        await ana.type("set mode screen")
        assert "Set: mode screen." in lines_of(ana)
        assert "smaller than 60 by 20" in lines_of(ana)
        await ana.resize(80, 24)
        assert ana.shown.endswith("play>")


@for_each("pause", [0, 0.01, RESIZE_SECONDS, 2 * RESIZE_SECONDS])
async def test_a_window_dragged_about_its_least_size_ends_in_its_last_size(pause: float) -> None:
    """However fast the sizes come; what is typed meanwhile is neither lost nor carried out."""
    async with at_a_table() as ana:
        await drag(ana, (59, 60, 59, 61, 58, 60, 59), b"kin", pause)
        assert lines_of(ana).endswith("You can play a king.\n> kin")
        await drag(ana, (60, 59, 58, 59, 61, 60, 60), b"gs", pause)
        assert ana.shown.endswith("play> kings")


async def drag(ana: TerminalPlayer, widths: tuple[int, ...], keys: bytes, pause: float) -> None:
    """Give the window these widths one after the other, type a key between them, and let it settle at the end."""
    for at, columns in enumerate(widths):
        ana.transport.screen.resize(20, columns)
        ana.terminal.resize(columns, 20)
        ana.terminal.feed(keys[at : at + 1])
        await asyncio.sleep(pause)
    await asyncio.sleep(SETTLED)


async def test_a_page_that_is_open_goes_on_in_lines() -> None:
    """What it held is told; after that a move is a move."""
    async with at_a_table() as ana:
        await ana.type("help")
        assert ana.shown.endswith("Enter goes back>")
        before, ply = len(ana.transport.writes), ply_of(ana)
        await ana.resize(50, 24)
        assert "You can type the following." in sent_to(ana, before)
        assert "You can play a king." in sent_to(ana, before)
        await ana.type("k k")
        assert ply_of(ana) > ply
        await ana.resize(80, 24)
        assert "You play two kings." in ana.shown
        assert ana.shown.endswith(">")
        assert "Enter goes" not in ana.shown


async def test_a_window_made_small_while_a_command_has_to_wait_is_told_in_lines_at_once() -> None:
    """The command is carried out all the same, and answered in lines."""
    async with at_a_table() as ana:
        ana.terminal.feed(b"back\r" * int(PLAYER_REQUESTS.share.burst) * 2 + b"set cards words\rturn\r")
        await asyncio.sleep(SETTLED)
        before = len(ana.transport.writes)
        await ana.resize(50, 24)
        assert "plain lines" in sent_to(ana, before)
        assert "Set: cards words." not in sent_to(ana, before)
        await asyncio.sleep(60)
        assert "Set: cards words." in sent_to(ana, before)
        assert "too small" not in sent_to(ana)


@pytest.mark.parametrize("term", ["xterm", "dumb"])
async def test_lines_are_broken_between_words_if_the_width_is_known(term: str) -> None:
    """In small windows and in large ones. A terminal that tells no size breaks them itself."""
    line = "    " + "three 10s and a queen " * 5 + "x" * 90 + " end."
    async with at_a_table("mode line", term=term) as ana:
        for columns, first in (
            (80, "    three 10s and a queen three 10s and a queen three 10s and a queen three 10s"),
            (40, "    three 10s and a queen three 10s and"),
        ):
            await ana.resize(columns, 24)
            before = len(ana.transport.writes)
            ana.session.player_session.note(line)
            rows = b"".join(ana.transport.writes[before:]).decode().removeprefix("\r").split("\r\n")[:-1]
            assert max(map(len, rows)) < columns
            assert rows[0] == first
            assert "".join(rows).replace(" ", "") == line.replace(" ", "")
        await ana.resize(0, 0)
        ana.session.player_session.note(line)
        assert f"{line}\r\n" in b"".join(ana.transport.writes).decode()


async def test_talk_scrolls_off_a_small_window_with_the_log() -> None:
    """It stands below the log, and would look new for ever."""
    async with people("ana", "bo", size=(60, 20), features=FEATURES) as (ana, bo):
        await begin_together(ana, bo)
        await bo.type("/hello")
        assert "bo: hello" in ana.shown
        for number in range(30):
            ana.session.player_session.note(f"Move {number}.")
        assert "Move 29." in await ana.type("")
        assert "bo: hello" not in ana.shown
        await bo.type("/still there")
        assert "bo: still there" in ana.shown
