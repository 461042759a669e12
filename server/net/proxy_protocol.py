"""The PROXY protocol, versions 1 and 2 (haproxy.org, proxy-protocol.txt): whom a proxy speaks for.

Pure and bounded. Who may be believed is not known here: anybody can send such a header.
"""

from ipaddress import IPv4Address, IPv6Address
from typing import Final

from server.addresses import Address
from server.limits import PROXY_HEADER

_V1: Final = b"PROXY "
_V1_LENGTH: Final = 107
_V2: Final = b"\r\n\r\n\0\r\nQUIT\n"
_V2_FIXED: Final = 16
_LOCAL, _PROXIED = 0x20, 0x21
_TCP4, _TCP6 = 0x11, 0x21
_TCP4_LENGTH, _TCP6_LENGTH = 12, 36


class BadHeader(ValueError):
    """No PROXY header, a broken one, or one of a length that none needs."""


class ProxyHeader:
    """The header at the start of one connection."""

    def __init__(self) -> None:
        self._came = b""
        self.address: Address | None = None
        """Whom the proxy speaks for; None where it speaks for itself, or does not know."""

    def feed(self, data: bytes) -> bytes | None:
        """Take bytes as they come: None until the header is whole, then what follows it. Raises BadHeader."""
        self._came += data
        came = self._came
        if came[: len(_V2)] == _V2[: len(came)]:
            return self._version_2(came)
        if came[: len(_V1)] == _V1[: len(came)]:
            return self._version_1(came)
        raise BadHeader("no PROXY header")

    def _version_1(self, came: bytes) -> bytes | None:
        line, end, rest = came.partition(b"\r\n")
        if not end or len(line) > _V1_LENGTH - 2:
            if len(came) >= _V1_LENGTH:
                raise BadHeader("a PROXY line that does not end")
            return None
        words = line.split(b" ")
        if words[1] == b"UNKNOWN":
            return rest
        if len(words) != 6 or words[1] not in {b"TCP4", b"TCP6"} or not all(map(_is_port, words[4:])):
            raise BadHeader("a PROXY line with other words in it")
        kind = IPv4Address if words[1] == b"TCP4" else IPv6Address
        try:
            self.address = kind(words[2].decode("ascii"))
            kind(words[3].decode("ascii"))
        except ValueError:
            raise BadHeader("a PROXY line with no such address") from None
        return rest

    def _version_2(self, came: bytes) -> bytes | None:
        if len(came) < _V2_FIXED:
            return None
        command, family, length = came[12], came[13], int.from_bytes(came[14:_V2_FIXED])
        if command not in {_LOCAL, _PROXIED} or length > PROXY_HEADER:
            raise BadHeader("a PROXY header of an unknown kind or length")
        if len(came) < _V2_FIXED + length:
            return None
        told, rest = came[_V2_FIXED : _V2_FIXED + length], came[_V2_FIXED + length :]
        if command == _PROXIED and family == _TCP4:
            self.address = IPv4Address(_first(told, 4, _TCP4_LENGTH))
        elif command == _PROXIED and family == _TCP6:
            self.address = IPv6Address(_first(told, 16, _TCP6_LENGTH))
        return rest


def _first(told: bytes, size: int, least: int) -> bytes:
    """The source address, which comes first; extensions may follow the addresses."""
    if len(told) < least:
        raise BadHeader("a PROXY header that is shorter than its addresses")
    return told[:size]


def _is_port(word: bytes) -> bool:
    return word.isdigit() and len(word) <= 5 and int(word) <= 65535
