"""Games of AI players among themselves; each decision is made from a view, as at a table."""

from collections.abc import Callable, Sequence
from random import Random

from engine.ai import AIPlayer
from engine.game import advance, deal, play
from engine.rules import Rules
from engine.state import State
from engine.view import view_of


def arranged_deal(rules: Rules, players: Sequence[AIPlayer], seed: str, chances: Sequence[Random]) -> State:
    """A game dealt from this seed and arranged by these players, up to its first turn."""
    state, _ = deal(rules, len(players), seed)
    while state.phase == "arrange":
        seat = state.ready.index(False)
        state, _ = play(state, seat, players[seat](view_of(state, seat), chances[seat]))
    return state


def play_game(
    rules: Rules, players: Sequence[AIPlayer], seed: str, show: Callable[[State], object] = lambda _: None
) -> State:
    """A whole game dealt from this seed; ``show`` is given it before the first turn, and it is played on in place."""
    chances = generators(seed, len(players))
    state = arranged_deal(rules, players, seed, chances)
    show(state)
    while state.phase == "play":
        play_ply(state, players, chances)
    return state


def play_ply(state: State, players: Sequence[AIPlayer], chances: Sequence[Random]) -> None:
    """Let the player whose turn it is move; changes ``state``."""
    seat = state.to_move
    assert seat is not None  # noqa: S101 - in play a seat is always to move
    advance(state, players[seat](view_of(state, seat), chances[seat]))


def generators(seed: str, seats: int) -> list[Random]:
    """A random generator for each seat."""
    return [Random(f"{seed}/{seat}") for seat in range(seats)]


def rewards(state: State) -> list[float]:
    """A finished game's reward for each seat: 1 for the winner, 0 for the loser, evenly between; draws are shared."""
    seats = len(state.hands)
    by_place = [
        float(place == 0) if state.rules.out_ends == "first" else (seats - 1 - place) / (seats - 1)
        for place in range(seats)
    ]
    found = [0.0] * seats
    for place, seat in enumerate(state.places):
        found[seat] = by_place[place]
    drawn = [seat for seat in range(seats) if seat not in state.places]
    for seat in drawn:
        found[seat] = sum(by_place[len(state.places) :]) / len(drawn)
    return found
