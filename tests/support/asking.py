"""Somebody who gives commands without a connection: a `Context` for tests."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from server.commands.registry import Where
from server.commands.typed_line import ParsedCommand, parse
from server.config import Config
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.render.scene import Scene
from server.storage.table_log import MemoryLog
from server.table.snapshot import Snapshot

OP = "SHA256:" + "A" * 43


@dataclass
class Asking:
    """Where somebody is, and what they see there."""

    place: Where = "lobby"
    scene: Scene = field(default_factory=lambda: Scene("ana"))
    is_op: bool = False
    lobby: Lobby = field(default_factory=lambda: Lobby(Config(ops=(OP,)), MemoryLog()))
    player: Player = field(default_factory=lambda: Player("guest", "ana"))

    @property
    def snapshot(self) -> Snapshot | None:
        """The table they see."""
        return self.scene.snapshot

    @property
    def caller(self) -> Caller:
        """The connection of an op, or of a guest."""
        return Caller("ana", OP if self.is_op else None)


def answer(context: Asking, line: str) -> Sequence[str]:
    """The answer to a command."""
    meant = parse(line, context)
    assert isinstance(meant, ParsedCommand)
    return asyncio.run(meant.command.handler(context, meant.rest)).lines
