"""The features of the program, one a line. Without its line and its folder the program works without it."""

from collections.abc import Collection
from importlib import import_module
from pkgutil import resolve_name
from typing import Final

from server.extension import Features

FEATURES: Final[tuple[str, ...]] = (
    "rankings",
    "own_page",
    "linking",
    "seasons",
    "tournament",
    "lesson",
    "plain_questions",
    "daily",
    "puzzles",
    "review",
    "replay",
    "board",
    "lan",
    "console",
    "telnet",
    "web",
    "bot_protocol",
    "database_move",
    "doctor",
    "moderation",
    "returning_guests",
    "privacy",
    "timed_backups",
    "proxy_protocol",
    "retention",
    "alarms",
    "blocked_loop",
    "damage_check",
    "metrics",
    "keeper",
    "cluster",
    "postgres",
)
"""The names of their packages, in the order in which help lists their commands."""
ALL: Final = "all"
"""Stands for every feature but bots where features are left out: a small server has its players and theirs."""
BOTS: Final = "bot_protocol"
"""The feature that is left out by its own name alone."""
BEGINS: Final = "keeper"
"""The feature that keeps the processes of servers: if it is here, the program begins with its module `begin`."""


def is_left_out(name: str, without: Collection[str]) -> bool:
    """Whether a server without these leaves out the feature of this name."""
    return name in without or (ALL in without and name != BOTS)


def load(without: Collection[str] = ()) -> Features:
    """Import the features, without those that are to be left out."""
    lines = {
        name: getattr(import_module(f"server.{name}"), "COMMAND_LINE", None)
        for name in FEATURES
        if not is_left_out(name, without)
    }
    places = [line.feature if line else f"server.{name}.{name}:FEATURE" for name, line in lines.items()]
    return Features(tuple(resolve_name(place) for place in places if place))
