"""Parses the bytes of a telnet connection into typed text and telnet commands (RFC 854, 855).

Pure and bounded: it never keeps more than one short subnegotiation, and the result does not depend on how the bytes
are split into pieces.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from server.limits import SUBNEGOTIATION

IAC: Final = 255
DONT: Final = 254
DO: Final = 253
WONT: Final = 252
WILL: Final = 251
SB: Final = 250
SE: Final = 240
ARE_YOU_THERE: Final = 246

_KEYS: Final = {236: b"\x04", 238: b"\x03", 243: b"\x03", 244: b"\x03", 247: b"\x7f", 248: b"\x15"}
"""Commands that stand for a key: end of file, abort, break, interrupt, erase character, erase line."""
_VERBS: Final = frozenset({DO, DONT, WILL, WONT})
_CR, _LF, _NUL = 13, 10, 0
_TO_ENCODE: Final = re.compile(rb"\r\n|[\r\n\xff]")
_ESCAPED: Final = {b"\r\n": b"\r\n", b"\r": b"\r\0", b"\n": b"\r\n", b"\xff": b"\xff\xff"}


@dataclass(frozen=True, slots=True)
class Verb:
    """DO, DONT, WILL or WONT with its option."""

    verb: int
    option: int


@dataclass(frozen=True, slots=True)
class Subnegotiation:
    """What the client says about an option that both sides have agreed on."""

    option: int
    content: bytes


@dataclass(frozen=True, slots=True)
class TelnetCommand:
    """Another telnet command, such as "are you there"."""

    code: int


Item: TypeAlias = bytes | Verb | Subnegotiation | TelnetCommand


class SubnegotiationTooLong(ValueError):
    """A subnegotiation that does not end; no honest client sends one."""


class Parser:
    """One connection's input. `feed` takes bytes as they come and yields what they mean."""

    def __init__(self) -> None:
        self._take: Callable[[int], Item | None] = self._typed
        self._text = bytearray()
        self._after_return = False
        self._verb = 0
        self._content = bytearray()

    def feed(self, data: bytes) -> Iterator[Item]:
        """Yield each complete item; a line end (CR LF, CR NUL or LF) becomes one CR. Raises SubnegotiationTooLong."""
        for byte in data:
            item = self._take(byte)
            if item is not None:
                yield from self._flush()
                yield item
        yield from self._flush()

    def _flush(self) -> Iterator[bytes]:
        if self._text:
            yield bytes(self._text)
            self._text.clear()

    def _typed(self, byte: int) -> None:
        after_return, self._after_return = self._after_return, byte == _CR
        if byte == IAC:
            self._take = self._command
        elif not (after_return and byte in {_LF, _NUL}):
            self._text.append(_CR if byte == _LF else byte)

    def _command(self, byte: int) -> Item | None:
        self._take = self._typed
        if byte == IAC:
            self._text.append(IAC)
        elif byte in _VERBS:
            self._verb = byte
            self._take = self._option
        elif byte == SB:
            self._content.clear()
            self._take = self._said
        elif byte in _KEYS:
            self._text += _KEYS[byte]
        else:
            return TelnetCommand(byte)
        return None

    def _option(self, byte: int) -> Item:
        self._take = self._typed
        return Verb(self._verb, byte)

    def _said(self, byte: int) -> None:
        if byte == IAC:
            self._take = self._said_command
        elif len(self._content) > SUBNEGOTIATION:
            raise SubnegotiationTooLong(f"a subnegotiation of more than {SUBNEGOTIATION} bytes")
        else:
            self._content.append(byte)

    def _said_command(self, byte: int) -> Item | None:
        if byte == IAC:
            self._take = self._said
            if len(self._content) <= SUBNEGOTIATION:
                self._content.append(IAC)
        elif byte == SE:
            self._take = self._typed
            if self._content:
                return Subnegotiation(self._content[0], bytes(self._content[1:]))
        else:
            # Another command breaks the subnegotiation off: it is void, and the command counts.
            return self._command(byte)
        return None


def encode_output(data: bytes) -> bytes:
    r"""Encode output for telnet: a line ends in CR LF, a lone CR becomes CR NUL, a byte 255 is doubled.

    >>> encode_output(b"one\ntwo\r\n\rthree\xff")
    b'one\r\ntwo\r\n\r\x00three\xff\xff'
    """
    return _TO_ENCODE.sub(lambda found: _ESCAPED[found[0]], data)
