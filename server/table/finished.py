"""A game that is over, as the log keeps it: its record, and who came in where. Made from a table's facts alone."""

from server.records.record import write_record
from server.records.results import GUEST, Finish, Result, ai_key, ranks, write_result
from server.storage.table_log import FinishedGame
from server.table.state import TableState


def finished_game(state: TableState, ended: float) -> FinishedGame:
    """The last game at this table, over or abandoned. Raises ValueError where there was none."""
    record = state.record(ended)
    return FinishedGame(record.id, record.rules, ended, write_result(_result(state)), write_record(record))


def _result(state: TableState) -> Result:
    view, seats = state.view(None), range(len(state.dealt))
    if view is not None and view.outcome is not None:
        gone = frozenset(seat for seat in seats if not state.in_person(seat)) - state.went_out - state.stand_ins
        placed = ranks(view.places, len(seats), gone, view.outcome.drawn)
        counts, drawn = True, view.outcome.winner is None
    else:
        # It came to no end. Where somebody known left it for good it counts, or leaving were a way out of a defeat.
        gone = frozenset(filter(state.has_left, seats)) - state.went_out - state.stand_ins
        placed = ranks((), len(seats), gone, ())
        counts, drawn = any(state.dealt[seat].identity for seat in gone), False
    if state.unrated or not counts:
        return Result((), drawn=False, plies=state.ply)
    finishes = [Finish(_key(state, seat), state.dealt[seat].name, rank) for seat, rank in enumerate(placed)]
    return Result(tuple(finishes), drawn=drawn, plies=state.ply)


def _key(state: TableState, seat: int) -> str:
    """What a result is counted for: a proven identity, a level of AI players; nothing for guests."""
    player = state.dealt[seat]
    if seat in state.stand_ins:
        return ai_key(state.settings.level)
    return ai_key(player.level or "") if player.kind == "ai" else player.identity or GUEST
