"""`quatch bench tournament`: how long the rounds of a Swiss take to pair, and how often people meet again.

The baseline is the usual pairing: players in the order of their points, cut into tables.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Final

from server.bench.figures import Figure, Line
from server.records.scoring import table_scores
from server.tournament.pairing import PairingRequest, Round, pair, table_sizes

SIZES: Final = (16, 40, 200)
ROUNDS: Final = 6


def bench_tournament(_: argparse.Namespace, sizes: Sequence[int] = SIZES) -> Iterator[Line]:
    """For each number of players the slowest of six rounds, and the share of all meetings that are not the first."""
    yield f"A swiss of {ROUNDS} rounds, beside pairing by points alone:"
    for people in sizes:
        (slowest, met), (plain, plain_met) = (_season(people, by_points=by_points) for by_points in (False, True))
        yield Figure(f"tournament: the slowest pairing, {people} players", 1e3 * slowest, 1e3 * plain, "ms")
        yield Figure(f"tournament: meetings that are not the first, {people} players", met, plain_met, "")


def _season(people: int, *, by_points: bool) -> tuple[float, float]:
    """The seconds of the slowest pairing, and the share of meetings that are not the first of the two players."""
    rng = Random(people)
    points = {f"player {number}": 0 for number in range(people)}
    past, times = list[Round](), list[float]()
    for number in range(1, ROUNDS + 1):
        request = PairingRequest("bench", number, tuple(points), tuple(past), dict(points))
        begun = time.perf_counter()
        tables = _cut(request) if by_points else pair(request).tables
        times.append(time.perf_counter() - begun)
        past.append(tables)
        for table in tables:
            scores = table_scores(rng.sample(range(1, len(table) + 1), len(table)))
            for player, score in zip(table, scores, strict=True):
                points[player] += score
    met = Counter(frozenset(two) for tables in past for table in tables for two in combinations(table, 2))
    return max(times), 1 - len(met) / met.total()


def _cut(request: PairingRequest) -> Round:
    order = sorted(request.players, key=lambda player: (-request.points[player], player))
    players = iter(order if request.round > 1 else Random(request.seed).sample(order, len(order)))
    return tuple(tuple(next(players) for _ in range(size.people)) for size in table_sizes(len(order)))
