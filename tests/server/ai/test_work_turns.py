"""The work of AI workers takes turns by address; one address has only a few reviews, and hurries itself alone."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from server.ai.pool import ABOUT_SECONDS, BUSY, CROWD, AIPool, WorkTurns
from server.fair_queue import PAYER, AddressGroup, FairQueue, Payer
from server.limits import SEARCHES_PER_ADDRESS, WORK
from tests.support.resources import cancelled

pytestmark = pytest.mark.virtual_time
JUDGED_AT_ONCE = 8
JUDGING_SECONDS = 0.1


class Reviews:
    """Reviews from several addresses, and whose decisions were judged, in order."""

    def __init__(self, turns: WorkTurns | None = None) -> None:
        self.turns = turns or WorkTurns(JUDGED_AT_ONCE)
        self.judged: list[str] = []
        self.at_once = 0
        self._judging = 0

    async def review(self, address: AddressGroup, name: str, decisions: int) -> None:
        """Review a game of so many decisions."""
        await Payer(address).run(self._review(name, decisions))

    async def _review(self, name: str, decisions: int) -> None:
        for _ in range(decisions):
            async with self.turns.turn():
                self.judged.append(name)
                self._judging += 1
                self.at_once = max(self.at_once, self._judging)
                try:
                    await asyncio.sleep(JUDGING_SECONDS)
                finally:
                    self._judging -= 1

    @asynccontextmanager
    async def flood(self, addresses: int) -> AsyncIterator[None]:
        """As many reviews without an end as so many addresses may have."""
        queue, sessions = FairQueue(), range(addresses * SEARCHES_PER_ADDRESS.share)
        groups = [queue.address() for _ in range(addresses)]
        running = [asyncio.create_task(self.review(groups[n % addresses], f"{n % addresses}", 10**6)) for n in sessions]
        await asyncio.sleep(10 * JUDGING_SECONDS)
        try:
            yield
        finally:
            for task in running:
                await cancelled(task)


async def test_reviews_of_other_addresses_hardly_slow_one_down() -> None:
    """A decision waits for a place, and not behind all that wait. Each address gets as many judged as another."""
    reviews, loop = Reviews(), asyncio.get_running_loop()
    async with reviews.flood(addresses=10):
        began = loop.time()
        await reviews.review(FairQueue().address(), "honest", 20)
        seconds = loop.time() - began
        judged = Counter(reviews.judged)
    assert seconds <= 20 * 2.1 * JUDGING_SECONDS
    assert reviews.at_once == JUDGED_AT_ONCE
    others = [judged[str(number)] for number in range(10)]
    assert max(others) - min(others) <= SEARCHES_PER_ADDRESS.share


@pytest.mark.parametrize(("workers", "at_once"), [(0, 1), (1, 1), (3, 3)])
async def test_as_much_is_done_at_a_time_as_there_are_workers(workers: int, at_once: int) -> None:
    """So whoever is next waits behind what has begun, and behind nothing else."""
    reviews = Reviews(AIPool(workers).turns)
    async with reviews.flood(addresses=3):
        assert reviews.at_once == at_once


async def test_an_address_gets_no_more_with_more_reviews() -> None:
    """Three reviews have three times as many decisions waiting as one, and about as many judged."""
    reviews, queue = Reviews(), FairQueue()
    many, one = queue.address(), queue.address()
    async with reviews.flood(addresses=JUDGED_AT_ONCE):
        reviews.judged.clear()
        running = [
            asyncio.create_task(reviews.review(address, name, 10**6))
            for address, name in ((many, "many"), (many, "many"), (many, "many"), (one, "one"))
        ]
        await asyncio.sleep(100 * JUDGING_SECONDS)
        judged = Counter(reviews.judged)
        for task in running:
            await cancelled(task)
    assert judged["one"] == pytest.approx(judged["many"], rel=0.3)


async def test_a_review_that_is_stopped_frees_its_place() -> None:
    """While it waits for its turn, at the moment of its turn, and while a decision is judged."""
    for steps in range(8):
        reviews, queue = Reviews(), FairQueue()
        async with reviews.flood(addresses=2):  # they take all places
            stopped = asyncio.create_task(reviews.review(queue.address(), "stopped", 5))
            await asyncio.sleep(JUDGING_SECONDS / 2)
            if steps:
                await asyncio.sleep(JUDGING_SECONDS / 2)
            for _ in range(steps):
                await asyncio.sleep(0)
            await cancelled(stopped)
        assert not reviews.turns.waiting
        for name in "abcdefgh":
            await reviews.review(queue.address(), name, 1)
        together = [reviews.review(queue.address(), "together", 1) for _ in range(JUDGED_AT_ONCE)]
        async with asyncio.timeout(1.5 * JUDGING_SECONDS):
            await asyncio.gather(*together)


async def _asks(turns: WorkTurns, address: AddressGroup, seconds: float = JUDGING_SECONDS) -> bool:
    """Have an AI player at a table of this address think so long. Returns whether it is hurried."""
    PAYER.set(Payer(address))
    async with turns.move() as is_hurried:
        await asyncio.sleep(seconds)
    return is_hurried


async def _ask(turns: WorkTurns, address: AddressGroup, times: int = 1, seconds: float = JUDGING_SECONDS) -> list[bool]:
    """Have so many of them think at a time."""
    return await asyncio.gather(*(asyncio.create_task(_asks(turns, address, seconds)) for _ in range(times)))


async def test_an_address_hurries_itself_alone() -> None:
    """With many moves at a time. In a crowd all are hurried."""
    turns, queue = WorkTurns(1), FairQueue()
    many, honest = queue.address(), queue.address()
    hurried, alone = await asyncio.gather(_ask(turns, many, BUSY + 2), _ask(turns, honest))
    assert (hurried, alone) == ([False, True, *[False] * BUSY], [False]), "the first one began alone"
    crowd = [_ask(turns, queue.address()) for _ in range(CROWD + 2)]
    assert (await asyncio.gather(*crowd))[:3] == [[False], [True], [False]]


async def test_an_address_that_has_used_up_its_share_is_hurried_while_others_are_about() -> None:
    """Only if it takes the last worker: what a worker has begun cannot be interrupted."""
    for workers, hurried in ((1, [True, True]), (2, [False, True])):
        turns, queue = WorkTurns(workers), FairQueue()
        spent, honest = queue.address(), queue.address()
        await _ask(turns, spent, seconds=WORK.share.burst + 2 * ABOUT_SECONDS)
        assert await _ask(turns, spent) == [False], "nobody else is about"
        assert await _ask(turns, honest) == [False]
        await asyncio.sleep(ABOUT_SECONDS / 2)
        assert await _ask(turns, spent, 2) == hurried
        await asyncio.sleep(ABOUT_SECONDS)
        assert await _ask(turns, spent) == [False]
