"""A player who gives commands without a connection: a `Context` for tests."""

import asyncio
from collections.abc import Sequence

from server.commands.registry import ExecContext, Where
from server.commands.typed_line import ParsedCommand, parse
from server.config import Config
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.render.scene import Scene
from server.storage.memory_log import MemoryLog

OP = "SHA256:" + "A" * 43


class Asking(ExecContext):
    """Where a player is, and what they see there; an op, or a guest."""

    def __init__(self, location_name: Where = "lobby", scene: Scene | None = None, *, is_op: bool = False) -> None:
        scene = scene or Scene("ana")
        lobby, caller = Lobby(Config(ops=(OP,)), MemoryLog()), Caller("ana", OP if is_op else None)
        super().__init__(lobby, caller, Player("guest", "ana"), scene, location_name, scene.snapshot)


def answer(context: ExecContext, line: str) -> Sequence[str]:
    """The answer to a command."""
    meant = parse(line, context)
    assert isinstance(meant, ParsedCommand)
    said = asyncio.run(meant.command.handler(context, meant.rest))
    return said.lines if said else ()
