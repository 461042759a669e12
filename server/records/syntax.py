"""The syntax of records: lines, texts in quotes, times; a BadRecord names the line and says what would be right."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final, TypeVar

from engine.errors import InputError

T = TypeVar("T")

SHOWN: Final = 80
"""How much of a damaged line an error quotes, in characters."""


class BadRecord(InputError):
    """A record's text that cannot be read, or that contradicts its moves."""

    def __init__(self, message: str) -> None:
        super().__init__("bad_record", message)


class Lines:
    """The lines of a text, read one after the other. Blank lines are skipped."""

    def __init__(self, text: str, passed_over: re.Pattern[str]) -> None:
        """Lines that begin as ``passed_over`` are skipped, too."""
        self._passed_over = passed_over
        self._lines = text.replace("\r\n", "\n").split("\n")
        self.number = 0
        """The number of the last line read, from 1."""

    def starts(self, prefix: str) -> bool:
        """Whether the next line starts with this prefix."""
        return self.next().startswith(prefix)

    def take(self, prefix: str, right: str, read: Callable[[str], T]) -> T:
        """Read the next line: the value behind its prefix. ``read`` raises ValueError if the value is wrong."""
        line = self.next()
        if not line.startswith(prefix):
            raise self._wrong(right)
        try:
            value = read(line.removeprefix(prefix))
        except ValueError:
            raise self._wrong(right) from None
        self.number += 1
        return value

    def same(self, right: str) -> None:
        """Read the next line, which must be exactly this one."""
        if self.next() != right:
            raise self._wrong(repr(right))
        self.number += 1

    def end(self) -> None:
        """Check that no line is left."""
        if self.next():
            raise self._wrong("the end of the text")

    def rest(self) -> str:
        """All lines that have not been read yet."""
        return "\n".join(self._lines[self.number :]).rstrip("\n") + "\n"

    def next(self) -> str:
        """The next line, which is still to be read; empty at the end."""
        while self.number < len(self._lines):
            if (line := self._lines[self.number]) and not self._passed_over.match(line):
                return line
            self.number += 1
        return ""

    def _wrong(self, right: str) -> BadRecord:
        said = self.next()[:SHOWN]
        number = min(self.number + 1, len(self._lines))
        return BadRecord(f"line {number}: must be {right}, not {repr(said) if said else 'the end'}")


def matched(pattern: str, text: str) -> re.Match[str]:
    """Match the whole text against a pattern. Raises ValueError."""
    found = re.fullmatch(pattern, text)
    if found is None:
        raise ValueError(text)
    return found


def quoted(text: str) -> str:
    """The text as JSON with everything escaped that does not print, so that it cannot break a line or move a cursor."""
    written = json.dumps(text, ensure_ascii=False)
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in written)


def read_quoted(source: str) -> str:
    """The text inside the quotes. Raises ValueError."""
    text, rest = split_quoted(source)
    if rest:
        raise ValueError(rest)
    return text


def split_quoted(source: str) -> tuple[str, str]:
    """The text inside the quotes, and what follows them. Raises ValueError."""
    if not source.startswith('"'):
        raise ValueError(source)
    text, end = json.JSONDecoder().raw_decode(source)
    text.encode()  # Half a surrogate pair can be escaped, but is no valid text.
    return text, source[end:]


def time_text(seconds: float) -> str:
    """A time in UTC with all its decimals, so that reading it gives exactly the same number."""
    whole, _, decimals = format(Decimal(repr(seconds)), "f").partition(".")
    fraction = f".{decimals}" if decimals.strip("0") else ""
    return f"{datetime.fromtimestamp(int(whole), UTC):%Y-%m-%dT%H:%M:%S}{fraction}Z"


def read_time(source: str) -> float:
    """A time since 1970, in seconds. Raises ValueError."""
    found = matched(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]{1,20})?Z", source)
    whole = datetime.fromisoformat(f"{found[1]}+00:00").timestamp()
    if whole < 0:
        raise ValueError(source)
    return float(f"{whole:.0f}{found[2] or ''}")
