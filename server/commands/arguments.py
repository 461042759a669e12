"""What the arguments of commands are completed from."""

from collections.abc import Sequence

from server.commands.registry import Context


def rule_sets(context: Context, before: Sequence[str]) -> list[str]:
    """The names of all rule sets, as the first argument."""
    return [] if before else list(context.lobby.rulebook.names)


def people(context: Context, before: Sequence[str]) -> list[str]:
    """The names of the people here, as the first argument."""
    return [] if before else list(context.lobby.people())
