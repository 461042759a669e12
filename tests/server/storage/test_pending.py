"""Calls that are carried out in a group."""

import asyncio

from server.storage.pending import Pending, settle


async def test_a_caller_that_fails_stops_no_other_one() -> None:
    """All have their results, and go on in turn."""
    loop, went_on = asyncio.get_running_loop(), list[str]()
    first: Pending[int] = Pending(loop=loop)
    second: Pending[int] = Pending(loop=loop)
    first.then = lambda: went_on.remove("never")
    second.then = lambda: went_on.append("second")
    settle([first, second], [1, 2])
    assert (await first, await second, went_on) == (1, 2, ["second"])
