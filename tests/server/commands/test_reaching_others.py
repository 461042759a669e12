"""Which commands reach other players: each is known to reach those in other processes of the server, too."""

import ast
import inspect
from collections.abc import Iterator
from textwrap import dedent
from types import ModuleType
from typing import Final

import pytest

from server.commands.registry import Command
from tests.support.features import COMMANDS
from tests.support.sources import modules

TESTED: Final = {
    *("who", "uptime", "say", "tell", "invite", "kick", "ban", "mute", "announce", "drain", "nodes", "people"),
    # These only name a player who is found as `tell` or `ban` finds them, or look up a sanction as `ban` and `mute` do.
    *("ignore", "reseat", "unban", "unmute", "bans", "cut", "report", "meet", "export", "usage", "forget"),
    *("play", "new", "sit", "watch", "ask", "start", "decline"),
}
"""Commands that reach other players by `Visitors`, `Peers` or sanctions. `test_one_server` gives them in one
process to players in another; one that is new goes there, too."""
DOORS: Final = {"visitors", "find_player", "peers", "bans", "mutes", "kinds", "take_turn_to_talk", "drain"}
"""What leads to other players: attributes of `Lobby`, `Names`, `Imposed` and `PlayerSession`."""
LOCAL: Final = {"here", "announce_here"}
"""The attributes of `Visitors` that leave out players in other processes."""


def doors_of(each: Command) -> set[str]:
    """The doors that a command goes through, in its handler or in the functions of `server` that this names."""
    seen, waiting, found = set[object](), [each.handler], set[str]()
    followed = ("server.commands", "server.player", each.handler.__module__.rpartition(".")[0])
    while waiting:
        function = waiting.pop()
        seen.add(function)
        tree = ast.parse(dedent(inspect.getsource(function)))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        found |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & DOORS
        module = inspect.getmodule(function)
        assert isinstance(module, ModuleType)
        for name in names & vars(module).keys():
            other = vars(module)[name]
            if inspect.isfunction(other) and other.__module__.startswith(followed):
                waiting += [other] * (other not in seen)
    return found


@pytest.mark.features("moderation")
def test_a_command_that_reaches_others_is_tested_with_two_processes() -> None:
    """A new one is found here by itself."""
    assert {each.name for each in COMMANDS if doors_of(each)} == TESTED & {each.name for each in COMMANDS}


def locally(tree: ast.AST) -> Iterator[str]:
    """The attributes of `Visitors` that are used here and leave out players in other processes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in LOCAL:
            owner = node.value
            if isinstance(owner, ast.Attribute) and owner.attr == "visitors":
                yield node.attr


@pytest.mark.parametrize("package", ["commands", "player", "session"])
def test_what_players_do_asks_for_all_players_not_for_those_here(package: str) -> None:
    """But for what ends or counts sessions of this process, and whom guests ignore: of them nothing is kept."""
    found = {(module, name) for module, tree in modules("server", rf"server\.{package}\.") for name in locally(tree)}
    assert found <= {
        ("server.commands.admin", "here"),
        ("server.player.player_session", "here"),
        ("server.player.player_session", "here"),
    }
