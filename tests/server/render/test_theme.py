"""How one screen looks to different people: with colours or without, letters, signs or words; and what Enter offers."""

import asyncio
import re
from random import Random

import pytest

from server.limits import RESIZE_SECONDS
from tests.support.each import for_each
from tests.support.emulator import TerminalPlayer, at_a_table, people

pytestmark = pytest.mark.virtual_time
SIGNS = "\u2663\u2666\u2665\u2660"


def style_of(ana: TerminalPlayer, text: str) -> tuple[str, bool, bool]:
    """The colour of a text that the screen shows, whether it is bold, and whether reversed."""
    screen = ana.transport.screen
    y, x = next((y, row.index(text)) for y, row in enumerate(screen.display) if text in row)
    cell = screen.buffer[y][x]
    return cell.fg, cell.bold, cell.reverse


@for_each(
    ("chosen", "seven", "king"),
    [
        ((), " 7\u2663\u2665 ", "(K\u2666\u2660)"),
        (("cards letters",), " 7ch ", "(Kds)"),
        (("cards suits",), " 7\u2663\u2665 ", "(K\u2666\u2660)"),
        (("cards words",), " 2x 7 ", "(2x king)"),
    ],
)
async def test_cards_look_as_was_chosen(chosen: tuple[str, ...], seven: str, king: str) -> None:
    """What can be played stands in parentheses in each of them."""
    async with at_a_table(*chosen) as ana:
        assert seven in ana.shown
        assert king in ana.shown
        assert "You can play a king." in ana.shown


@for_each("size", [(60, 20), (80, 24), (100, 30), (200, 60)])
async def test_words_need_no_signs_at_any_size(size: tuple[int, int]) -> None:
    """No suit stands anywhere."""
    async with at_a_table("cards words", size=size) as ana:
        assert "(2x king)" in ana.shown
        assert not set(SIGNS) & set(ana.shown)
        assert "9s" not in ana.shown


@for_each(
    ("chosen", "colour"),
    [("colour four", "blue"), ("colour two", "red"), ("colour contrast", "default"), ("colour none", "default")],
)
async def test_suits_have_the_colours_that_were_chosen(chosen: str, colour: str) -> None:
    """Diamonds tell all of them apart; with any of them what can be played is bold and in parentheses."""
    async with at_a_table(chosen) as ana:
        assert style_of(ana, "\u2666\u2660)") == (colour, True, False)
        assert style_of(ana, "(K") == ("default", True, False)
        assert style_of(ana, "YOUR TURN") == ("default", True, True)
        dim = b"\x1b[0;2m" in b"".join(ana.transport.writes[-3:])
        assert dim is (chosen != "colour contrast")


@pytest.mark.parametrize("term", ["vt100", "vt220", "xterm-mono"])
async def test_a_terminal_without_colours_is_sent_none(term: str) -> None:
    """Nothing but bold, dim and reverse; all else is as on any other."""
    async with at_a_table(term=term) as ana:
        cells = [cell for row in ana.transport.screen.buffer.values() for cell in row.values()]
        assert {cell.fg for cell in cells} | {cell.bg for cell in cells} == {"default"}
        assert "(K\u2666\u2660)" in ana.shown


async def test_big_cards_that_can_be_played_stand_higher() -> None:
    """No colour is needed to see it."""
    async with at_a_table(size=(100, 30)) as ana:
        rows = ana.shown.split("\n")
        king, seven = (next(y for y, row in enumerate(rows) if f"\u2502 {rank}  " in row) for rank in "K7")
        assert seven == king + 1


async def test_enter_does_what_stands_faintly_in_the_line_and_never_moves() -> None:
    """In the lobby it begins a game, between games the next; on a page it closes that; in a game it does nothing."""
    async with people("ana") as (ana,):
        await ana.type("set", "")
        assert ana.shown.endswith("lobby>"), "it has closed the page"
        assert not ana.lobby.tables.listings()
        assert "ARRANGE" in await ana.type("")
        await ana.type("", "ready", "", "", "")
        assert ana.shown.endswith("play>")
        assert "ARRANGE" not in await ana.type("leave", "leave", "new seats=2")
        assert "ARRANGE" in await ana.type("")


