"""Windows that are too small for the screen: plain lines while they are, and the screen again by itself."""

import pytest

from tests.server.emulator import Sitting
from tests.server.test_looks import at_a_table
from tests.server.virtual_time import in_virtual_time


def lines_of(ana: Sitting) -> str:
    """What was said in lines: everything but spaces at the end of rows."""
    return "\n".join(row.rstrip() for row in ana.carrier.screen.display).strip()


@pytest.mark.parametrize("small", [(59, 20), (60, 19), (40, 12), (20, 5)])
@in_virtual_time
async def test_a_window_made_small_tells_the_table_in_lines_and_a_larger_one_draws_it_again(
    small: tuple[int, int],
) -> None:
    """At once both times, without a key; what was being typed is neither lost nor carried out."""
    async with at_a_table() as ana:
        ply = ana.session.visit.ply
        await ana.send(b"kin")
        await ana.resize(*small)
        told = lines_of(ana)
        assert told.endswith("> kin")
        if small[1] > 10:
            assert "You can play king." in " ".join(told.split())
        await ana.resize(80, 24)
        assert ana.shown.endswith("play> kin")
        assert "YOUR TURN" in ana.shown
        assert ana.session.visit.ply == ply


@in_virtual_time
async def test_a_small_window_is_told_why_and_can_be_played_in() -> None:
    """Lines are broken between words; a move counts; the screen that comes back shows it."""
    async with at_a_table() as ana:
        await ana.resize(45, 30)
        told = lines_of(ana)
        assert "This window is smaller than 60 by 20, so\n  here are plain lines." in told
        assert "The screen comes by itself when the window\n  is larger." in told
        ply = ana.session.visit.ply
        await ana.type("k k")
        assert ana.session.visit.ply > ply
        assert "You play two kings." in lines_of(ana)
        await ana.resize(60, 20)
        assert "You play two kings." in ana.shown
        assert ana.shown.endswith(">")


@in_virtual_time
async def test_who_comes_in_by_a_small_window_has_the_screen_when_it_grows() -> None:
    """With suit signs: the terminal is asked what it can show before the first frame."""
    async with at_a_table(size=(50, 24)) as ana:
        assert "YOUR TURN" not in ana.shown
        await ana.resize(80, 24)
        assert "(K\u2666\u2660)" in ana.shown
        assert ana.shown.endswith("play>")


@in_virtual_time
async def test_who_chose_lines_keeps_them_at_any_size() -> None:
    """No screen comes that was not asked for, nor is the size spoken of."""
    async with at_a_table("mode line") as ana:
        await ana.resize(40, 12)
        await ana.resize(120, 40)
        assert "YOUR TURN" not in ana.shown
        assert "smaller than" not in ana.shown


@in_virtual_time
async def test_a_screen_that_is_chosen_in_a_small_window_comes_when_there_is_space_for_it() -> None:
    """The choice is taken, and what it waits for is said."""
    async with at_a_table("mode line") as ana:
        await ana.resize(50, 24)
        await ana.type("set mode screen")
        assert "Set: mode screen." in lines_of(ana)
        assert "smaller than 60 by 20" in lines_of(ana)
        await ana.resize(80, 24)
        assert ana.shown.endswith("play>")


@in_virtual_time
async def test_a_window_dragged_about_its_least_size_ends_as_it_is_let_go() -> None:
    """Each change counts, in whichever order, and the last one is what is shown."""
    async with at_a_table() as ana:
        for columns in (59, 60, 59, 61, 58, 60, 59) * 5:
            await ana.resize(columns, 20)
        assert "plain lines" in " ".join(lines_of(ana).split())
        await ana.resize(60, 20)
        assert ana.shown.endswith("play>")
