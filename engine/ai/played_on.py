"""Moves of a position, each played on to the end of the game many times, from the same worlds.

A search stops after some plies, and one kind of player alone may misjudge a move: one called a move 89 points bad that
another one found good. So in every other world all seats play on as Hard, in the rest by Extreme's weights. They make
no deliberate mistakes, and know whether the next seat can follow, as in a search.
"""

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import Final, TypeAlias

from engine.ai.card_values import card_values
from engine.ai.easy_medium_hard import ANTI_LOOP_PLIES, ANTI_LOOP_SLIP, hard_cost, own_seat
from engine.ai.features import move_features, weighted_sums
from engine.ai.weights import Model, model_for
from engine.ai.worlds import World, Worlds, advance, stuck_chance
from engine.legality import legal_moves
from engine.moves import Flip, Move, PickUp, Play
from engine.view import View

STEP: Final = 20
"""About so many playouts make a step, some 15 ms: the move of an AI player waits for no more of them."""
LONGEST: Final = 300
"""A game that is not over after so many plies counts as drawn."""
KINDS: Final = 2
"""The kinds of players, which play on in turn: Hard in the even worlds, Extreme's weights in the odd ones."""

Player: TypeAlias = Callable[[World, list[Move]], Move]


class PlayedOn:
    """How the games after some moves ended; it can be pickled, so it may go on in another process."""

    def __init__(self, view: View, seed: str) -> None:
        """Prepare to play on from ``view``, with which some world must agree; ``seed`` draws all chance."""
        self.results: dict[Move, list[float]] = {}
        """For each move its result in world 0, 1 and so on: 1 is a win, 0 the last place."""
        self._seat, self._seed, self._worlds = own_seat(view), seed, Worlds(view, know_declined=True)

    def play(self, moves: Sequence[Move]) -> None:
        """Play on each of these legal moves in the next worlds: about `STEP` times in all.

        All of them must have been played on in the same worlds so far.
        """
        for _ in range(max(1, STEP // len(moves) // KINDS) * KINDS):
            number = len(self.results.get(moves[0], ()))
            rng = Random(f"{self._seed} {number}")
            dealt, chance = self._worlds.draw(rng), rng.random()
            for move in moves:
                world = dealt.copy()
                advance(world, move)
                play_on(world, number % KINDS, Random(chance))
                self.results.setdefault(move, []).append(result(world, self._seat))

    def worlds_of(self, move: Move) -> int:
        """In how many worlds a move has been played on."""
        return len(self.results.get(move, ()))

    def mean(self, move: Move) -> float:
        """The mean result of a move by both kinds of players."""
        return mean(self.results[move])

    def leads(self, move: Move, other: Move) -> tuple[float, ...]:
        """By how much a move is better than another one by each kind of players, in the worlds of both."""
        by_world = self._differences(move, other)
        return tuple(mean(by_world[kind::KINDS]) for kind in range(KINDS))

    def is_better(self, move: Move, other: Move) -> bool:
        """Whether a move is better than another one by more than two standard errors of the difference."""
        return surely_positive(self._differences(move, other))

    def _differences(self, move: Move, other: Move) -> list[float]:
        # One of them may have been played on in fewer worlds.
        ours, theirs = self.results.get(move, []), self.results.get(other, [])
        return [mine - other for mine, other in zip(ours, theirs, strict=False)]


def surely_positive(numbers: Sequence[float]) -> bool:
    """Whether the mean of these numbers, -1 to 1, is above zero by more than two standard errors."""
    # One number of each extreme more keeps a few equal ones from looking certain.
    some = [*numbers, 1.0, -1.0]
    spread = mean([number * number for number in some]) - mean(some) ** 2
    return bool(numbers) and mean(numbers) > 2 * sqrt(spread / len(numbers))


def mean(numbers: Sequence[float]) -> float:
    """The mean of some numbers, of which there is at least one."""
    return sum(numbers) / len(numbers)


def play_on(world: World, kind: int, rng: Random) -> None:
    """Play a world to its end, in place; ``kind`` is 0 for Hard, 1 for Extreme's weights."""
    model = model_for(world.rules, len(world.hands))
    for _ in range(LONGEST):
        if world.phase != "play":
            return
        moves = legal_moves(world, world.to_move or 0)
        if len(moves) == 1 or isinstance(moves[0], Flip):
            move = moves[0]  # face-down cards are alike
        elif world.quiet >= ANTI_LOOP_PLIES and rng.random() < ANTI_LOOP_SLIP:
            move = rng.choice(moves)
        else:
            move = _by_weights(world, moves, model) if kind else _as_hard(world, moves)
        advance(world, move)


def _as_hard(world: World, moves: list[Move]) -> Move:
    plays = [move for move in moves if isinstance(move, Play)]
    if not plays:
        return max(moves, key=lambda move: len(move.picks) if isinstance(move, PickUp) else -1)
    if len(plays) == 1:
        return plays[0]
    seat, values, stuck = world.to_move or 0, card_values(world.rules), stuck_chance(world)
    return min(plays, key=lambda play: hard_cost(world, seat, values, play, stuck))


def _by_weights(world: World, moves: list[Move], model: Model) -> Move:
    features = move_features(world, world.to_move or 0, moves, stuck_chance(world), model.value.classes)
    sums = weighted_sums(features, model.moves)
    return moves[sums.index(max(sums))]


def result(world: World, seat: int) -> float:
    """The result of a seat, 0 to 1; those that are still in share what is left."""
    seats, places, only_first = len(world.hands), world.places, world.rules.out_ends == "first"
    if seat in places:
        place = places.index(seat)
        return float(place == 0) if only_first else 1 - place / (seats - 1)
    left = seats - len(places)
    if only_first:
        return 0.0 if places else 1 / left
    return (left - 1) / 2 / (seats - 1)
