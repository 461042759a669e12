"""The day of a daily deal, which deals are fit for it, how its games are compared, and days in a row."""

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction
from random import Random

import pytest

from server.daily.choice import fitness, is_open, skill_shown
from server.daily.deal import (
    DailyScore,
    Day,
    daily_commitment,
    daily_game_id,
    day_at,
    day_before,
    middle,
    percent,
    seed_of,
)
from server.daily.results import DailyStreak
from server.typed_json import read_versioned, write_versioned
from tests.support.each import for_each

BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3"


def at(text: str) -> float:
    """A time in UTC, in seconds since 1970."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


@pytest.fixture(autouse=True)
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The server's clock is that of Berlin, an hour before UTC in winter."""
    monkeypatch.setenv("TZ", BERLIN)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@for_each(
    ("now", "date", "ends"),
    [
        ("2026-11-22T03:59:59", "2026-11-21", "2026-11-22T04:00:00"),
        ("2026-11-22T04:00:00", "2026-11-22", "2026-11-23T04:00:00"),
        ("2026-11-22T23:30:00", "2026-11-22", "2026-11-23T04:00:00"),
        ("2026-12-31T23:30:00", "2026-12-31", "2027-01-01T04:00:00"),
        ("2026-03-28T12:00:00", "2026-03-28", "2026-03-29T03:00:00"),
        ("2026-10-24T12:00:00", "2026-10-24", "2026-10-25T04:00:00"),
    ],
)
def test_a_day_begins_at_five_by_the_clock_of_the_server(now: str, date: str, ends: str) -> None:
    """So that an evening is one day; also if the clock changes in that night."""
    assert day_at(at(now)) == Day(date, at(ends))


def test_the_number_of_a_deal_grows_by_one_a_day() -> None:
    """It names the deal, whatever date it is elsewhere."""
    today, tomorrow = day_at(at("2026-11-22T12:00:00")), day_at(at("2026-11-23T12:00:00"))
    assert (today.number, tomorrow.number, today.title) == (326, 327, "Daily deal 326")
    assert day_before(tomorrow.date) == today.date
    assert day_before("2027-01-01") == "2026-12-31"


def test_seeds_ids_and_commitments_are_the_same_for_ever() -> None:
    """These values were computed once: every version, machine and Python deals the same."""
    seed = seed_of("secret", "2026-11-22")
    assert seed == "d410535cfe8d44f7b7b83734f52356323daef987ba0b459ea1635444ec65ae6a"
    assert seed != seed_of("secret", "2026-11-23")
    assert seed != seed_of("another", "2026-11-22")
    assert daily_game_id(seed, "account:ana") == "YTMYQ17X"
    assert daily_commitment("2026-11-22", seed) == "d946f4405eb4f82836f5dc51cec2a41fdd67a6ba41215200c0328c8d21e3b9fb"


def random_scores(chance: Random, number: int) -> list[DailyScore]:
    """Scores of which some tie."""
    return [DailyScore(chance.randint(1, 4), chance.randint(-3, 3), chance.randint(9, 11)) for _ in range(number)]


@for_each("seed", range(20))
def test_with_equal_weights_the_scores_of_a_field_average_exactly_50(seed: int) -> None:
    """As bridge matchpoints do: what one has beaten another has lost."""
    chance = Random(seed)
    field = random_scores(chance, chance.randint(2, 30))
    orders = sorted(score.order for score in field)
    percents = [percent(order, orders, [], order) for order in orders]
    assert sum(filter(None, percents), Fraction()) / len(field) == 50


def test_the_cards_count_before_the_turns() -> None:
    """A tie counts half, and a score without a field is none."""
    best = DailyScore(1, 20, 15)
    worse = [DailyScore(1, 20, 16), DailyScore(1, 19, 9), DailyScore(3, -1, 9), DailyScore(2, -2, 9)]
    assert sorted([*worse[::-1], best], key=lambda score: score.order) == [best, *worse]
    orders = [score.order for score in (best, *worse)]
    assert [percent(order, orders, [], order) for order in orders[:2]] == [100, Fraction(75)]
    assert percent(best.order, [best.order, best.order], [], best.order) == 50
    assert percent(best.order, [best.order], [], best.order) is None


def test_forty_games_of_ai_players_count_as_twenty_people() -> None:
    """So the first player of the day has a score, and ten people more move it by a third of the field."""
    good, bad = DailyScore(1, 20, 15).order, DailyScore(4, -9, 30).order
    ai = [good] * 10 + [bad] * 30
    middle = DailyScore(2, -3, 20).order
    assert percent(middle, [middle], ai, middle) == 75
    assert percent(middle, [*[good] * 10, middle], ai, middle) == 50


def test_a_second_game_is_not_compared_with_the_players_own_first_one() -> None:
    """Whether that was better, worse or equal."""
    own, other, again = (DailyScore(2, margin, 9).order for margin in (-3, -2, -2))
    assert percent(again, [other, own], [], own) == 50
    assert percent(own, [other, own], [], own) == 0
    assert percent(own, [again, other], [], again) == 0
    assert percent(again, [own], [], own) is None


def test_par_is_the_middle_one_of_an_odd_number_of_games() -> None:
    """One that went badly does not decide it, as one game alone did."""
    good, bad, best = DailyScore(1, 9, 20), DailyScore(4, -20, 30), DailyScore(1, 30, 9)
    assert middle([bad, good, best]) == middle([best, bad, bad, good, good]) == good


@for_each(
    ("places", "expected"),
    [([1, 2, 3, 4], True), ([2, 3, 2, 3], False), ([1, 1, 1, 1, 2, 3], False), ([4, 4, 4, 4, 2, 3], False)],
)
def test_a_deal_is_neither_won_nor_lost_from_the_beginning(places: list[int], expected: bool) -> None:  # noqa: FBT001
    """And not always the same place in between."""
    assert is_open(places) == expected


def test_a_deal_shows_skill_if_the_strong_do_better_than_the_weak() -> None:
    """Easy, medium and hard play in turn. A fit deal is better than any other, and of two the one with more skill."""
    shows, shows_more, luck, lost = [3, 2, 2] * 5 + [1], [4, 2, 1] * 5, [1, 2, 4] * 5, [4, 4, 1] * 5
    assert skill_shown([4, 2, 1, 3, 2, 1]) == 2.5
    assert sorted([lost, luck, shows_more, shows], key=fitness) == [lost, luck, shows, shows_more]


def test_days_in_a_row_are_counted_once_each_and_end_with_a_day_left_out() -> None:
    """They go over the end of a month; today's deal can still be played."""
    streak = DailyStreak()
    for day in ("2026-10-30", "2026-10-31", "2026-11-01", "2026-11-01", "2026-10-31"):
        streak = streak.after(day)
    assert (streak.days, streak.best) == (3, 3)
    assert [streak.at(f"2026-11-0{day}") for day in (1, 2, 3)] == [3, 3, 0]
    streak = streak.after("2026-11-05")
    assert (streak.days, streak.best) == (1, 3)


def test_what_another_release_has_put_there_is_kept() -> None:
    """Also if a day is added here."""
    streak = read_versioned('{"v":1,"last":"2026-11-22","days":9,"later":{"a":[1,"two"]}}', DailyStreak).after(
        "2026-11-23"
    )
    assert (streak.days, json.loads(write_versioned(streak))["later"]) == (10, {"a": [1, "two"]})
