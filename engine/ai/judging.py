"""Reviews a finished game for one player: the chances at each turn, and the moves that cost most.

It uses only the views that the player had and the moves that the player made, so it reveals nothing that was hidden
then.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from engine.ai.easy_medium_hard import own_seat
from engine.ai.explain import reason_for_move
from engine.ai.played_on import KINDS, PlayedOn, mean, surely_positive
from engine.ai.reasons import way_out_reason
from engine.ai.verdict import Depth, Line, Verdict
from engine.legality import legal_moves
from engine.moves import Flip, Move, PickUp, Play, lift_of, play_of
from engine.view import View
from engine.way_out import way_out

SIMULATIONS: Final = 400
"""The most simulations for each turn at first."""
CLOSER: Final = Depth(simulations=200, proposed=6, playouts=300, checked=160)
"""For the turns that seem to have cost most: the worst of many estimates are often bad luck."""
DOUBTFUL_TURNS: Final = 6
"""The number of turns that are looked at closer."""
COSTLIEST: Final = 3
"""The most moves that a review names."""
LEAST_COST: Final = 0.06
"""A smaller cost is not worth telling."""
TURNING_POINTS: Final = 3
"""The most turning points that a review names."""
LEAST_TURN: Final = 0.1
"""The least change of the chance at a turning point."""


class Judgement(Struct, frozen=True):
    """What the review says about one turn."""

    chance: float
    """The expected result with the best move: 1 is a win, 0 the last place, a draw lies between."""
    better: Move | None = None
    """The best move if it is not the one made, else None."""
    cost: float = 0.0
    """How much of the chance the move that was made gave away, 0 to 1."""
    reason: str = ""
    """Why the other move is better; empty if it cannot be said in words."""
    line: Line = ()
    """How the game could have gone on after the better move: seats and their moves."""


class Look:
    """Judges a turn in steps, which may be taken in different processes.

    If games are played on, the cost is that in other games than those which chose the better move, as the choice among
    several favours luck. It is the smaller one of the costs to both kinds of players, and nothing unless both kinds
    together show it by two standard errors.
    """

    def __init__(self, view: View, made: Move, seed: str, depth: Depth) -> None:
        """Prepare to judge a turn: ``view`` is what the player saw, ``seed`` draws all chance."""
        self.judgement: Judgement | None = None
        """The judgement, once the look is over."""
        moves, named = legal_moves(view, own_seat(view)), named_by_rank(made)
        has_choice = len(moves) > 1 and not isinstance(moves[0], Flip) and named in moves
        self._view, self._depth = view, depth
        self._made = named if has_choice else None
        self._way = way_out(view, self._made) or way_out(view)
        self._verdict = Verdict(view, seed, depth if has_choice else Depth(depth.simulations), self._made)
        self._check = PlayedOn(view, f"{seed} check")

    @property
    def is_over(self) -> bool:
        """Whether the turn has been judged."""
        return self.judgement is not None

    def step(self) -> "Look":
        """Take the next step. Returns this object, for a process that has only a copy of it."""
        if self._needs_verdict:
            self._verdict.step()
        elif self._needs_check:
            self._check.play(self._compared)
        if not self._needs_verdict and not self._needs_check:
            self.judgement = self._judged()
        return self

    @property
    def _needs_verdict(self) -> bool:
        return not self._verdict.is_over and not (self._way and self._made in {None, self._way[0]})

    @property
    def _needs_check(self) -> bool:
        return any(self._check.worlds_of(move) < self._depth.checked for move in self._compared[:1])

    @property
    def _compared(self) -> list[Move]:
        """The moves to play on for the cost; the first one of a way out need not be, since its result is certain."""
        if self._made is None or self._made == self._best or not self._depth.checked:
            return []
        return [
            move for move in (self._made, self._best) if move is not None and not (self._way and move == self._best)
        ]

    def _judged(self) -> Judgement:
        made, best = self._made, self._best
        if made is None or best is None or made == best:
            return Judgement(self._chance)
        cost = self._checked_cost(made, best) if self._depth.checked else self._chance - self._verdict.worth(made)
        if cost <= 0:
            return Judgement(self._chance)
        if self._way:
            return Judgement(self._chance, best, cost, way_out_reason(self._view, self._way))
        return Judgement(self._chance, best, cost, reason_for_move(self._view, best, made), self._verdict.lines[best])

    def _checked_cost(self, made: Move, best: Move) -> float:
        theirs = self._check.results[made]
        ours = [self._result_of_way_out] * len(theirs) if self._way else self._check.results[best]
        costs = [mine - other for mine, other in zip(ours, theirs, strict=True)]
        if not surely_positive(costs):
            return 0.0
        return min(self._chance, *(mean(costs[kind::KINDS]) for kind in range(KINDS)))

    @property
    def _best(self) -> Move | None:
        """The best move; None if that is not known, since no world agrees with the view."""
        return self._way[0] if self._way else next(iter(self._verdict.ranked), None)

    @property
    def _chance(self) -> float:
        """The expected result with the best move; that of an even game if it is not known."""
        if self._way:
            return self._result_of_way_out
        return 1 / len(self._view.hands) if self._best is None else self._verdict.worth(self._best)

    @property
    def _result_of_way_out(self) -> float:
        """What it is worth to go out next."""
        return 1 - len(self._view.places) / (len(self._view.hands) - 1)


def judge(view: View, made: Move, seed: str, depth: Depth) -> Judgement:
    """Judge a turn all at once: the view that the player had, and the move made."""
    look = Look(view, made, seed, depth)
    while look.judgement is None:
        look.step()
    return look.judgement


def turning_points(judgements: Sequence[Judgement]) -> list[int]:
    """The numbers of the turns after which the chance had changed most by the next turn, in their order."""
    chances = [each.chance for each in judgements]
    changes = {number: abs(after - before) for number, (before, after) in enumerate(pairwise(chances))}
    largest = sorted(changes, key=lambda number: -changes[number])[:TURNING_POINTS]
    return sorted(number for number in largest if changes[number] >= LEAST_TURN)


def doubtful(judgements: Sequence[Judgement]) -> list[int]:
    """The numbers of the turns to review again with more simulations: those that seem to have cost most."""
    return _worst(judgements)[:DOUBTFUL_TURNS]


def confirmed(judgements: Sequence[Judgement], closer: Mapping[int, Judgement]) -> list[Judgement]:
    """All judgements after a closer look at some, by number; of the other turns only the chance is left."""
    return [closer.get(number) or Judgement(each.chance) for number, each in enumerate(judgements)]


def costliest(judgements: Sequence[Judgement]) -> list[int]:
    """The numbers of the turns that cost most, the worst first, without those that cost almost nothing."""
    return [number for number in _worst(judgements) if judgements[number].cost >= LEAST_COST][:COSTLIEST]


def _worst(judgements: Sequence[Judgement]) -> list[int]:
    found = [number for number, each in enumerate(judgements) if each.better is not None]
    return sorted(found, key=lambda number: -judgements[number].cost)


def named_by_rank(move: Move) -> Move:
    """The move as `legal_moves` lists it: by rank, even if suits were named."""
    if isinstance(move, Play):
        return play_of(move.picks[0].rank, len(move.picks))
    if isinstance(move, PickUp) and move.picks:
        return lift_of(move.picks[0].rank, len(move.picks))
    return move
