"""Who plays with whom in a round: the cheapest tables that a search finds, by what it costs that players meet again.

The cost of a pair is ``40 k² + 60 l + d² / 4``: k is how often the two have met, l is 1 if the last table of both was
the same, d is how many points lie between them; it is 2000 more for two who have met three times. In an open night it
is ``k² + 25 l``. If the tables of a round differ, each player costs a smaller one ``2000 m s²`` more: m is how many
people it lacks, s how often the player has been at a smaller one, beyond the player who was there least.

The search swaps two players while that makes it cheaper, from many starts. No clock stops it, so the same request has
the same answer. With many players it takes long: run it in a worker.

In which order the players of a table sit is decided last: seats, the first seat and neighbours are spread over the
rounds.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations, permutations
from random import Random
from typing import Final, Literal, TypeAlias

from msgspec import Struct

AI_SEAT: Final = ""
"""What stands for an AI player, in place of the id of a player."""
Seated: TypeAlias = tuple[str, ...]
"""The players of a table by seat: ids, and `AI_SEAT` for AI players. One alone sits out."""
Round: TypeAlias = tuple[Seated, ...]
"""The tables of a round; in an open night, of a departure."""
MET_WEIGHT: Final = 40
MET_LAST_WEIGHT: Final = 60
MET_MOST: Final = 3
MET_MOST_WEIGHT: Final = 2000
SHORT_WEIGHT: Final = 2000
OPEN_MET_WEIGHT: Final = 1
OPEN_MET_LAST_WEIGHT: Final = 25

Format: TypeAlias = Literal["open", "swiss"]
"""An open night, where players come and go, or a fixed number of rounds for all."""
FEW: Final = 24
STARTS: Final = 8
STARTS_OF_FEW: Final = 64
"""How often the search starts, and with so few players, who leave it less to choose from."""
FIRST_SEAT_WEIGHT: Final = 6
NEIGHBOUR_WEIGHT: Final = 4
"""How much the first seat, and a neighbour met again, weigh against a seat taken again, which weighs 1."""

MIN_SEATS: Final = 2
MAX_SEATS: Final = 4
"""The least and the most seats that the tables of a tournament may have."""
LEAST_WITH_AI: Final = 3
"""The seats of a table that AI players join, if so many are allowed."""

Fill: TypeAlias = Literal["default", "full", "none"]
"""Where AI players fill up.

