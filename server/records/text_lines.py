"""Text in lines that people can read: how texts and times stand in it, and reading it line by line.

A fault is a BadRecord that names the line and says what would be right. What the lines are about is not known here.
"""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final, TypeVar

from engine.errors import InputError

T = TypeVar("T")

SHOWN: Final = 80
"""Characters of a damaged line that a message quotes."""


class BadRecord(InputError):
    """The text of a game that cannot be read, or that does not hold."""

    def __init__(self, message: str) -> None:
        super().__init__("bad_record", message)


class Lines:
    """The lines of a text, taken one after the other. Blank ones are passed over."""

    def __init__(self, text: str) -> None:
        self._lines = text.replace("\r\n", "\n").split("\n")
        self.number = 0
        """Of the line last taken, from 1 on."""

    def starts(self, prefix: str) -> bool:
        """Whether the next line starts like this."""
        return self._next().startswith(prefix)

    def take(self, prefix: str, right: str, read: Callable[[str], T]) -> T:
        """What the next line says behind its prefix. ``read`` raises ValueError where that cannot be."""
        line = self._next()
        if not line.startswith(prefix):
            raise self._wrong(right)
        try:
            value = read(line.removeprefix(prefix))
        except ValueError:
            raise self._wrong(right) from None
        self.number += 1
        return value

    def several(self, prefix: str, right: str, read: Callable[[str], T]) -> list[T]:
        """What all the lines say that come next and start like this."""
        found = []
        while self.starts(prefix):
            found.append(self.take(prefix, right, read))
        return found

    def same(self, right: str) -> None:
        """Take the next line, which must be this one."""
        if self._next() != right:
            raise self._wrong(repr(right))
        self.number += 1

    def end(self) -> None:
        """Make sure that nothing is left."""
        if self._next():
            raise self._wrong("the end of the text")

    def rest(self) -> str:
        """All lines that are not taken yet, each with its end."""
        return "\n".join(self._lines[self.number :]).rstrip("\n") + "\n"

    def _next(self) -> str:
        while self.number < len(self._lines):
            if line := self._lines[self.number]:
                return line
            self.number += 1
        return ""

    def _wrong(self, right: str) -> BadRecord:
        said = self._next()[:SHOWN]
        number = min(self.number + 1, len(self._lines))
        return BadRecord(f"line {number}: must be {right}, not {repr(said) if said else 'the end'}")


def matched(pattern: str, text: str) -> re.Match[str]:
    """The whole text as this pattern reads it. Raises ValueError."""
    found = re.fullmatch(pattern, text)
    if found is None:
        raise ValueError(text)
    return found


def quoted(text: str) -> str:
    """The text as JSON, whatever does not print escaped: nothing in it can break a line or move a cursor."""
    written = json.dumps(text, ensure_ascii=False)
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in written)


def read_quoted(source: str) -> str:
    """A text back from its quotes. Raises ValueError."""
    text, rest = split_quoted(source)
    if rest:
        raise ValueError(rest)
    return text


def split_quoted(source: str) -> tuple[str, str]:
    """A text back from its quotes, and what stands behind it. Raises ValueError."""
    if not source.startswith('"'):
        raise ValueError(source)
    text, end = json.JSONDecoder().raw_decode(source)
    text.encode()  # Half a surrogate pair can be escaped, but is no text.
    return text, source[end:]


def time_text(seconds: float) -> str:
    """A time in UTC, with as many decimals as it has, so that it is read back as the very number."""
    whole, _, decimals = format(Decimal(repr(seconds)), "f").partition(".")
    fraction = f".{decimals}" if decimals.strip("0") else ""
    return f"{datetime.fromtimestamp(int(whole), UTC):%Y-%m-%dT%H:%M:%S}{fraction}Z"


def read_time(source: str) -> float:
    """A time from 1970 on back, in seconds since then. Raises ValueError."""
    found = matched(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]{1,20})?Z", source)
    whole = datetime.fromisoformat(f"{found[1]}+00:00").timestamp()
    if whole < 0:
        raise ValueError(source)
    return float(f"{whole:.0f}{found[2] or ''}")
