"""What a player is told who names a table that does not exist."""

from collections.abc import Sequence
from typing import Final

from engine.errors import InputError
from engine.wording.phrases import listed, sentence_case

NUMBERS_TOLD: Final = 8
"""The player is told the numbers of all tables, unless there are more."""


def no_such_table(text: str, numbers: Sequence[int]) -> InputError:
    """The error for the player's text, if the lobby lists the tables with these numbers."""
    there = _there_are([str(number) for number in numbers])
    which = f"no table {text[:20]!r}: {there}" if text else f"which table? {sentence_case(there)}"
    return InputError("no_such_table", which)


def _there_are(numbers: Sequence[str]) -> str:
    if not numbers:
        return "there are none; new opens one"
    if len(numbers) > NUMBERS_TOLD:
        return f"type tables to see all {len(numbers)}"
    return f"there are tables {listed(numbers, 'and')}" if len(numbers) > 1 else f"the only one is table {numbers[0]}"
