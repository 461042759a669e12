"""What a tournament calls for by itself, and when. Pure: it reads the tournament and changes nothing.

Every process asks and does it, for doing it twice is harmless: the log takes the first of two equal events.
"""

from collections.abc import Mapping
from math import inf
from typing import Final, NamedTuple

from server.tournament import events
from server.tournament.events import Event
from server.tournament.state import Tournament

DRAFT_SECONDS: Final = 20.0
"""How long after the end of a round the next one is published."""
HOLD_SECONDS: Final = 900.0
"""How long a round waits for a host who holds it, and a swiss for players who all went."""
PAUSE_SECONDS: Final = 3600.0
"""How long a tournament rests that its host has paused."""
DEPARTURE_SECONDS: Final = 60.0
BUSY_DEPARTURE_SECONDS: Final = 120.0
"""How long the first player of an open night waits for the next departure, with few people there and with many."""
MANY: Final = 12
ENOUGH: Final = 4
"""An open night at which nobody plays calls its tables as soon as so many wait."""
FEW: Final = 3
"""If fewer people wait, AI players fill up only after three times as long."""
LONELY_DEPARTURES: Final = 3
EMPTY_SECONDS: Final = 1800.0
"""A tournament without players is closed after so long."""
FORGOTTEN_SECONDS: Final = 12 * 3600.0
"""A tournament in which nothing happens for so long is closed."""


class Publish(NamedTuple):
    """Publish a round for these players."""

    round: int
    players: tuple[str, ...]
    final: bool = False


def due(state: Tournament, now: float, clock: float, present: Mapping[str, float]) -> Publish | Event | None:
    """A round to publish, or an event to write now; None if there is nothing to do.

    Times are in seconds since 1970: ``now`` on a clock that nobody sets, ``clock`` as the time of day. ``present``:
    since when each player is on the server, in the terms of ``now``.
    """
    if state.phase == "over":
        return None
    if state.paused_at is not None:
        return events.Resumed(at=now) if now >= state.paused_at + PAUSE_SECONDS else None
    if state.closed_at is not None:
        return None
    if _is_to_close(state, now, clock):
        return events.Closed(at=now)
    when, action = next_round(state, clock, present)
    is_due = action is not None and now >= when and not state.is_claimed(action.round, now)
    return action if is_due else None


def next_round(state: Tournament, clock: float, present: Mapping[str, float]) -> tuple[float, Publish | None]:
    """When the next round is published, and which players it has; infinity and None if that is not known yet.

    No round begins as long as no player is there, such as after the server was started again.
    """
    has_begun = state.started_at is not None or _begins(state, clock)
    if not has_begun or state.closed_at is not None or present.keys().isdisjoint(state.playing):
        return inf, None
    return _next_of_swiss(state) if state.is_swiss else _departure(state, present)


def _begins(state: Tournament, clock: float) -> bool:
    opened = state.opened
    return {
        "now": True,
        "time": clock >= opened.starts_at,
        "full": len(state.playing) >= opened.places,
        "host": False,
    }[opened.start]


def _next_of_swiss(state: Tournament) -> tuple[float, Publish | None]:
    number, last = len(state.rounds) + 1, state.rounds[-1] if state.rounds else None
    if (last is not None and not last.is_over) or state.is_complete:
        return inf, None
    is_final = len(state.regular) >= state.round_count
    players = state.finalists if is_final else list(filter(state.expects, state.playing))
    if not players:
        return inf, None
    action = Publish(number, tuple(players), is_final)
    if state.called == number:
        return 0.0, action
    if state.held_at is not None:
        return _hold_ends(state, last.ended if last else 0.0), action
    return 0.0 if last is None else max(last.ended + DRAFT_SECONDS, state.resumed_at), action


def _departure(state: Tournament, present: Mapping[str, float]) -> tuple[float, Publish | None]:
    since = waiting(state, present)
    if not since or (len(since) == 1 and state.opened.fill == "none"):
        return inf, None
    action = Publish(len(state.rounds) + 1, tuple(since))
    if state.called == action.round or (len(since) >= ENOUGH and not state.busy):
        return 0.0, action
    if state.held_at is not None:
        return _hold_ends(state), action
    there = sum(player in present for player in state.playing)
    period = BUSY_DEPARTURE_SECONDS if there >= MANY else DEPARTURE_SECONDS
    last = state.rounds[-1].at if state.rounds else 0.0
    if len(since) < FEW:
        period *= LONELY_DEPARTURES
    return max(min(since.values()), last, state.resumed_at) + period, action


def _hold_ends(state: Tournament, ended: float = 0.0) -> float:
    """When a round that is held is published after all. Time in which it could not have begun does not count."""
    return max(state.held_at or 0.0, state.started_at or 0.0, state.resumed_at, ended) + HOLD_SECONDS


def waiting(state: Tournament, present: Mapping[str, float]) -> dict[str, float]:
    """The players of the next departure of an open night by their ids, and since when each has waited."""
    free = [each for each in state.playing if each in present and each not in state.busy and state.expects(each)]
    ended = {player: board.ended for board in state.boards for player in board.people}
    return {player: max(state.entrants[player].since, present[player], ended.get(player, 0.0)) for player in free}


def _is_to_close(state: Tournament, now: float, clock: float) -> bool:
    opened = state.opened
    if opened.ends_at and clock >= opened.ends_at:
        return True
    if state.is_swiss and state.rounds and not state.running and not state.playing:
        return now >= state.rounds[-1].ended + HOLD_SECONDS
    quiet = FORGOTTEN_SECONDS if state.rounds or state.playing else EMPTY_SECONDS
    return not state.running and now >= max(state.last_at, opened.at, opened.starts_at) + quiet
