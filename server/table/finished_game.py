"""A finished game as the log keeps it: its record, and its result, by which players are rated. Pure."""

from server.records.record import write_record
from server.records.results import GUEST, Finish, Result, ai_key, ranks, write_result
from server.storage.table_log import FinishedGame
from server.table.state import TableState


def finished_game(state: TableState, ended: float) -> FinishedGame:
    """The last game at this table, over or abandoned. Raises ValueError if there was none."""
    record = state.record(ended)
    return FinishedGame(record.id, record.rules, ended, write_result(_result(state)), write_record(record))


def _result(state: TableState) -> Result:
    view, seats, excused = state.view(None), range(len(state.dealt)), state.went_out | state.stand_ins
    if view is not None and view.outcome is not None:
        gone = frozenset(seat for seat in seats if not state.in_person(seat)) - excused
        placed = ranks(view.places, len(seats), gone, view.outcome.drawn)
        counts, drawn = True, view.outcome.winner is None
    else:
        # The game was abandoned. It counts if a player with a proven key has left it for good: else leaving would be
        # a way out of a defeat.
        gone = frozenset(filter(state.has_left, seats)) - excused
        placed = ranks((), len(seats), gone, ())
        counts, drawn = any(state.dealt[seat].identity for seat in gone), False
    if state.unrated or not counts:
        return Result((), drawn=False, plies=state.ply)
    finishes = [Finish(_key(state, seat), state.dealt[seat].name, rank) for seat, rank in enumerate(placed)]
    return Result(tuple(finishes), drawn=drawn, plies=state.ply)


def _key(state: TableState, seat: int) -> str:
    """The rating that a result counts for: a proven identity's or an AI level's; guests have none."""
    player = state.dealt[seat]
    if seat in state.stand_ins:
        return ai_key(state.settings.level)
    return ai_key(player.level or "") if player.kind == "ai" else player.identity or GUEST
