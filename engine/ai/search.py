"""PUCT over worlds that a view allows: look along the moves that matter, judge where they lead by card values.

All worlds share one tree, keyed by the moves made, so that no move rests on a card that its player cannot see. A new
position is judged by `Value`, above two seats after it was played on for some rounds. Its worth is pulled towards a
draw the longer a win takes and the nearer the quiet clock is, so that who is ahead wants to finish; with contempt, who
is not does, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt
from random import Random
from typing import Final

from engine.ai.features import move_features, weighted_sums
from engine.ai.playouts import Playouts
from engine.ai.value import Value
from engine.ai.worlds import World, Worlds, advance, is_stuck
from engine.legality import legal_moves
from engine.moves import Flip, Move
from engine.position import Position
from engine.view import View

EXPLORE: Final = 0.5
"""How much a move's prior counts beside what was found out about it."""
PATIENCE: Final = 0.99
"""What a chance is worth a ply later."""
CALM: Final = 60.0
"""Quiet plies after which only a third of a chance is left: nothing happens, so a draw comes near."""
DEEPEST: Final = 60
"""Plies: forced moves are followed further than anybody should look."""
SHARED: Final = 4
"""Looks into a world before another is drawn."""


@dataclass(frozen=True, slots=True)
class MoveStats:
    """What a search found out about a move: how often it looked there, and the mover's mean prospects, 0 to 1."""

    move: Move
    visits: int
    mean: float


class _Edge:
    """A move in the tree, and the node it leads to."""

    __slots__ = ("edges", "move", "prior", "total", "visits")

    def __init__(self, move: Move, prior: float) -> None:
        self.move, self.prior = move, prior
        self.visits, self.total = 0, 0.0
        self.edges: dict[int, _Edge] = {}
        """By the identity of the move: `legal_moves` gives one object for each."""


class Search:
    """A search for the seat that a view shows to be on the move."""

    def __init__(self, view: View, value: Value, priors: Sequence[float], rng: Random, contempt: float = 0.0) -> None:
        """A search that has not looked yet.

        Args:
            view: what the seat sees.
            value: judges positions, with two seats.
            priors: the weights of the features of moves.
            rng: draws the worlds.
            contempt: the part of its share of a draw that the seat does not count.
        """
        self._worlds = Worlds(view)
        self._value, self._priors, self._rng = value, priors, rng
        self._prospects = Prospects(view, value, view.seat, contempt)
        self._playouts = Playouts(view.rules) if len(view.hands) > 2 else None
        self._root: dict[int, _Edge] = {}

    @property
    def possible(self) -> bool:
        """Whether there is any world to look at."""
        return self._worlds.possible

    def run(self, simulations: int, first: Move | None = None) -> list[MoveStats]:
        """Look so many times more; what was found out about each move, the one looked at most first.

        With a ``first`` move, one of those that `legal_moves` lists, all these looks begin with it.
        """
        for number in range(simulations):
            if number % SHARED == 0:
                world = self._worlds.draw(self._rng)
            self._simulate(world.copy(), first)
        found = [MoveStats(edge.move, edge.visits, edge.total / max(edge.visits, 1)) for edge in self._root.values()]
        return sorted(found, key=lambda tried: (tried.visits, tried.mean), reverse=True)

    def _simulate(self, world: World, first: Move | None) -> None:
        """Follow the tree to a position not yet judged, judge it, and tell every move on the way."""
        edges, path = self._root, list[tuple[_Edge, int]]()
        while world.phase == "play" and len(path) < DEEPEST:
            seat = world.to_move
            assert seat is not None  # noqa: S101 - somebody is to move while the game goes on
            moves = legal_moves(world, seat)
            if first is not None and not path:
                moves = [first]
            elif isinstance(moves[0], Flip):
                # Nobody knows what lies in which slot: they are all one.
                moves = moves[:1]
            is_new = not edges
            if len(moves) == 1:
                edge = edges.get(id(moves[0])) or self._added(edges, moves[0], 1.0)
            else:
                there = [edges.get(id(move)) for move in moves]
                known = [each for each in there if each is not None]
                if len(known) < len(moves):
                    known = self._expanded(edges, world, seat, moves)
                    if is_new:
                        break
                edge = _chosen(known)
            path.append((edge, seat))
            advance(world, edge.move)
            edges = edge.edges
        if self._playouts:
            self._playouts.finish(world)
        prospects = self._prospects.of(world, len(path))
        for edge, seat in path:
            edge.visits += 1
            edge.total += prospects[seat]

    def _expanded(self, edges: dict[int, _Edge], world: World, seat: int, moves: list[Move]) -> list[_Edge]:
        """The edges of all these moves, those that are missing added with what the policy thinks of them here."""
        scores = weighted_sums(
            move_features(world, seat, moves, lambda top: is_stuck(world, top), self._value.classes), self._priors
        )
        highest = max(scores)
        shares = [exp(score - highest) for score in scores]
        total = sum(shares)
        return [
            edges.get(id(move)) or self._added(edges, move, share / total)
            for move, share in zip(moves, shares, strict=True)
        ]

    @staticmethod
    def _added(edges: dict[int, _Edge], move: Move, prior: float) -> _Edge:
        edge = edges[id(move)] = _Edge(move, prior)
        return edge


def _chosen(edges: list[_Edge]) -> _Edge:
    """The edge that promises most: what was found out, and the prior while little was."""
    visits = total = 0.0
    for edge in edges:
        visits += edge.visits
        total += edge.total
    # What nobody has looked at is taken for as good as the rest.
    unknown = total / visits if visits else 0.5
    wide = EXPLORE * sqrt(visits + 1)
    best, highest = edges[0], -1.0
    for edge in edges:
        seen = edge.visits
        promise = (edge.total / seen if seen else unknown) + wide * edge.prior / (1 + seen)
        if promise > highest:
            best, highest = edge, promise
    return best


class Prospects:
    """What a position is worth to each seat: 1 to win, 0 to come last, a draw in between."""

    def __init__(self, game: Position, value: Value, proud: int | None = None, contempt: float = 0.0) -> None:
        """To the ``proud`` seat a draw is worth this part less than its share, which the others have instead."""
        self._value = value
        self._seats = len(game.hands)
        self._proud, self._contempt = proud, contempt
        self._winner_takes_all = game.rules.out_ends == "first"

    def of(self, world: World, plies: int = 0) -> list[float]:
        """By seat; chances fade as plies go by and as the quiet clock runs."""
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
        certainty = 0.0 if world.phase == "over" else PATIENCE**plies * exp(-world.quiet / CALM)
        spread = (best - mean) * certainty / (1 - 1 / len(left))
        scorned = mean * self._contempt * (1 - certainty) if self._proud in left else 0.0
        for seat, chance in self._value.chances(world).items():
            gained = -scorned if seat == self._proud else scorned / (len(left) - 1)
            found[seat] = mean + gained + spread * (chance - 1 / len(left))
        return found

    def _faded(self, found: list[float], plies: int) -> list[float]:
        mean = sum(found) / len(found)
        certainty = PATIENCE**plies
        return [mean + (each - mean) * certainty for each in found]

    def _reward(self, place: int) -> float:
        if self._winner_takes_all:
            return float(place == 1)
        return (self._seats - place) / (self._seats - 1)
