"""Which of the moves of a position is best: a search proposes some, and games that are played on decide.

In 75 positions of games by mixed levels under five rule sets the move with most visits in the search was 2.1 points of
100 worse than the best one, as 400 other games of each move told; of four moves the one with the best of 100 games was
1.2 worse, and 1.0 if the search counted as some games more.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, TypeAlias

from msgspec import Struct

from engine.ai.easy_medium_hard import own_seat
from engine.ai.played_on import STEP, PlayedOn
from engine.ai.search import Search
from engine.ai.weights import model_for
from engine.ai.worlds import Worlds
from engine.legality import legal_moves
from engine.moves import Move, PickUp
from engine.view import View

SEARCH_WEIGHT: Final = 30
"""The search counts as much as so many games."""
PART: Final = 6
"""Each move that the search proposes gets at least this part of all simulations: 1 / PART."""
SURE_WORLDS: Final = 20
"""After fewer worlds no move is dropped."""
LINE_PLIES: Final = 3
"""How far a verdict tells how the game could have gone on after a better move."""
LINE_WORLDS: Final = 4
"""The longest line in so many worlds is told."""

Line: TypeAlias = tuple[tuple[int, Move], ...]
"""Seats and their moves, one after the other."""


class Depth(Struct, frozen=True):
    """How closely a position is looked at."""

    simulations: int
    """The simulations of the search."""
    proposed: int = 1
    """So many moves are compared, those that the search likes best, and the best one of each kind."""
    playouts: int = 0
    """At most so many games are played to decide between them; without any the search decides."""
    checked: int = 0
    """In so many other worlds the cost of a move is checked (see `engine.ai.judging`); with none it is the estimate."""


class Verdict:
    """What moves are worth, found in steps, which may be taken in different processes."""

    def __init__(self, view: View, seed: str, depth: Depth, also: Move | None = None) -> None:
        """Prepare to judge a position in which the seat to move has a choice.

        Args:
            view: the view of the seat to move.
            seed: draws all chance.
            depth: how closely to look.
            also: a legal move to compare in any case.
        """
        self.lines: dict[Move, Line] = {}
        """For each of the moves that are compared how the game could go on after it."""
        self.played: PlayedOn | None = None
        """The games that were played on; None before the search, and if no world agrees with the view."""
        self.is_over = False
        self._view, self._seed, self._depth, self._also = view, seed, depth, also
        self._searched: dict[Move, float] = {}
        """What the search expects of each of these moves."""
        self._close: list[Move] = []
        """The moves that are still played on: those that are not clearly worse than the best one."""
        self._games_left = depth.playouts

    def step(self) -> "Verdict":
        """Take the next step. Returns this object, for a process that has only a copy of it."""
        if not self._searched:
            self._search()
        elif self.played is not None:
            self.played.play(self._close)
            self._games_left -= STEP
            if self.played.worlds_of(self._close[0]) >= SURE_WORLDS:
                best = self.ranked[0]
                self._close = [move for move in self._close if not self.played.is_better(best, move)]
        self.is_over = self.played is None or len(self._close) < 2 or self._games_left <= 0
        return self

    @property
    def ranked(self) -> list[Move]:
        """The moves that were compared, the best first; empty if no world agrees with the view."""
        # A move that was dropped early is no better because its few games count less.
        return sorted(self._searched, key=lambda move: (self._worlds_of(move), self.worth(move)), reverse=True)

    def worth(self, move: Move) -> float:
        """What one of these moves is worth: 1 is a win, 0 the last place."""
        games = self._worlds_of(move)
        total = self.played.mean(move) * games if self.played is not None and games else 0.0
        return (total + SEARCH_WEIGHT * self._searched[move]) / (games + SEARCH_WEIGHT)

    def _worlds_of(self, move: Move) -> int:
        return self.played.worlds_of(move) if self.played is not None else 0

    def _search(self) -> None:
        model, rng = model_for(self._view.rules, len(self._view.hands)), Random(self._seed)
        search = Search(self._view, model.value, model.moves, rng, worlds=Worlds(self._view, know_declined=True))
        if not search.possible:
            return
        liked = [each.move for each in search.run(self._depth.simulations)]
        legal = legal_moves(self._view, own_seat(self._view))
        liked += [move for move in legal if move not in liked]
        # The search knows moves by identity, which those of another process have lost.
        also = [move for move in legal if move == self._also]
        self._close = list(dict.fromkeys([*also, *liked[: self._depth.proposed], *of_each_kind(liked)]))
        for move in self._close:
            search.run(max(1, self._depth.simulations // PART), first=move)
        self._searched = {each.move: each.mean for each in search.run(0) if each.move in self._close}
        self.lines = {move: line_after(search, move) for move in self._close}
        self.played = PlayedOn(self._view, f"{self._seed} games")


def of_each_kind(moves: Sequence[Move]) -> list[Move]:
    """The first of these moves that takes the pile and the first that does not."""
    kinds = [[move for move in moves if isinstance(move, PickUp) == takes] for takes in (True, False)]
    return [kind[0] for kind in kinds if kind]


def line_after(search: Search, move: Move) -> Line:
    """How the game could go on after a move that the search has looked at."""
    line = max((search.line(move, 1 + LINE_PLIES) for _ in range(LINE_WORLDS)), key=len)
    return tuple(line[1:])
