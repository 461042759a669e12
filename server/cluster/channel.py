"""Sends messages to the other processes of this server, and hears theirs.

A message that cannot be read, comes from a newer version or from a stranger is ignored. The first one is logged.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

import structlog
from msgspec import DecodeError, Raw, Struct, field, json

from server.clean_text import clean
from server.lobby.peers import Message, Origin
from server.storage.database import MESSAGE_BYTES, Database

VERSION: Final = 1
"""The version of all messages. One of a newer version is ignored; a new kind or key of a message needs none."""

ROOM_BYTES: Final = MESSAGE_BYTES - 400
"""Room for lines or people in a message: the rest is for what stands around them."""
ID_LENGTH: Final = 80

log = structlog.get_logger("quatch.channel")

M = TypeVar("M", bound=Message)


def loop_time() -> float:
    """The time by which this process tells how long ago something was: no clock of the system puts it back."""
    return asyncio.get_running_loop().time()


class _Envelope(Struct, frozen=True):
    v: int
    process: str = field(name="from")
    at: float
    message: Raw


class _Kind(Struct, frozen=True):
    kind: str


class _Handler(NamedTuple):
    decoder: json.Decoder[Any]
    handle: Callable[[Origin, Any], object]


_ENVELOPE: Final = json.Decoder(_Envelope)
_KIND: Final = json.Decoder(_Kind)


class Channel:
    """Sends and hears the messages of this process."""

    def __init__(self, store: Database, process: str) -> None:
        self.process = process
        """The name of this process among the others."""
        self.is_alone = True
        """Whether no other process is known: then nothing is worth telling."""
        self.ignored = 0
        """How many messages were ignored; the first is logged."""
        self._store = store
        self._handlers = dict[str, _Handler]()
        """By the kind of message."""

    def open(self) -> None:
        """Begin to hear."""
        self._store.tell_message = self._hear

    def close(self) -> None:
        """Hear no more."""
        self._store.tell_message = lambda _: None

    def on(self, kind: type[M], handler: Callable[[Origin, M], object]) -> None:
        """Handle messages of this kind. If ``handler`` raises ValueError, the message is ignored."""
        self._handlers[str(kind.__struct_config__.tag)] = _Handler(json.Decoder(kind), handler)

    def tell(self, message: Message) -> None:
        """Send a message, if there is anybody to hear it."""
        if not self.is_alone:
            self.send(message)

    def send(self, message: Message) -> None:
        """Send a message, also if no other process is known."""
        envelope = _Envelope(VERSION, self.process, loop_time(), Raw(json.encode(message)))
        self._store.send(json.encode(envelope).decode())

    def _hear(self, text: str) -> None:
        try:
            self._handle(_ENVELOPE.decode(text))
        except (DecodeError, ValueError) as error:
            self.ignored += 1
            if self.ignored == 1:
                log.warning("message ignored, as others will be", problem=clean(str(error)), message=clean(text, 60))
        except Exception:
            log.exception("message not handled")

    def _handle(self, envelope: _Envelope) -> None:
        if envelope.v > VERSION:
            raise ValueError("written by a newer version of this program")
        if (handler := self._handlers.get(_KIND.decode(envelope.message).kind)) is None:
            raise ValueError("of a kind that this process does not know")
        origin = Origin(clean(envelope.process, ID_LENGTH), envelope.at)
        handler.handle(origin, handler.decoder.decode(envelope.message))
