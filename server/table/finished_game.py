"""A finished game as the log keeps it: its record, and its result, by which players are rated. Pure."""

from msgspec.structs import replace

from engine.wording.phrases import sentence_case
from server.records.record import Note, Record, write_record
from server.records.results import counts_as
from server.storage.table_log import FinishedGame
from server.table.state import TableState
from server.typed_json import write_versioned
from server.version import VERSION


def finished_game(state: TableState, ended: float) -> FinishedGame:
    """The last game at this table, over or abandoned. Raises ValueError if there was none.

    If its result counts otherwise than the cards say, the last note of the record says how.
    """
    record, result = _record(state, ended), state.result
    if result is None:
        raise ValueError("no game has ended")
    if counts := counts_as(result):
        record = replace(record, steps=(*record.steps, Note(f"{sentence_case(counts)}.")))
    return FinishedGame(record.id, record.rules, ended, write_versioned(result), write_record(record))


def _record(state: TableState, ended: float) -> Record:
    """The record of a game that ended at this time. Raises ValueError if none was dealt."""
    if state.deal is None:
        raise ValueError("no game was dealt")
    return Record(
        id=state.deal.game,
        rules=state.rules.name,
        title=state.rules.title,
        options=dict(state.rules.options),
        players=state.dealt,
        seed=state.deal.seed,
        cuts=state.deal.cuts,
        dealer=state.named_dealer,
        began=state.began,
        ended=ended,
        version=VERSION,
        steps=state.steps,
    )
