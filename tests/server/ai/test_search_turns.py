"""Reviews take turns by address, and one address has only a few."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager

import pytest

from engine.errors import InputError
from server.ai.pool import AIPool
from server.ai.search_turns import SearchTurns
from server.fair_queue import PAYER, AddressGroup, FairQueue
from server.limits import SEARCHES_PER_ADDRESS
from tests.support.resources import cancelled

pytestmark = pytest.mark.virtual_time
JUDGED_AT_ONCE = 8
JUDGING_SECONDS = 0.1


class Reviews:
    """Reviews from several addresses, and whose decisions were judged, in order."""

    def __init__(self, turns: SearchTurns | None = None) -> None:
        self.turns = turns or SearchTurns(JUDGED_AT_ONCE)
        self.judged: list[str] = []
        self.at_once = 0
        self._judging = 0

    async def review(
        self, address: AddressGroup, name: str, decisions: int, account: str | None = None, *, is_long: bool = True
    ) -> None:
        """Review a game of so many decisions."""
        await address.session(account).run(self._review(name, decisions, is_long))

    async def _review(self, name: str, decisions: int, is_long: bool) -> None:  # noqa: FBT001
        with self.turns.begin(is_long=is_long) as review:
            for _ in range(decisions):
                async with review.turn():
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
        queue, sessions = FairQueue(), range(addresses * SEARCHES_PER_ADDRESS)
        groups = [queue.address() for _ in range(addresses)]
        running = [asyncio.create_task(self.review(groups[n % addresses], f"{n % addresses}", 10**6)) for n in sessions]
        await asyncio.sleep(10 * JUDGING_SECONDS)
        try:
            yield
        finally:
            for task in running:
                await cancelled(task)


@contextmanager
def reviewing(turns: SearchTurns, address: AddressGroup, account: str | None = None) -> Iterator[None]:
    """Hold a review that has nothing judged."""
    before = PAYER.set(address.session(account))
    with turns.begin(is_long=True):
        PAYER.reset(before)
        yield


async def test_an_address_has_a_few_reviews_at_a_time() -> None:
    """However many keys come from there. Another address always gets one, and so does a short search."""
    reviews, queue = Reviews(), FairQueue()
    here, there = queue.address(), queue.address()
    with ExitStack() as running:
        for account in range(SEARCHES_PER_ADDRESS - 1):
            running.enter_context(reviewing(reviews.turns, here, f"account:{account}"))
        await reviews.review(here, "last", 1)
        with reviewing(reviews.turns, here), pytest.raises(InputError, match="4 games are being reviewed from your"):
            await reviews.review(here, "one too many", 1, "account:ana")
        with reviewing(reviews.turns, here):
            await reviews.review(here, "hint", 1, is_long=False)
        with reviewing(reviews.turns, here):
            await reviews.review(there, "other", 1)
        await reviews.review(here, "last", 1)
    assert reviews.judged == ["last", "hint", "other", "last"]
    assert not reviews.turns.count


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
    assert max(others) - min(others) <= SEARCHES_PER_ADDRESS


@pytest.mark.parametrize(("workers", "at_once"), [(0, 1), (1, 2), (3, 4)])
async def test_a_move_of_an_ai_player_waits_behind_one_decision_more_than_there_are_workers(
    workers: int, at_once: int
) -> None:
    """However many reviews run; no worker ever waits for a decision."""
    reviews = Reviews(AIPool(workers).searches)
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
        assert not reviews.turns.count
        for name in "abcdefgh":
            await reviews.review(queue.address(), name, 1)
        together = [reviews.review(queue.address(), "together", 1) for _ in range(JUDGED_AT_ONCE)]
        async with asyncio.timeout(1.5 * JUDGING_SECONDS):
            await asyncio.gather(*together)
