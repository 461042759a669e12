"""Suggests a move, and says why it is better than the next best one."""

from dataclasses import dataclass, replace
from random import Random
from typing import Final

from engine.ai.basic_levels import own_seat
from engine.ai.features import move_features, weighted_sums
from engine.ai.learned_levels import choose_by_weights
from engine.ai.next_seat import NextSeat
from engine.ai.reasons import reasons
from engine.ai.search import Search
from engine.ai.taking import judged_again, of_each_kind
from engine.ai.weights import model_for
from engine.legality import legal_moves
from engine.moves import Flip, Lay, Move, Pass, PickUp, Play, Swap
from engine.view import View
from engine.wording.phrases import move_words, sentence_case

SIMULATIONS: Final = 600
"""The simulations for a suggestion, as many as for a move of Master with more than two seats."""
LEAST_LEAD: Final = 0.04
"""If a move is better by less, which may be chance, the other one is as good."""
LOST: Final = 0.04
"""If the best move is worth less, no reason for it would help."""
COMPARED: Final = 3
"""The moves that are compared get at least this part of all simulations each: 1 / COMPARED."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A move, and what speaks for it."""

    move: Move
    reason: str
    is_forced: bool = False
    """Whether there is nothing to decide."""

    @property
    def sentence(self) -> str:
        """The move and the reason: "Play a 5: it saves your king."."""
        return f"{sentence_case(move_words(self.move))}: {self.reason}."


def explain(view: View, rng: Random, simulations: int | None = None) -> Suggestion:
    """A good move, and the reason for it.

    Args:
        view: the view of the seat to move.
        rng: draws the worlds of the search.
        simulations: how many simulations to run; 0 for none (by weights alone), None for the usual number.
    """
    seat, model = own_seat(view), model_for(view.rules, len(view.hands))
    moves = [] if view.phase == "arrange" else legal_moves(view, seat)
    if view.phase == "arrange" or isinstance(moves[0], Flip) or len(moves) == 1:
        move = choose_by_weights(view, rng, model)
        return Suggestion(move, _plain_reason(move), is_forced=view.phase == "arrange" or len(moves) == 1)
    search = Search(view, model.value, model.moves, rng)
    if simulations == 0 or not search.possible:
        # Without the quiet plies, because a player who asks wants the best move, not one drawn against loops.
        best = choose_by_weights(replace(view, quiet=0), rng, model)
        return Suggestion(best, reason_for_move(view, best) or "no other move looks better")
    simulations = SIMULATIONS if simulations is None else simulations
    means = _means(view, search, simulations, rng)
    first, second = sorted(means, key=lambda move: -means[move])[:2]
    if means[first] < LOST:
        is_for_last = view.rules.out_ends != "first" and len(view.hands) > 2
        return Suggestion(first, f"you can hardly {'avoid the last place' if is_for_last else 'win'} any more")
    if means[first] - means[second] < LEAST_LEAD:
        return _of_two_alike(view, first, second)
    worth = f"looking ahead, it is worth {100 * means[first]:.0f} in 100, {_named(second)} {100 * means[second]:.0f}"
    return Suggestion(first, reasons(view, first, second) or worth)


def _means(view: View, search: Search, simulations: int, rng: Random) -> dict[Move, float]:
    """The expected results of the moves that seem best: two, and the best one that takes the pile if there is any."""
    ranked = [each.move for each in search.run(simulations)]
    candidates, each_gets = dict.fromkeys([*ranked[:2], *of_each_kind(ranked)]), simulations // COMPARED
    for move in candidates:
        search.run(each_gets, first=move)
    means = {each.move: each.mean for each in search.run(0) if each.move in candidates}
    return judged_again(view, means, max(1, each_gets), rng)


def _of_two_alike(view: View, first: Move, second: Move) -> Suggestion:
    """The one of two moves about as good for which a fact speaks."""
    # That one need not take the pile says little if one may as well take it.
    pairs = () if isinstance(second, PickUp) else ((first, second), (second, first))
    for move, other in pairs:
        if not isinstance(other, PickUp) and (found := reasons(view, move, other)):
            return Suggestion(move, f"{found}; {_named(other)} would do about as well")
    return Suggestion(first, f"{_named(second)} would do about as well")


def _named(move: Move) -> str:
    """A move as the subject of a sentence: "two 8s", "taking the pile"."""
    verb, _, what = move_words(move).partition(" ")
    if isinstance(move, Play):
        return what
    return f"{verb.removesuffix('e')}ing {what}".strip()


def reason_for_move(view: View, best: Move, other: Move | None = None) -> str:
    """The strongest reasons for a legal move against another one, or (None) against the best of all others.

    Empty if no fact speaks for it.
    """
    if other is None:
        seat, model = own_seat(view), model_for(view.rules, len(view.hands))
        moves = [move for move in legal_moves(view, seat) if move != best]
        features = move_features(view, seat, moves, NextSeat(view, seat).stuck_chance, model.value.classes)
        sums = weighted_sums(features, model.moves)
        other = moves[sums.index(max(sums))]
    return reasons(view, best, other)


def _plain_reason(move: Move) -> str:
    match move:
        case Swap():
            return "a better card then lies face up for the end"
        case Lay():
            return "these are your best cards for the end"
        case Flip():
            return "any of them is as good as another"
        case Pass() | PickUp() | Play():
            return "you have no other move"
    return "your cards are arranged well"
