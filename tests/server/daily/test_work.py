"""What AI players do for a day's deal goes on after a restart, and after workers that fail."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

import pytest

from server.ai.pool import AIPool, WorkerFailed
from server.daily import work
from server.daily.results import PROGRESS, read_fields
from server.daily.work import FIELD_GAMES, MOST_FAILURES, PREPARE_SECONDS
from server.storage.memory_log import MemoryLog
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


async def test_the_work_goes_on_after_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the server is stopped among the games of the field or in one of Master's, no part of it is done twice."""
    workers, log, clock = Workers(monkeypatch), MemoryLog(), Clock(NOON)
    monkeypatch.setattr(work, "FIELD_GAMES", FIELD_GAMES)
    monkeypatch.setattr(work, "PAR_GAMES", 3)
    whole = MemoryLog()
    async with lobby_at(clock, whole) as lobby:
        await dailies_of(lobby).deals.choose(TODAY, 0)
        await whole.put_text("daily-secret", "", "secret")
        dailies_of(lobby).work.begin(dailies_of(lobby).today)
        await asyncio.sleep(1)
    needed, workers.done = workers.done, 0
    await log.put_text("daily-secret", "", "secret")
    for workers.most in (10, FIELD_GAMES + 3, needed - 3, 10**6):
        async with lobby_at(clock, log) as lobby:
            await dailies_of(lobby).deals.choose(TODAY, 0)
            dailies_of(lobby).work.begin(dailies_of(lobby).today)
            await asyncio.sleep(1)
    assert workers.done == needed > FIELD_GAMES + 3
    assert await read_fields(log, TODAY) == await read_fields(whole, TODAY) != {}
    assert not await log.oldest_texts(PROGRESS, 1)


async def test_a_worker_that_fails_costs_no_more_than_its_own_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one does it; after many failures it is tried again at the next look."""
    workers, log = Workers(monkeypatch), MemoryLog()
    monkeypatch.setattr("server.ai.pool.AIPool.has_workers", True)
    async with lobby_at(Clock(NOON), log) as lobby:
        workers.fail = MOST_FAILURES - 1
        dailies_of(lobby).work.begin(dailies_of(lobby).today)
        await asyncio.sleep(MOST_FAILURES)
        assert await read_fields(log, TODAY)
    log = MemoryLog()
    async with lobby_at(Clock(NOON), log) as lobby:
        workers.fail = MOST_FAILURES
        dailies_of(lobby).work.begin(dailies_of(lobby).today)
        await asyncio.sleep(MOST_FAILURES)
        assert (workers.fail, await read_fields(log, TODAY)) == (0, {})
        await asyncio.sleep(PREPARE_SECONDS)
        assert await read_fields(log, TODAY)
