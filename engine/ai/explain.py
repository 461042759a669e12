"""Suggests a move, and says in a sentence why: the one or two strongest reasons for it."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Final

import engine.ai.features as f
from engine.ai.basic_levels import own_seat
from engine.ai.card_values import card_values
from engine.ai.features import move_features
from engine.ai.learned_levels import budget, choose_by_weights
from engine.ai.next_seat import NextSeat
from engine.ai.rank_classes import CLASSES
from engine.ai.search import MoveStats, Search
from engine.ai.weights import model_for
from engine.cards import RANK_CARDS, RANK_NAMES
from engine.legality import legal_moves
from engine.moves import Flip, Lay, Move, Pass, PickUp, Play, Swap
from engine.rules import Effect
from engine.view import View
from engine.wording.phrases import counted_rank, listed, move_words, sentence_case

MOST_REASONS: Final = 2
SECOND_REASON: Final = 0.15
"""The least weight of a second reason."""

_WORDS: Final[Mapping[int, str]] = {
    f.EMPTIES: "it empties your hand",
    f.GOES_OUT: "then you are out of cards",
    f.BURNS: "it burns the pile",
    f.BURNS_PILE: "it burns the pile",
    f.BLOCKS: "the next player may not be able to follow",
    f.BLOCKS_PILE: "the next player may not be able to follow",
    f.BLOCKS_LAST: "it may stop the next player from going out",
    f.TAKE: "you keep your good cards",
    f.TAKE_PILE: "the pile is small enough to take",
    f.TAKE_LAST: "no card of yours would stop the next player",
    f.LIFT: "a face-up card is easier to play from the hand",
    f.DECLINE: "no card is worth playing now",
}
"""The reason that a feature of the move gives; a feature that is not listed gives none that players would say."""
_FOUR: Final = "it completes four of a rank, which burns the pile"
_SEVERAL: Final = "several cards go at once"
GOES_AGAIN: Final = "you go again"
_EFFECTS: Final[Mapping[Effect, str]] = {
    "lower": "the next player must go below it",
    "reverse": "it reverses the order",
    "skip": "it skips the next player",
    "mirror": "it leaves the pile as hard to beat as it is",
}
"""The reason for a card with a power, if it does not save a better card."""


def explain(view: View, rng: Random, simulations: int | None = None) -> tuple[Move, str]:
    """A good move and a sentence that gives the reason.

    Args:
        view: the view of the seat to move.
        rng: draws the worlds of the search.
        simulations: how many simulations to run; 0 for none (by weights alone), None for Master's usual number.
    """
    seat, model = own_seat(view), model_for(view.rules, len(view.hands))
    moves = [] if view.phase == "arrange" else legal_moves(view, seat)
    if view.phase == "arrange" or isinstance(moves[0], Flip) or len(moves) == 1:
        move = choose_by_weights(view, rng, model)
        return move, f"{sentence_case(move_words(move))}: {_plain_reason(move)}."
    search = Search(view, model.value, model.moves, rng)
    stats = search.run(simulations or budget(view)) if simulations != 0 and search.possible else list[MoveStats]()
    # Without the quiet plies, because a player who asks wants the best move, not one drawn against loops.
    best = stats[0].move if stats else choose_by_weights(replace(view, quiet=0), rng, model)
    found = reason_for_move(view, best) or "it is a little better than any other move"
    return best, f"{sentence_case(move_words(best))}: {found}."


def reason_for_move(view: View, best: Move, other: Move | None = None) -> str:
    """The strongest reasons for a legal move against another one, or (None) against the best of all others.

    Empty if no reason can be said in words.
    """
    seat, model = own_seat(view), model_for(view.rules, len(view.hands))
    moves = [move for move in legal_moves(view, seat) if other in {None, move} or move == best]
    features = move_features(view, seat, moves, NextSeat(view, seat).stuck_chance, model.value.classes)
    weighed = [{number % f.MOVE_PHASE: model.moves[number] * value for number, value in each} for each in features]
    at = moves.index(best)
    against = max((n for n in range(len(moves)) if n != at), key=lambda n: sum(weighed[n].values()))
    gains: dict[str, float] = {}
    for number in weighed[at].keys() | weighed[against].keys():
        gain = weighed[at].get(number, 0.0) - weighed[against].get(number, 0.0)
        words = _words(view, number, best, moves[against], weighed[at])
        gains[words] = gains.get(words, 0.0) + gain
    reasons = sorted((words for words, gain in gains.items() if words and gain > 0), key=lambda words: -gains[words])
    reasons = reasons[:1] + [words for words in reasons[1:] if gains[words] > SECOND_REASON]
    if len(reasons) > 1 and _SEVERAL in reasons:
        # The player can see that.
        reasons.remove(_SEVERAL)
    first, *rest = reasons[:MOST_REASONS] or [""]
    if first.startswith("it "):
        rest = [words.removeprefix("it ") for words in rest]
    return listed([first, *rest], "and")


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


def _words(view: View, number: int, best: Move, other: Move, features: Mapping[int, float]) -> str:
    """The reason that a feature of either move gives for the best one; empty if players would not say it."""
    if number < 2 * CLASSES:
        return _rank_words(view, best, other)
    if number < f.TAKEN + CLASSES:
        return "it holds good cards" if number in features else "you need not take the pile"
    if number in {f.TAKE, f.TAKE_PILE, f.TAKE_LAST} and number not in features:
        return "you need not take the pile"
    if number not in features:
        return ""
    if number == f.KEPT_BACK and isinstance(best, Play):
        return f"it keeps {_rest(view, best)} for later"
    if number == f.EMPTIES and not view.hands[own_seat(view)]:
        return "it is the last of your face-up cards"
    if number in {f.BURNS, f.BURNS_PILE, f.COMPLETES}:
        return _FOUR if f.COMPLETES in features else _WORDS[f.BURNS]
    if number in {f.BLOCKS, f.BLOCKS_PILE} and f.BLOCKS_LAST in features:
        return _WORDS[f.BLOCKS_LAST]
    return _WORDS.get(number, "")


def _rank_words(view: View, best: Move, other: Move) -> str:
    """The reason that ranks and numbers of cards give for a play against another one; empty if they give none."""
    if not isinstance(best, Play) or not isinstance(other, Play):
        return ""
    rank, saved = best.picks[0].rank, other.picks[0].rank
    if rank == saved:
        more = len(best.picks) > len(other.picks)
        return _SEVERAL if more else f"it keeps {_rest(view, best)} for later"
    values = card_values(view.rules)
    if values[saved] > values[rank]:
        return f"it saves your {RANK_NAMES[saved]}"
    if view.powers.again[rank]:
        return GOES_AGAIN
    effect = view.powers.effect[rank]
    return _EFFECTS.get(effect, "") if effect else ""


def _rest(view: View, play: Play) -> str:
    """The cards of the rank that stay behind after a play, in words."""
    rank, seat = play.picks[0].rank, own_seat(view)
    held = (view.hands[seat] or view.ups[seat]) & RANK_CARDS[rank]
    return counted_rank(rank, held.bit_count() - len(play.picks))
