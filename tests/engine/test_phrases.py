"""Numbers and lists in sentences."""

import pytest

from engine.wording.phrases import number_range, quantity


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 minutes"), (1, "1 minute"), (1.0, "1 minute"), (2, "2 minutes"), (2.5, "2.5 minutes")]
)
def test_one_is_singular(count: float, text: str) -> None:
    """And everything else is not."""
    assert quantity(count, "minute") == text


@pytest.mark.parametrize(("least", "most", "text"), [(2, 4, "2 to 4 seats"), (2, 2, "2 seats"), (1, 1, "1 seat")])
def test_a_range_of_one_number_is_that_number(least: int, most: int, text: str) -> None:
    """As for rules that are for exactly two."""
    assert number_range(least, most, "seat") == text
