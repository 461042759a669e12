"""One row of the tables of what people say, and what it may need to know."""

from collections.abc import Callable
from typing import Final, NamedTuple

from engine.rules import Rules
from engine.rulesets import DEFAULT
from server.commands.registry import Context
from server.language.parsing import RANK_WORDS
from server.render.scene import Teaches

RANK: Final = f"{'|'.join(RANK_WORDS)}|10|[2-9jqk]"
"""A pattern for a rank as it is said."""
GAME: Final = "table watching"
"""The kinds of places at a table."""
EVERYWHERE: Final = f"lobby shell record exercise {GAME}"
"""The same as all places, for what means more than a sentence that fits as well."""


class Sentence(NamedTuple):
    """Sentences that mean the same."""

    said: str
    """A pattern, which is looked for in the line as `meaning` compares it."""
    means: str | Callable[[Context, str], str]
    r"""What they mean, or what finds it for the line that was typed: an answer, which ends with a full stop, or a line
    to carry out instead, where \1 stands for the first group. Empty if they mean nothing here."""
    where: str = ""
    """The kinds of places where they mean it; empty for all."""
    to_others: bool = False
    """Whether they are said to others rather, if there are others."""


def rules_here(context: Context) -> Rules:
    """The rules of the table, or the usual ones."""
    return context.snapshot.rules if context.snapshot is not None else context.lobby.rulebook.find(DEFAULT)


def lesson_here(context: Context) -> Teaches | None:
    """What teaches the game; None if nothing does."""
    return next(iter(context.lobby.features.all(Teaches)), None)
