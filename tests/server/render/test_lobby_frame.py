"""The lobby's screen."""

import pytest

from server.cells import row_text
from server.render.frame import draw
from server.render.scene import Scene


@pytest.mark.parametrize(("size", "is_all"), [((60, 20), False), ((80, 24), False), ((120, 50), True)])
def test_rules_in_brief_that_do_not_fit_say_where_the_rest_is(size: tuple[int, int], is_all: bool) -> None:  # noqa: FBT001
    """In whole sentences, the most important first."""
    rows = "".join(f"{row_text(row)}\n" for row in draw(Scene("ana"), *size).rows)
    assert ("in brief: rules quatch tells all" in rows) is not is_all
    assert ("cannot be your last card." in rows) is is_all
