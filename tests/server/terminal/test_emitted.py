"""Whatever hostile people type or are called, all that leaves the server keeps to one grammar.

`RunningServer.person` holds every session of all tests to it. Here it is given a hard time.
"""

import random
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import pytest

from server.cells import BOLD, styled
from server.clean_text import clean, clean_name
from server.terminal.painter import START, Painter
from server.terminal.terminal import RESTORE
from tests.soak import Figure, long
from tests.support.bots import bot
from tests.support.each import for_each
from tests.support.emitted import check_emitted, longest_run_of_marks
from tests.support.hostile import HOSTILE, be_hostile
from tests.support.people import RunningServer, running_server

CLEANED: Final = long(1_000, 1_000_000)
PAINTED: Final = long(300, 50_000)
_ALPHABET: Final = "\x00\x07\x08\x0a\x0d\x1b[]P_^?;0123456789mHJKhlrn\x7f\x85\x9b\x9c\x9d\u0301\u200b\u202e漢🎲ﷺ a"


@for_each(
    "data",
    [
        b"\x1b]52;c;QUFB\x07",
        b"\x1b]0;title\x07",
        b"\x1b]9;something else\x07",
        b"\x1bc",
        b"\x1b[?1003h",
        b"\x1b[5n",
        b"\x1b[38;5;1m",
        b"\x1b[3J",
        b"\x1b[1A",
        b"\x1bPq\x1b\\",
        b"\xc2\x9b31m",
        b"\x9b31m",
        b"\x00",
        b"\x0b",
        b"\x7f",
        "\u202e".encode(),
        "\u200b".encode(),
        "\u2800".encode(),
        ("a" + "\u0301" * 3).encode(),
        b"\x1b[31m\x1b]52;c;QUFB\x07" + b"x" * 100,
    ],
)
@for_each("term", ["xterm", "dumb", None])
def test_the_grammar_refuses(data: bytes, term: str | None) -> None:
    """All other control characters, and invisible ones."""
    with pytest.raises((AssertionError, UnicodeDecodeError)):
        check_emitted(b"before" + data + b"behind" * 20, term)


def test_the_grammar_accepts() -> None:
    """What the modes begin and end with; a connection may be cut anywhere in it."""
    whole = (START + "\x1b[0m\x1b[2J\x1b[3;4H\x1b[0;1;31m漢 e\u0301\x1b[0m\x1b[K\x1b[2;9r\n\x1b[r" + RESTORE).encode()
    for end in range(len(whole) + 1):
        check_emitted(whole[:end], "xterm")


def test_any_text_is_clean_for_a_terminal(figure: Figure) -> None:
    """38 to 40: strings made of everything dangerous."""
    chance = random.Random(9)
    for _ in range(CLEANED):
        text = "".join(chance.choices(_ALPHABET, k=chance.randrange(40))) + chr(chance.randrange(0xD800))
        for shown in (clean(text), clean_name(text)):
            check_emitted(shown.encode(), None)
            assert "\n" not in shown
    figure(f"{CLEANED:,} hostile strings cleaned")


def test_what_was_never_cleaned_is_still_painted_harmlessly(figure: Figure) -> None:
    """The painter's own defence, for whatever comes past the gate: nothing that a terminal would obey."""
    chance = random.Random(10)
    painter = Painter(colour=True)
    for _ in range(PAINTED):
        rows = [styled(BOLD, "".join(chance.choices(_ALPHABET, k=12))) for _ in range(3)]
        painted = painter.paint(rows, 80, (0, 0))
        assert not set(painted) & {*map(chr, range(0x1B)), *map(chr, range(0x7F, 0xA0))} - {"\n"}
        if longest_run_of_marks(painted) <= 2:
            check_emitted(painted.encode(), "xterm")
    figure(f"{PAINTED:,} hostile frames painted")


async def test_hostile_people_are_shown_harmlessly_on_every_channel(tmp_path: Path) -> None:
    """38 to 41: names, talk, tables, words and questions; each is looked at on a screen and in lines."""
    async with running_server(tmp_path) as running, AsyncExitStack() as stack:
        screen = await stack.enter_async_context(running.person("screen", size=(200, 60)))
        lines = await stack.enter_async_context(running.person("lines", term=None))
        dumb = await stack.enter_async_context(running.person("dumb", term="dumb"))
        await screen.until("lobby>")
        await lines.until_text("Type play")
        await dumb.until_text("Type play")
        for number, text in enumerate(HOSTILE):
            await be_hostile(running, number, text)
        for watcher in (screen, lines, dumb):
            watcher.type("who")
        await screen.until("here:")
        await lines.until_text("here:")
        await dumb.until_text("here:")
        assert "\\x1b[31m" in lines.text


async def test_a_hostile_command_is_answered_harmlessly(open_server: RunningServer) -> None:
    """28: exec: one line, exit status 2, and none of it obeyed."""
    for text in HOSTILE:
        async with open_server.person(term=None, command=text) as ana:
            assert await ana.until_gone() == 2
        async with open_server.person(command=f"rules 9{text}") as ana:
            assert await ana.until_gone() == 2


async def test_any_terminal_type_will_do(open_server: RunningServer) -> None:
    """30: none, 10 KB, escape sequences: one is served, and nothing of it comes back."""
    for term in ("", "x" * 10_000, "\x1b[31m", "xterm\r\n\x1b]52;c;AA\x07", "dumb", "VT100"):
        async with open_server.person(term=term, size=(80, 24)) as ana:
            await ana.until(lambda ana: "play" in ana.text)
            await ana.enter("who", lambda ana: "here:" in ana.text)


async def test_a_bot_is_told_in_ascii(open_server: RunningServer) -> None:
    """58: `BotClient` looks at every line it gets; here they quote what is hostile."""
    async with bot(open_server.port) as fox:
        for text in HOSTILE[:8]:
            await fox.ask("error", type=text)
