"""The level of AI players that a person meets if they name none: the one that they beat about half the time. Pure."""

from typing import Annotated, Final, Literal, Self, TypeAlias, get_args

from msgspec import Meta
from msgspec.structs import replace

from server.typed_json import Keeping

Level: TypeAlias = Literal["easy", "medium", "hard", "extreme", "master"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""Those of `engine.ai`, the weakest first."""
AUTO: Final = "auto"
"""Instead of a level, in settings: the own level."""
LEAD: Final = 3
RULE: Final = (
    "level auto: a game is yours if more AI players finish behind you than ahead of you (by place, then by cards "
    f"left); with {LEAD} more games yours than not you meet the next level, with {LEAD} fewer the one before."
)
"""The rule in one sentence, as `help set` tells it."""
COUNTED: Final = "Only games against AI players of that level alone count, if you play them to the end."


class OwnLevel(Keeping, frozen=True, omit_defaults=True):
    """The level that a person meets, and how the games against it have gone since they met it first."""

    level: Level = "easy"
    won: Annotated[int, Meta(ge=0)] = 0
    """Games in which more AI players finished behind the person than ahead."""
    lost: Annotated[int, Meta(ge=0)] = 0
    """Games in which more finished ahead."""

    def after_game(self, behind: int, ahead: int) -> Self:
        """After a game in which so many AI players of this level finished behind the person, and so many ahead.

        Once it is decided that the level changes, games count only for the next one.
        """
        if behind == ahead or abs(self.won - self.lost) >= LEAD:
            return self
        return replace(self, won=self.won + (behind > ahead), lost=self.lost + (ahead > behind))

    def for_next_game(self) -> Self:
        """The level of the next game: another one if it is decided. The highest and the lowest only count anew."""
        if abs(self.won - self.lost) < LEAD:
            return self
        index = LEVELS.index(self.level) + (1 if self.won > self.lost else -1)
        return replace(self, level=LEVELS[min(max(0, index), len(LEVELS) - 1)], won=0, lost=0)

    @property
    def news(self) -> str:
        """What the person is told when the next game has another level; empty if it has the same."""
        following = self.for_next_game().level
        if following == self.level:
            return ""
        better, worse = f"you were ahead of {self.level} ones", f"{self.level} ones were ahead of you"
        games = f"in {max(self.won, self.lost)} games of {self.won + self.lost}"
        return f"AI players: {following} now, {better if self.won > self.lost else worse} {games}."
