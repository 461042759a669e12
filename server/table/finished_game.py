"""A finished game as the log keeps it: its record, and its result, by which players are rated. Pure."""

from msgspec import UNSET

from server.records.record import write_record
from server.records.results import Finish, Result, ranks, write_result
from server.storage.table_log import FinishedGame
from server.table.rating import abandoned_ranks, dealt_keys, losers
from server.table.state import TableState


def finished_game(state: TableState, ended: float) -> FinishedGame:
    """The last game at this table, over or abandoned. Raises ValueError if there was none."""
    record = state.record(ended)
    return FinishedGame(record.id, record.rules, ended, write_result(_result(state)), write_record(record))


def _result(state: TableState) -> Result:
    view = state.view(None)
    if view is not None and view.outcome is not None:
        placed = ranks(view.places, len(state.dealt), losers(state), view.outcome.drawn)
        drawn = view.outcome.winner is None
    else:
        placed, drawn = abandoned_ranks(state), False
        lost = [state.dealt[seat].account for seat, rank in enumerate(placed) if rank > 1]
        if not any(lost):
            return Result((), drawn=False, plies=state.ply)
    named = zip(dealt_keys(state), state.dealt, placed, strict=True)
    return Result(
        tuple(Finish(key, player.name, rank) for key, player, rank in named),
        drawn=drawn,
        plies=state.ply,
        rated_as=UNSET if state.rated_as == state.rules.name else state.rated_as,
    )