``default``: only where people alone cannot be divided. ``full``: every table to its most seats. ``none``: nowhere, so
that a player who is left over sits out.
"""


def table_sizes(people: int, seats: int = MAX_SEATS, fill: Fill = "default") -> list[tuple[int, int]]:
    """The tables for so many people: how many people and AI players each has, those with most people first.

    Tables have ``seats`` people, or one less. Only one, two or five people at tables of four, or one that is left over,
    cannot be divided so: they are spread as evenly as possible, and AI players fill up as ``fill`` says. One person
    alone sits out.

    >>> table_sizes(5)
    [(3, 0), (2, 1)]
    """
    tables = -(-people // seats)
    least = {"default": min(LEAST_WITH_AI, seats), "full": seats, "none": 0}[fill]
    found = list[tuple[int, int]]()
    for at_it in ((people + tables - 1 - table) // tables for table in range(tables)):
        is_enough = fill == "default" and at_it >= max(seats - 1, MIN_SEATS)
        found.append((at_it, 0 if is_enough else max(0, least - at_it)))
    return found


def rounds_for(people: int) -> int:
    """How many rounds a Swiss has if its host names no number: 3 to 6, as in 4 for 8 people and 5 for 16."""
    return min(max((people - 1).bit_length() + 1, 3), 6)


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


def pair(request: PairingRequest) -> Round:
    """The tables of a round: that of the leader first; in an open night, in no particular order."""
    rng = Random(f"{request.seed} {request.round}")
    points = request.points if request.format == "swiss" else {}
    players = sorted(request.players, key=lambda player: (-points.get(player, 0), player))
    rng.shuffle(players)
    players.sort(key=lambda player: -points.get(player, 0))
    sizes = table_sizes(len(players), request.seats, request.fill)
    people, ai = [people for people, _ in sizes], dict(sizes)
    partition = _cheapest_partition(_pair_costs(players, request), _short_costs(players, request), people, rng)
    tables = ([*(players[at] for at in table), *[AI_SEAT] * ai[len(table)]] for table in sorted(partition))
    cost = seat_cost(request.past)
    return tuple(min(permutations(table), key=cost) for table in tables)


def _pair_costs(players: list[str], request: PairingRequest) -> list[list[int]]:
    """What it costs that two players meet, by their places in ``players``."""
    met, last = Counter[tuple[str, str]](), dict[str, tuple[int, int]]()
    for number, tables in enumerate(request.past):
        for at, table in enumerate(tables):
            met.update(permutations((player for player in table if player != AI_SEAT), 2))
            last.update(dict.fromkeys(table, (number, at)))
    costs = [[0] * len(players) for _ in players]
    for (i, one), (j, other) in combinations(enumerate(players), 2):
        times = met[one, other]
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


# The search. Players are numbers here, those of their places in the order of points.


def _cheapest_partition(
    pair_costs: list[list[int]], short_costs: list[int], sizes: list[int], rng: Random
) -> list[list[int]]:
    """The cheapest way to divide the players into tables that is found.

    ``short_costs``: what each player costs for each one that the table has less than the largest table; ``rng`` chooses
    where the search starts, but the first start is the order of the players.
    """
    order, found = list(range(len(short_costs))), list[tuple[int, list[list[int]]]]()
    for start in range(STARTS_OF_FEW if len(order) <= FEW else STARTS):
        # Each player is moved by a chance distance, further in each start.
        players = iter(sorted(order, key=lambda at: at + rng.gauss(0, start + 1)) if start else order)
        if start % 2:
            sizes = rng.sample(sizes, len(sizes))
        tables = [[next(players) for _ in range(size)] for size in sizes]
        while _swapped(tables, pair_costs, short_costs):
            pass
        lacking = [(max(sizes) - len(table)) * short_costs[player] for table in tables for player in table]
        meeting = [pair_costs[one][other] for table in tables for one, other in combinations(table, 2)]
        found.append((sum(lacking) + sum(meeting), [sorted(table) for table in tables]))
    return min(found)[1]


def _swapped(tables: list[list[int]], pair_costs: list[list[int]], short_costs: list[int]) -> bool:
    """Try to swap each two players once, and keep what makes it cheaper. Returns whether anything did."""
    table_of = {player: table for table in tables for player in table}
    improved = False
    for one, other in combinations(range(len(table_of)), 2):
        here, there = table_of[one], table_of[other]
        if here is there:
            continue
        ones, others = pair_costs[one], pair_costs[other]
        change = (len(here) - len(there)) * (short_costs[one] - short_costs[other])
        for player in here:
            if player != one:
                change += others[player] - ones[player]
        for player in there:
            if player != other:
                change += ones[player] - others[player]
        if change < 0:
            here[here.index(one)], there[there.index(other)] = other, one
            table_of[one], table_of[other] = there, here
            improved = True
    return improved


# The order of seats.


def seat_cost(past: Iterable[Round]) -> Callable[[Seated], int]:
    """Returns how bad an order of seats is for the players of a table after these rounds: 0 is best."""
    had, lefts = Counter[tuple[str, int]](), Counter[tuple[str, str]]()
    for table in (table for tables in past for table in tables if len(table) > 1):
        had.update((player, seat) for seat, player in enumerate(table))
        lefts.update(left_neighbours(table))

    def cost(table: Seated) -> int:
        seats = (
            (2 * had[player, seat] + 1) * (1 if seat else 1 + FIRST_SEAT_WEIGHT)
            for seat, player in enumerate(table)
            if player != AI_SEAT
        )
        return sum(seats) + NEIGHBOUR_WEIGHT * sum(lefts[pair] for pair in left_neighbours(table))

    return cost


def left_neighbours(table: Seated) -> list[tuple[str, str]]:
    """Each player with the one to the left, who plays next. None at a table of two, where all are neighbours."""
    pairs = zip(table, table[1:] + table[:1], strict=True) if len(table) > 2 else ()
    return [pair for pair in pairs if AI_SEAT not in pair]
