"""One thing after the other at one table; see `server.table.inbox`."""

import asyncio

from server.table.inbox import Inbox
from tests.support.virtual_time import in_virtual_time


@in_virtual_time
async def test_a_request_waits_for_one_thing_that_is_due_however_much_is_due() -> None:
    """As while AI players play a game to its end: each of their moves is due as soon as the one before is written."""
    now = asyncio.get_running_loop().time
    done, due_at = list[str](), [now() + 0.01]

    async def do_due() -> None:
        done.append("due")
        await asyncio.sleep(0.02)  # the timer that was set for the first time rings meanwhile

    async def hurry() -> None:
        due_at[0] = now()

    async def request() -> None:
        done.append("request")

    inbox = Inbox("closed", lambda: due_at[0], do_due)
    serving = asyncio.create_task(inbox.serve())
    await asyncio.sleep(0)
    await inbox.ask(hurry)
    await asyncio.sleep(0.05)
    before = len(done)
    async with asyncio.timeout(1):
        await inbox.ask(request)
    inbox.end()
    await serving

    assert done[before] == "request"
