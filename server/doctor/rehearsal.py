"""A rehearsal: a server with the host's limits, to which a room full of guests comes at once over real ssh."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import asyncssh

from server.app.app import App
from server.config import Config
from server.features import ALL, load
from server.net.listening_sockets import by_carrier, open_all
from server.storage.memory_database import MemoryDatabase

GUESTS: Final = 20
PATIENCE: Final = 30.0
"""Seconds until a guest counts as not let in."""


async def rehearse(config: Config) -> tuple[int, float]:
    """Returns how many of the guests came in, and after how many seconds the last of them saw the first screen."""
    with TemporaryDirectory() as folder:
        # Nothing of the host's is touched. The guests are strangers of one address, though they come from this machine.
        small = replace(
            config, host=("127.0.0.1",), port=0, hostkeys=str(Path(folder, "keys")), data=folder, database="",
            exempt=(), proxies=(), without=(ALL,), of_features={}, processes=1, ops=(), allow_file="",
        )  # fmt: skip
        sockets = await open_all(small.listens_at())
        app = App(small, MemoryDatabase(), by_carrier(sockets), features=load(small.without))
        await app.start()
        try:
            clock = asyncio.get_running_loop().time
            came = await asyncio.gather(*(_come(sockets[0].port, number, clock) for number in range(GUESTS)))
        finally:
            await app.stop()
    seconds = [each for each in came if each is not None]
    return len(seconds), max(seconds, default=0.0)


async def _come(port: int, number: int, clock: Callable[[], float]) -> float | None:
    """Come in and wait for the first screen. Returns after how many seconds it was there; None for never."""
    began = clock()
    try:
        async with asyncio.timeout(PATIENCE), asyncssh.connect(
            "127.0.0.1", port, username=f"guest{number}", password="", known_hosts=None, client_keys=None,
            agent_path=None, config=None,
        ) as connection:  # fmt: skip
            process = await connection.create_process(term_type="xterm", encoding=None)
            await process.stdout.read(1)
            return clock() - began
    except (OSError, asyncssh.Error):
        return None
