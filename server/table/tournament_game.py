"""A game of a tournament: how its table is prepared, and what the tournament asks of it.

Players who are absent have their seats nonetheless: AI players play for them.
"""

from server.people.ai_players import IsAPersonsName
from server.table import seats
from server.table.entries import Change, Committed, CutsClosed, Sat, TimeUp
from server.table.inbox import request
from server.table.state import TableState
from server.table.table_task import TableTask


def next_preparation(state: TableState, is_a_persons_name: IsAPersonsName = lambda _: False) -> Change | None:
    """The next change before the cards can be dealt; None if there is none left."""
    plays = state.tournament
    if plays is None or state.next_deal is not None or state.deal is not None or state.result is not None:
        return None
    if None not in state.seats:
        return Committed(plays.game, state.settings.secret)
    free = state.seats.index(None)
    player = plays.players[free]
    return seats.add_ai_player(state, is_a_persons_name) if player is None else Sat(free, player)


class TournamentGame:
    """What a tournament asks of one of its tables. Each request may be made twice, and by several processes."""

    def __init__(self, task: TableTask) -> None:
        self.inbox = task.inbox
        self._task = task

    @request(may_refuse=False)
    async def prepare(self, seconds: float) -> None:
        """Give the entrants their seats, and commit to the deal; its cards are dealt in so many seconds."""
        await self._task.sleep.end()
        self._task.runtime.deals_at = self._task.now() + seconds
        await self._prepare()

    @request(may_refuse=False)
    async def deal(self) -> None:
        """Deal, unless that is done. If cuts are sealed they are closed, and the cards are dealt after that."""
        await self._prepare()
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
    async def pause(self, *, paused: bool) -> None:
        """Stop the clocks and the AI players, or let them go on. Players get the whole clock of a turn then."""
        runtime = self._task.runtime
        if runtime.paused != paused:
            runtime.paused = paused
            runtime.changed_at = runtime.decision_began = self._task.now()
            self._task.show()

    async def _prepare(self) -> None:
        def next_of(state: TableState) -> Change | None:
            return next_preparation(state, self._task.is_a_persons_name)

        while next_of(self._task.state):
            await self._task.append_anew(next_of)
