"""Tournaments played by chance: rounds that are paired, and tables that end somehow."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from random import Random
from typing import Final

from server.people.players import Player
from server.records.results import table_scores
from server.table.entries import TableSettings
from server.tournament.events import Entered, Event, Finished, Published, after
from server.tournament.pairing import AI_SEAT, Fill, PairingRequest, Round, Seated, pair
from server.tournament.standings import Board, PlayedBoard
from server.tournament.state import Opened, Tournament
from tests.support.tables import SHORT

TABLE: Final = TableSettings("quatch", SHORT, 4, "easy", hints=False)
"""What is played."""


def people_of(table: Seated) -> list[str]:
    """The players of a table without AI players."""
    return [player for player in table if player != AI_SEAT]


def short_tables(tables: Round) -> list[Seated]:
    """The tables with fewer people than others of the round."""
    most = max((len(people_of(table)) for table in tables), default=0)
    return [table for table in tables if len(people_of(table)) < most]


def fold(tournament: str, opened: Opened, log: Iterable[Event]) -> Tournament:
    """A tournament after these events; those that are not possible are ignored."""
    state = Tournament(tournament, opened)
    for event in log:
        state = after(state, event)[0]
    return state


def published(number: int, *seats: tuple[str, ...], at: float = 10.0) -> Published:
    """A round at these tables."""
    boards = tuple(Board(each, 1 + board, f"G{number}{board}") for board, each in enumerate(seats))
    return Published(at=at, round=number, boards=boards)


def entered(*people: Player) -> list[Event]:
    """These players enter."""
    return [Entered(at=1.0, by=each.id, player=each) for each in people]


def finished(number: int, board: int, *ranks: int, at: float = 20.0, absent: tuple[int, ...] = ()) -> Finished:
    """A board of a round ends so."""
    return Finished(at=at, round=number, board=board, game=f"G{number}{board}", ranks=ranks, absent=absent)


class Evening:
    """A Swiss whose tables end by chance."""

    def __init__(self, seed: str, fill: Fill = "default") -> None:
        """An evening without rounds; the same seed gives the same evening."""
        self.rounds: list[Round] = []
        self.results: list[PlayedBoard] = []
        self.points = Counter[str]()
        self._seed, self._fill, self._rng = seed, fill, Random(seed)

    def play_round(self, players: Sequence[str]) -> None:
        """Pair these players, and end each of their tables."""
        request = PairingRequest(
            self._seed, len(self.rounds) + 1, tuple(players), tuple(self.rounds), dict(self.points), fill=self._fill
        )
        tables = pair(request)
        self.rounds.append(tables)
        for table in tables:
            ranks = tuple(self._rng.sample(range(1, len(table) + 1), len(table)))
            is_short = table in short_tables(tables)
            result = PlayedBoard(table, ranks=ranks, ended=float(len(self.results)), short=is_short)
            self.results.append(result)
            self.points.update(
                {player: score for player, score in zip(table, table_scores(ranks), strict=True) if player}
            )

    def meetings(self) -> Counter[frozenset[str]]:
        """How often each pair of people has met."""
        return Counter(frozenset(two) for table in self._tables() for two in combinations(people_of(table), 2))

    def first_seats(self) -> Counter[str]:
        """How often each player has had the first seat of a table."""
        return Counter(table[0] for table in self._tables())

    def times_short(self) -> Counter[str]:
        """How often each player was at a table with fewer people than others."""
        return Counter(
            player for tables in self.rounds for table in short_tables(tables) for player in people_of(table)
        )

    def full_tables_again(self) -> int:
        """How many tables of a round have the same people as a table of the round before."""
        groups = [{frozenset(people_of(table)) for table in tables} for tables in self.rounds]
        return sum(len(one & other) for one, other in pairwise(groups))

    def _tables(self) -> Iterator[Seated]:
        return (table for tables in self.rounds for table in tables if len(table) > 1)
