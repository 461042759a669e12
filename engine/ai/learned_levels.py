"""Extreme and Master: levels that play by what was learned from self-play."""

from collections.abc import Sequence
from math import exp, log
from random import Random
from typing import Final

from engine.ai.arranging import arranged
from engine.ai.basic_levels import RESTLESS, blind, own
from engine.ai.card_values import worths_of
from engine.ai.features import move_features, weighed
from engine.ai.next_seat import Guess
from engine.ai.search import Search
from engine.ai.style import PLAIN, Style, taste
from engine.ai.weights import Learned, learned
from engine.legality import legal_moves
from engine.moves import Flip, Move
from engine.view import View

LOOKS: Final = 1_000
"""How often Master looks ahead before a move, with two seats."""
LOOKS_AROUND: Final = 600
"""The same with more seats, where a look costs more. Both keep a move under 0.3 seconds of one core in 99 of 100."""
CONTEMPT: Final = 0.5
"""The part of its share of a draw that Master does not count, so that it dares something before the clock runs out."""


def extreme(view: View, rng: Random, style: Style = PLAIN) -> Move:
    """Weighs what there is to say for and against every move, by weights that self-play found.

    Where these do not beat Hard by enough it looks ahead a little, too.
    """
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
    return _preferred(view, rng, style, moves, scores)


def looking_ahead(view: View, rng: Random, known: Learned, looks: int, style: Style = PLAIN) -> Move:
    """The move that a search looked at most, where there is a choice and a world to search."""
    seat = own(view)
    moves = [] if view.phase == "arrange" else legal_moves(view, seat)
    if len(moves) < 2 or isinstance(moves[0], Flip):
        return weighing(view, rng, known, style)
    search = Search(view, known.value, known.moves, rng, CONTEMPT)
    if not search.possible:
        return weighing(view, rng, known, style)
    tried = search.run(looks)
    return _preferred(view, rng, style, [each.move for each in tried], [log(1 + each.visits) for each in tried])


def _preferred(view: View, rng: Random, style: Style, moves: Sequence[Move], scores: Sequence[float]) -> Move:
    """The move with the best score and taste; once restless any, the better the more likely."""
    liked = [score + taste(style, view, move) for score, move in zip(scores, moves, strict=True)]
    highest = max(liked)
    if view.quiet < RESTLESS:
        return moves[liked.index(highest)]
    return rng.choices(moves, [exp(each - highest) for each in liked])[0]
