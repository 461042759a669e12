"""The work of AI workers takes turns by address: moves of AI players, hints, and long searches.

Work for a table is charged to the address of the player who has loaded it. An address that has used up its share comes
after the others. While they are about it is hurried, since work that has begun is not stopped.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from typing import Final
from weakref import WeakKeyDictionary

from server.fair_queue import PAYER, AddressGroup, FairQueue, Payer
from server.limits import WORK

BUSY: Final = 4
"""More moves of an address than so many for each worker are hurried. In the queue it begins so many before others."""
CROWD: Final = 50
"""If so many others within their shares wait for each worker, every move is hurried: each would wait too long."""
ABOUT_SECONDS: Final = 60.0
"""How long after it has asked for a move an address is about: it asks again soon."""


class _Asking(Payer):
    """An address that asks for work."""

    moves = 0
    """How many moves of AI players wait for their answers."""
    asked_at = -inf
    """When it asked for the last one."""


class WorkTurns(FairQueue):
    """The work of one server's workers. Each address has one payer here, whose steps each take a worker."""

    def __init__(self, at_once: int) -> None:
        """``at_once``: how much work is done at a time, one for each worker."""
        super().__init__(lambda: 0.0, share=WORK.share, ahead=BUSY)
        self._at_once = at_once
        self.going_on = 0
        """How much is done now."""
        self._asking: WeakKeyDictionary[AddressGroup, _Asking] = WeakKeyDictionary()
        """By the address in the queue for computing time."""

    @property
    def moves(self) -> int:
        """How many moves of AI players wait for their answers."""
        return sum(each.moves for each in self._asking.values())

    @asynccontextmanager
    async def move(self) -> AsyncIterator[bool]:
        """Wait for a worker for a move of an AI player. The body has it, and is told whether it has to hurry."""
        own = self._payer()
        own.moves, own.asked_at = own.moves + 1, asyncio.get_running_loop().time()
        try:
            async with self.turn():
                yield self._must_hurry(own)
        finally:
            own.moves -= 1

    def _must_hurry(self, own: _Asking) -> bool:
        """Whether a move that begins now is hurried."""
        now = asyncio.get_running_loop().time()
        others = [each for each in self._asking.values() if each is not own and each.address.used.used_until <= now]
        if own.moves > BUSY * self._at_once or sum(each.moves > 0 for each in others) >= CROWD * self._at_once:
            return True
        takes_last = self.going_on == self._at_once and own.address.used.used_until > now
        return takes_last and any(now - each.asked_at < ABOUT_SECONDS for each in others)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a worker; the body has it until it is done."""
        payer, now = self._payer(), asyncio.get_running_loop().time
        job = asyncio.get_running_loop().create_future()

        def begin() -> None:
            if not job.done():  # it was not cancelled
                self.going_on += 1
                payer.address.tag += 1.0  # all work counts alike
                job.set_result(None)

        payer.enqueue(begin)
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
        """Begin the next work, while there is room: that of addresses within their shares comes first."""
        now = asyncio.get_running_loop().time()
        while self.going_on < self._at_once and self.waiting:
            self.serve(min(self.waiting, key=lambda each: (each.used.used_until > now, each.tag)), now)

    def _payer(self) -> _Asking:
        return self._asking.setdefault(PAYER.get().address, _Asking(self.address()))
