"""The daily deal: which day it is, what its cards come from, and how the games with it are compared. Pure.

The seed of a deal comes from its day, a secret of the server and the number of a candidate (`choice`), so that
nobody knows it before. `DECISIONS.md` says why games with it can be compared.
"""

import hashlib
import hmac
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Final, TypeAlias

from msgspec import Struct, convert, to_builtins

from engine.rulesets import DEFAULT
from server import VERSION
from server.history.when_a_day_begins import END_TEXT, begin_of, night_at
from server.people.players import Player
from server.records.fairness import commitment, game_id_of, new_game_id
from server.records.results import OccasionResult, Result, Secret, shared_places
from server.table.entries import TableSettings
from server.table.occasion import Next, Occasion
from server.table.occasion_game import play_out

KIND: Final = "daily"
"""The kind of the occasion on which such a game is played, see `server.table.occasion`."""
PERSON: Final = 0
"""The person's seat."""
RATED_AS: Final = "daily/deals"
"""What the rated games of all days count as, in place of the name of a rule set."""
FIRST_DAY: Final = date(2026, 1, 1)
"""The day of deal 1."""
PERSON_WEIGHT: Final = 2
AI_WEIGHT: Final = 1
"""How much the game of a person and that of an AI player count in `percent`: 40 AI games as much as 20 persons."""


Order: TypeAlias = tuple[int, int]
"""What scores are compared by: smaller for a better one."""


class Day(Struct, frozen=True):
    """The day of a deal."""

    date: str
    """As in 2026-11-22: the date on which it began."""
    ends: float
    """When the day is over, in seconds since 1970."""

    @property
    def number(self) -> int:
        """The number of its deal."""
        return (date.fromisoformat(self.date) - FIRST_DAY).days + 1

    @property
    def title(self) -> str:
        """The name of its deal."""
        return f"Daily deal {self.number}"


class DailyGame(Day, frozen=True, omit_defaults=True):
    """A game with the deal of a day."""

    ai_version: str
    """How AI players play it, see `game.AI_VERSION`."""
    again: bool = False
    """Whether the deal is played again by a player who knows it, or knows it by now, so that it counts for nobody."""

    @property
    def title(self) -> str:
        """The name of its deal, and whether it is played again."""
        return f"{super().title} again" if self.again else super().title


def day_at(now: float) -> Day:
    """The day at this time, in seconds since 1970."""
    return day_of(night_at(now).isoformat())


def day_of(day: str) -> Day:
    """The day of this date, as in 2026-11-22."""
    return Day(day, begin_of(date.fromisoformat(day) + timedelta(days=1)))


def day_before(day: str, days: int = 1) -> str:
    """The date so many days before this one."""
    return (date.fromisoformat(day) - timedelta(days=days)).isoformat()


def seed_of(secret: str, day: str, candidate: int = 0) -> str:
    """The seed of one of the deals that a day may have, in hexadecimal."""
    number = f" {candidate}" if candidate else ""
    return hmac.new(secret.encode(), f"quatch-daily-v1 {day}{number}".encode(), hashlib.sha256).hexdigest()


def daily_commitment(day: str, seed: str) -> str:
    """What binds the server to the seed of a day's deal, see `fairness.commitment`."""
    return commitment(f"daily {day}", seed)


def daily_game_id(seed: str, account: str) -> str:
    """The id of an account's game with the deal of this seed: there is only one."""
    return game_id_of(hashlib.sha256(f"quatch-daily-game-v1 {seed} {account}".encode()).digest())


class DailyScore(Struct, frozen=True, forbid_unknown_fields=True):
    """What a game with a daily deal is compared by."""

    place: int
    """1 for a player who went out; others by the cards that they have left. It tells only how fit a deal is."""
    margin: int
    """The cards that the others have left, if the player won; else minus those that the player has left."""
    turns: int
    """The player's moves."""

    @property
    def order(self) -> Order:
        """Smaller for a better score."""
        return -self.margin, self.turns


