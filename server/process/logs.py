"""Logs on standard error: readable on a terminal, otherwise one line of ASCII JSON each.

A line that names a ``problem``, such as a full disk, is written once a minute, however many tables or players have it.
The last lines are also kept in memory, for the console.
"""

import asyncio
import logging
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NamedTuple

import structlog
from structlog.typing import EventDict

from server.bounded_dict import make_room

FILE_NAME: Final = "quatch.log"
"""The file in the folder of the data to which the log goes, if something else is shown at the terminal."""
PROBLEM_SECONDS: Final = 60.0
"""How often the same problem is logged."""
PROBLEMS_KNOWN: Final = 200
"""How many problems are remembered with the time at which they were logged last."""
LINES_KEPT: Final = 200
LINE_LENGTH: Final = 300
_KEY_CELLS: Final = 15
_NOT_TOLD: Final = frozenset({"event", "level", "timestamp", "exc_info", "exception", "stack"})

log = structlog.get_logger("quatch.loop")


def configure(level: str = "info") -> None:
    """Set up structlog for the whole program. Text from players may only be a value, never an event's name."""
    readable = sys.stderr.isatty()
    renderer = (
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if readable
        else structlog.processors.JSONRenderer(ensure_ascii=True)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            SeldomProblems(),
            RECENT,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.StackInfoRenderer(),
            *([] if readable else [structlog.processors.format_exc_info]),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=lambda *_: _StandardError(),
        cache_logger_on_first_use=False,
    )
    logging.getLogger("asyncssh").setLevel(logging.CRITICAL)


class SeldomProblems:
    """A processor of structlog that lets the same problem pass once a minute.

    The next line about it says in ``left_out`` how many lines were not written since the last one.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._logged: dict[tuple[str, str], tuple[float, int]] = {}
        """When each problem was logged, and how many lines were left out since; the last logged one is the last."""

    def __call__(self, logger: object, method: str, line: EventDict) -> EventDict:  # noqa: ARG002 - structlog's interface
        """The line to write. Raises DropEvent if it is left out."""
        if "problem" not in line:
            return line
        now, problem = self._clock(), (str(line["event"]), str(line["problem"]))
        logged_at, left_out = self._logged.get(problem, (-PROBLEM_SECONDS, 0))
        if now - logged_at < PROBLEM_SECONDS:
            self._logged[problem] = logged_at, left_out + 1
            raise structlog.DropEvent
        self._logged.pop(problem, None)
        make_room(self._logged, PROBLEMS_KNOWN)
        self._logged[problem] = now, 0
        return {**line, "left_out": left_out} if left_out else line


def log_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:  # noqa: ARG001 - asyncio's interface
    """Log an error that no task has caught; one of the system, such as too many open files, in one line."""
    error = context.get("exception")
    if isinstance(error, ValueError) and "_start_serving" in context["message"]:
        return  # asyncio listens again a second after files ran out, also if the socket has been closed by then
    if isinstance(error, OSError):
        log.error("the system refused", problem=error.strerror or str(error), what=context["message"])
    else:
        log.error("went wrong in the event loop", what=context["message"], exc_info=error)


class _StandardError:
    """Writes log lines; a closed standard error ends no game."""

    def msg(self, line: str) -> None:
        with suppress(OSError, ValueError):
            print(line, file=sys.stderr, flush=True)

    debug = info = warning = error = critical = log = exception = msg


class LogLine(NamedTuple):
    """One line of the log for people."""

    time: str
    """As in 20:41:07, by the clock of this machine."""
    level: str
    text: str


class RecentLines:
    """A processor of structlog that keeps the last lines and changes none."""

    def __init__(self) -> None:
        self._lines = deque[LogLine](maxlen=LINES_KEPT)

    def __call__(self, logger: object, method: str, line: EventDict) -> EventDict:  # noqa: ARG002 - structlog's interface
        """Keep the line."""
        told = {key: value for key, value in line.items() if key not in _NOT_TOLD and value is not None}
        values = (f"{key}={_short(value)}" for key, value in told.items() if value != "")
        text = "  ".join([str(line["event"]), *values])
        self._lines.append(LogLine(time.strftime("%H:%M:%S"), method, text[:LINE_LENGTH]))
        return line

    def last(self, count: int) -> list[LogLine]:
        """The last lines, the newest last."""
        return [*self._lines][-count:] if count > 0 else []


def _short(value: object) -> str:
    """A value, of a key's fingerprint only its beginning: the log itself has all of it."""
    text = str(value)
    return f"{text[:_KEY_CELLS]}.." if text.startswith("SHA256:") else text


RECENT: Final = RecentLines()
"""The lines of this process."""
