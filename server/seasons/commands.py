"""What is typed for the best of tonight and of this month, and for past nights."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from textwrap import wrap
from typing import Final, Literal, TypeAlias

from engine.errors import InputError
from engine.rules import Json
from engine.wording.phrases import listed, quantity
from server.cells import MEASURE
from server.commands.games import NightEvent, NightEvents, TopList
from server.commands.registry import Answer, Command, Context, MoreDetails, declared_in
from server.extension import Feature
from server.history.top import GUESTS_NOT_LISTED, Best, best_lines
from server.lobby.service import Runs
from server.records.scoring import LISTED_FROM
from server.seasons.periods import Period, PeriodPlayer, Periods

LISTED: Final = 20
NIGHTS: Final = 10
PEOPLE: Final = 200

PeriodName: TypeAlias = Literal["tonight", "month"]
SCORES: Final = (
    "A game gives up to 12 points, by the cards left. The score is your mean, as if with six more games of 6."
)


HELP_TOP: Final = (
    "top tonight    the most points since 05:00 by the server's clock",
    "top month      the most points of this month; also top tonight life, for one rule set",
    "nights         past nights",
    SCORES,
)


class BestOfPeriod(Best, kw_only=True):
    """A `PeriodPlayer` as JSON. Equal scores share a place."""

    score: float
    """Rounded; places come from the exact scores."""


def _periods(context: Context) -> Periods:
    return context.lobby.service(Periods)


async def _top(name: PeriodName, context: Context, rest: str) -> Answer:
    """The best players of tonight, or of this month, by one set of rules or by all together."""
    lobby, periods = context.lobby, _periods(context)
    rules = lobby.rulebook.find(rest) if rest else None
    period = await (periods.tonight() if name == "tonight" else periods.month())
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
    # Since: the date on which it began, at 05:00 by the server's clock.
    return Answer(lines, {"period": name, "since": period.date, "top": shown})


@Command("nights [DATE]", on_server=True, pages=(), read_only=True, ssh="answer")
async def nights(context: Context, rest: str) -> Answer:
    """List past nights: who played, who won."""
    if rest:
        return await _night(context, rest)
    found = await _periods(context).nights(NIGHTS)
    if not found:
        return Answer(["No night has a finished game yet."], {"nights": []})
    lines, values = ["A night goes from 05:00 to 05:00 by the server's clock. The last ones:"], list[object]()
    for night in found:
        events, value = await _events(context, night)
        lines += [*wrap(night_line(night), MEASURE), *(f"  {each.line}" for each in events)]
        values.append({**_json(context, night), **value})
    lines.append(f"nights {found[0].date} tells more of that night.")
    return Answer(lines, {"nights": values})


async def _night(context: Context, text: str) -> Answer:
    try:
        night = await _periods(context).night(date.fromisoformat(text))
    except (ValueError, OverflowError):
        raise InputError("bad_request", f"a night is a date, as in nights 2026-11-22, not {text[:20]!r}") from None
    events, of_events = await _events(context, night)
    value = {"nights": [{**_json(context, night), **of_events}]}
    if not night.games:
        return Answer([f"No finished game of {night.date} is kept."], value)
    people = ", ".join(f"{name} {games}" for name, games in night.people(PEOPLE))
    lines = [
        *wrap(night_line(night), MEASURE),
        *wrap(f"Games of each: {people}", MEASURE, subsequent_indent="  "),
        *(f"{each.line}: {each.way}" for each in events),
        *period_lines("The best", _best(context, night), drawn=context.scene.drawn),
    ]
    return Answer(lines, value)


async def _events(context: Context, night: Period) -> tuple[list[NightEvent], dict[str, Json]]:
    """What was held in a night, and what programs are told of it."""
    kinds = context.lobby.features.all(NightEvents)
    found = {each.key: await each.of(context, night.begins, night.ends) for each in kinds}
    value: dict[str, Json] = {key: [dict(event.value) for event in events] for key, events in found.items()}
    return [event for events in found.values() for event in events], value


def _json(context: Context, night: Period) -> Mapping[str, object]:
    """A night as programs are told of it; the players with most games come first."""
    players = [{"name": name, "games": games} for name, games in night.people(PEOPLE)]
    return {"date": night.date, "games": night.games, "players": players, "top": _best(context, night)}


def _best(context: Context, night: Period) -> list[BestOfPeriod]:
    return best_of_period(night.best(None)[:LISTED], context.player.account)


def best_of_period(players: Sequence[PeriodPlayer], you: str | None) -> list[BestOfPeriod]:
    """Players as JSON, best first; the player with the key ``you`` is marked."""
    return [
        BestOfPeriod(
            place=1 + sum(other.score > player.score for other in players),
            name=player.name,
            you=player.key == you,
            score=round(float(player.score), 1),
            provisional=player.games < LISTED_FROM,
            games=player.games,
            wins=player.wins,
        )
        for player in players
    ]


def period_lines(title: str, best: Sequence[BestOfPeriod], *, drawn: bool = True) -> list[str]:
    """The best players of a period, see `best_lines`."""
    scores = [f"{each.score:>5.1f}" if drawn else str(each.score) for each in best]
    return best_lines(title, best, scores, [""] * len(best), LISTED_FROM, drawn=drawn)


def night_line(night: Period) -> str:
    """A night in one sentence: how much was played, by how many, and who was best."""
    people = quantity(len(night.people()), "player")
    settled = [player for player in night.best(None) if player.games >= LISTED_FROM]
    best = [player.name for player in settled if player.score == settled[0].score]
    score = f"; best: {', '.join(best)} ({float(settled[0].score):.1f})" if settled else ""
    return f"{night.date}: {quantity(night.games, 'game')}, {people}{score}"


FEATURE: Final = Feature(
    "seasons",
    (
        *declared_in(__name__),
        Runs(lambda lobby: Periods(lobby.store, lobby.wall)),
        TopList("tonight", partial(_top, "tonight")),
        TopList("month", partial(_top, "month")),
        MoreDetails("top", HELP_TOP),
    ),
)
