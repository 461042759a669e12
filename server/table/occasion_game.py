"""The game of an occasion: how its table is prepared, when no move is possible any more, how AI players try it. Pure.

Players who are absent have their seats nonetheless: AI players play for them.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from engine.errors import InputError
from server.ai.pool import choose
from server.people.players import IsAPersonsName, Player
from server.records.results import Result
from server.table import seats
from server.table.apply_changes import apply
from server.table.entries import Change, Committed, Dealt, Moved, Sat, TableSettings
from server.table.occasion import Occasion
from server.table.state import TableState


def next_preparation(
    state: TableState, coming: Player | None = None, is_a_persons_name: IsAPersonsName = lambda _: False
) -> Change | None:
    """The next change before the cards are dealt, or if nobody waits before a player decides; None if none is left.

    ``coming``: the player who comes, under the name that they have now.
    """
    occasion = state.occasion
    if occasion is None or state.result is not None:
        return None
    if state.deal is None and state.next_deal is None:
        if None not in state.seats:
            return Committed(occasion.game, state.settings.secret)
        return _next_seat(state, occasion, coming, is_a_persons_name)
    if occasion.others_wait:
        return None
    if state.deal is None:
        return Dealt(None)
    if occasion.same_for_all and state.arranging and state.deciding[0] not in occasion.given:
        return Moved(state.deciding[0], str(choose(state.question(0, state.deciding[0]))))
    return None


def _next_seat(
    state: TableState, occasion: Occasion, coming: Player | None, is_a_persons_name: IsAPersonsName
) -> Change:
    free = state.seats.index(None)
    match occasion.seats[free]:
        case Player() as player:
            return Sat(free, coming if coming and coming.id == player.id else player)
        case "":
            return seats.add_ai_player(state, is_a_persons_name)
        case style:
            # The style is part of the name, which the AI player gets even if a person has it.
            return seats.add_ai_player(state, lambda _: False, style=style)


def must_allow_move(state: TableState, seat: int, seconds_until: Callable[[float], float]) -> None:
    """Raises InputError for a move if the occasion is over, or if AI players arrange their cards first."""
    occasion = state.occasion
    if occasion is None:
        return
    if _is_over(occasion, seconds_until):
        raise InputError("closed", occasion.over)
    if occasion.same_for_all and state.arranging and seat not in state.deciding:
        raise InputError("not_your_turn", "the AI players arrange their cards first: try again in a moment")


def why_closed(state: TableState, seconds_until: Callable[[float], float]) -> str:
    """Why a table has closed, as a phrase for its players."""
    occasion = state.occasion
    return occasion.over if occasion and _is_over(occasion, seconds_until) else "the table has closed"


def _is_over(occasion: Occasion, seconds_until: Callable[[float], float]) -> bool:
    return occasion.ends is not None and seconds_until(occasion.ends) <= 0


def play_out(
    settings: TableSettings, level: str, chance: str, moves: Sequence[str] = (), decisions: int | None = None
) -> tuple[list[str], Result | None]:
    """Let AI players play the game alone, at once and without a log; the same arguments give the same game.

    ``level``: of those in the places of people, who stop after so many ``decisions`` (None: at the end); ``chance``:
    what theirs comes from, besides the cards; ``moves``: those of all seats so far. Returns the moves of all seats, and
    the result if the game is over.
    """
    state = TableState.of(settings)
    while change := next_preparation(state):
        state = apply(state, change, 0.0)[0]
    played = list[str]()
    while state.deciding:
        seat = state.deciding[0]
        if len(played) < len(moves):
            move = moves[len(played)]
        else:
            question = state.question(0, seat)
            if state.occasion is not None and seat in state.occasion.given:
                if decisions == 0:
                    return played, None
                decisions = None if decisions is None else decisions - 1
                question = replace(question, level=level, style="plain", seed=f"{chance} {state.ply}")
            move = str(choose(question))
        state = apply(state, Moved(seat, move), 0.0)[0]
        played.append(move)
    return played, state.result
