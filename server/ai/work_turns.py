"""The work of AI workers takes turns by address: moves of AI players, reviews, hints, puzzles.

It is the tree of turns of `fair_queue`, in seconds of workers. Work is charged to the address that causes it: that of
the player, or for a table of the player who has loaded it. An address that has used up its share comes after the
others, and its moves are hurried while others wait. So a player from another address has the next free worker.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final
from weakref import WeakKeyDictionary

from server.fair_queue import PAYER, AddressGroup, Group, Node
from server.ledger import Rate
from server.limits import SEARCHES_PER_ADDRESS, WORK

BUSY: Final = 4
"""If so many moves of an address wait for each worker, or so many of all while the address has used up its share, the
next one is hurried."""
CROWD: Final = 16
"""If so many addresses within their shares wait for each worker, every move is hurried: each would wait too long."""


class WorkTurns:
    """The work of one server's workers."""

    def __init__(self, at_once: int, processes: int = 1) -> None:
        """``at_once``: how much work is done at a time, one for each worker; ``processes``: those of the server."""
        self._most_searches = SEARCHES_PER_ADDRESS.part(processes)
        self.searches = 0
        """How many searches run."""
        self._at_once = at_once
        self.going_on = 0
        """How much is done now."""
        self._everybody = Group()
        self._addresses: WeakKeyDictionary[AddressGroup, _Address] = WeakKeyDictionary()
        """By the address in the fair queue."""

    @contextmanager
    def search(self, *, is_long: bool = False) -> Iterator[None]:
        """Count a search, which runs until the body is done, for the payer of what is done now.

        ``is_long``: it judges many decisions; of these an address has only a few at a time. Raises InputError if there
        are too many.
        """
        address = self._address
        if is_long and address.long_searches >= self._most_searches:
            raise SEARCHES_PER_ADDRESS.refuse(most=self._most_searches)
        address.long_searches += is_long
        self.searches += 1
        try:
            yield
        finally:
            address.long_searches -= is_long
            self.searches -= 1

    @contextmanager
    def move(self) -> Iterator[None]:
        """Count a move of an AI player that waits for its answer until the body is done."""
        address = self._address
        address.moves += 1
        try:
            yield
        finally:
            address.moves -= 1

    @property
    def moves(self) -> int:
        """How many moves wait for their answers."""
        return sum(each.moves for each in self._addresses.values())

    def must_hurry(self) -> bool:
        """Whether the next move is hurried that the payer of what is done now has caused."""
        own = self._address
        if own.moves >= BUSY * self._at_once or (own.worked.wait() and self.moves >= BUSY * self._at_once):
            return True
        others = (each for each in self._addresses.values() if each.moves and not each.worked.wait())
        return sum(1 for _ in others) >= CROWD * self._at_once

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a worker; the body has it until it is done."""
        address, now = self._address, asyncio.get_running_loop().time
        job = _Job(address, self)
        job.enqueue()
        self._serve()
        try:
            await job.turn
            began = now()
            try:
                yield
            finally:
                address.worked.spend(now() - began)
        finally:
            if job.turn.done() and not job.turn.cancelled():
                self.going_on -= 1
                self._serve()

    def _serve(self) -> None:
        """Begin the next work, while there is room."""
        while self.going_on < self._at_once and self._everybody.waits:
            self._everybody.serve(asyncio.get_running_loop().time())

    @property
    def _address(self) -> "_Address":
        return self._addresses.setdefault(PAYER.get().address, _Address(self._everybody))


class _Address(Group):
    """What is asked for from one address."""

    def __init__(self, everybody: Group) -> None:
        self.worked = Rate(WORK.share)
        """The seconds of workers that it has used."""
        super().__init__(everybody, (self.worked,))
        self.long_searches = 0
        """How many run."""
        self.moves = 0
        """How many wait for their answers."""


class _Job(Node):
    """Work that waits for a worker."""

    def __init__(self, address: _Address, turns: WorkTurns) -> None:
        super().__init__(address, usages=())
        self._turns = turns
        self.turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when a worker is free for it."""

    @property
    def waits(self) -> bool:
        """Whether it waits for its turn."""
        return not self.turn.done()

    def serve(self, now: float) -> None:  # noqa: ARG002 - as inherited
        """It has its turn, unless it was cancelled."""
        if self.waits:
            self._turns.going_on += 1
            self.advance(1.0)  # all work counts alike
            self.turn.set_result(None)
