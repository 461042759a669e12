"""The connection: how a player's terminal shows things, what it said, hanging up; and programs in a player's place."""

from collections.abc import Sequence

from server.commands.registry import COMMANDS, Command, Context
from server.people.settings import CHOICES


def settings(_: Context, before: Sequence[str]) -> list[str]:
    """Completes `set`: a setting, then what can be chosen for it."""
    match before:
        case []:
            return [*CHOICES, "pace"]
        case [key] if key in CHOICES:
            return list(CHOICES[key])
        case _:
            return []


COMMANDS.extend(
    [
        Command("again", "repeat what was said since your last line", pages=(), only_looks=True),
        Command(
            "set [KEY VALUE]",
            "your screen, lines, cards, colours, bell, pace",
            pages={"lobby", "between"},
            arguments=settings,
        ),
        Command("quit", "hang up", aliases=("exit", "bye")),
        Command("bot", "for programs: one JSON object a line", where=frozenset(), pages=(), ssh="bot"),
    ]
)
