"""The bench of `quatch serve` as a host starts it: how soon it is ready."""

import asyncio
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from server.bench.figures import Figure, Line
from server.bench.servers import program

STARTS: Final = 3
BARE_START: Final = "import asyncio, asyncssh"


def bench_start(_: Namespace) -> Iterator[Line]:
    """The fastest of a few starts on an empty folder, beside a Python that imports asyncssh."""
    mine = min(asyncio.run(_seconds_until_ready()) for _ in range(STARTS))
    theirs = min(_seconds_to_import() for _ in range(STARTS))
    yield f"The start of quatch serve on an empty folder, beside {BARE_START}:"
    yield Figure("start: until quatch serve is ready, beside the import of asyncssh", mine, theirs, "s")


async def _seconds_until_ready() -> float:
    with TemporaryDirectory() as folder:
        async with program(Path(folder)) as running:
            return running.seconds


def _seconds_to_import() -> float:
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", BARE_START], check=True)  # noqa: S603 - our own text
    return time.perf_counter() - begin
