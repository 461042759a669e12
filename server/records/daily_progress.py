"""What AI players have done for the deal of a day so far, so that the work goes on after a restart. Pure."""

from typing import Final

from msgspec import json

from server.records.daily import DailyScore
from server.typed_json import Versioned, read_versioned, write_versioned


class DailyProgress(Versioned, frozen=True):
    """The work for one day."""

    fitness: tuple[tuple[bool, bool, float], ...] = ()
    """How fit the first deals that were tried out are, see `daily_choice.fitness`."""
    games: tuple[DailyScore, ...] = ()
    """The games that were played with the day's deal for its field."""
    par_games: tuple[DailyScore, ...] = ()
    """Master's games, of which the middle one is par."""
    moves: tuple[str, ...] = ()
    """The moves of all seats so far in the next one of them."""

    def to_json(self) -> str:
        """As the log keeps it."""
        return write_versioned(self)


_PROGRESS: Final = json.Decoder(DailyProgress)


def read_daily_progress(text: str | None) -> DailyProgress:
    """The progress in a text; none without one, and if a newer version has written it: its work is begun anew here."""
    try:
        return DailyProgress() if text is None else read_versioned(text, _PROGRESS)
    except ValueError:
        return DailyProgress()
