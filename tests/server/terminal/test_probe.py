"""Terminals that are asked what they can show: those that answer rightly, wrongly, never, late and in pieces."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from server.terminal.terminal import NARROW_SAFE, QUESTION, WHERE, Terminal
from tests.support.each import for_each
from tests.support.emulated_screen import shown_by
from tests.support.emulator import SETTLED, EmulatorTransport, TerminalPlayer, open_lobby
from tests.support.opening import at_play
from tests.support.people import RunningServer
from tests.support.virtual_time import in_virtual_time

RIGHT = NARROW_SAFE.encode()
WIDE = b"\x1b[1;2R\x1b[1;9R"
EIGHT_BITS = b"\x1b[1;3R\x1b[1;9R"
IN_TIME, LATE = 0.2, 0.4


@asynccontextmanager
async def at_terminal(
    *answers: tuple[float, bytes], cards: str = "", **environment: str
) -> AsyncIterator[TerminalPlayer]:
    """A player whose terminal sends these bytes at these times, and a player with a name in another script."""
    async with open_lobby() as lobby:
        await TerminalPlayer(lobby, "\u6f22\u5b57").arrived()
        ana = TerminalPlayer(lobby, "ana", answers=False, environment=environment)
        loop = asyncio.get_running_loop()
        for when, data in answers:
            loop.call_later(when, ana.terminal.feed, data)
        await asyncio.sleep(SETTLED)
        if cards:
            await ana.session.player_session.change_setting("cards", cards)
            await ana.type("")
        await asyncio.sleep(LATE + SETTLED)
        yield ana


@for_each(
    ("answers", "signs"),
    [
        ([(IN_TIME, RIGHT)], True),
        ([(IN_TIME, RIGHT.replace(b"[1;", b"[24;"))], True),
        ([(IN_TIME * n / len(RIGHT), bytes((byte,))) for n, byte in enumerate(RIGHT)], True),
        ([(IN_TIME, WIDE)], False),
        ([(IN_TIME, EIGHT_BITS)], False),
        ([(IN_TIME, b"\x1b[1;2R")], False),
        ([(IN_TIME, b"\x1b[1;2R"), (LATE, b"\x1b[1;5R")], False),
        ([(IN_TIME, b"\x1b[1;2R\x1b[1"), (LATE, b";5R")], False),
        ([(LATE, RIGHT)], False),
        ([(IN_TIME, b"\x1b[?1;2c\x1b[999999;5R")], False),
        ([], False),
    ],
)
@in_virtual_time
async def test_suit_signs_are_for_terminals_that_have_proved_to_show_them(
    answers: list[tuple[float, bytes]], *, signs: bool
) -> None:
    """Whatever is answered, and whenever: no part of it is ever typed, and nothing of the question stays to be seen."""
    async with at_terminal(*answers) as ana:
        assert ("\u2500" * 79 in ana.shown) is signs
        assert ("-" * 79 in ana.shown) is not signs
        assert ana.shown.endswith("lobby>")
        assert "\u00f1" not in ana.shown
        await ana.type("play")
        assert ("\u2663" in ana.shown or "\u2665" in ana.shown) is signs


@for_each(("locale", "signs"), [("C", True), ("de_DE@euro", True), ("de_DE.UTF-8", True), ("de_DE.ISO-8859-1", False)])
@in_virtual_time
async def test_signs_are_not_for_those_whose_locale_names_another_character_set(locale: str, *, signs: bool) -> None:
    """Such as tmux answers for, which then shows none. A locale that names no set says nothing of the terminal."""
    async with at_terminal((IN_TIME, RIGHT), LANG=locale) as ana:
        assert ("\u2500" * 79 in ana.shown) is signs
    async with at_terminal((IN_TIME, RIGHT), cards="suits", LANG=locale) as ana:
        assert "\u2500" * 79 in ana.shown


def test_nothing_of_the_question_stays_to_be_seen() -> None:
    """The terminal shows what was typed before the game again after it."""
    transport = EmulatorTransport(80, 24)
    transport.write(f"ana$ ssh HOST\r\n{QUESTION}".encode())
    assert shown_by(transport.screen).split("\n")[:2] == ["ana$ ssh HOST", ""]
    assert (transport.screen.cursor.x, transport.screen.cursor.y) == (0, 1)


@in_virtual_time
async def test_what_is_typed_meanwhile_is_typed() -> None:
    """Before, between and behind the answers, in its order; and an answer does not make it a line too many."""
    first, second = RIGHT[:6], RIGHT[6:]
    async with at_terminal((0.05, b"f"), (0.1, first + b"r"), (0.2, b"o" + second + b"b\r")) as ana:
        assert "You are frob now" in ana.shown


@pytest.mark.parametrize(
    ("answers", "environment", "utf8"),
    [
        ([], {}, True),
        ([], {"LANG": "en_US.UTF-8"}, True),
        ([], {"LC_ALL": "", "LC_CTYPE": "C.utf8", "LANG": "C"}, True),
        ([], {"LANG": "C"}, False),
        ([], {"LC_ALL": "de_DE.ISO-8859-1", "LANG": "en_US.UTF-8"}, False),
        ([(IN_TIME, RIGHT)], {"LANG": "C"}, True),
        ([(IN_TIME, WIDE)], {"LANG": "POSIX"}, True),
        ([(IN_TIME, EIGHT_BITS)], {"LANG": "en_US.UTF-8"}, False),
    ],
)
@in_virtual_time
async def test_a_terminal_without_utf8_is_sent_ascii_alone(
    answers: list[tuple[float, bytes]], environment: dict[str, str], *, utf8: bool
) -> None:
    """What the terminal answers counts more than what its environment says; names and talk keep their width."""
    async with at_terminal(*answers, cards="suits", **environment) as ana:
        ana.transport.writes.clear()
        await ana.type("play", "/Zo\u00eb \u2665 \U0001f600")
        sent = b"".join(ana.transport.writes).decode()
        assert sent.isascii() is not utf8
        if not utf8:
            assert "ana: Zoe h ??" in ana.shown
            assert "| talk" not in ana.shown


async def test_a_game_on_a_terminal_of_eight_bits(open_server: RunningServer) -> None:
    """Its locale, which ssh sends, is believed until the terminal has answered that it knows no UTF-8."""
    async with open_server.person(latin=True) as ana:
        await at_play(ana, "seats=2")
        screen = await ana.enter("ready", "order:")
        assert "-" * 79 in screen
        assert ana.raw.partition(WHERE.encode())[2].partition(WHERE.encode())[2].isascii()


@in_virtual_time
async def test_a_choice_counts_more_than_the_answer() -> None:
    """Letters where signs would do, and the other way round."""
    async with at_terminal((IN_TIME, RIGHT), cards="letters") as ana:
        assert "-" * 79 in ana.shown
    async with at_terminal(cards="suits") as ana:
        assert "\u2500" * 79 in ana.shown


@in_virtual_time
async def test_a_player_who_wants_lines_is_asked_nothing() -> None:
    """A screen reader would read the question out; it comes when the screen is wanted."""
    async with open_lobby() as lobby:
        ana = await TerminalPlayer(lobby, "ana", term="dumb").arrived()
        assert QUESTION.encode() not in b"".join(ana.transport.writes)
        bo = await TerminalPlayer(lobby, "bo").arrived()
        assert b"".join(bo.transport.writes).count(QUESTION.encode()) == 1
        await bo.type("set mode line", "set mode screen")
        assert b"".join(bo.transport.writes).count(QUESTION.encode()) == 1


async def test_over_ssh(open_server: RunningServer) -> None:
    """A real client on a terminal that answers."""
    async with open_server.person() as ana:
        await ana.until("\u2500" * 79)
        await ana.until("lobby>")


@for_each(
    ("term", "environment", "has_colour"),
    [
        ("xterm-256color", {}, True),
        ("XTERM", {"NO_COLOR": ""}, True),
        ("xterm", {"NO_COLOR": "1"}, False),
        ("vt100", {}, False),
        ("VT220", {}, False),
        ("xterm-mono", {}, False),
        ("xterm-m", {}, False),
        ("linux-m", {}, False),
        ("screen", {}, True),
    ],
)
def test_colours_are_for_terminals_that_have_them(term: str, environment: dict[str, str], *, has_colour: bool) -> None:
    """By its kind, and by what its person says (no-color.org)."""

    class Nowhere:
        """A connection to nothing."""

    terminal = Terminal(Nowhere(), term=term, is_tty=True, environment=environment)  # type: ignore[arg-type]
    assert terminal.has_colour is has_colour