async def test_nothing_is_played_without_enter() -> None:
    """Whatever keys, pastes and broken sequences come, at one's turn and at others'; then one plays on as ever."""
    chance = Random(11)
    noise = [
        b"7",
        b"k",
        b"p",
        b" ",
        b"\t",
        b"\x1b",
        b"\x1b[C",
        b"\x1b[D",
        b"\x1b[A",
        b"\x1b[5~",
        b"\x1bOP",
        b"\xff\xc3",
    ]
    noise += [
        b"\x1b[200~p\rp\r7\n\x1b[201~",
        b"\x1b[<0;3;4M",
        b"\x1b]0;x\x07",
        b"\x1b[1;5R",
        b"\x0c",
        b"\x01",
        b"\x9b7",
        b"\0",
    ]
    async with at_a_table() as ana:
        before = ana.session.player_session.view
        for _ in range(40):
            await ana.send(b"".join(chance.choices(noise, k=20)))
            assert ana.session.player_session.view == before
        await ana.send(b"\x1b\x03")
        assert ana.shown.endswith("play>")
        await ana.type("k k")
        assert ana.session.player_session.view != before


async def test_a_storm_of_sizes_costs_few_frames() -> None:
    """A thousand sizes in a second, the last of them is what is drawn."""
    async with at_a_table() as ana:
        ana.transport.writes.clear()
        for n in range(1_000):
            ana.terminal.resize(60 + n % 100, 20 + n % 30)
            await asyncio.sleep(0.001)
        assert sum(b"\x1b[2J" in write for write in ana.transport.writes) <= 1 / RESIZE_SECONDS + 2
        await ana.resize(80, 24)
        assert ana.shown.endswith("play>")
        assert "\u2500" * 79 in ana.shown


@for_each("size", [(60, 20), (79, 23), (99, 29), (139, 40), (140, 40), (250, 80), (160, 22), (70, 80)])
async def test_every_size_has_all_that_is_needed(size: tuple[int, int]) -> None:
    """What must be beaten, one's cards, what can be played, what can be typed: also just beside the usual sizes."""
    async with at_a_table(size=size) as ana:
        for needed in (
            "PLAY      a 9 or higher, or a 2",
            "YOU",
            "K",
            "You can play a king.",
            "help",
            "play>",
            "YOUR TURN",
        ):
            assert needed in ana.shown


async def test_space_is_a_space_in_a_typed_line() -> None:
    """Only a move that arrows have put there gets one more copy."""
    async with at_a_table() as ana:
        await ana.send(b"k k")
        assert ana.shown.endswith("play> k k")
        await ana.send(b"\x03\x1b[C  ")
        assert ana.shown.endswith("play> k k")
        await ana.send(b" ")
        assert ana.shown.endswith("play> k")
        await ana.send(b"\x7fk kings?")
        assert ana.shown.endswith("play> k kings?")


async def test_a_clock_names_its_player_and_tells_one_who_ran_out_of_time_how_to_return() -> None:
    """Beside one's own cards stands another's clock with their name; no card is covered by being away."""
    async with people("ana", "bo") as (ana, bo):
        await ana.type("new seats=2 clock=60")
        await bo.type("sit 1", "start", "ready")
        await ana.type("ready")
        mover, other = (ana, bo) if "YOUR TURN" in ana.shown else (bo, ana)
        name = mover.session.player_session.player.name
        assert re.search(rf" {name} (1:00|0:5\d)$", other.shown, re.MULTILINE)
        assert not re.search(rf"{name} \d:\d\d", mover.shown)
        await asyncio.sleep(61)
        (row,) = [line for line in mover.shown.splitlines() if "YOU  up" in line]
        assert row.count("[") == 6
        assert row.endswith("* AWAY: type back *")
        assert "An AI player plays for you until you type back." in mover.shown.splitlines()[-3]


@pytest.mark.parametrize(("motion", "seconds"), [("full", {10, 9, 8, 7, 6, 5, 4, 3, 2, 1}), ("reduced", {10, 5})])
async def test_a_clock_ticks_or_steps(motion: str, seconds: set[int]) -> None:
    """Its last ten seconds, one by one or by fives."""
    async with people("ana", "bo") as (ana, bo):
        await ana.type(f"set motion {motion}", "new seats=2 clock=5")
        await bo.type("sit 1", "start")
        shown = set()
        for _ in range(90):
            await asyncio.sleep(0.1)
            if found := re.search(r"YOUR TURN 0:(\d\d)", ana.shown):
                shown.add(int(found[1]))
        assert seconds - {10, 1} <= shown <= seconds
