"""Every command: this module imports the files that declare them, in the order in which help lists them."""

from server.commands import admin, connection, games, help, identity, questions, tables, talk  # noqa: A004
from server.commands.registry import COMMANDS, find, usable

__all__ = ["COMMANDS", "find", "usable"]

_ORDER = [file.__name__ for file in (tables, games, questions, talk, identity, connection, help, admin)]

# Another module may have imported one of the files before the others.
COMMANDS.sort(key=lambda each: _ORDER.index(each.handler.__module__))
