"""The work of AI workers takes turns by address: moves of AI players, reviews, hints, puzzles.

It is a fair queue in seconds of workers. Work for a table is charged to the address of the player who has loaded it. An
address that has used up its share comes after the others, and its moves are hurried while others wait.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Final
from weakref import WeakKeyDictionary

from server.fair_queue import PAYER, AddressGroup, FairQueue, Payer
from server.limits import WORK

BUSY: Final = 4
"""If so many moves of an address wait for each worker, or so many of all while the address has used up its share, the
next one is hurried."""
CROWD: Final = 16
"""If so many addresses within their shares wait for each worker, every move is hurried: each would wait too long."""


class WorkTurns(FairQueue):
    """The work of one server's workers. Each address has one payer here, whose steps each take a worker."""

    def __init__(self, at_once: int) -> None:
        """``at_once``: how much work is done at a time, one for each worker."""
        super().__init__(lambda: 0.0, share=WORK.share)
        self._at_once = at_once
        self.going_on = 0
        """How much is done now."""
        self._payers: WeakKeyDictionary[AddressGroup, Payer] = WeakKeyDictionary()
        """By the address in the queue for computing time."""
        self.moves = Counter[Payer]()
        """How many moves of AI players wait for their answers."""

    @contextmanager
    def move(self) -> Iterator[None]:
        """Count a move of an AI player that waits for its answer until the body is done."""
        payer = self._payer
        self.moves[payer] += 1
        try:
            yield
        finally:
            self.moves[payer] -= 1
            self.moves += Counter()  # forgets those that are 0

    def must_hurry(self) -> bool:
        """Whether the next move is hurried that the payer of what is done now has caused."""
        now = asyncio.get_running_loop().time()
        crowd = sum(payer.address.is_within_share_at(now) for payer in self.moves)
        own = self._payer
        before = self.moves[own] if own.address.is_within_share_at(now) else self.moves.total()
        return before >= BUSY * self._at_once or crowd >= CROWD * self._at_once

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a worker; the body has it until it is done."""
        payer, now = self._payer, asyncio.get_running_loop().time
        job = asyncio.get_running_loop().create_future()
        payer.enqueue(partial(self._begin, job, payer))
        try:
            await job
            began = now()
            try:
                yield
            finally:
                payer.address.used.take(now() - began)
        finally:
            if job.done() and not job.cancelled():
                self.going_on -= 1
                self.wake()

    def wake(self) -> None:
        """Begin the next work, while there is room."""
        while self.going_on < self._at_once and self.waiting:
            self.serve(asyncio.get_running_loop().time())

    def _begin(self, job: "asyncio.Future[None]", payer: Payer) -> None:
        """It has its turn, unless it was cancelled."""
        if not job.done():
            self.going_on += 1
            payer.address.tag += 1.0  # all work counts alike
            job.set_result(None)

    @property
    def _payer(self) -> Payer:
        return self._payers.setdefault(PAYER.get().address, self.address().session())
