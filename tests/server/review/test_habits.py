"""What counts as a habit."""

import pytest

from server.review.habits import GAMES_NEEDED, Habits, read_habits


def after(games: int, *mistakes: tuple[str, float]) -> Habits:
    """The habits after so many games, in the first of which these mistakes were made."""
    habits = Habits().with_game(1.0, 15, [*mistakes])  # type: ignore[list-item]
    for number in range(2, games + 1):
        habits = habits.with_game(float(number), 15, [])
    return habits


def test_a_habit_needs_twenty_games() -> None:
    """They are counted, and kept as text."""
    found = [("takes", 0.1)] * 5
    assert after(GAMES_NEEDED - 1, *found).worst == []
    habits = after(GAMES_NEEDED, *found)
    assert (habits.worst, habits.counted, habits.turns, habits.last) == (["takes"], 20, 300, 20.0)
    assert read_habits(habits.to_json()) == habits
    assert read_habits(None) == Habits()
    with pytest.raises(ValueError, match="newer version"):
        read_habits('{"v": 2}')


def test_a_mistake_that_is_made_both_ways_is_no_habit() -> None:
    """Nor is one that was made a few times; the costliest habit comes first."""
    assert after(20, *[("high", 0.1)] * 9, *[("low", 0.1)] * 5).worst == []
    assert after(20, *[("many", 0.1)] * 4).worst == []
    assert after(20, *[("many", 0.1)] * 9, *[("takes", 0.3)] * 5).worst == ["takes", "many"]
