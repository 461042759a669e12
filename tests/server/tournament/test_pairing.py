"""Who plays with whom: the bounds that hold for every evening, and the cheapest pairing."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations
from math import ceil
from random import Random

import pytest

from server.tournament.pairing import (
    AI_SEAT,
    Fill,
    Format,
    PairingRequest,
    Round,
    Seated,
    left_neighbours,
    pair,
    rounds_for,
    seat_cost,
    table_sizes,
)
from tests.server.tournament.chance import Evening, people_of, short_tables
from tests.soak import SOAKING, Figure, long
from tests.support.each import for_each

FIELDS = [6, 7, 10, 13, 15, 18] if not SOAKING else [*range(6, 65)]
"""How many people play, in evenings where nobody comes late or leaves."""
FILLS: tuple[Fill, ...] = ("default", "full", "none")


def names(people: int) -> list[str]:
    """The ids of so many players."""
    return [f"p{number:02}" for number in range(people)]


@pytest.mark.parametrize("fill", FILLS)
def test_everybody_has_one_seat(fill: Fill) -> None:
    """Each player is at exactly one table; tables have the sizes that the count gives."""
    for people in range(0, 65, long(7, 1)):
        sizes = table_sizes(people, fill=fill)
        tables = pair(PairingRequest("seed", 1, tuple(names(people)), fill=fill))
        assert sorted(player for table in tables for player in people_of(table)) == names(people)
        assert Counter((len(people_of(table)), len(table)) for table in tables) == Counter(
            (sat, sat + ai) for sat, ai in sizes
        )


def test_the_same_request_has_the_same_tables() -> None:
    """The order of the players does not matter; the seed and the round do."""
    players = names(13)
    first = pair(PairingRequest("seed", 1, tuple(players)))
    assert pair(PairingRequest("seed", 1, tuple(reversed(players)))) == first
    assert pair(PairingRequest("seed", 2, tuple(players))) != first
    assert pair(PairingRequest("other", 1, tuple(players))) != first


@for_each("people", FIELDS)
def test_an_evening_keeps_its_bounds(people: int) -> None:
    """Nobody meets anybody more than three times, and first seats and small tables are spread.

    One evening in twenty may have a player two small tables ahead of another: who meets whom counts, too.
    """
    evenings, uneven = long(1, 20), 0
    for seed in range(evenings):
        evening = Evening(f"{people} {seed}", FILLS[seed % 3])
        for _ in range(rounds_for(people)):
            evening.play_round(names(people))
        assert max(evening.meetings().values()) <= 3
        first, short = evening.first_seats(), evening.times_short()
        assert spread(first, people) <= 2
        assert spread(short, people) <= 2
        uneven += spread(short, people) == 2
        assert evening.full_tables_again() == 0
    assert uneven <= evenings // 20


def spread(counts: Counter[str], people: int) -> int:
    """How far the players are apart."""
    found = [counts[player] for player in names(people)]
    return max(found) - min(found)


@for_each("people", FIELDS[2:])
def test_an_evening_with_late_comers_and_drop_outs_keeps_its_bounds(people: int) -> None:
    """The bounds are one wider if every round somebody new comes and somebody leaves."""
    for seed in range(long(1, 10)):
        evening = Evening(f"{people} {seed} changing")
        for number in range(rounds_for(people)):
            evening.play_round(names(people + number)[number:])
        assert max(evening.meetings().values()) <= 4
        stayed = names(people)[rounds_for(people) - 1 :]
        for counts, bound in ((evening.first_seats(), 3), (evening.times_short(), 2)):
            found = [counts[player] for player in stayed]
            assert max(found) - min(found) <= bound


@pytest.mark.parametrize("kind", ["swiss", "open"])
def test_no_pairing_is_cheaper_than_the_one_that_is_found(kind: Format, figure: Figure) -> None:
    """The search finds what trying all pairings finds."""
    rng, tried = Random(kind), long(4, 200)
    for number in range(tried):
        people = (7, 8, 9, 10, 11, 12)[number % 6 if SOAKING else number]
        evening = Evening(f"{kind} {number}")
        for _ in range(rng.randint(1, 4)):
            evening.play_round(names(people))
        request = PairingRequest(
            str(number), 9, tuple(names(people)), tuple(evening.rounds), dict(evening.points), format=kind
        )
        cost = costs(request)
        found = pair(request)
        assert cost(found) == min(cost(tables) for tables in partitions(names(people), [*map(len, found)]))
    figure(f"{tried} pairings of 7 to 12 people are the cheapest ones ({kind})")


def partitions(players: Sequence[str], sizes: list[int]) -> Iterator[Round]:
    """All ways to divide the players into tables of these sizes."""
    if not players:
        yield ()
    for size in set(sizes):
        left = sizes.copy()
        left.remove(size)
        for others in combinations(players[1:], size - 1):
            table = (players[0], *others)
            for tables in partitions([player for player in players if player not in table], left):
                yield (table, *tables)


def costs(request: PairingRequest) -> Callable[[Round], int]:
    """What the tables of a round cost, by the formula in `server.tournament.pairing`, computed as a whole."""
    met, last, short = Counter[frozenset[str]](), dict[str, tuple[str, ...]](), Counter[str]()
    for tables in request.past:
        met.update(frozenset(two) for table in tables for two in combinations(people_of(table), 2))
        last.update({player: table for table in tables for player in people_of(table)})
        short.update(player for table in short_tables(tables) for player in people_of(table))
    least = min(short[player] for player in request.players)

    def of_pair(one: str, other: str) -> int:
        k, again = met[frozenset((one, other))], last[one] == last[other]
        if request.format == "open":
            return k * k + 25 * again
        gap = request.points.get(one, 0) - request.points.get(other, 0)
        return 40 * k * k + 60 * again + gap * gap // 4 + 2000 * (k >= 3)

    pairs = {two: of_pair(*two) for two in combinations(request.players, 2)}

    def of_round(tables: Round) -> int:
        most = max(map(len, tables))
        lacking = (
            0
            if request.format == "open"
            else sum(2000 * (most - len(table)) * (short[player] - least) ** 2 for table in tables for player in table)
        )
        return lacking + sum(pairs[one, other] for table in tables for one, other in combinations(sorted(table), 2))

    return of_round


def test_players_of_an_open_night_meet_others_again_last() -> None:
    """Those who come from one table are spread over the next ones, and points do not matter."""
    first = (tuple(names(4)), tuple(names(8)[4:]))
    tables = pair(PairingRequest("seed", 2, tuple(names(8)), (first,), {"p00": 96}, format="open"))
    for table in tables:
        assert len(set(table) & set(first[0])) == 2


def test_a_leader_sits_at_the_first_table() -> None:
    """The tables of a Swiss are numbered from the leader's."""
    points = {player: number for number, player in enumerate(names(12))}
    assert "p11" in pair(PairingRequest("seed", 3, tuple(names(12)), (), points))[0]


