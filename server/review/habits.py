"""The mistakes that a player makes again and again, counted over their games. Pure."""

from typing import Final

from msgspec import field, json
from msgspec.structs import replace

from engine.ai.mistakes import Mistake, opposite
from server.typed_json import Keeping, Versioned, read_versioned, write_versioned

KIND: Final = "habits"
"""The kind of the texts that hold each account's habits."""
GAMES_NEEDED: Final = 20
"""In fewer games a mistake may be chance."""
LEAST_COST: Final = 0.05
"""A move that costs less, 0 to 1, does not count as a mistake: the search may be wrong about it."""
LEAST_TIMES: Final = 5
TIMES_THE_OPPOSITE: Final = 2
"""A mistake is a habit if it was made so often, and so many times as often as its opposite."""
LISTED: Final = 3


class Counted(Keeping, frozen=True):
    """How often a mistake was made, and what that cost in all: 1 is a won game."""

    times: int = 0
    cost: float = 0.0


class Habits(Versioned, frozen=True):
    """The mistakes of one account."""

    last: float = 0.0
    """When the last game ended that is counted, in seconds since 1970: older ones are not looked at again."""
    counted: int = 0
    """How many games are counted."""
    turns: int = 0
    """The player's decisions in them."""
    mistakes: dict[Mistake, Counted] = field(default_factory=dict)

    def with_game(self, ended: float, turns: int, found: list[tuple[Mistake, float]]) -> "Habits":
        """The habits after one more game: when it ended, the decisions in it, the mistakes and their costs."""
        mistakes = dict(self.mistakes)
        for mistake, cost in found:
            before = mistakes.get(mistake, Counted())
            mistakes[mistake] = replace(before, times=before.times + 1, cost=round(before.cost + cost, 3))
        return replace(
            self,
            last=ended,
            counted=self.counted + 1,
            turns=self.turns + turns,
            mistakes=mistakes,
        )

    @property
    def worst(self) -> list[Mistake]:
        """The mistakes that are habits, the costliest first; none before there are enough games."""
        if self.counted < GAMES_NEEDED:
            return []
        habits = [
            mistake
            for mistake, counted in self.mistakes.items()
            if counted.times >= max(LEAST_TIMES, TIMES_THE_OPPOSITE * self.of(opposite(mistake)).times)
        ]
        return sorted(habits, key=lambda mistake: -self.of(mistake).cost)[:LISTED]

    def of(self, mistake: Mistake) -> Counted:
        """How often a mistake was made."""
        return self.mistakes.get(mistake, Counted())

    def to_json(self) -> str:
        """As the log keeps it."""
        return write_versioned(self)


_HABITS: Final = json.Decoder(Habits)


def read_habits(text: str | None) -> Habits:
    """The habits in a text; none without one. Raises ValueError with one line, as for one of a newer version."""
    return Habits() if text is None else read_versioned(text, _HABITS)
