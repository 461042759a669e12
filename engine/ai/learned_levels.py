"""Extreme and Master: levels that play by what was learned from self-play."""

from math import log
from random import Random
from typing import Final

from engine.ai.arranging import arranged
from engine.ai.features import move_features, weighed
from engine.ai.guess import Guess
from engine.ai.levels import blind, own
from engine.ai.search import Search
from engine.ai.style import PLAIN, Style, taste
from engine.ai.weights import Learned, learned
from engine.ai.worths import worths_of
from engine.legality import legal_moves
from engine.moves import Flip, Move
from engine.view import View

LOOKS: Final = 1_000
"""How often Master looks ahead before a move, with two seats."""
LOOKS_AROUND: Final = 400
"""The same with more seats, where a look costs more. Both keep a move under 0.3 seconds of one core in 99 of 100."""
SLIP: Final = 0.01
"""How often Extreme plays any legal move, so that two sure players cannot circle for ever."""


def extreme(view: View, rng: Random, style: Style = PLAIN) -> Move:
    """Weighs what there is to say for and against every move, by weights that self-play found.

    Where these do not beat Hard by enough it looks ahead a little, too.
    """
    if own(view) in view.order and view.phase == "play" and rng.random() < SLIP:
        return rng.choice(legal_moves(view, own(view)))
    known = learned(view.rules, len(view.hands))
    if known.looks:
        return looking_ahead(view, rng, known, known.looks, style)
    return weighing(view, rng, known, style)


def looks_ahead(level: str, view: View) -> bool:
    """Whether a level looks ahead in this game, which takes milliseconds; all others take a part of one."""
    return level == "master" or (level == "extreme" and learned(view.rules, len(view.hands)).looks > 0)


def master(view: View, rng: Random, style: Style = PLAIN, looks: int | None = None) -> Move:
    """Looks ahead in worlds that the view allows, so often (None: as often as its budget is)."""
    return looking_ahead(view, rng, learned(view.rules, len(view.hands)), looks or budget(view), style)


def budget(view: View) -> int:
    """How often Master looks ahead before a move."""
    return LOOKS if len(view.hands) == 2 else LOOKS_AROUND


def weighing(view: View, rng: Random, known: Learned, style: Style = PLAIN) -> Move:
    """The move that weighs most."""
    seat = own(view)
    if view.phase == "arrange":
        # By rule of thumb: worths fitted on where cards lay in games say too little about where they should.
        return arranged(view, seat, worths_of(view.rules))
    moves = legal_moves(view, seat)
    if len(moves) == 1:
        return moves[0]
    if isinstance(moves[0], Flip):
        return blind(moves, rng)
    scores = weighed(move_features(view, seat, moves, Guess(view, seat).stuck, known.value.classes), known.moves)
    liked = [score + taste(style, view, move) for score, move in zip(scores, moves, strict=True)]
    return moves[liked.index(max(liked))]


def looking_ahead(view: View, rng: Random, known: Learned, looks: int, style: Style = PLAIN) -> Move:
    """The move that a search looked at most, where there is a choice and a world to search."""
    seat = own(view)
    moves = [] if view.phase == "arrange" else legal_moves(view, seat)
    if len(moves) < 2 or isinstance(moves[0], Flip):
        return weighing(view, rng, known, style)
    search = Search(view, known.value, known.moves, rng)
    if not search.possible:
        return weighing(view, rng, known, style)
    return max(search.run(looks), key=lambda tried: log(1 + tried.visits) + taste(style, view, tried.move)).move
