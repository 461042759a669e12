"""A game that is over, as the log keeps it: its record, and who came in where. Made from a table's facts alone."""

from server.facts import Facts
from server.players import Player
from server.record import write_record
from server.results import GUEST, Finish, Result, ai_key, ranks, write_result
from server.store import Game


def finished_game(facts: Facts, ended: float) -> Game:
    """The last game at this table, over or abandoned. Raises ValueError where there was none."""
    record = facts.record(ended)
    return Game(record.id, record.rules, ended, write_result(_result(facts)), write_record(record))


def _result(facts: Facts) -> Result:
    view = facts.view(None)
    if view is None or view.outcome is None:
        return Result((), drawn=False, plies=facts.ply)
    gone = frozenset(seat for seat, player in enumerate(facts.dealt) if _is_gone(facts, seat, player))
    places = ranks(view.places, len(facts.dealt), gone, view.outcome.drawn)
    finishes = [Finish(_key(player), player.name, rank) for player, rank in zip(facts.dealt, places, strict=True)]
    return Result(tuple(finishes), drawn=view.outcome.winner is None, plies=facts.ply)


def _is_gone(facts: Facts, seat: int, player: Player) -> bool:
    """Whether the player who was dealt this seat did not stay to the end."""
    sitting = facts.seats[seat]
    return sitting is None or sitting.away is not None or sitting.player.id != player.id


def _key(player: Player) -> str:
    """What a result is counted for: a proven identity, a level of AI players; nothing for guests."""
    return ai_key(player.level or "") if player.kind == "ai" else player.identity or GUEST
