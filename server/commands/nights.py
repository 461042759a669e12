"""Seasons: the best of tonight and of this month, and what past nights were."""

from collections.abc import Sequence
from datetime import date
from textwrap import wrap
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from engine.errors import InputError
from engine.wording.phrases import listed, quantity
from server.cells import MEASURE
from server.commands.registry import Answer, Command, Context
from server.history.period_text import BestOfPeriod, best_of_period, night_line, period_lines
from server.history.periods import Period
from server.language.player_lists import GUESTS_NOT_LISTED
from server.language.tournament_text import name_of
from server.tournament.state import Tournament

LISTED: Final = 20
NIGHTS: Final = 10
TOURNAMENTS: Final = 5
"""So many tournaments of a night are named."""
PEOPLE: Final = 200

PeriodName: TypeAlias = Literal["tonight", "month"]
PERIOD_NAMES: Final[tuple[PeriodName, ...]] = ("tonight", "month")
SCORES: Final = (
    "A table gives 12 points, shared by place; the score is their mean, with six games of 6 points more.",
    "Rated games of two players with keys or more count, also those of tournaments.",
)


class PeriodTopJson(Struct):
    """What `top tonight --json` holds."""

    period: PeriodName
    since: str
    """The date on which it began, at 05:00 by the server's clock."""
    top: list[BestOfPeriod]


class _PersonJson(Struct):
    name: str
    games: int


class _TournamentJson(Struct):
    name: str
    format: str
    winners: list[str]


class _NightJson(Struct):
    date: str
    games: int
    players: list[_PersonJson]
    """Those with most games first."""
    top: list[BestOfPeriod]
    tournaments: list[_TournamentJson]


class _NightsJson(Struct):
    nights: list[_NightJson]


async def top_of_period(context: Context, name: PeriodName, rest: str) -> Answer:
    """The best players of tonight, or of this month, by one set of rules or by all together."""
    lobby = context.lobby
    rules = lobby.rulebook.find(rest) if rest else None
    period = await (lobby.periods.tonight() if name == "tonight" else lobby.periods.month())
    best = period.best(lobby.rulebook.name_of(rules) if rules else None)[:LISTED]
    shown = best_of_period(best, context.player.account)
    when = "Tonight" if name == "tonight" else "This month"
    title = f"{when}, {rules.title if rules else 'all rule sets'}, since {period.date} 05:00"
    lines = [
        *period_lines(title, shown, drawn=context.scene.drawn),
        *(line for text in SCORES for line in wrap(text, MEASURE)),
    ]
    if context.player.account is None:
        lines.append(GUESTS_NOT_LISTED)
    return Answer(lines, PeriodTopJson(name, period.date, shown))


@Command("nights [DATE]", pages=(), ssh="answer")
async def nights(context: Context, rest: str) -> Answer:
    """List past nights: who played, who won."""
    if rest:
        return await _night(context, rest)
    found = await context.lobby.periods.nights(NIGHTS)
    if not found:
        return Answer(["No night has a finished game yet."], _NightsJson([]))
    lines, value = ["A night goes from 05:00 to 05:00 by the server's clock. The last ones:"], list[_NightJson]()
    for night in found:
        tournaments = await _tournaments(context, night)
        lines += [*wrap(night_line(night), MEASURE), *(f"  {_won(each)}" for each in tournaments)]
        value.append(_json(context, night, tournaments))
    lines.append(f"nights {found[0].date} tells more of that night.")
    return Answer(lines, _NightsJson(value))


async def _night(context: Context, text: str) -> Answer:
    try:
        night = await context.lobby.periods.night(date.fromisoformat(text))
    except (ValueError, OverflowError):
        raise InputError("bad_request", f"a night is a date, as in nights 2026-11-22, not {text[:20]!r}") from None
    tournaments = await _tournaments(context, night)
    value = _json(context, night, tournaments)
    if not night.games:
        return Answer([f"No finished game of {night.date} is kept."], _NightsJson([value]))
    people = ", ".join(f"{each.name} {each.games}" for each in value.players)
    lines = [
        *wrap(night_line(night), MEASURE),
        *wrap(f"Games of each: {people}", MEASURE, subsequent_indent="  "),
        *(f"{_won(each)}: tournament results {each.name}" for each in tournaments),
        *period_lines("The best", value.top, drawn=context.scene.drawn),
    ]
    return Answer(lines, _NightsJson([value]))


async def _tournaments(context: Context, night: Period) -> Sequence[Tournament]:
    return await context.lobby.tournaments.ended_between(night.begins, night.ends, TOURNAMENTS)


def _won(state: Tournament) -> str:
    """A tournament that is over, and who has won it."""
    names, kind = _winners(state), "swiss" if state.is_swiss else "open night"
    won = f"won by {listed(names, 'and')}" if names else "nobody has won it"
    return f"{state.name}, {kind} of {quantity(len(state.entrants), 'player')}: {won}"


def _winners(state: Tournament) -> list[str]:
    played = (row for row in state.standings if row.games)
    return [name_of(state, row.player) for row in played if row.place == 1]


def _json(context: Context, night: Period, tournaments: Sequence[Tournament]) -> _NightJson:
    return _NightJson(
        night.date,
        night.games,
        [_PersonJson(name, games) for name, games in night.people(PEOPLE)],
        best_of_period(night.best(None)[:LISTED], context.player.account),
        [_TournamentJson(each.name, each.opened.format, _winners(each)) for each in tournaments],
    )
