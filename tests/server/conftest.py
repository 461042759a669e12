"""A running server for each test that asks for one, and every kind of log."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import pytest
import structlog

from server.fair_queue import FairQueue
from server.features import FEATURES
from server.ledger import REFUSED
from server.net import connection_limits
from server.storage.database import Database
from server.storage.engines import database_at
from server.storage.sqlite_database import MemoryDatabase
from tests.soak import long
from tests.support.log_entries import Logs
from tests.support.ops import hosted
from tests.support.people import RunningServer, running_server
from tests.support.simulated_log import World
from tests.support.virtual_time import SkippingLoop, VirtualTimeLoop, wrap_future


@pytest.fixture(autouse=True)
def time_as_marked(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """On a busy machine no player waits in the fair queue, except in tests with the marker `computing_takes_time`.

    With `waiting_takes_no_time`, timers do not wait while nothing is under way; what workers compute is.
    """
    if request.node.get_closest_marker("computing_takes_time") is None:
        monkeypatch.setattr(connection_limits, "FairQueue", lambda: FairQueue(clock=lambda: 0.0))
    if request.node.get_closest_marker("waiting_takes_no_time"):
        monkeypatch.setattr(asyncio, "wrap_future", wrap_future)


def pytest_asyncio_loop_factories(
    config: pytest.Config,  # noqa: ARG001 - it is named by pytest-asyncio
    item: pytest.Item,
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """The event loop of each test, by its marker: in virtual time, one that skips waiting, or the usual one."""
    if item.get_closest_marker("virtual_time"):
        return {"loop": VirtualTimeLoop}
    return {"loop": SkippingLoop if item.get_closest_marker("waiting_takes_no_time") else asyncio.new_event_loop}


@pytest.fixture
async def open_server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server on a free port whose AI players move at once."""
    async with running_server(tmp_path) as running:
        yield running


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server with an op; see `tests.support.ops`."""
    async with hosted(tmp_path) as running:
        yield running


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose features or programs are missing, with the reason; in CI the programs must be there.

    Forget what servers of earlier tests refused, which is counted for each process.
    """
    REFUSED.clear()
    for marker in item.iter_markers("features"):
        if gone := {*marker.args} - {*FEATURES}:
            pytest.skip(f"without {', '.join(sorted(gone))}")
    for marker in item.iter_markers("needs"):
        missing = [program for program in marker.args if shutil.which(program) is None]
        if missing and os.environ.get("CI"):
            pytest.fail(f"CI must have {', '.join(missing)}")
        elif missing:
            pytest.skip(f"needs {', '.join(missing)}")


@pytest.fixture(autouse=True)
def _logs_as_they_were() -> Iterator[None]:
    """What one test sets up for the program's logs is not there for the next."""
    yield
    structlog.reset_defaults()


ALONE: Final = long((), ("postgres",))
"""Logs that are tried in the soak alone: each promise of this one is also tried with two of its kind."""


@pytest.fixture(params=["memory", "sqlite", "two on one file", "simulated", *ALONE, "two on one database"])
async def logs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Logs]:
    """A log to write to and one to read from."""
    world, memory = World(), MemoryDatabase()
    one: Database
    other: Database
    match request.param:
        case "memory":
            one = other = memory
        case "sqlite":
            one = other = database_at("", tmp_path)
        case "two on one file":
            one, other = database_at("", tmp_path), database_at("", tmp_path)
        case "postgres":
            one = other = database_at(request.getfixturevalue("database"), "")
        case "two on one database":
            url = request.getfixturevalue("database")
            one, other = database_at(url, ""), database_at(url, "")
        case _:
            one, other = world.node("one"), world.node("other")
    async with AsyncExitStack() as undo:
        for log in {one, other}:
            await log.open()
            undo.push_async_callback(log.close)
        yield one, other
