"""The events of one table's game that its subscribers are shown, and the figures of its seats."""

from collections.abc import Iterable
from typing import Final

from engine.events import Event
from server.records.game_stats import GameStats, SeatCounts, counted
from server.records.results import ai_level, counts_as
from server.table.state import TableState

EVENTS_RECALLED: Final = 80
"""How many of the latest events of a game are shown to a player who comes late. `log` tells all."""


class GameEvents:
    """The events of the game that is played, or was played last."""

    def __init__(self) -> None:
        self.all: list[Event] = []
        self._news: list[Event] = []
        self._counts: tuple[SeatCounts, ...] = ()

    def begin(self) -> None:
        """Forget the events of the last game; those that are news stay."""
        self.all.clear()

    def keep(self, events: Iterable[Event], seats: int) -> None:
        """Count and keep events of a game with so many seats; the first ones begin new figures."""
        if not self.all:
            self._counts = (SeatCounts(),) * seats
        self._counts = counted(self._counts, events)
        self.all.extend(events)

    def add_news(self, events: Iterable[Event]) -> None:
        """Note that nobody has been shown these events yet."""
        self._news.extend(events)

    def take_news(self) -> tuple[Event, ...]:
        """Take the events that are new since the last call."""
        news, self._news = tuple(self._news), []
        return news

    def stats(self, state: TableState) -> GameStats | None:
        """The figures of the last game, if it is over."""
        if state.game is None or state.result is None:
            return None
        finishes = state.result.finishes
        names, ranks = zip(*((finish.played_by, finish.rank) for finish in finishes), strict=True)
        ai_levels = tuple("" if finish.successor else ai_level(finish.key) for finish in finishes)
        return GameStats(names, self._counts, ai_levels, ranks, counts_as(state.result))
