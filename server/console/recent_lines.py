"""The last lines of the log of this process, for its consoles."""

import time
from collections import deque
from collections.abc import Mapping
from typing import Final, NamedTuple

LINES_KEPT: Final = 200
LINE_LENGTH: Final = 300
_KEY_CELLS: Final = 15
_NOT_TOLD: Final = frozenset({"event", "exc_info", "exception", "stack"})


class LogLine(NamedTuple):
    """One line of the log for people."""

    time: str
    """As in 20:41:07, by the clock of this machine."""
    level: str
    text: str


class RecentLines:
    """Listens to the log (`process.logs.LISTENERS`)."""

    def __init__(self) -> None:
        self._lines = deque[LogLine](maxlen=LINES_KEPT)

    def __call__(self, level: str, line: Mapping[str, object]) -> None:
        """Keep a line."""
        told = {key: value for key, value in line.items() if key not in _NOT_TOLD and value is not None}
        values = (f"{key}={_short(value)}" for key, value in told.items() if value != "")
        text = "  ".join([str(line["event"]), *values])
        self._lines.append(LogLine(time.strftime("%H:%M:%S"), level, text[:LINE_LENGTH]))

    def last(self, count: int) -> list[LogLine]:
        """The last lines, the newest last."""
        return [*self._lines][-count:] if count > 0 else []


def _short(value: object) -> str:
    """A value, of a key's fingerprint only its beginning: the log itself has all of it."""
    text = str(value)
    return f"{text[:_KEY_CELLS]}.." if text.startswith("SHA256:") else text


RECENT: Final = RecentLines()
"""The lines of this process."""
