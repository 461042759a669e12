"""Rate limits, on a clock that jumps."""

import asyncio

import pytest

from server.ledger import Rate, RateLimit

pytestmark = pytest.mark.virtual_time


async def test_a_burst_is_free_and_then_each_token_waits_for_its_turn() -> None:
    """A token more than the burst waits for one interval, the next for two."""
    rate = Rate(RateLimit(3, 2))
    assert [rate.take() for _ in range(5)] == [0.0, 0.0, 0.0, 0.5, 1.0]
    assert rate.wait() == 1.5
    await asyncio.sleep(1.5)
    assert rate.take() == 0.0


async def test_a_token_that_is_not_free_is_not_taken() -> None:
    """So trying again and again does not make the wait longer."""
    rate = Rate(RateLimit(1, 1))
    assert [rate.take_if_free() for _ in range(5)] == [True, False, False, False, False]
    await asyncio.sleep(1)
    assert rate.take_if_free()


async def test_a_bucket_is_full_again_in_time_and_never_fuller() -> None:
    """After as long as the whole burst takes to fill."""
    rate = Rate(RateLimit(4, 2))
    rested = [rate.rested]
    assert rate.spend(3) == 0.0
    for seconds in (0.0, 1.4, 0.2):
        await asyncio.sleep(seconds)
        rested.append(rate.rested)
    assert rested == [True, False, False, True]
    await asyncio.sleep(1000)
    assert rate.spend(6) == 1.0
