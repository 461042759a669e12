"""TLS on bytes that come and go by way of a `ThrottledTransport`: no sockets here.

asyncio's own TLS would put itself between the socket and the limits of a connection.
"""

import ssl
from contextlib import suppress
from typing import Final

AT_ONCE: Final = 65_536
"""Bytes decrypted in one piece."""


def context_of(certificate: str, key: str) -> ssl.SSLContext:
    """The server's side of TLS with this certificate. Raises OSError, also if the files are no certificate and key."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["http/1.1"])
    return context


class Tls:
    """The server's side of one connection."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._ssl = context.wrap_bio(self._in, self._out, server_side=True)

    def received(self, data: bytes) -> bytes:
        """What has come in clear, once the two sides have agreed. Raises ssl.SSLError for what is no TLS."""
        self._in.write(data)
        clear = b""
        with suppress(ssl.SSLWantReadError):
            while piece := self._ssl.read(AT_ONCE):  # it agrees with the other side first
                clear += piece
        return clear

    def to_send(self, clear: bytes) -> bytes:
        """What is to be sent now, with this in it: nothing is, before something has come in clear."""
        if clear:
            self._ssl.write(clear)
        return self._out.read()
