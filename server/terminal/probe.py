"""What a terminal shows in how many cells: asked of itself once, before its first frame.

Terminals disagree on suit signs, and nobody can tell from the outside whether one takes UTF-8. So it is sent a letter
and the four signs, asked each time where its cursor is now (ECMA-48, DSR 6), and the row is erased at once. Whoever
does not answer in time gets letters; an answer that comes later is a key that nobody knows, and is dropped with those.
"""

import asyncio
import re
from typing import Final

from engine.cards import SUIT_SIGNS
from server.limits import INPUT_WAITING, PROBE_SECONDS
from server.terminal.terminal import Terminal

LETTER: Final = "\u00f1"
"""Two bytes of UTF-8 that are one cell wide everywhere, in Chinese, Japanese and Korean terminals too."""
WHERE: Final = "\x1b[6n"
"""Where is the cursor?"""
QUESTION: Final = f"\r{LETTER}{WHERE}\r{SUIT_SIGNS}{WHERE}\r\x1b[K"
_RIGHT: Final = (2, 5)
"""The columns, counted from 1, behind the letter and behind the signs where each takes one cell."""
NARROW_SAFE: Final = "".join(f"\x1b[1;{column}R" for column in _RIGHT)
"""What a terminal answers that shows all of it as it should be."""
_ANSWER: Final = re.compile(rb"\x1b\[[0-9]{1,4};([0-9]{1,4})R")
_BEGUN: Final = re.compile(rb"\x1b(?:\[[0-9]{0,4}(?:;[0-9]{0,4})?)?\Z")


async def probe(terminal: Terminal) -> None:
    """Let the terminal learn what it can. What is typed meanwhile waits for whoever listens next."""
    asking = _Asking(terminal)
    terminal.attach(data=asking.feed, input_end=asking.answered.set, drained=lambda: None)
    terminal.write(QUESTION)
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            await asking.answered.wait()
    except TimeoutError:
        pass
    finally:
        terminal.detach(asking.typed + asking.begun)
    columns = tuple(asking.columns)
    terminal.learn(utf8=columns[0] == _RIGHT[0] if columns else None, signs=columns == _RIGHT)


class _Asking:
    """Takes the answers out of what comes."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self.columns: list[int] = []
        self.typed = b""
        self.begun = b""
        """What may be the beginning of an answer."""
        self.answered = asyncio.Event()

    def feed(self, data: bytes) -> None:
        came = self.begun + data
        while len(self.columns) < len(_RIGHT) and (answer := _ANSWER.search(came)):
            self.columns.append(int(answer[1]))
            came = came[: answer.start()] + came[answer.end() :]
        done = len(self.columns) == len(_RIGHT)
        begun = None if done else _BEGUN.search(came)
        at = len(came) if begun is None else begun.start()
        self.typed, self.begun = self.typed + came[:at], came[at:]
        if done:
            self.answered.set()
        elif len(self.typed) > INPUT_WAITING:
            self._terminal.hold(held=True)
