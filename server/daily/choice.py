"""Which of many deals a day gets: one in which it matters how well the person plays. Pure.

AI players of several levels play each deal in the person's place, and the places that they reach tell how fit it is.
"""

from collections.abc import Sequence
from statistics import fmean
from typing import Final

from msgspec import json

from server.typed_json import Versioned, read_versioned, write_versioned

LEVELS: Final = ("easy", "medium", "hard")
"""The levels that play a deal, in turn, the weakest first."""
MEAN_PLACES: Final = (1.8, 3.2)
"""The mean place of their games must lie between these: the deal is neither won nor lost from the beginning."""
FEWEST_PLACES: Final = 3
"""They must reach so many different places."""
LEAST_DIFFERENCE: Final = 0.5
"""By so many places the strongest level must do better than the weakest."""


class DailyChoice(Versioned, frozen=True):
    """The deal of a day, as the log keeps it."""

    candidate: int
    """Its number, see `deal.seed_of`."""

    def to_json(self) -> str:
        """As the log keeps it."""
        return write_versioned(self)


_CHOICE: Final = json.Decoder(DailyChoice)


def read_choice(text: str) -> DailyChoice:
    """Raises ValueError with one line if it is none, or if a newer version has written it."""
    return read_versioned(text, _CHOICE)


def is_open(places: Sequence[int]) -> bool:
    """Whether a deal is neither won nor lost from the beginning, from the places of some games."""
    least, most = MEAN_PLACES
    return len(set(places)) >= FEWEST_PLACES and least <= fmean(places) <= most


def skill_shown(places: Sequence[int]) -> float:
    """By how many places the strongest level did better than the weakest, if `LEVELS` played these games in turn."""
    return fmean(places[:: len(LEVELS)]) - fmean(places[len(LEVELS) - 1 :: len(LEVELS)])


def fitness(places: Sequence[int]) -> tuple[bool, bool, float]:
    """What deals are compared by, greater for a fitter one: fit ones come first, those that show more skill before."""
    skill = skill_shown(places)
    return is_open(places) and skill >= LEAST_DIFFERENCE, is_open(places), skill
