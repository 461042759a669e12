"""What AI players do for a day's deal is done in the end, after a restart and after workers that fail."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

import pytest

from server.ai.pool import AIPool, WorkerFailed
from server.daily.choice import PREPARE_SECONDS
from server.daily.results import read_fields
from server.lobby.service import Serving
from server.storage.sqlite_database import MemoryDatabase
from tests.server.daily.quick import dailies_of, quicken
from tests.support.at_terminals import lobby_at
from tests.support.clock import NOON, Clock

pytestmark = pytest.mark.virtual_time
TODAY = "2026-11-22"
T = TypeVar("T")


class Workers:
    """Workers that do everything at once, until they have done enough or as often as they fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        quicken(monkeypatch)
        monkeypatch.setattr(AIPool, "run", self._run)
        self.done = 0
        self.most = 10**6
        self.fail = 0

    async def _run(self, work: Callable[[], T], *, in_background: bool) -> T:  # noqa: ARG002
        if self.fail:
            self.fail -= 1
            raise WorkerFailed
        if self.done == self.most:
            await asyncio.Event().wait()
        self.done += 1
        return work()


async def test_work_that_was_cut_off_is_done_after_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the server was stopped among the games of the field or in one of Master's: with the same results."""
    workers, log, whole = Workers(monkeypatch), MemoryDatabase(), MemoryDatabase()
    for each, stops in ((whole, (10**6,)), (log, (3, 6, 10**6))):
        await each.put_text("daily-secret", "", "secret")
        for most in stops:
            workers.done, workers.most = 0, most
            async with lobby_at(Clock(NOON), each) as lobby:
                await dailies_of(lobby).deals.choose(TODAY, 0)
                dailies_of(lobby).work.begin(dailies_of(lobby).today)
                await asyncio.sleep(1)
            assert bool(await read_fields(each, TODAY)) == (most == 10**6)
    assert await read_fields(log, TODAY) == await read_fields(whole, TODAY)


async def test_what_a_worker_has_failed_at_is_tried_again_at_the_next_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until then the day has no field."""
    workers, log = Workers(monkeypatch), MemoryDatabase()
    async with lobby_at(Clock(NOON), log, 1) as lobby:
        dailies_of(lobby).serve(Serving(0, lambda: None))
        workers.fail = 1
        dailies_of(lobby).work.begin(dailies_of(lobby).today)
        await asyncio.sleep(1)
        assert (workers.fail, await read_fields(log, TODAY)) == (0, {})
        await asyncio.sleep(PREPARE_SECONDS)
        assert await read_fields(log, TODAY)
