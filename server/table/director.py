"""The game of an occasion that others wait for, as the feature directs it that has opened the table."""

import asyncio
from collections.abc import Callable

from server.table.entries import TimeUp
from server.table.inbox import request
from server.table.journal import Journal
from server.table.own_work import OwnWork
from server.table.unlogged_state import UnloggedState


class Director:
    """Directs the only game at one table. Each request may be made twice, and by several processes."""

    def __init__(self, journal: Journal, runtime: UnloggedState, own_work: OwnWork, show: Callable[[], None]) -> None:
        """``show`` shows the table."""
        self._journal, self._runtime, self._own_work, self._show = journal, runtime, own_work, show
        self._now = asyncio.get_running_loop().time
        self.inbox = own_work.inbox

    @property
    def is_prepared(self) -> bool:
        """Whether the table has committed to the deal of its first game, or has dealt it."""
        return self._journal.state.next_deal is not None or self.is_dealt

    @property
    def is_dealt(self) -> bool:
        """Whether a game was dealt here."""
        return self._journal.state.deal is not None

    @request(may_refuse=False)
    async def prepare(self, seconds: float) -> None:
        """Give the players their seats, and commit to the deal; its cards are dealt in so many seconds."""
        await self._own_work.sleep.end()
        self._runtime.deals_at = self._now() + seconds
        await self._own_work.prepare()

    @request(may_refuse=False)
    async def deal(self) -> None:
        """Deal, unless that is done. If cuts are sealed they are closed, and the cards are dealt after that."""
        await self._own_work.prepare()
        state = self._journal.state
        if state.playing or state.opening or state.result is not None or state.next_deal is None:
            return
        await self._own_work.sleep.end()
        await self._own_work.write_all(lambda state: None if state.result else self._own_work.next_to_deal(state))

    @request(may_refuse=False)
    async def end_by_time(self) -> None:
        """End the game: its time is up."""
        await self._journal.write(lambda state: TimeUp() if state.playing else None)

    @request(may_refuse=False)
    async def abandon(self) -> None:
        """Close the table: its game does not count. Players who are here go to the lobby."""
        await self._own_work.sleep.begin(within=0)
        await self._own_work.sleep.close()

    @request(may_refuse=False)
    async def pause(self, why: str) -> None:
        """Stop the clocks and AI players; ``why`` is said to those who move. Empty: go on, with the whole clock."""
        if self._runtime.paused != why:
            self._runtime.paused = why
            self._runtime.changed_at = self._runtime.decision_began = self._now()
            self._show()
