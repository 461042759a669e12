"""A computer for tests of the fair queue: its time is what the steps say."""

import asyncio
import math
from collections.abc import Callable

from server.fair_queue import FairQueue, Payer
from server.limits import COMPUTING

STEP = 0.004
"""Seconds of computing that a step of these tests takes."""


class Computer:
    """A queue whose computing time is what the steps say, and the steps that were done, in order."""

    def __init__(self, turn: float = math.inf) -> None:
        """``turn``: how much may be done at once in one turn of the event loop."""
        self.time = 0.0
        self.queue = FairQueue(lambda: self.time, turn)
        self.done: list[str] = []

    def step(self, name: str, seconds: float = STEP) -> Callable[[], None]:
        """A step that takes so long."""

        def step() -> None:
            self.time += seconds
            self.done.append(name)

        return step

    async def turns(self, count: int) -> None:
        """Let the event loop turn."""
        for _ in range(count):
            await asyncio.sleep(0)

    async def exhaust(self, *payers: Payer) -> None:
        """Have each use up its share."""
        for payer in payers:
            payer.call(self.step("much", COMPUTING.share.burst + 1))
        await asyncio.sleep(0.01)
        self.done.clear()

    async def flood(self, payer: Payer, name: str, steps: int) -> None:
        """Do so many steps, each as soon as the one before is done, as a session does that types ahead."""

        async def work() -> None:
            for _ in range(steps):
                self.step(name)()
                await asyncio.sleep(0)

        await payer.run(work())
