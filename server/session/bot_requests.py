"""What a feature adds to the requests of bots, and lines of bytes.

What bots are asked and told besides is in the room of their protocol.
"""

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from msgspec import Struct

from server.limits import BOT_LINE
from server.player.player_session import PlayerSession


class Request(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """What a bot asks for."""


class BotMessage(Struct, frozen=True, tag_field="type", tag=str.lower):
    """What a bot is told."""


class BotRequest(Struct, frozen=True):
    """A request that a feature carries out."""

    kind: type[Request]
    answer: Callable[[PlayerSession, Any], Awaitable[BotMessage]]
    """Carries it out for a bot's session. Returns what the bot is told. Raises InputError."""


class LineSplitter:
    """Splits bytes into lines. Of a line that is too long it keeps just enough to show that."""

    def __init__(self) -> None:
        self._unfinished = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The lines that end in these bytes, except empty ones."""
        *lines, rest = (self._unfinished + data).split(b"\n")
        self._unfinished = rest[: BOT_LINE + 1]
        yield from (line for line in lines if line.strip())
