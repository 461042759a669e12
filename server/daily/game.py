"""A game with a daily deal: what its table is opened for, and how AI players play it in the person's place. Pure.

The same moves of the person give the same game everywhere: the AI players and their styles are fixed, they arrange
their cards first, and their chance depends on the seed, the move and the seat alone.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import convert, to_builtins

from engine.rulesets import DEFAULT
from server.daily.deal import KIND, RATED_AS, DailyGame, DailyScore, Day, daily_game_id, daily_result
from server.history.periods import END_TEXT
from server.people.players import Player
from server.records.fairness import new_game_id
from server.records.results import Secret
from server.table.entries import TableSettings
from server.table.occasion import Next, Occasion
from server.table.occasion_game import play_out
from server.version import VERSION

STYLES: Final = ("plain", "miser", "arsonist")
"""The styles of the AI players, in the seats after the person's."""
DAY_OVER: Final = "the day of this deal is over: daily has the new one, daily yesterday shows this one"
LEVEL: Final = "hard"
"""The level of the AI players. It does not search, so that its moves do not depend on the load."""
AI_VERSION: Final = "6a6da835"
"""A digest of some games. It changes if AI players play daily deals in another way; only games with the same one are
compared with each other. The test that computes it names the new one."""


AI_ALONE: Final = Player("guest:", "AI player")
"""Who has the person's seat if AI players play alone."""
_AGAIN_LINE: Final = "Type daily again for the same cards, unrated."
OTHERS: Final = Next(
    "daily",
    "how the others did",
    "to see how the others did",
    "shows how the others did",
    ("daily how others did", "daily again same cards"),
    ("Type daily to see how the others did.", _AGAIN_LINE),
)
AGAIN: Final = Next(
    "daily again",
    "the same cards",
    "for the same cards",
    "deals the same cards",
    ("daily again same cards",),
    (_AGAIN_LINE,),
)
"""What leads on after a game, and after one with a deal that is played again."""


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
        by_cards=True,
        practice=again,
        ends=daily.must_end,
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


def daily_of(occasion: Occasion | None) -> DailyGame | None:
    """The game with a daily deal that is played on an occasion; None if it is another one."""
    return convert(occasion.data, DailyGame) if occasion and occasion.kind == KIND else None


def play_by_ai(
    settings: TableSettings, level: str, chance: str, moves: Sequence[str] = (), decisions: int | None = None
) -> tuple[list[str], DailyScore | None]:
    """Let an AI player play in the person's place. Returns what `play_out` does, and the score if it is over."""
    played, result = play_out(settings, level, chance, moves, decisions)
    daily = daily_result(result) if result else None
    return played, daily.score if daily else None
