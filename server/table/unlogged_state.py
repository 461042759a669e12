"""The state of a running table that is not in its log. All times are the event loop's."""

from math import inf
from typing import Final

from msgspec import Struct, field

from server.ai.pool import Thought
from server.limits import AGREEING_SECONDS
from server.table.occasion import ANOTHER_GAME, Next
from server.table.state import TableState

LOADED_SECONDS: Final = 60.0
READING_SECONDS: Final = 60.0
"""How long another game waits for a player who is reading, from when it was asked for."""


class UnloggedState(Struct):
    """Which players are present, when things changed, and what an AI player is thinking about."""

    pace: float
    """Seconds that AI players wait before they move, so that people can follow."""
    changed_at: float
    decision_began: float
    empty_since: float
    """When the last player left, here or in another process; before anybody has come, when the table was loaded."""
    decision_since: float = 0.0
    """When the pending decision began, by the log: it is another decision if that differs."""
    ai_level: str = ""
    """The level of AI players who take seats, since that of the host has changed; empty if it has not."""
    here: frozenset[str] = frozenset()
    """The ids of the players who are present in this process, on a seat or watching."""
    elsewhere: frozenset[str] = frozenset()
    """The ids of the players who are present in other processes."""
    missed_since: dict[str, float] = field(default_factory=dict)
    """Since when each absent player has been missed, by id."""
    awaited_until: float = 0.0
    """Nobody is missed and no clock runs before: it waits for people who were cut off (see `Tables.await_people`)."""
    paused: str = ""
    """Why nothing happens here by itself and no move is possible, as a refusal; empty if the game goes on."""
    deals_at: float | None = None
    """When the next cards are dealt: at the table of an occasion, the time that its feature named; after a game,
    the end of the wait for those who have not agreed. None if neither applies."""
    agreed: frozenset[str] = frozenset()
    """The ids of the players who want another game, as long as it has not begun."""
    reading: frozenset[str] = frozenset()
    """The ids of the players who were reading meanwhile: it waits for them."""
    closes_at: float | None = None
    """When the table closes unless somebody comes; None if the log says that it is awake."""
    needless_since: float = 0.0
    """Since when nobody has been in this process, or has been about to come."""
    is_looked_at: bool = False
    """Whether somebody in this process looks at all tables."""
    stays_loaded: float = LOADED_SECONDS
    """How long an empty table stays in memory."""
    ends_at: float | None = None
    """When the occasion of this table ends its game; None if it never does, and at other tables."""
    next: Next = ANOTHER_GAME
    """What leads on after a game, unless the table was opened for an occasion."""
    retry_at: float = 0.0
    """After a failure nothing is tried before this time."""
    thinking: int | None = None
    """The seat whose AI player is thinking, or has thought, about the pending decision."""
    found: Thought | None = None
    """The move that it has found."""
    hesitation: float = 0.0
    """How hard its decision looks, 0 to 1."""

    @property
    def present(self) -> frozenset[str]:
        """The ids of the players who are at the table, here or elsewhere."""
        return self.here | self.elsewhere

    @property
    def deserted(self) -> bool:
        """Whether no player is at the table, here or elsewhere."""
        return not (self.here or self.elsewhere)

    def plays(self, state: TableState) -> bool:
        """Whether this process makes the table go on: a player is here, or a game goes on although none is anywhere."""
        return bool(self.here) or (state.playing and not self.elsewhere and (state.others_wait or state.left_to_ai))

    def decision_deadline(self, state: TableState) -> float | None:
        """When the clock of the pending decision runs out; None if there is no clock, or it does not run."""
        if self.paused:
            return None
        if not state.playing and not state.opening:
            return self.deals_at if state.result is None or self.agreed & self.present else None
        return None if (clock := state.clock) is None else max(self.decision_began, self.awaited_until) + clock

    def agree(self, player_id: str, now: float) -> None:
        """Note that a player wants another game. It is dealt a little later if not all agree."""
        if not self.agreed & self.present:
            self.agreed, self.reading, self.deals_at = frozenset(), frozenset(), now + AGREEING_SECONDS
        self.agreed |= {player_id}

    def wait_for_reader(self, player_id: str) -> None:
        """Note that a player is reading, so that another game waits for their answer, though not for ever."""
        if self.deals_at is not None and not self.reading:
            self.deals_at += READING_SECONDS - AGREEING_SECONDS
        self.reading |= {player_id}

    def refuse(self) -> None:
        """Forget that players want another game, if they do: somebody wants none now."""
        if self.agreed:
            self.agreed, self.deals_at = frozenset(), None

    def undecided(self, state: TableState) -> frozenset[str]:
        """The ids of the people with a seat who are at the table and have not agreed to another game."""
        people = {seat.player.id for seat in state.seats if seat and seat.player.kind == "person"}
        return self.present & people - self.agreed

    def note_change(self, state: TableState, now: float) -> None:
        """Note that the log has gone on to this state: the table is awake, since somebody is there, or was just now."""
        self.changed_at = self.empty_since = now
        self.closes_at = None
        self._drop_proposal(state)
        if self.decision_since != state.since:
            self.decision_since, self.decision_began = state.since, now

    def note_players(self, state: TableState, here: frozenset[str], elsewhere: frozenset[str], now: float) -> None:
        """Note who is present now. While nobody was here no clock has run."""
        if here and not self.here:
            self.changed_at = self.decision_began = now
        if not self.deserted and not here and not elsewhere:
            self.empty_since = now
        if self.here and not here:
            self.needless_since = now
        self.here, self.elsewhere = here, elsewhere
        people = {seat.player.id for seat in state.seats if seat and seat.player.kind != "ai" and not seat.away}
        if people <= self.present:  # all are back: the usual clock from now on, or since ever if they were elsewhere
            self.awaited_until = min(self.awaited_until, now) if here else 0.0
        self._drop_proposal(state)

    def _drop_proposal(self, state: TableState) -> None:
        """Nobody has asked for another game once it has begun; a player left alone may not want to play AI players."""
        agreeing = [each for each in self.agreed & self.present if state.seat_of(each) is not None]
        if state.playing or len(agreeing) + len(self.undecided(state)) < 2:
            self.refuse()

    def missed_since_before(self, state: TableState, time: float) -> list[int]:
        """The seats of players who have been missed since this time or longer, without an AI player in their place."""
        taken = [(number, seat) for number, seat in enumerate(state.seats) if seat and not seat.away]
        return [number for number, seat in taken if self.missed_since.get(seat.player.id, inf) <= time]

    def note_missed(self, state: TableState, now: float) -> None:
        """Note which players are absent, unless an AI player plays for them, and keep when each absence began.

        Between games a player counts as missed even if an AI player has played for them. A table without players in
        this process tracks no absences.
        """
        seats = [seat for seat in state.seats if seat] if self.plays(state) else []
        missing = {each.player.id for each in seats if each.player.kind != "ai" and not (state.playing and each.away)}
        before, now = self.missed_since, max(now, self.awaited_until)
        self.missed_since = {each: before.get(each, now) for each in missing - self.present}
