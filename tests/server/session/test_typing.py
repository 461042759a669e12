"""Typing without knowing what to type, and keys on the full screen at a table."""

import asyncio
from contextlib import suppress

from tests.support.keys import ESC
from tests.support.opening import at_play, seated_together
from tests.support.people import Person, RunningServer

LEFT, RIGHT, UP, DOWN = b"\x1b[D", b"\x1b[C", b"\x1b[A", b"\x1b[B"


async def test_a_game_can_be_played_with_arrows_and_enter(open_server: RunningServer) -> None:
    """Each press of an arrow shows a move that can be made; Enter makes it; nothing else is ever typed."""
    async with open_server.person() as ana:
        await ana.enter("play quatch seats=2 level=easy", "ready begins")
        await ana.press(RIGHT, "play> s ")
        await ana.press(LEFT, "play> ready")
        ana.send(b"\r")
        seen = ""
        for _ in range(500):
            screen = await ana.until(
                lambda person, seen=seen: (  # type: ignore[misc]
                    "game over" in person.shown
                    or ("order: you" in person.shown.split("\n")[0] and person.shown.split("\n")[0] != seen)
                )
            )
            if "game over" in screen:
                break
            seen = screen.split("\n")[0]
            await walk(ana)
            ana.send(b"\r")
        assert "game over" in ana.shown
        assert "not" not in ana.shown.split("\n")[-3]


async def walk(person: Person) -> None:
    """Press an arrow until the line shows a move: a screen that is being painted may look like one's turn too soon."""
    shown = False
    while not shown:
        person.send(RIGHT)
        with suppress(TimeoutError):
            async with asyncio.timeout(0.3):
                await person.until(
                    lambda person: person.shown.split("\n")[-1].removeprefix("play>").strip() not in {"", ">"}
                )
                shown = True


async def test_space_adds_copies_and_arrows_leave_typed_lines_alone(open_server: RunningServer) -> None:
    """Where the line shows an offer Space adds one more; in a line of one's own the arrows move the cursor."""
    async with open_server.person() as ana:
        await ana.press(b"plax life" + LEFT * 5 + b"\x7f" + b"y", "lobby> play life")
        await ana.press(b"\x03", "lobby>")
        await ana.press(b"/a b", "lobby> /a b")


async def test_tab_completes_and_shows_what_there_is(open_server: RunningServer) -> None:
    """Commands and what they are about."""
    async with open_server.person() as ana:
        await ana.press(b"pl\t", "lobby> play")
        await ana.press(b"c\t", "cathedral  college")
        await ana.press(b"o\t\r", "CardGame (college rules)")


def typed(person: Person) -> str:
    """What is in the input line."""
    return person.shown.rstrip().split("\n")[-1]


async def test_keys_on_a_page_turn_it_and_reach_no_game(open_server: RunningServer) -> None:
    """Q and Esc close it, Enter and Space turn it, and a move typed over it is not made."""
    async with open_server.person() as ana:
        await at_play(ana, "life seats=2")
        for key in (b"q", ESC, b"\x03"):
            await ana.enter("rules", "Enter goes ")
            await ana.press(key, "play>")
            assert typed(ana) == "play>"
        await ana.enter("rules", "Enter goes ")
        while "Enter goes " in ana.shown:
            before = ana.shown
            await ana.press(b" ", lambda person, before=before: person.shown != before)  # type: ignore[misc]
        await ana.enter("help", "Enter goes ")
        await ana.press(b"d\r", "The page is closed now: type d again to play it.")
        assert "arranging" in ana.shown


async def test_escape_empties_the_line(open_server: RunningServer) -> None:
    """The Esc of an arrow key does not."""
    async with open_server.person() as ana:
        await ana.press(b"frob", "lobby> frob")
        await ana.press(ESC, lambda person: typed(person) == "lobby>")
        await ana.press(b"fr\x1b[Dx", lambda person: typed(person) == "lobby> fxr")


async def test_an_answer_disappears_when_the_game_begins(open_server: RunningServer) -> None:
    """What was answered before the deal is not shown after it."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        await seated_together(ana, bo)
        bo.type("start")
        await ana.until("arranging")
        assert "Your table." not in ana.shown
