"""Who plays with whom in a round: the cheapest tables that a search finds, by what it costs that players meet again.

The cost of a pair is ``40 k² + 60 l + d² / 4``: k is how often the two have met, l is 1 if the last table of both was
the same, d is how many points lie between them; it is 2000 more for two who have met three times. In an open night it
is ``k² + 25 l``. If the tables of a round differ, each player costs a smaller one ``2000 m s²`` more: m is how many
people it lacks, s how often the player has been at a smaller one, beyond the player who was there least.

No clock stops the search, so the same request has the same answer. With many players it takes long: run it in a worker.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from server.tournament.local_search import cheapest_partition
from server.tournament.seating import AI_SEAT, MAX_SEATS, Fill, Round, SeatsBefore, seated, table_sizes

VERSION: Final = 1
"""The version of the search; another one may find other tables for the same request."""
MET_WEIGHT: Final = 40
MET_LAST_WEIGHT: Final = 60
MET_MOST: Final = 3
MET_MOST_WEIGHT: Final = 2000
SHORT_WEIGHT: Final = 2000
OPEN_MET_WEIGHT: Final = 1
OPEN_MET_LAST_WEIGHT: Final = 25

Format: TypeAlias = Literal["open", "swiss"]
"""An open night, where players come and go, or a fixed number of rounds for all."""


class PairingRequest(Struct, frozen=True):
    """What the tables of a round follow from."""

    seed: str
    round: int
    """The number of the round; in an open night, of the departure."""
    players: tuple[str, ...]
    """The ids of all who play in it, in any order."""
    past: tuple[Round, ...] = ()
    """The tables of the earlier rounds, the first one first."""
    points: Mapping[str, int] = {}
    """The points so far; a player who is not in it has none. An open night takes no account of points."""
    format: Format = "swiss"
    seats: int = MAX_SEATS
    fill: Fill = "default"
    first_seat: bool = True
    """Whether the first seat is to be spread, see `seated`."""


class Pairing(Struct, frozen=True):
    """The tables of a round."""

    tables: Round
    """The table of the leader first; in an open night, in no particular order. A player alone sits out."""
    cost: int
    repeats: int
    """How many pairs at these tables have met before."""


def pair(request: PairingRequest) -> Pairing:
    """The tables of a round with all seats."""
    rng = Random(f"{request.seed} {request.round}")
    points = request.points if request.format == "swiss" else {}
    players = sorted(request.players, key=lambda player: (-points.get(player, 0), player))
    rng.shuffle(players)
    players.sort(key=lambda player: -points.get(player, 0))
    sizes = table_sizes(len(players), request.seats, request.fill)
    met = Counter(frozenset(two) for tables in request.past for table in tables for two in _pairs(table))
    partition, cost = cheapest_partition(
        _pair_costs(players, request, met),
        _short_costs(players, request),
        [size.people for size in sizes],
        rng,
    )
    before = SeatsBefore(request.past)
    ai = {size.people: size.ai for size in sizes}
    tables = tuple(
        seated([*(players[at] for at in table), *[AI_SEAT] * ai[len(table)]], before, first_seat=request.first_seat)
        for table in sorted(partition)
    )
    repeats = sum(met[frozenset(two)] > 0 for table in tables for two in _pairs(table))
    return Pairing(tables, cost, repeats)


def _pairs(table: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    return combinations((player for player in table if player != AI_SEAT), 2)


def _pair_costs(players: list[str], request: PairingRequest, met: Counter[frozenset[str]]) -> list[list[int]]:
    """What it costs that two players meet, by their places in ``players``."""
    last = {
        player: (number, at)
        for number, tables in enumerate(request.past)
        for at, table in enumerate(tables)
        for player in table
    }
    costs = [[0] * len(players) for _ in players]
    for (i, one), (j, other) in combinations(enumerate(players), 2):
        times = met[frozenset((one, other))]
        again = times > 0 and last[one] == last[other]
        if request.format == "open":
            cost = OPEN_MET_WEIGHT * times**2 + OPEN_MET_LAST_WEIGHT * again
        else:
            gap = request.points.get(one, 0) - request.points.get(other, 0)
            cost = MET_WEIGHT * times**2 + MET_LAST_WEIGHT * again + gap**2 // 4 + MET_MOST_WEIGHT * (times >= MET_MOST)
        costs[i][j] = costs[j][i] = cost
    return costs


def _short_costs(players: list[str], request: PairingRequest) -> list[int]:
    """What each person that a table lacks costs each player. Nothing in an open night, where no table is the rule."""
    if request.format == "open":
        return [0] * len(players)
    short = Counter(player for tables in request.past for player in at_smaller_tables(tables))
    least = min((short[player] for player in players), default=0)
    return [SHORT_WEIGHT * (short[player] - least) ** 2 for player in players]


def at_smaller_tables(tables: Round) -> list[str]:
    """The players of a round who sat with fewer people than others did."""
    people = [[player for player in table if player != AI_SEAT] for table in tables]
    most = max(map(len, people), default=0)
    return [player for table in people if len(table) < most for player in table]
