"""An honest player beside an attack."""

import time
from typing import Final

from tests.support.people import RunningServer

ATTACKER: Final = "127.0.0.9"


async def probe(running_server: RunningServer) -> float:
    """Seconds until an honest player, who is already in, is answered."""
    async with running_server.person("honest", term=None) as honest:
        await honest.until_text("Type play")
        started = time.perf_counter()
        honest.type("who")
        await honest.until_text("here: ")
        return time.perf_counter() - started
