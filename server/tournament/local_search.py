"""A search for the cheapest way to divide players into tables: swap two while that makes it cheaper, from many starts.

Players and tables are numbers here. What a player would cost at each table is kept, so that a swap is judged in a few
additions, and only a swap that is made costs more.
"""

from itertools import combinations
from random import Random
from typing import Final, TypeAlias

FEW: Final = 24
STARTS: Final = 8
STARTS_OF_FEW: Final = 64
"""How often the search starts, and with so few players, who leave it less to choose from."""

Partition: TypeAlias = list[list[int]]
"""The players of each table, in ascending order."""


def cheapest_partition(
    pair_costs: list[list[int]], short_costs: list[int], sizes: list[int], rng: Random
) -> tuple[Partition, int]:
    """The cheapest partition that is found, and its cost.

    Args:
        pair_costs: What it costs that two players sit at one table.
        short_costs: What it costs a player for each player that the table has less than the largest one.
        sizes: How many sit at each table; their sum is the number of players.
        rng: Chooses where the search starts; the first start is the order of the players.
    """
    order, found = list(range(len(short_costs))), list[tuple[int, Partition]]()
    for start in range(STARTS_OF_FEW if len(order) <= FEW else STARTS):
        tried = _shuffled(order, start + 1, rng) if start else order
        if start % 2:
            sizes = rng.sample(sizes, len(sizes))
        search = _Search(pair_costs, short_costs, sizes, tried)
        while search.improve():
            pass
        found.append((search.cost(), search.partition()))
    cost, partition = min(found)
    return partition, cost


def _shuffled(order: list[int], spread: float, rng: Random) -> list[int]:
    """Each player moved by a chance distance, ``spread`` on average."""
    return sorted(order, key=lambda at: at + rng.gauss(0, spread))


class _Search:
    """One start of the search."""

    def __init__(self, pair_costs: list[list[int]], short_costs: list[int], sizes: list[int], order: list[int]) -> None:
        self._pair_costs, self._short_costs = pair_costs, short_costs
        largest = max(sizes, default=0)
        self._missing = [largest - size for size in sizes]
        self._tables = range(len(sizes))
        self._table_of = [0] * len(order)
        players = iter(order)
        for table, size in enumerate(sizes):
            for _ in range(size):
                self._table_of[next(players)] = table
        self._costs_at = [[0] * len(sizes) for _ in order]
        """What a player would cost with those who sit at a table now."""
        for player, costs in enumerate(pair_costs):
            for other, cost in enumerate(costs):
                self._costs_at[player][self._table_of[other]] += cost

    def improve(self) -> bool:
        """Try each swap once, and keep those that make it cheaper; whether there was any."""
        table_of, costs_at, short = self._table_of, self._costs_at, self._short_costs
        improved = False
        for one, other in combinations(range(len(table_of)), 2):
            here, there = table_of[one], table_of[other]
            if here == there:
                continue
            ones, others = costs_at[one], costs_at[other]
            change = ones[there] + others[here] - ones[here] - others[there] - 2 * self._pair_costs[one][other]
            if short[one] != short[other]:
                change += (self._missing[there] - self._missing[here]) * (short[one] - short[other])
            if change < 0:
                self._swap(one, other)
                improved = True
        return improved

    def _swap(self, one: int, other: int) -> None:
        here, there = self._table_of[one], self._table_of[other]
        self._table_of[one], self._table_of[other] = there, here
        for costs, leaves, comes in zip(self._costs_at, self._pair_costs[one], self._pair_costs[other], strict=True):
            costs[here] += comes - leaves
            costs[there] += leaves - comes

    def partition(self) -> Partition:
        """The tables as they are now."""
        tables: Partition = [[] for _ in self._tables]
        for player, table in enumerate(self._table_of):
            tables[table].append(player)
        return tables

    def cost(self) -> int:
        """What they cost."""
        pairs = sum(costs[table] for costs, table in zip(self._costs_at, self._table_of, strict=True)) // 2
        short = sum(self._missing[table] * cost for table, cost in zip(self._table_of, self._short_costs, strict=True))
        return pairs + short
