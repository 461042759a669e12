"""Sends messages to the other processes of this server, and hears theirs.

A message that cannot be read, comes from a newer version or from a stranger is ignored. The first one is logged.
"""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Final, Generic, TypeVar, Union

import structlog
from msgspec import DecodeError, Meta, Struct, field, json

from server.clean_text import clean
from server.lobby.peers import Message, Origin, Peers
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


class _Envelope(Struct, Generic[M], frozen=True):
    v: Annotated[int, Meta(le=VERSION)]
    process: str = field(name="from")
    at: float
    message: M


class Channel(Peers):
    """Sends and hears the messages of this process."""

    def __init__(self, store: Database, node: str, process: str) -> None:
        """``store`` is the log that all share, ``process`` the name of this one among the others."""
        super().__init__(node)
        self.process = process
        self.ignored = 0
        """How many messages were ignored; the first is logged."""
        self._store = store
        self._handlers = dict[type, Callable[[Origin, Any], object]]()
        self._decoder: json.Decoder[_Envelope[Any]]

    def open(self) -> None:
        """Begin to hear."""
        super().open()
        self._store.tell_message = self.hear

    async def close(self) -> None:
        """Hear no more."""
        self._store.tell_message = lambda _: None

    def on(self, kind: type[M], handler: Callable[[Origin, M], object]) -> None:
        """See `Peers`."""
        self._handlers[kind] = handler
        self._decoder = json.Decoder(_Envelope[Union[*self._handlers]])  # type: ignore[valid-type]

    def tell(self, message: Message) -> None:
        """See `Peers`."""
        if self.others:
            self.send(message)

    def send(self, message: Message) -> None:
        """Send a message, also if no other process is known."""
        envelope = _Envelope(VERSION, self.process, loop_time(), message)
        self._store.send(json.encode(envelope).decode())

    def hear(self, text: str) -> None:
        """Take a message of another process."""
        try:
            envelope = self._decoder.decode(text)
            origin = Origin(clean(envelope.process, ID_LENGTH), envelope.at)
            self._handlers[type(envelope.message)](origin, envelope.message)
        except (DecodeError, ValueError) as error:
            self.ignored += 1
            if self.ignored == 1:
                log.warning("message ignored, as others will be", problem=clean(str(error)), message=clean(text, 60))
        except Exception:
            log.exception("message not handled")
