"""Monte Carlo tree search (PUCT) over worlds that agree with a view.

All worlds share one tree, keyed by the moves made, so that no decision depends on a card that the player cannot see. A
new position is judged by `Value`; with more than two seats it is played on for some rounds first. The result is pulled
towards a draw the longer a win takes and the nearer the quiet limit is, so that a player who is ahead wants to finish.
With contempt, a player who is behind wants that too.
"""

from collections.abc import Sequence
from math import exp, sqrt
from random import Random
from typing import Final

from msgspec import Struct

from engine.ai.features import move_features, weighted_sums
from engine.ai.playouts import playouts_for
from engine.ai.value import Value, softmax
from engine.ai.worlds import World, Worlds, advance, stuck_chance
from engine.legality import legal_moves
from engine.moves import Flip, Move
from engine.position import Position
from engine.view import View

EXPLORE: Final = 0.5
"""The weight of a move's prior against its statistics (c in PUCT)."""
PLY_DISCOUNT: Final = 0.99
"""The factor by which a chance loses value with each ply."""
QUIET_SCALE: Final = 60.0
"""The number of quiet plies after which a chance is worth 1/e: a draw comes near."""
MOST_TREE_PLIES: Final = 60
"""The most plies of a simulation inside the tree; forced moves would lead further."""
SIMULATIONS_PER_WORLD: Final = 4
"""The number of simulations in one world before another world is drawn."""


class MoveStats(Struct, frozen=True):
    """The statistics of a move at the root: its visits, and the mean result for the player, 0 to 1."""

    move: Move
    visits: int
    mean: float


class _Edge:
    """A move in the tree, and the moves after it."""

    __slots__ = ("edges", "move", "prior", "total", "visits")

    def __init__(self, move: Move, prior: float) -> None:
        self.move, self.prior = move, prior
        self.visits, self.total = 0, 0.0
        self.edges: dict[int, _Edge] = {}
        """By ``id`` of the move: `legal_moves` always returns the same object for equal moves."""


class Search:
    """A search for the seat to move."""

    def __init__(
        self,
        view: View,
        value: Value,
        priors: Sequence[float],
        rng: Random,
        contempt: float = 0.0,
        worlds: Worlds | None = None,
    ) -> None:
        """Prepare a search.

        Args:
            view: the view of the seat to move.
            value: judges positions.
            priors: the weights of the features of moves.
            rng: draws the worlds.
            contempt: the part of a draw's value that the seat ignores, 0 to 1.
            worlds: the worlds to search (None: those that agree with the view).
        """
        self._worlds = worlds or Worlds(view)
        self._value, self._priors, self._rng = value, priors, rng
        self._prospects = Prospects(view, value, view.seat, contempt)
        self._playouts = playouts_for(view.rules) if len(view.hands) > 2 else None
        self._moves = legal_moves(view, view.to_move or 0)
        self._root: dict[int, _Edge] = {}

    @property
    def possible(self) -> bool:
        """Whether any world agrees with the view."""
        return self._worlds.possible

    def run(self, simulations: int, first: Move | None = None) -> list[MoveStats]:
        """Run more simulations. Returns the statistics of each move, the most visited first.

        With a ``first`` move, one of those that `legal_moves` lists, all these simulations begin with it.
        """
        moves = self._moves if first is None else [first]
        for number in range(simulations):
            if number % SIMULATIONS_PER_WORLD == 0:
                world = self._worlds.draw(self._rng)
            self._simulate(world.copy(), moves)
        found = [MoveStats(edge.move, edge.visits, edge.total / max(edge.visits, 1)) for edge in self._root.values()]
        return sorted(found, key=lambda stats: (stats.visits, stats.mean), reverse=True)

    def line(self, first: Move, plies: int) -> list[tuple[int, Move]]:
        """How the game could go on after a move of the root, in one world: up to so many plies with their seats.

        Every seat makes the move that the simulations chose most among those that are legal in this world.
        """
        world, edges, move = self._worlds.draw(self._rng), self._root, first
        found = list[tuple[int, Move]]()
        while True:
            found.append((world.to_move or 0, move))
            edge = edges.get(id(move))
            advance(world, move)
            if edge is None or world.phase != "play" or len(found) >= plies:
                return found
            edges = edge.edges
            legal = [edges[id(move)] for move in legal_moves(world, world.to_move or 0) if id(move) in edges]
            if not legal:
                return found
            move = max(legal, key=lambda edge: edge.visits).move

    def _simulate(self, world: World, moves: list[Move]) -> None:
        """Follow the tree to a new position, beginning with one of these moves, judge it, and update every move.

        Most positions are reached only once, so the moves of a position are added when it is reached again.
        """
        edges, is_new, seat = self._root, False, world.to_move or 0
        path: list[tuple[_Edge, int]] = []
        for _ in range(MOST_TREE_PLIES):
            if len(moves) == 1 or isinstance(moves[0], Flip):
                # All face-down slots are alike to a player, so one stands for all.
                edge = edges.get(id(moves[0])) or self._added(edges, moves[0], 1.0)
            elif is_new:
                break
            else:
                try:
                    known = [*map(edges.__getitem__, map(id, moves))]
                except KeyError:
                    known = self._expanded(edges, world, seat, moves)
                edge = _chosen(known)
            is_new = not edge.visits
            path.append((edge, seat))
            advance(world, edge.move)
            if world.phase != "play":
                break
            edges, seat = edge.edges, world.to_move or 0
            moves = legal_moves(world, seat)
        if self._playouts:
            self._playouts.finish(world)
        prospects = self._prospects.of(world, len(path))
        for edge, seat in path:
            edge.visits += 1
            edge.total += prospects[seat]

    def _expanded(self, edges: dict[int, _Edge], world: World, seat: int, moves: list[Move]) -> list[_Edge]:
        """The edges of all these moves; missing ones are added with their priors in this world."""
        scores = weighted_sums(
            move_features(world, seat, moves, stuck_chance(world), self._value.classes), self._priors
        )
        return [
            edges.get(id(move)) or self._added(edges, move, prior)
            for move, prior in zip(moves, softmax(scores), strict=True)
        ]

    @staticmethod
    def _added(edges: dict[int, _Edge], move: Move, prior: float) -> _Edge:
        edge = edges[id(move)] = _Edge(move, prior)
        return edge


