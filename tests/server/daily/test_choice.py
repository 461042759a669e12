"""Which deals are fit for a day, from the places of AI players."""

import pytest

from server.daily.choice import DailyChoice, fitness, is_open, skill_shown
from server.typed_json import read_versioned, write_versioned


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([1, 2, 3, 4], True),
        ([2, 3, 2, 3], False),
        ([1, 1, 1, 1, 2, 3], False),
        ([4, 4, 4, 4, 2, 3], False),
    ],
)
def test_a_deal_is_neither_won_nor_lost_from_the_beginning(places: list[int], expected: bool) -> None:  # noqa: FBT001
    """And not always the same place in between."""
    assert is_open(places) == expected


def test_a_deal_shows_skill_if_the_strong_do_better_than_the_weak() -> None:
    """Easy, medium and hard play in turn. A fit deal is better than any other, and of two the one with more skill."""
    shows, shows_more, luck, lost = [3, 2, 2] * 5 + [1], [4, 2, 1] * 5, [1, 2, 4] * 5, [4, 4, 1] * 5
    assert skill_shown([4, 2, 1, 3, 2, 1]) == 2.5
    assert sorted([lost, luck, shows_more, shows], key=fitness) == [lost, luck, shows, shows_more]


def test_a_choice_of_a_newer_version_is_not_guessed() -> None:
    """It would be another deal."""
    assert read_versioned(write_versioned(DailyChoice(candidate=7)), DailyChoice).candidate == 7
    with pytest.raises(ValueError, match="newer version"):
        read_versioned('{"v": 2, "candidate": 7}', DailyChoice)
