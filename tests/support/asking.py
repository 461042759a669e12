"""A player who gives commands without a connection: a `Context` for tests."""

import asyncio
from collections.abc import Sequence
from functools import cache

from engine.view import view_of
from server.commands.registry import ExecContext
from server.commands.typed_line import ParsedCommand, parse
from server.config import Config
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.render.scene import Scene
from server.storage.sqlite_database import MemoryDatabase
from server.table.place import LOBBY, OF_THE_CORE, Place
from server.table.snapshot import Sitter, Snapshot
from tests.support.features import FEATURES
from tests.support.positions import OTHER, at

OP = "SHA256:" + "A" * 43


class Asking(ExecContext):
    """Where a player is, and what they see there; an op, or a guest."""

    def __init__(self, place: Place = LOBBY, scene: Scene | None = None, *, is_op: bool = False) -> None:
        scene = scene or Scene("ana")
        lobby, caller = (
            Lobby(Config(ops=(OP,)), MemoryDatabase(), features=FEATURES),
            Caller("ana", OP if is_op else None),
        )
        super().__init__(lobby, caller, Player("guest", "ana"), scene, place, scene.snapshot)


def answer(context: ExecContext, line: str) -> Sequence[str]:
    """The answer to a command."""
    meant = parse(line, context)
    assert isinstance(meant, ParsedCommand)
    said = asyncio.run(meant.command.handler(context, meant.rest))
    return said.lines if said else ()


def meant(typed: str, context: ExecContext) -> str:
    """The name of the command that is meant by what a player types."""
    command = parse(typed, context)
    assert isinstance(command, ParsedCommand)
    return command.command.name


def asking(location: str, *, is_op: bool = False, drawn: bool = True) -> Asking:
    """A player in a location, with what they see there."""
    place = next(each for each in (*OF_THE_CORE, *FEATURES.all(Place)) if each.name == location)
    if place == LOBBY:
        return Asking(place, Scene("ana", drawn=drawn), is_op=is_op)
    view = view_of(at("quatch", "hand 7c Kh", OTHER, pile="4d"), None if place.kind in {"watching", "record"} else 0)
    snapshot = Snapshot(1, view.rules, view.seat, (Sitter("ana"), Sitter("bo")), view, 1, place=place)
    return Asking(place, Scene("ana", snapshot=snapshot, drawn=drawn), is_op=is_op)


@cache
def placed(location: str, *, is_op: bool = False) -> Asking:
    """The same player for all tests that ask there and change nothing."""
    return asking(location, is_op=is_op)
