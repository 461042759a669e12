"""A finished game as the log keeps it: its record, and its result, by which players are rated. Pure."""

from dataclasses import replace

from engine.wording.phrases import sentence_case
from server.records.record import Note, write_record
from server.records.results import counts_as, write_result
from server.storage.table_log import FinishedGame
from server.table.state import TableState


def finished_game(state: TableState, ended: float) -> FinishedGame:
    """The last game at this table, over or abandoned. Raises ValueError if there was none.

    If its result counts otherwise than the cards say, the last note of the record says how.
    """
    record, result = state.record(ended), state.result
    if result is None:
        raise ValueError("no game has ended")
    if counts := counts_as(result):
        record = replace(record, steps=(*record.steps, Note(f"{sentence_case(counts)}.")))
    return FinishedGame(record.id, record.rules, ended, write_result(result), write_record(record))
