"""What a page sends (deploy/web/README.md): one JSON object a message, each a typed request."""

import re
from typing import Final

import msgspec

from engine.errors import InputError
from server.clean_text import clean

MESSAGE: Final = 4096
"""The most bytes of one message."""
TOKEN: Final = re.compile("[A-Za-z0-9_-]{43}")
"""A token: 256 random bits, as `secrets.token_urlsafe` writes them."""


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """What a page asks for."""


class Hello(Request, frozen=True):
    """The first message of a player."""

    name: str = ""
    token: str = ""
    """As the server gave it to this browser; empty at the first visit."""
    columns: int = 0
    """How many characters of text fit beside each other."""


class Board(Request, frozen=True):
    """The first message of a big board: show it on so many columns and rows."""

    columns: int
    rows: int


class Resize(Request, frozen=True):
    """The window has another size."""

    columns: int
    rows: int


class Type(Request, frozen=True):
    """Carry out a line, as if it had been typed."""

    line: str
    at: str = ""
    """What the page showed, as in `Shown.at`; a move is refused if that is not shown any more."""


class Close(Request, frozen=True):
    """The player has read the page of text."""


class Menu(Request, frozen=True):
    """List what can be typed."""


_DECODER: Final = msgspec.json.Decoder(Hello | Board | Resize | Type | Close | Menu)


def read_request(message: bytes) -> Request:
    """Read one request. Raises InputError."""
    try:
        request: Request = _DECODER.decode(message)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError("bad_request", clean(str(error), 200)) from None
    return request