def test_a_player_left_over_sits_out_once_at_most() -> None:
    """Five people at tables of two without AI players: in five rounds each sits out once."""
    rounds = list[Round]()
    for number in range(1, 6):
        rounds.append(pair(PairingRequest("seed", number, tuple(names(5)), tuple(rounds), seats=2, fill="none")))
    assert sorted(table for tables in rounds for table in tables if len(table) == 1) == [(name,) for name in names(5)]


@for_each(
    ("people", "seats", "fill", "sizes"),
    [
        (0, 4, "default", []),
        (1, 4, "default", [(1, 2)]),
        (2, 4, "default", [(2, 1)]),
        (3, 4, "default", [(3, 0)]),
        (5, 4, "default", [(3, 0), (2, 1)]),
        (6, 4, "default", [(3, 0), (3, 0)]),
        (11, 4, "default", [(4, 0), (4, 0), (3, 0)]),
        (1, 4, "none", [(1, 0)]),
        (2, 4, "none", [(2, 0)]),
        (5, 4, "none", [(3, 0), (2, 0)]),
        (3, 2, "none", [(2, 0), (1, 0)]),
    ],
)
def test_tables_of_so_many_people(people: int, seats: int, fill: Fill, sizes: list[tuple[int, int]]) -> None:
    """As many as possible sit with people alone; a player who is left over, without AI players, sits out."""
    assert table_sizes(people, seats, fill) == sizes


@for_each("seats", [2, 3, 4])
@for_each("fill", FILLS)
def test_sizes_keep_their_bounds(seats: int, fill: Fill) -> None:
    """Everybody has a seat; as few tables as possible, of nearly one size; AI players are where the setting says."""
    for people in range(1, 65):
        sizes = table_sizes(people, seats, fill)
        sat, ai = zip(*sizes, strict=True)
        assert sum(sat) == people
        assert sat == (*sorted(sat, reverse=True),)
        assert len(sizes) == ceil(people / seats)
        assert sat[0] - sat[-1] <= 1
        if fill == "none":
            assert not any(ai)
        elif fill == "full":
            assert {*map(sum, sizes)} == {seats}
        else:
            assert {*map(sum, sizes)} <= {seats, max(seats - 1, 2), min(3, seats)}
            assert sum(map(bool, ai)) <= (people <= 5 or seats == 2)


def test_rounds_by_people() -> None:
    """Three rounds at least and six at most."""
    assert [rounds_for(people) for people in (1, 4, 5, 8, 9, 16, 17, 32, 33, 200)] == [3, 3, 4, 4, 5, 5, 6, 6, 6, 6]


FOUR = ("ana", "bo", "cy", "di")


def seated(players: Seated, *past: Round) -> Seated:
    """These players in the best order after earlier rounds."""
    return min(permutations(players), key=seat_cost(past))


def test_seats_and_neighbours_change() -> None:
    """Four rounds of the same four: each has each seat once, and nobody the same left-hand neighbour in every round."""
    rounds = list[Round]()
    for _ in range(4):
        rounds.append((seated(FOUR, *rounds),))
    tables = [table for tables in rounds for table in tables]
    assert all({table[seat] for table in tables} == set(FOUR) for seat in range(4))
    lefts = [set(left_neighbours(table)) for table in tables]
    assert not set.intersection(*lefts)


def test_the_first_seat_weighs_most() -> None:
    """A player who has had the first seat gets another one."""
    assert seated(("ana", "bo", "cy"), (("ana", "bo", "cy"),), (("ana", "cy", "bo"),))[0] != "ana"


def test_ai_players_are_nobodys_neighbours() -> None:
    """AI players fill seats, and cost nothing there."""
    assert left_neighbours(("ana", AI_SEAT, "bo")) == [("bo", "ana")]
    assert left_neighbours(("ana", "bo")) == []
    assert seated(("ana", AI_SEAT, AI_SEAT), (("ana", AI_SEAT, AI_SEAT),))[0] == AI_SEAT


def test_a_player_who_sat_out_has_had_no_seat() -> None:
    """Sitting out is no first seat."""
    assert seat_cost([(("ana",),)])(("ana", "bo")) == 8
