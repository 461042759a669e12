"""Sends messages to the other processes of this server, and hears theirs.

A message is ignored if it cannot be read, comes from a newer version, or has characters that no line may show. The
first one is logged.
"""

import asyncio
import re
from collections.abc import Callable, Iterable
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
PLAIN: Final = re.compile(r'(?:[^\\]|\\["\\])*+')
"""JSON that escapes no characters but quotes and backslashes: texts that were cleaned have no others to escape."""

log = structlog.get_logger("quatch.channel")

M = TypeVar("M", bound=Message)
T = TypeVar("T")


def loop_time() -> float:
    """The time by which this process tells how long ago something was: no clock of the system puts it back."""
    return asyncio.get_running_loop().time()


def in_parts(items: Iterable[T]) -> list[list[T]]:
    """These items in lists that fit into a message each."""
    parts, room = list[list[T]](), 0
    for item in items:
        size = len(json.encode(item)) + 1
        if size > room:
            parts.append([])
            room = ROOM_BYTES
        parts[-1].append(item)
        room -= size
    return parts


def _plain(text: str) -> str:
    """The text of a message. Raises ValueError if it has characters that no line may show."""
    if not (text.isprintable() and PLAIN.fullmatch(text)):
        raise ValueError("characters that no line may show")
    return text


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
        """How many messages were ignored."""
        self._store = store
        self._handlers = dict[type, Callable[[Origin, Any], object]]()
        self._decoder: json.Decoder[_Envelope[Any]]

    def open(self) -> None:
        super().open()
        self._store.tell_message = self.hear

    async def close(self) -> None:
        self._store.tell_message = lambda _: None

    def on(self, kind: type[M], handler: Callable[[Origin, M], object]) -> None:
        self._handlers[kind] = handler
        self._decoder = json.Decoder(_Envelope[Union[*self._handlers]])  # type: ignore[valid-type]

    def tell(self, message: Message) -> None:
        if self.others:
            self.send(message)

    def send(self, message: Message) -> None:
        """See `Peers`."""
        envelope = _Envelope(VERSION, self.process, loop_time(), message)
        self._store.send(json.encode(envelope).decode())

    def hear(self, text: str) -> None:
        """Take a message of another process, unless it is ``to`` another one than this."""
        try:
            envelope = self._decoder.decode(_plain(text))
            if getattr(envelope.message, "to", self.process) == self.process:
                self._handlers[type(envelope.message)](Origin(envelope.process, envelope.at), envelope.message)
        except (DecodeError, ValueError) as error:
            self.ignored += 1
            if self.ignored == 1:
                log.warning("message ignored, as others will be", problem=clean(str(error)), message=clean(text, 60))
        except Exception:
            log.exception("message not handled")
