"""What a process holds, and waiting until it has released it."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from tests.support.patience import PATIENCE


def tasks() -> int:
    """Tasks that are not done."""
    return sum(not task.done() for task in asyncio.all_tasks())


def descriptors(process: int | str = "self") -> int:
    """Open file descriptors of a process."""
    folder = Path(f"/proc/{process}/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


def memory(process: int | str = "self") -> int:
    """Bytes of memory that a process takes."""
    return int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def cancelled(task: "asyncio.Task[None]") -> None:
    """End a task that runs for ever. Raises the error that it has failed with, if it has."""
    while not task.done():
        # More than once: in Python 3.11 a task group that fails at the same moment swallows the first.
        task.cancel()
        await asyncio.wait([task], timeout=1.0)
    if not task.cancelled():
        task.result()


async def settled(done: Callable[[], bool]) -> None:
    """Wait until this holds, as when everything that was cancelled has ended."""
    async with asyncio.timeout(PATIENCE):
        while not done():
            await asyncio.sleep(0.01)
