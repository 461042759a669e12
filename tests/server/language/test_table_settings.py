"""The settings of a new table, as typed."""

import pytest

from engine.errors import InputError
from server.config import Config
from server.language.table_settings import read_table_settings
from server.rulebook import Rulebook


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("sets=3", "did you mean seats=...?"),
        ("pickup.by_chioce=true", "did you mean pickup.by_choice=...?"),
        ("frob=3", "there are seats, level, clock, "),
    ],
)
def test_an_unknown_option_is_answered_with_a_like_one_or_with_all(typed: str, said: str) -> None:
    """One that is not like it would lead away."""
    with pytest.raises(InputError) as caught:
        read_table_settings(typed, Rulebook(), Config())
    assert said in caught.value.message
