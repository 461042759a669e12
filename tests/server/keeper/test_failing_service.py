"""A feature whose service fails costs the others nothing."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path
from typing import Any

from server.addresses import Address
from server.app.app import App
from server.config import Config
from server.features import Feature, Features
from server.keeper.kept_process import retire
from server.lobby.drain import RENEWED
from server.lobby.lobby import Lobby, Runs
from server.lobby.service import Service
from server.net.listening_sockets import by_carrier, open_all
from server.people.players import Caller
from server.storage.sqlite_database import MemoryDatabase


class Told(Service):
    """A service that remembers what it was told."""

    def __init__(self, _: Lobby) -> None:
        """Nothing was told yet."""
        self.told: list[str] = []
        self.denied = asyncio.Event()

    def note(self, what: str) -> None:
        """Remember it."""
        self.told.append(what)

    async def retire(self, _: str) -> None:
        """A newer process takes its place."""
        self.note("retire")

    @property
    def tasks(self) -> Collection[asyncio.Task[Any]]:
        """Somebody wants to know them."""
        self.note("tasks")
        return ()

    def end(self, _: str) -> None:
        """The process stops."""
        self.note("end")

    def send_away(self, key: str | None, _: Address | None) -> None:
        """A player was kicked."""
        self.note(f"send {key} away")

    async def send_away_denied(self, _: Callable[[Caller], Awaitable[str]]) -> None:
        """The bans have changed."""
        self.note("send the denied away")
        self.denied.set()

    async def close(self) -> None:
        """The lobby closes."""
        self.note("close")


class Failing(Told):
    """A service that fails at whatever it is told."""

    def note(self, what: str) -> None:
        """Fail."""
        raise RuntimeError(what)


class ClosedLog(MemoryDatabase):
    """A log that knows whether it was closed."""

    is_closed = False

    async def close(self) -> None:
        """The lobby needs it no more."""
        self.is_closed = True
        await super().close()


async def test_what_a_failing_service_does_not_do_the_others_do(tmp_path: Path) -> None:
    """Until the sessions have wound down and the log is closed."""
    config = Config.load(None, {}, {"host": ["127.0.0.1"], "port": 0, "hostkeys": str(tmp_path)})
    features, log = Features((Feature("failing", (Runs(Failing), Runs(Told))),)), ClosedLog()
    app = App(config, log, by_carrier(await open_all(config.listens_at())), features=features)
    await app.start()
    (other,) = (each for each in app.lobby.services if type(each) is Told)
    app.lobby.send_away(Caller(key="SHA256:ana"))
    app.lobby.imposed.bans.changed.set()
    async with asyncio.timeout(20):
        await other.denied.wait()
    await retire(app)
    assert app.lobby.drain.notice == RENEWED
    await app.stop()
    assert other.told == ["send SHA256:ana away", "send the denied away", "retire", "end", "tasks", "close"]
    assert log.is_closed
