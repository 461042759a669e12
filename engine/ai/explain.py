"""Why a move: the best one, and the one or two things that speak for it most, in a sentence."""

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
from engine.wording.phrases import counted_rank, listed, move_words

REASONS: Final = 2
"""More than so many nobody reads."""
ENOUGH: Final = 0.15
"""How much a second reason must weigh to be told."""

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
    f.TAKE_LAST: "nothing you could lay stops the next player",
    f.LIFT: "the face-up card goes more easily from the hand",
    f.DECLINE: "nothing you could lay now is worth it",
}
"""What a feature says for a move that has it; whatever is not here is too odd to be said."""
_FOUR: Final = "it completes four of a rank, which burns the pile"
_SEVERAL: Final = "several cards go at once"
_EFFECTS: Final[Mapping[Effect, str]] = {
    "lower": "the next player must go below it",
    "reverse": "it turns the order round",
    "skip": "it passes over the next player",
    "mirror": "it leaves the pile as hard to beat as it is",
}
"""What speaks for a card with a power, where it is not what it spares."""


def explain(view: View, rng: Random, simulations: int | None = None) -> tuple[Move, str]:
    """A good move and the reason for it: Master's, or Extreme's where it may not look ahead (``simulations`` is 0)."""
    seat, known = own_seat(view), model_for(view.rules, len(view.hands))
    moves = [] if view.phase == "arrange" else legal_moves(view, seat)
    if view.phase == "arrange" or isinstance(moves[0], Flip) or len(moves) == 1:
        move = choose_by_weights(view, rng, known)
        return move, f"{_said(move)}: {_plain_reason(move)}."
    search = Search(view, known.value, known.moves, rng)
    tried = search.run(simulations or budget(view)) if simulations != 0 and search.possible else list[MoveStats]()
    # As if something had just happened: who asks wants the best move, and no other for a change.
    best = tried[0].move if tried else choose_by_weights(replace(view, quiet=0), rng, known)
    found = reason_for_move(view, best) or "it is a little better than anything else"
    return best, f"{_said(best)}: {found}."


def reason_for_move(view: View, best: Move, other: Move | None = None) -> str:
    """What speaks most for one legal move beside another; beside the strongest other one where none is named.

    Empty where nothing does that can be said in words.
    """
    seat, known = own_seat(view), model_for(view.rules, len(view.hands))
    moves = [move for move in legal_moves(view, seat) if other in {None, move} or move == best]
    features = move_features(view, seat, moves, NextSeat(view, seat).stuck_chance, known.value.classes)
    weighed = [{number % f.MOVE_PHASE: known.moves[number] * value for number, value in each} for each in features]
    at = moves.index(best)
    against = max((n for n in range(len(moves)) if n != at), key=lambda n: sum(weighed[n].values()))
    gains: dict[str, float] = {}
    for number in weighed[at].keys() | weighed[against].keys():
        gain = weighed[at].get(number, 0.0) - weighed[against].get(number, 0.0)
        words = _words(view, number, best, moves[against], weighed[at])
        gains[words] = gains.get(words, 0.0) + gain
    told = sorted((words for words, gain in gains.items() if words and gain > 0), key=lambda words: -gains[words])
    told = told[:1] + [words for words in told[1:] if gains[words] > ENOUGH]
    if len(told) > 1 and _SEVERAL in told:
        # So one sees.
        told.remove(_SEVERAL)
    first, *rest = told[:REASONS] or [""]
    return listed([first, *(words.removeprefix("it ") if first.startswith("it ") else words for words in rest)], "and")


def _said(move: Move) -> str:
    text = move_words(move)
    return text[:1].upper() + text[1:]


def _plain_reason(move: Move) -> str:
    match move:
        case Swap():
            return "a better card then lies face up for the end"
        case Lay():
            return "these are your best cards for the end"
        case Flip():
            return "one is as good as another"
        case Pass() | PickUp() | Play():
            return "there is nothing else that you can do"
    return "your cards lie well"


def _words(view: View, number: int, best: Move, other: Move, for_it: Mapping[int, float]) -> str:
    """What a feature of either move says for the best one; empty where it says nothing that a person would."""
    if number < 2 * CLASSES:
        return _rank_words(view, best, other)
    if number < f.TAKEN + CLASSES:
        return "it holds good cards" if number in for_it else "you need not take the pile"
    if number in {f.TAKE, f.TAKE_PILE, f.TAKE_LAST} and number not in for_it:
        return "you need not take the pile"
    if number not in for_it:
        return ""
    if number == f.KEPT_BACK and isinstance(best, Play):
        return f"it keeps {_rest(view, best)} for later"
    if number == f.EMPTIES and not view.hands[own_seat(view)]:
        return "it is the last of your face-up cards"
    if number in {f.BURNS, f.BURNS_PILE, f.COMPLETES}:
        return _FOUR if f.COMPLETES in for_it else _WORDS[f.BURNS]
    if number in {f.BLOCKS, f.BLOCKS_PILE} and f.BLOCKS_LAST in for_it:
        return _WORDS[f.BLOCKS_LAST]
    return _WORDS.get(number, "")


def _rank_words(view: View, best: Move, other: Move) -> str:
    """What the ranks laid, and how many of them, say for a play beside another move."""
    if not isinstance(best, Play) or not isinstance(other, Play):
        return ""
    rank, spared = best.picks[0].rank, other.picks[0].rank
    if rank == spared:
        more = len(best.picks) > len(other.picks)
        return _SEVERAL if more else f"it keeps {_rest(view, best)} for later"
    worths = card_values(view.rules)
    if worths[spared] > worths[rank]:
        return f"it spares your {RANK_NAMES[spared]}"
    if view.powers.again[rank]:
        return "you go again"
    effect = view.powers.effect[rank]
    return _EFFECTS.get(effect, "") if effect else ""


def _rest(view: View, play: Play) -> str:
    """What is left of a rank when some of it have been laid, in words."""
    rank, seat = play.picks[0].rank, own_seat(view)
    held = (view.hands[seat] or view.ups[seat]) & RANK_CARDS[rank]
    return counted_rank(rank, held.bit_count() - len(play.picks))
