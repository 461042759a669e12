"""Sends messages to the other processes of this server, and hears theirs.

A message that cannot be read, comes from a newer version or from a stranger is ignored: it is counted, and the first is
logged.
"""

import asyncio
import secrets
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import structlog
from msgspec import DecodeError, Raw, Struct, field, json

from server.clean_text import clean
from server.lobby.messages import DECODER, ID_LENGTH, Message
from server.storage.table_log import TableLog

VERSION: Final = 1
"""The version of all messages. One of a newer version is ignored; a new kind or key of a message needs none."""

log = structlog.get_logger("quatch.channel")

M = TypeVar("M", bound=Message)


def loop_time() -> float:
    """The time by which this process tells how long ago something was: no clock of the system puts it back."""
    return asyncio.get_running_loop().time()


class Origin(NamedTuple):
    """Where a message comes from."""

    process: str
    at: float
    """When it was sent, by a clock of that process which nothing puts back."""


class _Envelope(Struct, frozen=True):
    v: int
    process: str = field(name="from")
    at: float
    message: Raw


_ENVELOPE: Final = json.Decoder(_Envelope)
Handler: TypeAlias = Callable[[Origin, Any], None]


class Channel:
    """This process among the others."""

    def __init__(self, store: TableLog) -> None:
        self.process = secrets.token_hex(6)
        """The name of this process among the others."""
        self.is_alone = True
        """Whether no other process is known: then nothing is worth telling."""
        self.sent = self.heard = self.ignored = 0
        """How many messages."""
        self._store = store
        self._handlers: dict[type[Message], Handler] = {}

    def open(self) -> None:
        """Begin to hear."""
        self._store.heard = self._hear

    def close(self) -> None:
        """Hear no more."""
        self._store.heard = lambda _: None

    def on(self, kind: type[M], handler: Callable[[Origin, M], None]) -> None:
        """Have messages of this kind handled. If that raises ValueError the message counts as one that is ignored."""
        self._handlers[kind] = handler

    def tell(self, message: Message) -> None:
        """Send a message, if there is anybody to hear it."""
        if not self.is_alone:
            self.send(message)

    def send(self, message: Message) -> None:
        """Send a message, also if no other process is known."""
        envelope = _Envelope(VERSION, self.process, loop_time(), Raw(json.encode(message)))
        self.sent += 1
        self._store.send(json.encode(envelope).decode())

    def _hear(self, text: str) -> None:
        try:
            envelope = _ENVELOPE.decode(text)
            if envelope.v > VERSION:
                self._ignore(text, "written by a newer version of this program")
                return
            self.heard += 1
            message = DECODER.decode(envelope.message)
            if (handler := self._handlers.get(type(message))) is not None:
                handler(Origin(clean(envelope.process, ID_LENGTH), envelope.at), message)
        except (DecodeError, ValueError) as error:
            self._ignore(text, str(error))
        except Exception:
            log.exception("message not handled")

    def _ignore(self, text: str, problem: str) -> None:
        self.ignored += 1
        if self.ignored == 1:
            log.warning("message ignored, as others will be", problem=clean(problem), message=clean(text, 60))
