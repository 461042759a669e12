"""Logs on standard error: readable on a terminal, otherwise one line of ASCII JSON each.

A line that names a ``problem``, such as a full disk, is written once a minute, however many tables or players have it.
A feature may listen to them, too (`LISTENERS`).
"""

import asyncio
import logging
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import structlog
from structlog.typing import EventDict

from server.bounded_dict import make_room

FILE_NAME: Final = "quatch.log"
"""The file in the folder of the data to which the log goes, if something else is shown at the terminal."""
PROBLEM_SECONDS: Final = 60.0
"""How often the same problem is logged."""
PROBLEMS_KNOWN: Final = 200
"""How many problems are remembered with the time at which they were logged last."""
LISTENERS: Final[list[Callable[[str, EventDict], object]]] = []
"""Those of features: each is given the level and the values of every line that is written."""

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
            _tell_listeners,
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
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # it warns of each write to a connection that has closed


def _tell_listeners(logger: object, method: str, line: EventDict) -> EventDict:  # noqa: ARG001 - structlog's interface
    for listener in LISTENERS:
        listener(method, line)
    return line


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
            print(f"{line}\n", end="", file=sys.stderr, flush=True)  # at once: other threads log, too

    debug = info = warning = error = critical = log = exception = msg
