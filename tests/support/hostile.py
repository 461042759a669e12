"""Texts that hostile people type or are called, and such people."""

from typing import Final

from server.clean_text import clean_name
from tests.support.people import RunningServer

HOSTILE: Final = (
    "\x1b[31mred\x1b[0m",
    "\x1b]52;c;QUFBQQ==\x07clip",
    "\x1b]0;title\x1b\\t",
    "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\",
    "\x1bP+q544e\x1b\\dcs",
    "\x1b_apc\x1b\\\x1b^pm\x1b\\",
    "\x1b[6n\x1b[c\x1b[?1049h\x1b[2J\x1b[1;1H",
    "c1\x9b31m\x9d52;c;AA\x9c\x85\x8d",
    "bell\x07\x08\x08\r\rback\x0b\x0c\x0e\x0f",
    "bidi\u202e\u2066\u200f\u061cx",
    "zero\u200b\u200d\u2060\ufeffwidth",
    "tags\U000e0041\U000e0100\u2800\u3164\uffa0\ufffc",
    "a" + "\u0301" * 2_000,
    "<b>{0}%s&amp;</b>%n\\x1b[31m",
    "漢字🎲👩\u200d👩\u200d👧🏳\ufe0f\u200d🌈" * 40,
    "line\u2028break\u2029\x85\nnew",
    "\ud7ff\ue000\U0010ffff\ufdd0",
    "' OR 1=1; --",
)


async def be_hostile(running: RunningServer, number: int, text: str) -> None:
    """Come in under this text as far as a name may be it, say it, ask for it, call a table by it."""
    line = text.replace("\n", " ").replace("\r", " ")
    async with running.person(f"h{number}{clean_name(text)}", term=None) as enemy:
        await enemy.until_text("Type play")
        for typed in (f"/{line}", f"name {line}", f"tell lines {line}", line, f"sit {line}", f"new key={line}"):
            enemy.send(typed.encode("utf-8", "surrogatepass") + b"\n")
        enemy.send(
            f"/all {line}\ninvite {line}\ninvite lines\nleave\nnew {line}\nrules {line}\nreplay {line}\nwho\n".encode()
        )
        await enemy.until_text("here:")
