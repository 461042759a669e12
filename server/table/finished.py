"""A game that is over, as the log keeps it: its record, and who came in where. Made from a table's facts alone."""

from server.records.record import write_record
from server.records.results import GUEST, Finish, Result, ai_key, ranks, write_result
from server.storage.store import Game
from server.table.state import Facts


def finished_game(facts: Facts, ended: float) -> Game:
    """The last game at this table, over or abandoned. Raises ValueError where there was none."""
    record = facts.record(ended)
    return Game(record.id, record.rules, ended, write_result(_result(facts)), write_record(record))


def _result(facts: Facts) -> Result:
    view, seats = facts.view(None), range(len(facts.dealt))
    if view is not None and view.outcome is not None:
        gone = frozenset(seat for seat in seats if not facts.in_person(seat)) - facts.went_out - facts.stand_ins
        placed = ranks(view.places, len(seats), gone, view.outcome.drawn)
        counts, drawn = True, view.outcome.winner is None
    else:
        # It came to no end. Where somebody known left it for good it counts, or leaving were a way out of a defeat.
        gone = frozenset(filter(facts.has_left, seats)) - facts.went_out - facts.stand_ins
        placed = ranks((), len(seats), gone, ())
        counts, drawn = any(facts.dealt[seat].identity for seat in gone), False
    if facts.unrated or not counts:
        return Result((), drawn=False, plies=facts.ply)
    finishes = [Finish(_key(facts, seat), facts.dealt[seat].name, rank) for seat, rank in enumerate(placed)]
    return Result(tuple(finishes), drawn=drawn, plies=facts.ply)


def _key(facts: Facts, seat: int) -> str:
    """What a result is counted for: a proven identity, a level of AI players; nothing for guests."""
    player = facts.dealt[seat]
    if seat in facts.stand_ins:
        return ai_key(facts.opened.level)
    return ai_key(player.level or "") if player.kind == "ai" else player.identity or GUEST
