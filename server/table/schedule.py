"""What happens at a table in time, without being asked for: AI players move, clocks run out, an empty table closes."""

from collections.abc import Awaitable, Callable, Iterator
from typing import Final, NamedTuple

import structlog

from engine.errors import InputError
from server.config import Config
from server.people.ai_players import new_ai_player
from server.people.players import Player
from server.records.fairness import new_game_id
from server.storage.store import NotSaved, Unknown
from server.table.ai_turns import AITurns
from server.table.broadcaster import Stage
from server.table.entries import Abandoned, Away, Committed, Left, Moved, Reason, Returned, Sat

RETRY_SECONDS: Final = 1.0
"""How soon what could not be done is tried again."""
LINGER_SECONDS: Final = 2.0
"""How long a table stays where nobody is and nobody has a seat."""

log = structlog.get_logger("quatch.schedule")


class Due(NamedTuple):
    """Something to be done at a time of the event loop."""

    when: float
    act: Callable[[], Awaitable[None]]


class Schedule:
    """The deadlines of one table, and what is done when they come. Every pending decision has one, or an AI player."""

    def __init__(self, stage: Stage, config: Config, new_seed: Callable[[], str], ai_turns: AITurns) -> None:
        """``new_seed`` is where the seeds of deals come from."""
        self._stage = stage
        self._ai_turns = ai_turns
        self._config = config
        self._new_seed = new_seed
        settings = stage.state.settings
        self.pace = config.pace if settings.pace is None else settings.pace
        """Seconds that AI players take for show."""
        self._absent_since: dict[str, float] = {}
        """When persons whose seats wait for them were first missed."""
        self._not_before = 0.0
        """After a failure nothing is tried before."""

    def next(self) -> Due | None:
        """What is to be done first, if nothing else happens."""
        first = min(self._dues(), key=lambda due: due.when, default=None)
        return first and first._replace(when=max(first.when, self._not_before))

    async def run_due(self) -> None:
        """Do what is due. When that fails it is tried again a little later: the table never stalls for good."""
        due = self.next()
        if due is None or due.when > self._stage.now():
            return
        try:
            await due.act()
        except Exception as error:
            if not isinstance(error, InputError):
                log.exception("not done", table=self._stage.journal.number)
            self._not_before = self._stage.now() + RETRY_SECONDS

    # What others ask for, too.

    async def commit(self) -> None:
        """Commit to the next deal."""
        await self._stage.change(Committed(new_game_id(), self._new_seed()))

    async def give_up(self, number: int) -> None:
        """The player of a seat has left it for good: an AI player plays a running game on."""
        playing = self._stage.state.playing
        await self._stage.change(Sat(number, self.new_ai_player()) if playing else Left(number))

    async def play_for_absent(self) -> None:
        """AI players take over for those who have been missed for so long that they would do so in a game."""
        for number, since in self._absences():
            seat = self._stage.state.seats[number]
            if seat and not seat.away and self._stage.now() >= since + self._config.grace:
                await self._play_on(number, "gone")

    def new_ai_player(self, level: str = "", style: str = "") -> Player:
        """An AI player who sits nowhere yet, of the table's level unless another is named. Raises InputError."""
        state = self._stage.state
        return new_ai_player((seat.player.name for seat in state.seats if seat), level or state.settings.level, style)

    # The deadlines.

    def _dues(self) -> Iterator[Due]:
        stage, state = self._stage, self._stage.state
        if not stage.subscribers:
            # Whatever else is to be done is done where somebody is, and nobody is missed by nobody.
            self._absent_since.clear()
            if stage.asleep:
                yield Due(stage.empty_since + self._keeping(), self._close)
            return
        for number, seat in enumerate(state.seats):
            if seat and seat.away == "gone" and stage.subscribers.present(seat.player.id):
                # Another process took them for gone.
                yield Due(stage.moved_at, lambda number=number: stage.change(Returned(number)))  # type: ignore[misc]
        if not state.playing and state.next_deal is None:
            yield Due(stage.moved_at, self.commit)
        patience = self._config.grace if state.playing else self._config.keep_place
        for number, since in self._absences():
            yield Due(since + patience, lambda number=number: self._do_without(number))  # type: ignore[misc]
        of_ai = [seat for seat in state.deciding if self._is_ai_played(seat)]
        of_others = [seat for seat in state.deciding if not self._is_ai_played(seat)]
        if of_ai and self._ai_turns.is_ready(of_ai[0]):
            pace = 0.0 if state.arranging else self.pace
            yield Due(stage.moved_at + pace, lambda: self._move_for(of_ai[0]))
        if of_others and stage.deadline is not None:
            yield Due(stage.deadline, lambda: self._time_out(of_others))

    def _keeping(self) -> float:
        """How long the table is kept while nobody is present."""
        state = self._stage.state
        others = [seat.player for seat in state.seats if seat and seat.player.kind != "ai"]
        if state.playing and any(player.identity for player in others):
            return self._config.keep_seat
        return self._config.keep_table if others else LINGER_SECONDS

    def _absences(self) -> list[tuple[int, float]]:
        """The seats whose persons are not at the table and not played for, and since when they are missed."""
        state = self._stage.state
        absent = {
            seat.player.id: number
            for number, seat in enumerate(state.seats)
            if seat and seat.player.kind != "ai" and not self._stage.present(seat.player.id)
            # Between games nobody plays for anybody.
            if not (state.playing and seat.away)
        }
        now = self._stage.now()
        self._absent_since = {player_id: self._absent_since.get(player_id, now) for player_id in absent}
        return [(number, self._absent_since[player_id]) for player_id, number in absent.items()]

    def _is_ai_played(self, number: int) -> bool:
        seat = self._stage.state.seats[number]
        return seat is not None and seat.played_by_ai

    # What is done.

    async def _move_for(self, number: int) -> None:
        await self._stage.change(Moved(number, str(await self._ai_turns.move(number))))

    async def _time_out(self, seats: list[int]) -> None:
        for number in seats:
            await self._play_on(number, "clock")
            if not self._stage.state.arranging and number in self._stage.state.deciding:
                # At once: coming back just now is no way to get a second clock.
                await self._move_for(number)

    async def _do_without(self, number: int) -> None:
        """A person has been gone too long: an AI player plays on for them, or between games the seat is free."""
        seat = self._stage.state.seats[number]
        if self._stage.state.playing:
            await self._play_on(number, "gone")
        elif seat is not None:
            await self.give_up(number)

    async def _play_on(self, number: int, reason: Reason) -> None:
        await self._stage.change(Away(number, reason))

    async def _close(self) -> None:
        """Close a table where nobody is; a game that is not over is kept as one that came to no end."""
        if self._stage.state.playing:
            await self._stage.change(Abandoned())
        try:
            await self._stage.close()
        except (Unknown, NotSaved) as error:
            log.warning("not closed", table=self._stage.journal.number, problem=str(error))
            raise InputError("not_saved", str(error)) from None
