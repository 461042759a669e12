"""A game for whose end others wait: what the feature that has opened its table asks of it."""

from server.table.entries import CutsClosed, TimeUp
from server.table.inbox import request
from server.table.table_task import TableTask


class AwaitedGame:
    """What can be asked of such a table. Each request may be made twice, and by several processes."""

    def __init__(self, task: TableTask) -> None:
        self.inbox = task.inbox
        self._task = task

    @request(may_refuse=False)
    async def prepare(self, seconds: float) -> None:
        """Give the players their seats, and commit to the deal; its cards are dealt in so many seconds."""
        await self._task.sleep.end()
        self._task.runtime.deals_at = self._task.now() + seconds
        await self._task.prepare()

    @request(may_refuse=False)
    async def deal(self) -> None:
        """Deal, unless that is done. If cuts are sealed they are closed, and the cards are dealt after that."""
        await self._task.prepare()
        state = self._task.state
        if state.playing or state.opening or state.result is not None or state.next_deal is None:
            return
        await self._task.sleep.end()
        if state.next_deal.is_sealed:
            await self._task.append_anew(lambda state: None if state.playing or state.opening else CutsClosed())
        else:
            await self._task.deal()

    @request(may_refuse=False)
    async def end_by_time(self) -> None:
        """End the game: its time is up."""
        await self._task.append_anew(lambda state: TimeUp() if state.playing else None)

    @request(may_refuse=False)
    async def abandon(self) -> None:
        """Close the table: its game does not count. Players who are here go to the lobby."""
        await self._task.sleep.begin(within=0)
        await self._task.sleep.close()

    @request(may_refuse=False)
    async def pause(self, why: str) -> None:
        """Stop the clocks and the AI players; ``why`` is said to those who move. Empty: let them go on.

        Players get the whole clock of a turn then.
        """
        runtime = self._task.runtime
        if runtime.paused != why:
            runtime.paused = why
            runtime.changed_at = runtime.decision_began = self._task.now()
            self._task.show()
