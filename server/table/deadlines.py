"""What a table does without a request, and when. Pure: it reads the table and changes nothing.

AI players move, clocks run out, AI players play for missing players, seats become free. An empty table falls asleep,
then it is unloaded, and in the end it closes. While a player is present every pending decision has a deadline or an AI
player that thinks about it, with one exception: a player who is present has no clock if no other waits. Sealed
cuts are waited for a short time, and only for players who are present. A game for whose end others wait goes on without
players, and so does one that is left to AI players: a player who is out of cards has their place whatever they do.
"""

from collections.abc import Iterator
from enum import Enum, auto
from itertools import chain
from math import inf
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from server.config import Config
from server.table import seats
from server.table.entries import Away, Change, Moved, Returned
from server.table.state import TableState
from server.table.unlogged_state import UnloggedState

LINGER_SECONDS: Final = 5.0
"""How long an empty table is kept at which no player has a seat."""
ROUND_SECONDS: Final = 120.0
"""How long an empty table of an occasion is kept before its deal is committed to: its feature may have failed since."""
WAKING_SECONDS: Final = 3.0
"""How long a table sleeps at least before it closes, so that other processes wake it if players are present there."""
PASSING_SECONDS: Final = 5.0
"""How long a table runs in a process that its players have left, while others are there in another process."""
DROWSY_SECONDS: Final = 4.0
"""How soon an empty table falls asleep, unless it closes sooner. By then other processes have said who is there."""
FORCED_SHARE: Final = 0.5
"""The part of the pace that an AI player takes for a forced move; for a dilemma it takes all of it."""


class Duty(Enum):
    """What a table does by itself, for no seat in particular."""

    FALL_ASLEEP = auto()
    """Note in the log that the table is empty, and when the table closes."""
    UNLOAD = auto()
    """Forget the table here: it lies in the log until somebody comes or it is due, or it runs in another process."""
    CLOSE = auto()
    """Close the table: nobody has been present for long enough."""
    COMMIT_DEAL = auto()
    """Commit to the next deal."""
    DEAL = auto()
    """Deal the cards: the sealed cuts are open, or their time is up."""
    END = auto()
    """Close the table: the time of its occasion is over."""


class Think(Struct, frozen=True):
    """Let the AI player of this seat think."""

    seat: int


class TimeOut(Struct, frozen=True):
    """The clock of these seats has run out: AI players take them, and move at once."""

    seats: tuple[int, ...]


Action: TypeAlias = Change | Duty | Think | TimeOut
"""What can become due; a change is to be written to the log."""


class Deadline(NamedTuple):
    """Something to be done at a time of the event loop."""

    when: float
    what: Action


def deadlines(state: TableState, runtime: UnloggedState, config: Config) -> list[Deadline]:
    """Everything that becomes due unless something else happens before, in the order of time."""
    if runtime.paused:
        return []
    found = _while_attended(state, runtime, config) if runtime.plays(state) else _while_empty(state, runtime, config)
    if runtime.ends_at is not None:
        found = chain([Deadline(runtime.ends_at, Duty.END)], found)
    due = sorted(found, key=itemgetter(0))
    if due and due[0].when < runtime.retry_at:
        due = [Deadline(max(when, runtime.retry_at), what) for when, what in due]
    return due


def kept_seconds(state: TableState, config: Config) -> float:
    """How long the table is kept without players. A game whose occasion ends at a certain time is kept until then."""
    players = [seat.player for seat in state.seats if seat and seat.player.kind != "ai"]
    if state.playing and any(player.account for player in players):
        return inf if state.keeps_seats and state.occasion and state.occasion.ends is not None else config.keep_seat
    if state.keeps_seats:
        return config.keep_seat if state.next_deal else ROUND_SECONDS
    is_over = state.occasion is not None and not state.playing
    return config.keep_table if players and not is_over else LINGER_SECONDS


def _while_empty(state: TableState, runtime: UnloggedState, config: Config) -> Iterator[Deadline]:
    if not runtime.deserted:
        # Everything is done in the process in which players are present.
        if not (runtime.is_looked_at or (state.others_wait and state.result is None)):
            yield Deadline(runtime.needless_since + PASSING_SECONDS, Duty.UNLOAD)
    elif runtime.closes_at is None:
        awake = max(0.0, kept_seconds(state, config) - WAKING_SECONDS)
        yield Deadline(runtime.empty_since + min(DROWSY_SECONDS, awake), Duty.FALL_ASLEEP)
    else:
        yield Deadline(runtime.closes_at, Duty.CLOSE)
        yield Deadline(runtime.empty_since + runtime.stays_loaded, Duty.UNLOAD)


def _while_attended(state: TableState, runtime: UnloggedState, config: Config) -> Iterator[Deadline]:
    for number, seat in enumerate(state.seats):
        since = runtime.missed_since.get(seat.player.id) if seat else None
        if seat and seat.away == "gone" and seat.player.id in runtime.here:
            # Another process did not see that the player is present.
            yield Deadline(runtime.changed_at, Returned(number))
        elif since is not None and state.playing:
            yield Deadline(since + config.grace, Away(number, "gone"))
        elif since is not None:
            yield Deadline(since + config.keep_place, seats.give_up(state, number))
    if not state.playing and state.next_deal is None and state.occasion is None:
        yield Deadline(runtime.changed_at, Duty.COMMIT_DEAL)
    if state.next_deal is not None and state.next_deal.closed:
        unopened = {seat.player.id for number in state.next_deal.unopened if (seat := state.seats[number])}
        when = runtime.decision_deadline(state) if unopened & runtime.present else None
        yield Deadline(runtime.changed_at if when is None else when, Duty.DEAL)
    if runtime.agreed & runtime.present and runtime.deals_at is not None and not (state.playing or state.opening):
        yield Deadline(runtime.deals_at if runtime.undecided(state) else runtime.changed_at, Duty.DEAL)
    yield from _of_the_decision(state, runtime)


def _of_the_decision(state: TableState, runtime: UnloggedState) -> Iterator[Deadline]:
    """The deadlines of the pending decision. Who is away may come back to arrange, as long as other players do."""
    by_ai, by_players = list[int](), list[int]()
    for number in state.deciding:
        seat = state.seats[number]
        (by_ai if seat and seat.played_by_ai else by_players).append(number)
    if state.arranging and by_players:
        by_ai = [number for number in by_ai if not state.sitting(number).away]
    if by_ai and runtime.thinking != by_ai[0]:
        yield Deadline(runtime.changed_at, Think(by_ai[0]))
    elif by_ai and runtime.found is not None:
        share = FORCED_SHARE + (1 - FORCED_SHARE) * runtime.hesitation
        at_once = state.arranging or state.left_to_ai
        pace = 0.0 if at_once else runtime.pace * share
        moved = Moved(by_ai[0], str(runtime.found.move), is_hurried=runtime.found.is_hurried)
        yield Deadline(runtime.changed_at + pace, moved)
    when = runtime.decision_deadline(state)
    if by_players and when is not None:
        yield Deadline(when, TimeOut(tuple(by_players)))
