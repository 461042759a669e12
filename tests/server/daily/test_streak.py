"""Days in a row with a finished daily deal."""

import json

import pytest

from server.daily.results import DailyStreak
from server.typed_json import read_or_new, read_versioned, write_versioned


def test_days_in_a_row_are_counted_once_each_and_end_with_a_day_left_out() -> None:
    """They go over the end of a month; today's deal can still be played. They are kept as text."""
    streak = DailyStreak()
    for day in ("2026-10-30", "2026-10-31", "2026-11-01", "2026-11-01", "2026-10-31"):
        streak = streak.after(day)
    assert (streak.days, streak.best) == (3, 3)
    assert [streak.at(f"2026-11-0{day}") for day in (1, 2, 3)] == [3, 3, 0]
    streak = streak.after("2026-11-05")
    assert (streak.days, streak.best) == (1, 3)
    assert read_versioned(write_versioned(streak), DailyStreak) == streak


def test_what_another_release_has_put_there_is_kept() -> None:
    """Also if a day is added here."""
    streak = read_versioned('{"v":1,"last":"2026-11-22","days":9,"later":{"a":[1,"two"]}}', DailyStreak).after(
        "2026-11-23"
    )
    assert (streak.days, json.loads(write_versioned(streak))["later"]) == (10, {"a": [1, "two"]})


def test_days_of_a_newer_version_are_not_begun_anew() -> None:
    """An account without a text has none."""
    assert read_or_new(None, DailyStreak).best == 0
    with pytest.raises(ValueError, match="newer version"):
        read_versioned('{"v": 2, "last": "2026-11-22", "days": 9}', DailyStreak)
