"""Calls that are carried out in a group, and their results."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

import structlog

R = TypeVar("R")
log = structlog.get_logger("quatch.storage")


class Pending(asyncio.Future[R]):
    """The result of one call of a group."""

    then: Callable[[], None] | None = None
    """Called as soon as all results of the group are there, and not in the next turn of the event loop."""


def settle(calls: Sequence[Pending[R]], results: Sequence[R | Exception]) -> None:
    """Give each call of a group its result, or its error."""
    for call, result in zip(calls, results, strict=True):
        if call.done():  # the caller was cancelled
            continue
        if isinstance(result, Exception):
            call.set_exception(result)
        else:
            call.set_result(result)
    for call in calls:
        if call.then is not None:
            try:
                call.then()
            except Exception:
                log.exception("what waited for the log has failed")  # the others of the group go on
