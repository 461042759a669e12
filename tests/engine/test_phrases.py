"""Numbers and lists in sentences."""

import pytest

from engine.wording.phrases import quantity


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 minutes"), (1, "1 minute"), (1.0, "1 minute"), (2, "2 minutes"), (2.5, "2.5 minutes")]
)
def test_one_is_singular(count: float, text: str) -> None:
    """And everything else is not."""
    assert quantity(count, "minute") == text
