"""Asks a terminal, before its first frame, whether it shows UTF-8 and how wide suit signs are on it.

Terminals disagree about the width of suit signs, and only the terminal itself knows whether it takes UTF-8. It is sent
a letter and then the four signs, is asked after each where its cursor is (ECMA-48, DSR 6), and the row is erased again.
A terminal that does not answer in time is shown letters; a late answer is an unknown key and is dropped.
"""

import asyncio
import re
from contextlib import suppress
from typing import Final

from engine.cards import SUIT_SIGNS
from server.limits import INPUT_WAITING, PROBE_SECONDS
from server.terminal.terminal import Terminal

LETTER: Final = "\u00f1"
"""Two bytes in UTF-8, one cell on every terminal, also on Chinese, Japanese and Korean ones."""
WHERE: Final = "\x1b[6n"
QUESTION: Final = f"\r{LETTER}{WHERE}\r{SUIT_SIGNS}{WHERE}\r\x1b[K"
_RIGHT: Final = (2, 5)
"""The columns, counted from 1, behind the letter and behind the signs if each takes one cell."""
NARROW_SAFE: Final = "".join(f"\x1b[1;{column}R" for column in _RIGHT)
"""The answer of a terminal that shows all of it as it should be."""
_ANSWER: Final = re.compile(rb"\x1b\[[0-9]{1,4};([0-9]{1,4})R")
_BEGUN: Final = re.compile(rb"\x1b(?:\[[0-9]{0,4}(?:;[0-9]{0,4})?)?\Z")


async def probe(terminal: Terminal, first: str = "") -> None:
    """Find out what the terminal can show, and tell it. What is typed meanwhile waits for the first mode.

    ``first`` is sent in front of the question: ASCII, with its line end.
    """
    answers = _Answers(terminal)
    terminal.attach(data=answers.feed, input_end=answers.complete.set, drained=lambda: None)
    terminal.write(first + QUESTION, as_it_is=True)  # its answer to ASCII would say nothing
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(PROBE_SECONDS):
                await answers.complete.wait()
    finally:
        terminal.detach(answers.typed + answers.begun)
    columns = tuple(answers.columns)
    terminal.learn(utf8=columns[0] == _RIGHT[0] if columns else None, signs=columns == _RIGHT)


class _Answers:
    """Takes the answers out of the input."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self.columns: list[int] = []
        self.typed = b""
        self.begun = b""
        """Bytes that may be the start of an answer."""
        self.complete = asyncio.Event()

    def feed(self, data: bytes) -> None:
        received = self.begun + data
        while len(self.columns) < len(_RIGHT) and (answer := _ANSWER.search(received)):
            self.columns.append(int(answer[1]))
            received = received[: answer.start()] + received[answer.end() :]
        done = len(self.columns) == len(_RIGHT)
        begun = None if done else _BEGUN.search(received)
        at = len(received) if begun is None else begun.start()
        self.typed, self.begun = self.typed + received[:at], received[at:]
        if done:
            self.complete.set()
        elif len(self.typed) > INPUT_WAITING:
            self._terminal.hold(held=True)
