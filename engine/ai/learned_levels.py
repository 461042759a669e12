"""Extreme and Master: levels that play by what was learned from self-play."""

from collections.abc import Sequence
from math import exp, log
from random import Random
from typing import Final

from engine.ai.arranging import arranging_move
from engine.ai.basic_levels import ANTI_LOOP_PLIES, own_seat, random_flip
from engine.ai.card_values import card_values
from engine.ai.features import move_features, weighted_sums
from engine.ai.next_seat import NextSeat
from engine.ai.search import Search
from engine.ai.style import PLAIN, Style, style_bonus
from engine.ai.weights import Model, model_for
from engine.legality import legal_moves
from engine.moves import Flip, Move
from engine.view import View

SIMULATIONS: Final = 1_000
"""How often Master looks ahead before a move, with two seats."""
SIMULATIONS_MORE_SEATS: Final = 600
"""The same with more seats, where a look costs more. Both keep a move under 0.3 seconds of one core in 99 of 100."""
CONTEMPT: Final = 0.5
"""The part of its share of a draw that Master does not count, so that it dares something before the clock runs out."""


def extreme(view: View, rng: Random, style: Style = PLAIN) -> Move:
    """Weighs what there is to say for and against every move, by weights that self-play found.

    Where these do not beat Hard by enough it looks ahead a little, too.
    """
    known = model_for(view.rules, len(view.hands))
    if known.simulations:
        return choose_by_search(view, rng, known, known.simulations, style)
    return choose_by_weights(view, rng, known, style)


def uses_search(level: str, view: View) -> bool:
    """Whether a level looks ahead in this game, which takes milliseconds; all others take a part of one."""
    return level == "master" or (level == "extreme" and model_for(view.rules, len(view.hands)).simulations > 0)


def master(view: View, rng: Random, style: Style = PLAIN, simulations: int | None = None) -> Move:
    """Looks ahead in worlds that the view allows, so often (None: as often as its budget is)."""
    return choose_by_search(view, rng, model_for(view.rules, len(view.hands)), simulations or budget(view), style)


def budget(view: View) -> int:
    """How often Master looks ahead before a move."""
    return SIMULATIONS if len(view.hands) == 2 else SIMULATIONS_MORE_SEATS


def choose_by_weights(view: View, rng: Random, known: Model, style: Style = PLAIN) -> Move:
    """The move that weighs most."""
    seat = own_seat(view)
    if view.phase == "arrange":
        # By rule of thumb: worths fitted on where cards lay in games say too little about where they should.
        return arranging_move(view, seat, card_values(view.rules))
    moves = legal_moves(view, seat)
    if len(moves) == 1:
        return moves[0]
    if isinstance(moves[0], Flip):
        return random_flip(moves, rng)
    features = move_features(view, seat, moves, NextSeat(view, seat).stuck_chance, known.value.classes)
    return _preferred(view, rng, style, moves, weighted_sums(features, known.moves))


def choose_by_search(view: View, rng: Random, known: Model, simulations: int, style: Style = PLAIN) -> Move:
    """The move that a search looked at most, where there is a choice and a world to search."""
    seat = own_seat(view)
    moves = [] if view.phase == "arrange" else legal_moves(view, seat)
    if len(moves) < 2 or isinstance(moves[0], Flip):
        return choose_by_weights(view, rng, known, style)
    search = Search(view, known.value, known.moves, rng, CONTEMPT)
    if not search.possible:
        return choose_by_weights(view, rng, known, style)
    tried = search.run(simulations)
    return _preferred(view, rng, style, [each.move for each in tried], [log(1 + each.visits) for each in tried])


def _preferred(view: View, rng: Random, style: Style, moves: Sequence[Move], scores: Sequence[float]) -> Move:
    """The move with the best score and taste; once restless any, the better the more likely."""
    liked = [score + style_bonus(style, view, move) for score, move in zip(scores, moves, strict=True)]
    highest = max(liked)
    if view.quiet < ANTI_LOOP_PLIES:
        return moves[liked.index(highest)]
    return rng.choices(moves, [exp(each - highest) for each in liked])[0]
