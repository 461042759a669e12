"""Long searches take turns: for each decision that AI workers judge for them, by address.

It is the tree of turns of `fair_queue`. However many searches one address asks for, a player from another one has the
next decision judged as soon as a worker is free.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from weakref import WeakKeyDictionary

from engine.errors import InputError
from server.fair_queue import PAYER, Group, Node
from server.limits import SEARCHES_PER_ADDRESS


class SearchTurns:
    """The searches of one server."""

    def __init__(self, judged_at_once: int) -> None:
        """``judged_at_once``: how many decisions are judged at a time; a move of an AI player waits behind so many."""
        self.count = 0
        """How many searches run."""
        self._judged_at_once = judged_at_once
        self._everybody = Group()
        self._addresses: WeakKeyDictionary[Group, _Address] = WeakKeyDictionary()
        """By the address in the fair queue."""
        self._judged = 0
        """How many decisions are being judged."""

    @contextmanager
    def begin(self, *, is_long: bool = False) -> Iterator["RunningSearch"]:
        """Begin a search, which runs until the body is done, for the payer of what is done now.

        ``is_long``: it judges many decisions; of these an address has only a few at a time. Raises InputError if there
        are too many.
        """
        address = self._addresses.setdefault(PAYER.get().address, _Address(self._everybody))
        if is_long and address.long_searches >= SEARCHES_PER_ADDRESS:
            problem = f"{SEARCHES_PER_ADDRESS} games are being reviewed from your address"
            raise InputError("too_many", f"{problem}: try again when one of them is done")
        address.long_searches += is_long
        self.count += 1
        try:
            yield RunningSearch(self, address)
        finally:
            address.long_searches -= is_long
            self.count -= 1

    def take(self) -> None:
        """Note that a decision is being judged."""
        self._judged += 1

    def give_back(self) -> None:
        """Note that a decision has been judged."""
        self._judged -= 1
        self.serve()

    def serve(self) -> None:
        """Let the next searches have a decision judged, while there is room."""
        while self._judged < self._judged_at_once and self._everybody.waits:
            self._everybody.serve(asyncio.get_running_loop().time())


class _Address(Group):
    """The searches of one address."""

    long_searches = 0
    """How many run."""


class RunningSearch(Node):
    """A search that runs; it has one decision judged after the other."""

    def __init__(self, turns: SearchTurns, address: Group) -> None:
        super().__init__(address, usages=())
        self._turns = turns
        self._turn: asyncio.Future[None] | None = None
        """Done when it is this search's turn; None if it does not wait."""

    @property
    def waits(self) -> bool:
        """Whether it waits for its turn."""
        return self._turn is not None

    def serve(self, now: float) -> None:  # noqa: ARG002 - as inherited
        """It is this search's turn."""
        turn, self._turn = self._turn, None
        if turn is not None and not turn.done():  # else the search was cancelled
            self._turns.take()
            self.advance(1.0)  # every decision counts alike
            turn.set_result(None)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for the turn of this search; it lasts until the body is done."""
        turn = self._turn = asyncio.get_running_loop().create_future()
        self.enqueue()
        self._turns.serve()
        try:
            await turn
            yield
        finally:
            if turn.done() and not turn.cancelled():
                self._turns.give_back()
