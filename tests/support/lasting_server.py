"""A server that is stopped, killed and started again while its visitors come and go, and what it holds meanwhile."""

import asyncio
import gc
import shutil
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from server.features import Features
from server.storage.sqlite_database import SqliteDatabase
from server.storage.sqlite_file import FILE_NAME
from tests.support.features import not_looking_back
from tests.support.people import RunningServer, running_server
from tests.support.resources import descriptors, memory, tasks


class LastingServer:
    """One server after the other on the same database."""

    running: RunningServer

    def __init__(
        self,
        folder: Path,
        wall: Callable[[], float],
        features: Callable[[Collection[str]], Features] = not_looking_back,
        /,
        **settings: object,
    ) -> None:
        """``features`` returns what there is beside those that are left out."""
        self.starts = 0
        self.log: SqliteDatabase
        self._folder, self._wall, self._features, self._settings = folder, wall, features, settings
        self._stack = AsyncExitStack()
        self._data = folder / "0"

    async def start(self) -> None:
        """Start on what the one before has left."""
        self.starts += 1
        self.log = SqliteDatabase(self._data / FILE_NAME)
        server = running_server(self._folder, self.log, self._wall, self._features, **self._settings)
        self.running = await self._stack.enter_async_context(server)

    async def stop(self) -> None:
        """Stop as SIGTERM does."""
        await self._stack.aclose()

    async def kill(self, idle: Callable[[], bool]) -> None:
        """Stop as SIGKILL does: all connections are cut, and the files stay as they are at this moment.

        They are copied while the log is idle; what the server writes from then on goes to files that nobody reads.
        """
        while not idle():
            await asyncio.sleep(0)
        left, self._data = self._data, self._folder / str(self.starts)
        shutil.copytree(left, self._data)
        for connection in list(self.running.app.listener.connection_limits.connections):
            connection.evict()
        await self._stack.aclose()
        shutil.rmtree(left)


@dataclass(frozen=True, slots=True)
class Held:
    """What a server and its process hold at a moment."""

    rss: int
    """Bytes."""
    descriptors: int
    tasks: int
    sessions: int
    tables: int
    file: int
    """Bytes of the database."""
    games: int
    """Finished games that are kept."""
    objects: Counter[str] = field(repr=False)
    """How many instances of each class of ours there are."""


async def held(server: LastingServer) -> Held:
    """What the server holds now."""
    gc.collect()
    classes = (type(each) for each in gc.get_objects())
    objects = Counter(f"{each.__module__}.{each.__qualname__}" for each in classes if is_ours(each))
    return Held(
        rss=memory(),
        descriptors=descriptors(),
        tasks=tasks(),
        sessions=len(server.running.app.sessions),
        tables=len(server.running.app.lobby.tables.here),
        file=await server.log.size(),
        games=len(await server.log.games(0, 1_000_000)),
        objects=objects,
    )


def is_ours(kind: type) -> bool:
    """Whether a class belongs to the program, or to a library that the program holds connections with."""
    return str(kind.__module__).startswith(("server.", "engine.", "asyncssh.", "asyncio."))
