"""Ops at any process of a server drain all of it, and have it go on."""

import asyncio

import pytest

from server.peers.several import REPEAT_SECONDS
from tests.support.nodes import lobbies

pytestmark = pytest.mark.virtual_time
KNOWN = 5.0
"""Seconds after which the processes know each other."""
HEARD = 1.0
"""Seconds until a request has arrived, and what was done about it: less than from one beat to the next."""


async def test_the_last_request_counts_wherever_it_was_made() -> None:
    """Also right after the one before it, which no process repeats then."""
    async with lobbies(number=3) as (_, (here, there, third)):
        await asyncio.sleep(KNOWN)
        for first, second in ((here, third), (third, there)):
            first.begin_drain(600.0, "")
            await asyncio.sleep(HEARD)
            assert all(each.drain.is_active for each in (here, there, third))
            assert all(each.drains("") for each in (here, there, third))
            second.begin_drain(None, "")
            await asyncio.sleep(HEARD)
            assert not any(each.drain.is_active for each in (here, there, third))
            assert not any(each.drains("") for each in (here, there, third))
            await asyncio.sleep(REPEAT_SECONDS)
            assert not any(each.drain.is_active for each in (here, there, third))
