"""Seasons: the best of tonight and of this month, and what past nights were."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from textwrap import wrap
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct, to_builtins

from engine.errors import InputError
from engine.rules import Json
from engine.wording.phrases import listed
from server.cells import MEASURE
from server.commands.registry import Answer, Command, Context
from server.history.periods import Period
from server.history.top import GUESTS_NOT_LISTED, BestOfPeriod, best_of_period, night_line, period_lines

LISTED: Final = 20
NIGHTS: Final = 10
PEOPLE: Final = 200

PeriodName: TypeAlias = Literal["tonight", "month"]
PERIOD_NAMES: Final[tuple[PeriodName, ...]] = ("tonight", "month")
SCORES: Final = "A table gives 12 points, shared by place; the score is their mean, with six games of 6 points more."


class PeriodTopJson(Struct):
    """What `top tonight --json` holds."""

    period: PeriodName
    since: str
    """The date on which it began, at 05:00 by the server's clock."""
    top: list[BestOfPeriod]


class _PersonJson(Struct):
    name: str
    games: int


class _NightJson(Struct):
    date: str
    games: int
    players: list[_PersonJson]
    """The players with most games come first."""
    top: list[BestOfPeriod]


class NightEvent(NamedTuple):
    """Something that was held in a night."""

    line: str
    way: str
    """What to type to see more of it."""
    value: Mapping[str, Json]
    """What programs are told."""


@dataclass(frozen=True, slots=True)
class NightEvents:
    """What a feature tells of a night."""

    key: str
    """What it tells of, in the plural; programs find it there. Games of these count for the night."""
    of: Callable[[Context, Period], Awaitable[Sequence[NightEvent]]]
    """Returns the events, the first one first. Raises NotSaved."""


async def top_of_period(context: Context, name: PeriodName, rest: str) -> Answer:
    """The best players of tonight, or of this month, by one set of rules or by all together."""
    lobby = context.lobby
    rules = lobby.rulebook.find(rest) if rest else None
    period = await (lobby.periods.tonight() if name == "tonight" else lobby.periods.month())
    best = period.best(lobby.rulebook.name_of(rules) if rules else None)[:LISTED]
    shown = best_of_period(best, context.player.account)
    when = "Tonight" if name == "tonight" else "This month"
    others = [each.key for each in lobby.features.all(NightEvents)]
    also = f", also those of {listed(others, 'and')}" if others else ""
    title = f"{when}, {rules.title if rules else 'all rule sets'}, since {period.date} 05:00"
    lines = [
        *period_lines(title, shown, drawn=context.scene.drawn),
        *wrap(SCORES, MEASURE),
        *wrap(f"Rated games of two players with keys or more count{also}.", MEASURE),
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
        return Answer(["No night has a finished game yet."], {"nights": []})
    lines, values = ["A night goes from 05:00 to 05:00 by the server's clock. The last ones:"], list[Json]()
    for night in found:
        events, value = await _events(context, night)
        lines += [*wrap(night_line(night), MEASURE), *(f"  {each.line}" for each in events)]
        values.append(to_builtins(_json(context, night)) | value)
    lines.append(f"nights {found[0].date} tells more of that night.")
    return Answer(lines, {"nights": values})


async def _night(context: Context, text: str) -> Answer:
    try:
        night = await context.lobby.periods.night(date.fromisoformat(text))
    except (ValueError, OverflowError):
        raise InputError("bad_request", f"a night is a date, as in nights 2026-11-22, not {text[:20]!r}") from None
    events, of_events = await _events(context, night)
    value = _json(context, night)
    all_of_it: dict[str, Json] = {"nights": [to_builtins(value) | of_events]}
    if not night.games:
        return Answer([f"No finished game of {night.date} is kept."], all_of_it)
    people = ", ".join(f"{each.name} {each.games}" for each in value.players)
    lines = [
        *wrap(night_line(night), MEASURE),
        *wrap(f"Games of each: {people}", MEASURE, subsequent_indent="  "),
        *(f"{each.line}: {each.way}" for each in events),
        *period_lines("The best", value.top, drawn=context.scene.drawn),
    ]
    return Answer(lines, all_of_it)


async def _events(context: Context, night: Period) -> tuple[list[NightEvent], dict[str, Json]]:
    """What was held in a night, and what programs are told of it."""
    found = {each.key: await each.of(context, night) for each in context.lobby.features.all(NightEvents)}
    value: dict[str, Json] = {key: [dict(event.value) for event in events] for key, events in found.items()}
    return [event for events in found.values() for event in events], value


def _json(context: Context, night: Period) -> _NightJson:
    return _NightJson(
        night.date,
        night.games,
        [_PersonJson(name, games) for name, games in night.people(PEOPLE)],
        best_of_period(night.best(None)[:LISTED], context.player.account),
    )
