"""A game with a daily deal: how it begins, and how AI players play it in the person's place. Pure.

The same moves of the person give the same game everywhere: the AI players and their styles are fixed, they arrange
their cards first, and their chance depends on the seed, the move and the seat alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from engine.errors import InputError
from engine.rulesets import DEFAULT
from server.ai.pool import choose
from server.people.ai_players import new_ai_player
from server.people.players import Player
from server.records.daily import DailyGame, DailyScore, Day, daily_game_id
from server.records.fairness import new_game_id
from server.table.entries import Change, Committed, Dealt, Moved, Sat, TableSettings
from server.table.fold import apply
from server.table.state import TableState
from server.version import VERSION

PERSON: Final = 0
"""The person's seat."""
STYLES: Final = ("plain", "miser", "arsonist")
"""The styles of the AI players, in the seats after the person's."""
DAY_OVER: Final = "the day of this deal is over: daily has the new one, daily yesterday shows this one"
LEVEL: Final = "hard"
"""The level of the AI players. It does not search, so that its moves do not depend on the load."""
AI_VERSION: Final = "6a6da835"
"""A digest of some games, so that it is another one if AI players play daily deals in another way: only games with one
version are compared with each other. The test that computes it names the new one."""


def daily_settings(day: Day, seed: str, *, again: bool = False) -> TableSettings:
    """What a table is opened for at which the deal of this day is played, perhaps again."""
    daily = DailyGame(day.date, day.ends, AI_VERSION, again)
    return TableSettings(DEFAULT, {}, 1 + len(STYLES), LEVEL, secret=seed, version=VERSION, hints=False, daily=daily)


def next_beginning(state: TableState, person: Player) -> Change | None:
    """The next change before a person has something to decide in their game; None if they have, or had."""
    if state.game is not None:
        ai_arranges = state.arranging and state.deciding != [PERSON]
        return Moved(state.deciding[0], str(choose(state.question(0, state.deciding[0])))) if ai_arranges else None
    if state.seats[PERSON] is None:
        return Sat(PERSON, person)
    if None in state.seats:
        names = [seat.player.name for seat in state.seats if seat]
        free = state.seats.index(None)
        return Sat(free, new_ai_player(names, LEVEL, STYLES[free - 1]))
    if state.next_deal is None:
        seed = state.settings.secret
        account = "" if state.daily and state.daily.again else person.account
        return Committed(daily_game_id(seed, account) if account else new_game_id(), seed)
    return Dealt(None)


def must_be_own(state: TableState, player: Player, table: int) -> None:
    """Raises InputError at a table with the daily deal of another player."""
    if state.daily and state.host != player.id:
        raise InputError("private", f"table {table} has a daily deal, which each player plays alone")


def why_closed(state: TableState, seconds_until: Callable[[float], float]) -> str:
    """Why a table has closed, as a phrase for its players."""
    is_day_over = state.daily is not None and _is_day_over(state.daily, seconds_until)
    return DAY_OVER if is_day_over else "the table has closed"


def must_be_possible(state: TableState, daily: DailyGame, seat: int, seconds_until: Callable[[float], float]) -> None:
    """Raises InputError if its day has ended this game, or if its AI players arrange their cards first."""
    if _is_day_over(daily, seconds_until):
        raise InputError("closed", DAY_OVER)
    if state.arranging and seat not in state.deciding:
        raise InputError("not_your_turn", "the AI players arrange their cards first: try again in a moment")


def _is_day_over(daily: DailyGame, seconds_until: Callable[[float], float]) -> bool:
    return daily.must_end is not None and seconds_until(daily.must_end) <= 0


def play_by_ai(
    settings: TableSettings, level: str, chance: str, moves: Sequence[str] = (), decisions: int | None = None
) -> tuple[list[str], DailyScore | None]:
    """Let an AI player play in the person's place; the same arguments give the same game.

    Args:
        settings: as from `daily_settings`.
        level: the AI player's.
        chance: what its chance comes from, besides the deal.
        moves: the moves of all seats so far.
        decisions: after how many decisions of that AI player to stop; None to play to the end.

    Returns:
        The moves of all seats, and the score if the game is over.
    """
    person = Player("guest:", "AI player")
    state = TableState.of(settings)
    while change := next_beginning(state, person):
        state = apply(state, change, 0.0)[0]
    played = list[str]()
    while state.deciding:
        seat = state.deciding[0]
        if len(played) < len(moves):
            move = moves[len(played)]
        else:
            question = state.question(0, seat)
            if seat == PERSON:
                if decisions == 0:
                    return played, None
                decisions = None if decisions is None else decisions - 1
                question = replace(question, level=level, style="plain", seed=f"{chance} {state.ply}")
            move = str(choose(question))
        state = apply(state, Moved(seat, move), 0.0)[0]
        played.append(move)
    daily = state.result.daily if state.result else None
    return played, daily.score if daily else None
