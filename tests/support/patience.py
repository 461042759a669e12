"""How long tests wait for what must come."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 60.0
"""Seconds after which a test gives up waiting for something; nothing ever waits this long by design."""


async def wait_until(holds: Callable[[], object], news: asyncio.Condition) -> None:
    """Wait until this holds; it is looked at whenever there are news. Raises TimeoutError if it never does.

    The seconds are those of the machine: an event loop that skips waiting may pass many of its own while it computes.
    """
    began = time.monotonic()
    while not holds():
        try:
            async with asyncio.timeout(PATIENCE), news:
                await news.wait_for(lambda: bool(holds()))
        except TimeoutError:
            if time.monotonic() >= began + PATIENCE:
                raise
