"""Tonight, this month, and past nights, as the finished games give them."""

from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from random import Random

from msgspec.structs import replace

from server.history.when_a_day_begins import begin_of
from server.records.results import GUEST
from server.seasons import PIECE, Periods, best_of_period, last_before, night_line, period_lines
from tests.support.standings import ANA, BO, CY, HARD, Played, result

TODAY = date(2026, 11, 22)
HOUR = 3600.0


def at(day: int, hours: float) -> float:
    """A time so many hours after the night of this day of November has begun, in seconds since 1970."""
    return begin_of(date(2026, 11, day)) + hours * HOUR


def seasons(played: Played, now: float) -> Periods:
    """The periods of these games at this time."""
    return Periods(played.log, lambda: now)


async def test_tonight_and_the_month_begin_at_five() -> None:
    """A game after midnight belongs to the night before; the month has the games of all its nights."""
    played = Played()
    for when in (at(1, -1), at(21, 1), at(21, 23), at(22, 0), at(22, 20)):
        await played.finish(result((ANA, 1), (BO, 2)), at=when)
    await played.standings.count_all()
    found = seasons(played, at(22, 23))
    assert (await found.tonight()).games == 2
    assert (await found.month()).games == 4
    assert ((await found.week()).date, (await found.week()).games) == ("2026-11-16", 4)
    assert [night.games for night in await found.nights(10)] == [2, 2, 1]
    assert [night.date for night in await found.nights(2)] == ["2026-11-22", "2026-11-21"]
    await played.finish(result((ANA, 1), (BO, 2)), at=at(22, 23))
    assert (await found.tonight()).games == 3
    assert (await found.night(TODAY - timedelta(days=400))).games == 0


async def test_scores_are_those_of_an_open_night() -> None:
    """Twelve points a table, six average games added; wins are counted; by one set of rules or by all."""
    played = Played()
    await played.finish(result((ANA, 1), (BO, 2), (HARD, 3)), at=at(22, 1))
    await played.finish(result((ANA, 1), (BO, 1), drawn=True), "college", at=at(22, 2))
    night = await seasons(played, at(22, 3)).tonight()
    assert [(each.name, each.games, each.wins, each.points) for each in night.best(None)] == [
        ("ana", 2, 1, 18),
        (":bo", 2, 0, 12),
    ]
    assert night.best(None)[0].score == Fraction(18 + 36, 8)
    assert [each.points for each in night.best("life")] == [12, 6]
    assert [each.points for each in night.best("college")] == [6, 6]
    assert night.best("cathedral") == []


async def test_games_count_that_two_keys_have_played() -> None:
    """Not those against guests or AI players alone, nor with changed rules; but all who played are named."""
    played = Played()
    for one in (
        result((ANA, 1), (GUEST, 2)),
        result((ANA, 1), (HARD, 2)),
        replace(result((ANA, 1), (CY, 2)), rated_as=""),
    ):
        await played.finish(one, at=at(22, 1))
    await played.finish(replace(result(), abandoned=True), at=at(22, 1))
    await played.finish("{}", at=at(22, 1))
    night = await seasons(played, at(22, 3)).tonight()
    assert night.best(None) == []
    assert night.games == 3
    assert night.people() == [("ana", 3), ("", 1), (":cy", 1)]


async def test_two_keys_of_one_name_are_two_people() -> None:
    """Guests have nothing but a name; the last name of a key is the one that is told."""
    played = Played()
    first, second, guest = (
        replace(result((ANA, 1), (CY, 2)).finishes[0], key=key, name=name)
        for key, name in (("account:1", "sam"), ("account:2", "sam"), (GUEST, "sam"))
    )
    await played.finish(replace(result(), finishes=(first, second, guest)), at=at(22, 1))
    await played.finish(replace(result(), finishes=(replace(first, name="max"), guest)), at=at(22, 2))
    night = await seasons(played, at(22, 3)).tonight()
    assert night.people() == [("max", 2), ("sam", 2), ("sam", 1)]


async def test_games_are_found_by_their_time() -> None:
    """Though they are read in several pieces; also if the clock was put back."""
    times = list(moments())
    assert len(times) > 3 * PIECE
    played = Played()
    for when in times:
        await played.finish(result((ANA, 1), (BO, 2)), at=when)
    await played.standings.count_all()
    for when in (times[0], times[17], times[-1], times[-1] + 1):
        assert await last_before(played.log, when) == sum(other < when for other in times)
    await played.finish(result((ANA, 1), (BO, 2)), at=times[-1] - 40 * 24 * HOUR)
    found = seasons(played, at(22, 23))
    assert (await found.night(date(2026, 11, 20))).games == sum(at(20, 0) <= when < at(21, 0) for when in times)
    assert (await found.tonight()).games == sum(when >= at(22, 0) for when in times)


def moments() -> Iterator[float]:
    """Times of games, one after the other, up to the evening of the 22nd."""
    chance, now = Random(1), at(18, 0)
    while now < at(22, 20):
        yield now
        now += chance.expovariate(6 / HOUR)


async def test_a_period_as_text_and_as_json() -> None:
    """Equal scores share a place; after few games there is no place, and a mark, in words for a screen reader."""
    played = Played()
    for _ in range(5):
        await played.finish(result((ANA, 1), (BO, 1), drawn=True), at=at(22, 1))
    await played.finish(result((ANA, 2), (CY, 1)), at=at(22, 2))
    night = await seasons(played, at(22, 3)).tonight()
    best = best_of_period(night.best(None), BO)
    assert [(each.place, each.name, each.you, each.score, each.provisional) for each in best] == [
        (1, ":cy", False, 6.6, True),
        (2, ":bo", True, 6.0, False),
        (3, "ana", False, 5.7, False),
    ]
    title, first, *_, note = period_lines("Tonight", best)
    assert (title, first.split()) == ("Tonight", [":cy", "6.6?", "1", "game,", "1", "won"])
    assert "fewer than 5 games" in note
    assert period_lines("Tonight", best, drawn=False)[1] == ":cy: 6.6; 1 game so far, 1 won."
    assert period_lines("Tonight", [])[0].startswith("Tonight: no rated games")
    assert night_line(night) == "2026-11-22: 6 games, 3 players; best: :bo (6.0)"
