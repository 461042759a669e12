"""The answers to calls that are carried out in a group."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

R = TypeVar("R")


class Answer(asyncio.Future[R]):
    """The answer to one call of a group."""

    then: Callable[[], None] | None = None
    """Called as soon as all answers of the group are there, and not in the next turn of the event loop."""


def settle(answers: Sequence[Answer[R]], results: Sequence[R | Exception]) -> None:
    """Give each call of a group its result, or its error."""
    for answer, result in zip(answers, results, strict=True):
        if answer.done():  # the caller was cancelled
            continue
        if isinstance(result, Exception):
            answer.set_exception(result)
        else:
            answer.set_result(result)
    for answer in answers:
        if answer.then is not None:
            answer.then()
