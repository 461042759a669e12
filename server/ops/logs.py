"""Logs on standard error: readable on a terminal, otherwise one line of ASCII JSON each."""

import logging
import sys
from contextlib import suppress

import structlog


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


class _StandardError:
    """Writes log lines; a closed standard error ends no game."""

    def msg(self, line: str) -> None:
        with suppress(OSError, ValueError):
            print(line, file=sys.stderr, flush=True)

    debug = info = warning = error = critical = log = exception = msg