def middle(scores: Sequence[DailyScore]) -> DailyScore:
    """The one of an odd number of scores that as many others beat as it beats; equals count as either."""
    return sorted(scores, key=lambda score: score.order)[len(scores) // 2]


class DailyResult(Struct, frozen=True):
    """The result of a game with a daily deal."""

    day: DailyGame
    score: DailyScore

    @property
    def ai_version(self) -> str:
        """How AI players played in it."""
        return self.day.ai_version


UNFINISHED: Final = DailyScore(4, -99, 0)
"""The score of a game that was not finished before the day was over."""


def daily_result(result: Result) -> DailyResult | None:
    """Returns the result of a game with a daily deal; None if it was another game."""
    if not (its := result.occasion) or not (day := daily_of(its)):
        return None
    left = [finish.left for finish in result.finishes]
    if not left or result.abandoned is True:
        return DailyResult(day, UNFINISHED)
    margin = -left[PERSON] if left[PERSON] else sum(left)
    return DailyResult(day, DailyScore(shared_places(left)[PERSON], margin, its.turns[PERSON]))


def percent(own: Order, people: Sequence[Order], ai: Sequence[Order], left_out: Order | None) -> Fraction | None:
    """The part of the field that a score beats, 0 to 100; a tie counts half. None without a field.

    The field is the scores of ``people`` and of ``ai`` players, best first, without the player's own, ``left_out``.
    """
    beaten = tied = field = 0
    without = () if left_out is None else (left_out,)
    for scores, weight in ((people, PERSON_WEIGHT), (ai, AI_WEIGHT), (without, -PERSON_WEIGHT)):
        first_worse = bisect_right(scores, own)
        beaten += weight * (len(scores) - first_worse)
        tied += weight * (first_worse - bisect_left(scores, own))
        field += weight * len(scores)
    return Fraction(100 * (2 * beaten + tied), 2 * field) if field else None


STYLES: Final = ("plain", "miser", "arsonist")
"""The styles of the AI players, in the seats after the person's."""
DAY_OVER: Final = "the day of this deal is over: daily has the new one, daily yesterday shows this one"
LEVEL: Final = "hard"
"""The level of the AI players. It does not search, so that its moves do not depend on the load."""
AI_VERSION: Final = "bc2dd2cc"
"""A digest of some games. It changes if AI players play daily deals in another way; only games with the same one are
compared with each other. The test that computes it names the new one."""


AI_ALONE: Final = Player("guest:", "AI player")
"""Who has the person's seat if AI players play alone."""
AGAIN: Final = Next(
    "daily again",
    ("daily again same cards",),
    ("Type daily again for the same cards, unrated, play for another game, or leave for the lobby.",),
)
OTHERS: Final = Next(
    "daily",
    ("daily how others did", *AGAIN.hints),
    ("Type daily to see how the others did.", *AGAIN.lines),
)
"""What leads on after a game with a deal that is played again, and after another one."""


def daily_settings(day: Day, seed: str, player: Player = AI_ALONE, *, again: bool = False) -> TableSettings:
    """What a table is opened for at which a player has the deal of this day, perhaps again."""
    daily = DailyGame(day.date, day.ends, AI_VERSION, again)
    game = daily_game_id(seed, player.account) if player.account and not again else new_game_id()
    kept = "until the day ends" if player.account else "while you are here"
    occasion = Occasion(
        kind=KIND,
        data=to_builtins(daily),
        game=game,
        seats=(player, *STYLES),
        title=daily.title,
        name="the daily deal",
        strangers="has a daily deal, which each player plays alone",
        left="Your game is given up: it did not count." if again else f"Your game is kept {kept}: daily goes on.",
        next=AGAIN if again else OTHERS,
        alone=True,
        same_for_all=True,
        practice=again,
        ends=None if again else day.ends,
        over=DAY_OVER,
        secret=Secret(
            day.ends,
            f"has a daily deal: its cards are secret until {END_TEXT}",
            f"have today's daily deal: they are listed at {END_TEXT}",
        ),
        rated_as="" if again else RATED_AS,
        rating="not rated: played again" if again else "rated as a daily deal",
    )
    return TableSettings(
        DEFAULT, {}, len(occasion.seats), LEVEL, secret=seed, version=VERSION, hints=False, occasion=occasion
    )


def daily_of(occasion: Occasion | OccasionResult | None) -> DailyGame | None:
    """The game with a daily deal that is played on an occasion; None if it is another one."""
    return convert(occasion.data, DailyGame) if occasion and occasion.kind == KIND else None


def play_by_ai(
    settings: TableSettings, level: str, chance: str, moves: Sequence[str] = (), decisions: int | None = None
) -> tuple[list[str], DailyScore | None]:
    """Let an AI player play in the person's place. Returns what `play_out` does, and the score if it is over."""
    played, result = play_out(settings, level, chance, moves, decisions)
    daily = daily_result(result) if result else None
    return played, daily.score if daily else None
