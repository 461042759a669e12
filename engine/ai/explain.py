"""Why a move: the best one, and the one or two things that speak for it most, in a sentence."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

import engine.ai.features as f
from engine.ai.classes import CLASSES
from engine.ai.features import move_features
from engine.ai.guess import Guess
from engine.ai.learned_levels import budget, weighing
from engine.ai.levels import own
from engine.ai.search import Search, Tried
from engine.ai.weights import Learned, learned
from engine.cards import RANK_NAMES
from engine.legality import legal_moves
from engine.moves import Flip, Lay, Move, Pass, PickUp, Play, Swap
from engine.view import View
from engine.wording import listed

REASONS: Final = 2
"""More than so many nobody reads."""
ENOUGH: Final = 0.15
"""How much a reason must weigh to be told, beside what weighs most."""

_WORDS: Final[Mapping[int, str]] = {
    f.KEPT_BACK: "it keeps the rest of that rank for later",
    f.EMPTIES: "it empties your hand",
    f.GOES_OUT: "it is your last card",
    f.BURNS: "it burns the pile",
    f.BURNS_PILE: "the pile is worth burning",
    f.COMPLETES: "it completes four of a rank",
    f.LEADS_POWER: "nothing has to be beaten now",
    f.THREE_LIE: "three of that rank would lie there",
    f.BLOCKS: "the next player may be stuck on it",
    f.BLOCKS_PILE: "the next player may have to take the pile",
    f.BLOCKS_LAST: "it may stop the next player, who is nearly out",
    f.TAKE: "your cards are worth keeping",
    f.TAKE_PILE: "the pile is small enough to take",
    f.TAKE_LAST: "nothing you can lay stops the next player",
    f.LIFT: "the face-up card goes more easily from the hand",
    f.DECLINE: "nothing you could lay now is worth laying",
}


def explain(view: View, rng: Random, looks: int | None = None) -> tuple[Move, str]:
    """A good move and the reason for it: Master's, or Extreme's where it may not look ahead (``looks`` is 0)."""
    seat, known = own(view), learned(view.rules, len(view.hands))
    moves = [] if view.phase == "arrange" else legal_moves(view, seat)
    if view.phase == "arrange" or isinstance(moves[0], Flip) or len(moves) == 1:
        move = weighing(view, rng, known)
        return move, f"{_said(move)}: {_plain_reason(move)}."
    search = Search(view, known.value, known.moves, rng)
    if looks == 0 or not search.possible:
        best = weighing(view, rng, known)
        tried = list[Tried]()
    else:
        tried = search.run(looks or budget(view))
        best = tried[0].move
    reasons = _reasons(view, seat, known, best, moves)
    outlook = f" Looking ahead, it leads to a win {round(100 * tried[0].mean)} times in 100." if tried else ""
    return best, f"{_said(best)}: {listed(reasons, 'and')}.{outlook}"


def _said(move: Move) -> str:
    text = str(move)
    return text[:1].upper() + text[1:]


def _plain_reason(move: Move) -> str:
    match move:
        case Swap():
            return "the better card lies face up for the end"
        case Lay():
            return "these are your best cards for the end"
        case Flip():
            return "one face-down card is as good as another"
        case Pass() | PickUp() | Play():
            return "there is nothing else to do"
    return "your cards lie well"


def _reasons(view: View, seat: int, known: Learned, best: Move, moves: Sequence[Move]) -> list[str]:
    """What speaks most for the best move beside the strongest other one."""
    features = move_features(view, seat, moves, Guess(view, seat).stuck, known.value.classes)
    weighed = [{number % f.MOVE_PHASE: known.moves[number] * value for number, value in each} for each in features]
    at = moves.index(best)
    other = max(
        (number for number in range(len(moves)) if number != at), key=lambda number: sum(weighed[number].values())
    )
    gains: dict[str, float] = {}
    for number in weighed[at].keys() | weighed[other].keys():
        gain = weighed[at].get(number, 0.0) - weighed[other].get(number, 0.0)
        words = _words(number, best, moves[other], for_it=number in weighed[at])
        gains[words] = gains.get(words, 0.0) + gain
    told = sorted((words for words, gain in gains.items() if words and gain > ENOUGH), key=lambda words: -gains[words])
    return told[:REASONS] or [f"it does a little better than {moves[other]}"]


def _words(number: int, best: Move, other: Move, *, for_it: bool) -> str:
    """What a feature says for the best move; empty where it says nothing that a person would."""
    spared = RANK_NAMES[other.picks[0].rank] if isinstance(other, Play) else ""
    if number < 2 * CLASSES:
        if for_it and number >= CLASSES:
            return "it is rid of several cards at once"
        if not isinstance(best, Play) or not isinstance(other, Play):
            return ""
        return f"it spares your {spared}" if other.picks[0].rank != best.picks[0].rank else ""
    if number < f.TAKEN + CLASSES:
        return "the pile holds good cards" if for_it else "it leaves the pile alone"
    return _WORDS[number] if for_it else ""