def _chosen(edges: list[_Edge]) -> _Edge:
    """The edge with the highest upper bound (PUCT)."""
    visits, total = 0, 0.0
    for edge in edges:
        if edge.visits:
            visits += edge.visits
            total += edge.total
    # An unvisited move is assumed to be as good as the average.
    unknown = total / visits if visits else 0.5
    exploration = EXPLORE * sqrt(visits + 1)
    best, highest = edges[0], -1.0
    for edge in edges:
        if visited := edge.visits:
            promise = edge.total / visited + exploration * edge.prior / (1 + visited)
        else:
            promise = unknown + exploration * edge.prior
        if promise > highest:
            best, highest = edge, promise
    return best


class Prospects:
    """The value of a position for each seat: 1 is a win, 0 the last place, a draw lies between."""

    def __init__(self, game: Position, value: Value, root_seat: int | None = None, contempt: float = 0.0) -> None:
        """With ``contempt``, a draw is worth less to ``root_seat`` by this part, and more to the others."""
        self._value = value
        self._seats = len(game.hands)
        self._root_seat, self._contempt = root_seat, contempt
        self._winner_takes_all = game.rules.out_ends == "first"

    def of(self, world: World, plies: int = 0) -> list[float]:
        """The values by seat, pulled towards a draw by ``plies`` and by the quiet plies of the world."""
        found = [0.0] * self._seats
        for place, seat in enumerate(world.places, 1):
            found[seat] = self._reward(place)
        left = world.order
        if not left or (self._winner_takes_all and world.places):
            return self._faded(found, plies)
        best, last = self._reward(len(world.places) + 1), self._reward(self._seats)
        mean = 1 / len(left) if self._winner_takes_all else (best + last) / 2
        if len(left) == 1:
            found[left[0]] = mean
            return found
        decisiveness = 0.0 if world.phase == "over" else PLY_DISCOUNT**plies * exp(-world.quiet / QUIET_SCALE)
        spread = (best - mean) * decisiveness / (1 - 1 / len(left))
        draw_penalty = mean * self._contempt * (1 - decisiveness) if self._root_seat in left else 0.0
        for seat, chance in zip(left, self._value.chances(world), strict=True):
            gained = -draw_penalty if seat == self._root_seat else draw_penalty / (len(left) - 1)
            found[seat] = mean + gained + spread * (chance - 1 / len(left))
        return found

    def _faded(self, found: list[float], plies: int) -> list[float]:
        mean = sum(found) / len(found)
        decisiveness = PLY_DISCOUNT**plies
        return [mean + (each - mean) * decisiveness for each in found]

    def _reward(self, place: int) -> float:
        if self._winner_takes_all:
            return float(place == 1)
        return (self._seats - place) / (self._seats - 1)
