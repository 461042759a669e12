"""The PROXY protocol, versions 1 and 2 (haproxy.org, proxy-protocol.txt): for which client a proxy speaks.

Pure and bounded. Which proxies to believe is decided in `net/listener.py`: any client can send such a header.
What it must not know: what the connections carry.
"""

from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from server.addresses import Address
from server.features import Feature
from server.net.listener import Introduces

MOST_BYTES: Final = 512
"""Bytes after the fixed part of a header; the longest addresses take 216."""
_V1: Final = b"PROXY "
_V1_LENGTH: Final = 107
_V2: Final = b"\r\n\r\n\0\r\nQUIT\n"
_V2_FIXED: Final = 16
_LOCAL, _PROXIED = 0x20, 0x21
_ADDRESS_SIZES: Final = {0x11: 4, 0x21: 16}
"""Bytes of one address, for TCP over IPv4 and over IPv6."""


class BadHeader(ValueError):
    """No PROXY header, a malformed one, or one that is too long."""


class ProxyHeader:
    """The header at the start of one connection."""

    def __init__(self) -> None:
        self._received = b""
        self.address: Address | None = None
        """The client's address; None if the proxy speaks for itself or does not say."""

    def feed(self, data: bytes) -> bytes | None:
        """Take bytes as they come. None until the header is whole, then the bytes behind it. Raises BadHeader."""
        self._received += data
        received = self._received
        if received[: len(_V2)] == _V2[: len(received)]:
            return self._version_2(received)
        if received[: len(_V1)] == _V1[: len(received)]:
            return self._version_1(received)
        raise BadHeader("no PROXY header")

    def _version_1(self, received: bytes) -> bytes | None:
        line, end, rest = received.partition(b"\r\n")
        if not end or len(line) > _V1_LENGTH - 2:
            if len(received) >= _V1_LENGTH:
                raise BadHeader("a PROXY line that does not end")
            return None
        fields = line.split(b" ")
        if fields[1] == b"UNKNOWN":
            return rest
        if len(fields) != 6 or fields[1] not in {b"TCP4", b"TCP6"} or not all(map(_is_port, fields[4:])):
            raise BadHeader("a PROXY line with wrong fields")
        address_type = IPv4Address if fields[1] == b"TCP4" else IPv6Address
        try:
            self.address = address_type(fields[2].decode("ascii"))
            address_type(fields[3].decode("ascii"))
        except ValueError:
            raise BadHeader("a PROXY line with a malformed address") from None
        return rest

    def _version_2(self, received: bytes) -> bytes | None:
        if len(received) < _V2_FIXED:
            return None
        command, family, length = received[12], received[13], int.from_bytes(received[14:_V2_FIXED])
        if command not in {_LOCAL, _PROXIED} or length > MOST_BYTES:
            raise BadHeader("a PROXY header of an unknown kind or length")
        if len(received) < _V2_FIXED + length:
            return None
        if command == _PROXIED and (size := _ADDRESS_SIZES.get(family)):
            # The source comes first, then the destination and two ports; extensions may follow.
            if length < 2 * size + 4:
                raise BadHeader("a PROXY header that is shorter than its addresses")
            self.address = ip_address(received[_V2_FIXED : _V2_FIXED + size])
        return received[_V2_FIXED + length :]


def _is_port(field: bytes) -> bool:
    return field.isdigit() and len(field) <= 5 and int(field) <= 65535


FEATURE: Final = Feature("proxy_protocol", (Introduces(ProxyHeader),))
