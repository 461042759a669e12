"""What kind of mistake a move is, compared with a better one: by what a player could do otherwise the next time."""

from typing import Final, Literal, TypeAlias, get_args

from engine.moves import Move, PickUp, Play
from engine.view import View

Mistake: TypeAlias = Literal["takes", "leaves", "powers early", "powers late", "high", "low", "many", "few"]
"""In pairs of opposites."""
MISTAKES: Final[tuple[Mistake, ...]] = get_args(Mistake)


def opposite(mistake: Mistake) -> Mistake:
    """The mistake of a player who does the contrary."""
    return MISTAKES[MISTAKES.index(mistake) ^ 1]


def mistake_of(view: View, made: Move, better: Move) -> Mistake | None:
    """What a player did wrong with this move; None if the two moves do not differ in a way that has a name."""
    match made, better:
        case PickUp(), Play():
            return "takes"
        case Play(), PickUp():
            return "leaves"
        case Play(picks), Play(others):
            rank, other = picks[0].rank, others[0].rank
            is_power, other_is = rank in view.rules.special, other in view.rules.special
            if rank == other:
                return "many" if len(picks) > len(others) else "few"
            if is_power != other_is:
                return "powers early" if is_power else "powers late"
            if not is_power:  # a 10 is no higher a card than a 2 if both have powers
                return "high" if rank > other else "low"
    return None
