"""Extreme and Master: the levels that use weights learned from self-play, Master with search."""

from collections.abc import Sequence
from math import exp, log
from random import Random
from typing import Final

from msgspec.structs import replace

from engine.ai.arranging import arranging_move
from engine.ai.card_values import card_values
from engine.ai.easy_medium_hard import ANTI_LOOP_PLIES, own_seat, random_flip
from engine.ai.features import move_features, weighted_sums
from engine.ai.next_seat import NextSeat
from engine.ai.search import MoveStats, Search
from engine.ai.style import PLAIN, Style, style_bonus
from engine.ai.weights import Model, model_for
from engine.legality import legal_moves
from engine.moves import Flip, Move
from engine.view import View

SIMULATIONS: Final = 800
"""The most simulations that Master runs for a move, with two seats."""
SIMULATIONS_MORE_SEATS: Final = 500
"""The same with more seats, where a simulation costs more. Both keep 99 of 100 moves near 0.1 seconds of one core."""
STEP: Final = 20
"""After each so many simulations Master asks whether its choice is clear."""
CATCH_UP: Final = 0.5
"""How much another move is expected to gain on the preferred one at most, as a part of the simulations that are left.

With 1.0 the choice would always be that of all simulations. With 0.5 one in fifty is another one, about as good.
"""
CONTEMPT: Final = 0.5
"""The part of a draw's value that Master ignores, so that it takes risks to avoid one; 0 to 1."""
PRESSURE_BY_WEIGHTS: Final = 1.2
PRESSURE_BY_SEARCH: Final = 0.8
THINNING: Final = 1.0
"""What Extreme adds to its style under a document that describes levels (D2-50): see `Style.pressure` and `copies`."""


def extreme(view: View, rng: Random, style: Style = PLAIN, simulations: int | None = None) -> Move:
    """Chooses by learned weights, or by a short search if the weight file says that weights alone are too weak.

    ``simulations`` is how many simulations it runs at most, in place of those of the file.
    """
    model = model_for(view.rules, len(view.hands))
    if view.rules.at_level:
        pressure = PRESSURE_BY_SEARCH if model.simulations else PRESSURE_BY_WEIGHTS
        style = replace(style, pressure=pressure, copies=style.copies + THINNING)
    if model.simulations:
        return choose_by_search(view, rng, model, simulations or model.simulations, style)
    return choose_by_weights(view, rng, model, style)


def uses_search(level: str, view: View) -> bool:
    """Whether a level searches in this game, which takes many milliseconds; other levels need less than one."""
    return level == "master" or (level == "extreme" and model_for(view.rules, len(view.hands)).simulations > 0)


def master(view: View, rng: Random, style: Style = PLAIN, simulations: int | None = None) -> Move:
    """Searches; ``simulations`` is how many it runs at most, None for `budget`."""
    model = model_for(view.rules, len(view.hands))
    return choose_by_search(view, rng, model, simulations or budget(view), style)


def budget(view: View) -> int:
    """The most simulations that Master runs for a move."""
    return SIMULATIONS if len(view.hands) == 2 else SIMULATIONS_MORE_SEATS


def choose_by_weights(view: View, rng: Random, model: Model, style: Style = PLAIN) -> Move:
    """The move with the highest weighted sum of its features."""
    seat = own_seat(view)
    if view.phase == "arrange":
        # By rule of thumb: weights fitted on where cards lay in games say little about where they should lie.
        return arranging_move(view, seat, card_values(view.rules))
    moves = legal_moves(view, seat)
    if len(moves) == 1:
        return moves[0]
    if isinstance(moves[0], Flip):
        return random_flip(moves, rng)
    features = move_features(view, seat, moves, NextSeat(view, seat).stuck_chance, model.value.classes)
    return _preferred(view, rng, style, moves, weighted_sums(features, model.moves))


def choose_by_search(
    view: View,
    rng: Random,
    model: Model,
    simulations: int,
    style: Style = PLAIN,
    contempt: float = CONTEMPT,
) -> Move:
    """The most visited move of a search; by weights if there is no choice or no world to search."""
    seat = own_seat(view)
    moves = [] if view.phase == "arrange" else legal_moves(view, seat)
    if len(moves) < 2 or isinstance(moves[0], Flip):
        return choose_by_weights(view, rng, model, style)
    search = Search(view, model.value, model.moves, rng, contempt)
    if not search.possible:
        return choose_by_weights(view, rng, model, style)
    stats = _searched(view, search, simulations, style)
    return _preferred(view, rng, style, [each.move for each in stats], [log(1 + each.visits) for each in stats])


def _searched(view: View, search: Search, simulations: int, style: Style) -> list[MoveStats]:
    """Run so many simulations, or fewer if the choice is clear. If the move is drawn no choice is."""
    for left in range(simulations - STEP, 0, -STEP):
        stats = search.run(STEP)
        if view.quiet < ANTI_LOOP_PLIES and _is_decided(view, style, stats, left):
            return stats
    return search.run(simulations % STEP or STEP)


def _is_decided(view: View, style: Style, stats: Sequence[MoveStats], left: int) -> bool:
    """Whether another move would hardly be preferred after so many simulations more."""
    bonuses = [style_bonus(style, view, each.move) for each in stats]
    scores = [log(1 + each.visits) + bonus for each, bonus in zip(stats, bonuses, strict=True)]
    first = scores.index(max(scores))
    return all(
        log(1 + each.visits + CATCH_UP * left) + bonus < scores[first]
        for number, (each, bonus) in enumerate(zip(stats, bonuses, strict=True))
        if number != first
    )


def _preferred(view: View, rng: Random, style: Style, moves: Sequence[Move], scores: Sequence[float]) -> Move:
    """The move with the best score plus style bonus.

    After `ANTI_LOOP_PLIES` quiet plies the move is drawn, a better one with a higher chance.
    """
    totals = [score + style_bonus(style, view, move) for score, move in zip(scores, moves, strict=True)]
    highest = max(totals)
    if view.quiet < ANTI_LOOP_PLIES:
        return moves[totals.index(highest)]
    return rng.choices(moves, [exp(each - highest) for each in totals])[0]
