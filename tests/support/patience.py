"""How long tests wait for what must come."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

PATIENCE: Final = 60.0
"""Seconds after which a test gives up waiting for something; nothing ever waits this long by design."""


async def wait_until(
    holds: Callable[[], object], news: asyncio.Condition, reading: "asyncio.Task[None]", seen: Callable[[], str]
) -> None:
    """Wait until this holds; it is looked at whenever there are news.

    Raises ConnectionError if ``reading`` ends before, AssertionError if it never holds: both say what was ``seen``.
    The seconds are those of the machine: an event loop that skips waiting may pass many of its own while it computes.
    """
    began = time.monotonic()
    while not holds():
        if reading.done():
            raise ConnectionError(seen())
        if time.monotonic() >= began + PATIENCE:
            raise AssertionError(seen())
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE), news:
                await news.wait_for(lambda: bool(holds()) or reading.done())
