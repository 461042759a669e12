"""Parses the bytes of a telnet connection into typed text and telnet commands (RFC 854, 855).

Pure and bounded: it never keeps more than one short subnegotiation, and the result does not depend on how the bytes
are split into pieces.
"""

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import Struct

SUBNEGOTIATION: Final = 256
"""Bytes in one subnegotiation; the longest honest one is a list of character sets."""
IAC: Final = 255
DONT: Final = 254
DO: Final = 253
WONT: Final = 252
WILL: Final = 251
SB: Final = 250
SE: Final = 240
ARE_YOU_THERE: Final = 246

_KEYS: Final = {236: b"\x04", 238: b"\x03", 243: b"\x03", 244: b"\x03", 247: b"\x7f", 248: b"\x15", IAC: b"\xff"}
"""Commands that stand for a key: end of file, abort, break, interrupt, erase character, erase line; and a byte 255."""
_TOKEN: Final = re.compile(rb"[^\xff]+|\xff[\xfb-\xfe].|\xff[^\xfb-\xfe]", re.DOTALL)
"""Text, a verb with its option, another command."""
_LINE_END: Final = re.compile(rb"\r[\n\0]?|\n")
_CR, _LF, _NUL = 13, 10, 0
_TO_ENCODE: Final = re.compile(rb"\r\n|[\r\n\xff]")
_ESCAPED: Final = {b"\r\n": b"\r\n", b"\r": b"\r\0", b"\n": b"\r\n", b"\xff": b"\xff\xff"}


class Verb(Struct, frozen=True):
    """DO, DONT, WILL or WONT with its option."""

    verb: int
    option: int


class Subnegotiation(Struct, frozen=True):
    """What the client says about an option that both sides have agreed on."""

    option: int
    content: bytes


class TelnetCommand(Struct, frozen=True):
    """Another telnet command, such as "are you there"."""

    code: int


Item: TypeAlias = bytes | Verb | Subnegotiation | TelnetCommand


class SubnegotiationTooLong(ValueError):
    """A subnegotiation that does not end; no honest client sends one."""


class Parser:
    """One connection's input. `feed` takes bytes as they come and yields what they mean."""

    def __init__(self) -> None:
        self._rest = b""
        """The start of a command whose end has not come yet."""
        self._after_return = False
        self._content: bytearray | None = None
        """What has come of a subnegotiation; None outside."""

    def feed(self, data: bytes) -> Iterator[Item]:
        """Yield each complete item; a line end (CR LF, CR NUL or LF) becomes one CR. Raises SubnegotiationTooLong."""
        data, end, text = self._rest + data, 0, b""
        while token := _TOKEN.match(data, end):
            end = token.end()
            item = self._said(token[0]) if self._content is not None else self._meant(token[0])
            if isinstance(item, bytes):
                text += item
                continue
            if text:
                yield text
                text = b""
            yield item
        self._rest = data[end:]
        if text:
            yield text

    def _meant(self, token: bytes) -> Item:
        """What text or a command means; empty for the start of a subnegotiation."""
        after_return, self._after_return = self._after_return, False
        if token[0] != IAC:
            self._after_return = token[-1] == _CR
            rest_of_line_end = after_return and token[0] in {_LF, _NUL}
            return _LINE_END.sub(b"\r", token[rest_of_line_end:])
        _, command, *option = token
        if option:
            return Verb(command, *option)
        if command == SB:
            self._content = bytearray()
            return b""
        return _KEYS.get(command) or TelnetCommand(command)

    def _said(self, token: bytes) -> Item:
        """What text or a command means inside a subnegotiation: nothing before its end."""
        assert self._content is not None  # noqa: S101 - only called inside
        if token[0] != IAC:
            self._content += token
            if len(self._content) > SUBNEGOTIATION + 1:
                raise SubnegotiationTooLong(f"a subnegotiation of more than {SUBNEGOTIATION} bytes")
            return b""
        if token[1] == IAC:
            if len(self._content) <= SUBNEGOTIATION:
                self._content.append(IAC)
            return b""
        content, self._content = bytes(self._content), None
        if token[1] == SE:
            return Subnegotiation(content[0], content[1:]) if content else b""
        # Another command breaks the subnegotiation off: it is void, and the command counts.
        return self._meant(token)


def encode_output(data: bytes) -> bytes:
    r"""Encode output for telnet: a line ends in CR LF, a lone CR becomes CR NUL, a byte 255 is doubled.

    >>> encode_output(b"one\ntwo\r\n\rthree\xff")
    b'one\r\ntwo\r\n\r\x00three\xff\xff'
    """
    return _TO_ENCODE.sub(lambda found: _ESCAPED[found[0]], data)
