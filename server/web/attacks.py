"""The attacks of `quatch bench attacks` that come over HTTP and web sockets."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from server.bench.attackers import Attack, pour

_pour: Final = partial(pour, carrier="web")
_GET: Final = b"GET / HTTP/1.1\r\nHost: attack\r\n\r\n"
_UPGRADE: Final = (
    b"GET /play HTTP/1.1\r\nHost: attack\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def _frame(message: bytes) -> bytes:
    """A whole message as browsers send it (RFC 6455, 5.2), masked with zeros, which leave it as it is."""
    size = len(message)
    length = bytes((0x80 | size,)) if size < 126 else bytes((0x80 | 126,)) + size.to_bytes(2)
    return b"\x81" + length + bytes(4) + message


_HELLO: Final = _UPGRADE + _frame(b'{"type":"hello","name":"attack","token":"","columns":40}')

ATTACKS: Final[Mapping[str, Attack]] = {
    "62 web silent": Attack(_pour(b"GET / HT"), 200, 1),
    "62 web pages": Attack(_pour(b"", _GET), 16),
    "62 web headers": Attack(_pour(b"GET / HTTP/1.1\r\n", b"X-More: " + b"x" * 1_000 + b"\r\n"), 8),
    "63 web sockets": Attack(_pour(_HELLO), 60, 1),
    "63 web lines": Attack(_pour(_HELLO, _frame(b'{"type":"type","line":"who"}') * 200), 8),
    "63 web nonsense": Attack(_pour(_UPGRADE, _frame(b"[[[[") * 200), 8),
    "63 web large messages": Attack(_pour(_UPGRADE, _frame(b"x" * 60_000)), 8),
    "63 web questions": Attack(_pour(_HELLO, _frame(b"") * 500), 8),
    "64 web reads nothing": Attack(_pour(_HELLO, _frame(b'{"type":"type","line":"rules life"}') * 100, reads=False), 8),
}
