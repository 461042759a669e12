"""The side honours of an evening: one line each, beside the standings."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from server.tournament.pairing import AI_SEAT
from server.tournament.standings import TableResult

For: TypeAlias = Literal["people met", "longest night", "comebacks", "giant-killer"]
"""The most people met; the longest time from the first to the last game; most often last and then first in the next
game; most often ahead of the winner."""
_KINDS: Final[tuple[For, ...]] = ("people met", "longest night", "comebacks", "giant-killer")


class Honour(Struct, frozen=True):
    """One honour, with everybody who has it."""

    kind: For
    players: tuple[str, ...]
    value: int
    """People, seconds (of whole minutes), or how often."""


def honours(results: Sequence[TableResult], winners: Sequence[str]) -> tuple[Honour, ...]:
    """The honours that somebody has earned, except those that everybody has."""
    results = sorted(results, key=lambda result: result.ended)
    counts = (_met(results), _longest(results), _comebacks(results), _giant_killers(results, winners))
    everybody = {player for result in results for player in _people(result)}
    found = list[Honour]()
    for kind, count in zip(_KINDS, counts, strict=True):
        most = max(count.values(), default=0)
        players = tuple(sorted(player for player in count if count[player] == most))
        if most > 0 and len(players) < len(everybody):
            found.append(Honour(kind, players, most))
    return tuple(found)


def _people(result: TableResult) -> list[str]:
    return [player for player in result.seats if player != AI_SEAT]


def _met(results: Sequence[TableResult]) -> Mapping[str, int]:
    pairs = {(one, other) for result in results for one in _people(result) for other in _people(result) if one != other}
    return Counter(one for one, _ in pairs)


def _longest(results: Sequence[TableResult]) -> Mapping[str, int]:
    ends = dict[str, list[float]]()
    for result in results:
        for player in _people(result):
            ends.setdefault(player, []).append(result.ended)
    return {player: int(max(times) - min(times)) // 60 * 60 for player, times in ends.items()}


def _comebacks(results: Sequence[TableResult]) -> Mapping[str, int]:
    count, was_last = Counter[str](), set[str]()
    for result in results:
        if len({*result.ranks}) == 1:
            continue  # the game is void, or the player sat out
        for player, rank in zip(result.seats, result.ranks, strict=True):
            if rank == 1 and player in was_last:
                count[player] += 1
            (was_last.add if rank == max(result.ranks) > 1 else was_last.discard)(player)
    count.pop(AI_SEAT, None)
    return count


def _giant_killers(results: Sequence[TableResult], winners: Sequence[str]) -> Mapping[str, int]:
    count = Counter[str]()
    for result in results:
        rank_of = dict(zip(result.seats, result.ranks, strict=True))
        best = min((rank_of[player] for player in winners if player in rank_of), default=0)
        count.update(player for player in _people(result) if rank_of[player] < best and player not in winners)
    return count
