"""What counts as a habit."""

import json

from server.review.habits import GAMES_NEEDED, Habits
from server.typed_json import read_versioned, write_versioned


def after(games: int, *mistakes: tuple[str, float]) -> Habits:
    """The habits after so many games, in the first of which these mistakes were made."""
    habits = Habits().with_game(1.0, 15, [*mistakes])  # type: ignore[list-item]
    for number in range(2, games + 1):
        habits = habits.with_game(float(number), 15, [])
    return habits


def test_a_habit_needs_twenty_games() -> None:
    """They are counted."""
    found = [("takes", 0.1)] * 5
    assert after(GAMES_NEEDED - 1, *found).worst == []
    habits = after(GAMES_NEEDED, *found)
    assert (habits.worst, habits.counted, habits.turns, habits.last) == (["takes"], 20, 300, 20.0)


def test_a_mistake_that_is_made_both_ways_is_no_habit() -> None:
    """Nor is one that was made a few times; the costliest habit comes first."""
    assert after(20, *[("high", 0.1)] * 9, *[("low", 0.1)] * 5).worst == []
    assert after(20, *[("many", 0.1)] * 4).worst == []
    assert after(20, *[("many", 0.1)] * 9, *[("takes", 0.3)] * 5).worst == ["takes", "many"]


def test_what_another_release_has_put_there_is_kept() -> None:
    """Beside the mistakes, and in each of them."""
    text = '{"v":1,"mistakes":{"high":{"times":1,"cost":0.5,"later":1},"low":{"later":[2]}},"later":"x"}'
    after = json.loads(write_versioned(read_versioned(text, Habits).with_game(1.0, 9, [("high", 0.25), ("few", 0.1)])))
    assert after["mistakes"] == {
        "high": {"times": 2, "cost": 0.75, "later": 1},
        "low": {"times": 0, "cost": 0.0, "later": [2]},
        "few": {"times": 1, "cost": 0.1},
    }
    assert after["later"] == "x"
