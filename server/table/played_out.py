"""A game of an occasion that AI players play alone and at once, without a log, so that cards can be tried out. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from server.ai.pool import choose
from server.records.results import Result
from server.table.entries import Moved, TableSettings
from server.table.fold import apply
from server.table.occasion_game import next_preparation
from server.table.state import TableState


def play_out(
    settings: TableSettings, level: str, chance: str, moves: Sequence[str] = (), decisions: int | None = None
) -> tuple[list[str], Result | None]:
    """Let AI players play in the places of people; the same arguments give the same game.

    Args:
        settings: of a table for an occasion.
        level: of the AI players in the places of people.
        chance: what their chance comes from, besides the cards.
        moves: the moves of all seats so far.
        decisions: after how many of their decisions to stop; None to play to the end.

    Returns:
        The moves of all seats, and the result if the game is over.
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
