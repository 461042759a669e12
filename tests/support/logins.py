"""Logins for tests, request by request: a server's side of a connection whose key exchange is over, fed with bytes.

What the carrier and asyncssh do with these bytes is what they always do; only the ciphers are left out.
"""

import asyncio
import base64
import hashlib
import os
import struct
from typing import Final

import asyncssh
from asyncssh.packet import Boolean, Byte, String, UInt32

from server.addresses import Address, AddressSet
from server.config import Config
from server.fair_queue import UNLIMITED
from server.net.connection_limits import ConnectionLimits
from server.people.accounts import Accounts
from server.people.admission import Admission
from server.people.sanctions import Sanctions
from server.process.counters import UNREAD
from server.storage.sqlite_database import MemoryDatabase
from server.terminal.terminal import Terminal
from server.transport.ssh import SshAcceptor, _Channel, _Connection

DISCONNECT, SERVICE_REQUEST, REQUEST, FAILURE, SUCCESS, KEY_IS_FINE = 1, 5, 50, 51, 52, 60
_USUAL: Final = "127.0.0.1"


async def nobody(terminal: Terminal, caller: object, command: str | None) -> int:  # noqa: ARG001 - a `Welcome`
    """No login gets as far as a session."""
    return 0


def ssh_carrier(admission: Admission | None = None) -> SshAcceptor:
    """A carrier as the server has it."""
    if admission is None:
        store = MemoryDatabase()
        bans = Sanctions(store, "ban", AddressSet([]), lambda: 0.0)
        admission = Admission(Config(), Accounts(store), bans)
    return SshAcceptor(nobody, UNREAD, admission, [asyncssh.generate_private_key("ssh-ed25519")], "compatible")


class KnownKey:
    """A key and its owner's hand."""

    def __init__(self) -> None:
        self.key = asyncssh.generate_private_key("ssh-ed25519")
        self.public = self.key.public_data
        self.fingerprint = "SHA256:" + base64.b64encode(hashlib.sha256(self.public).digest()).decode().rstrip("=")


class _Wire(asyncio.Transport):
    """Keeps what the server says."""

    def __init__(self) -> None:
        super().__init__()
        self.said = b""
        self.cut = False

    def write(self, data: "bytes | bytearray | memoryview") -> None:
        """Keep it."""
        self.said += bytes(data)

    def abort(self) -> None:
        """The server has hung up."""
        self.cut = True

    close = abort

    def get_extra_info(self, name: str, default: object = None) -> object:
        """Nothing is known of it."""
        return {"peername": (_USUAL, 1), "sockname": (_USUAL, 2)}.get(name, default)

    def get_write_buffer_size(self) -> int:
        """All is taken at once."""
        return 0

    def pause_reading(self) -> None:
        """Nothing comes by itself."""

    def resume_reading(self) -> None:
        """Nothing comes by itself."""


class _Throttled:
    """As much of a `ThrottledTransport` as a login needs."""

    payer = UNLIMITED

    def __init__(self, wire: _Wire) -> None:
        self.abort = wire.abort

    def limit_input(self, budget: int | None) -> None:
        """Set no limit."""

    def waiting(self) -> int:
        """Nothing."""
        return 0


class _NoCipher:
    """Takes packets as they are."""

    def decrypt_header(self, _: int, first: bytes, size: int) -> tuple[bytes, bytes]:
        """The length."""
        return first, first[:size]

    def decrypt_packet(self, _: int, first: bytes, rest: bytes, size: int, __: bytes) -> bytes:
        """What is behind it."""
        return (first + rest)[size:]


class Login:
    """One connection that logs in, or does not."""

    def __init__(self, carrier: SshAcceptor, address: Address) -> None:
        self._wire = _Wire()
        entry = ConnectionLimits(10, 10, AddressSet([])).admit(address, self._wire.abort)
        connection = carrier.accept(_Throttled(self._wire), entry)  # type: ignore[arg-type]
        assert isinstance(connection, asyncssh.SSHServerConnection)
        self.connection = connection
        connection.connection_made(self._wire)
        self._owner = connection._owner
        self._session = os.urandom(32)
        connection._session_id = self._session
        connection._recv_encryption = _NoCipher()  # type: ignore[assignment]
        connection._recv_handler = connection._recv_pkthdr
        connection._kex_complete = True
        connection._next_service = b"ssh-userauth"
        self._wire.said = b""
        self.send(Byte(SERVICE_REQUEST) + String("ssh-userauth"))

    def send(self, *payloads: bytes) -> None:
        """Send these in one piece, without waiting for what they come to."""
        self.connection.data_received(b"".join(map(_packet, payloads)))

    async def settle(self) -> None:
        """Wait until the server has said all that it has to say to what was sent."""
        for _ in range(3):
            while self.connection._tasks:
                await asyncio.wait(set(self.connection._tasks))
            await asyncio.sleep(0)

    @property
    def answers(self) -> list[int]:
        """The kinds of messages that the server has sent, in order."""
        return [payload[0] for payload in self.messages]

    @property
    def messages(self) -> list[bytes]:
        """What the server has sent."""
        found, rest = [], self._wire.said
        while rest:
            size, padding = struct.unpack_from(">IB", rest)
            found.append(rest[5 : 4 + size - padding])
            rest = rest[4 + size :]
        return found

    @property
    def cut(self) -> bool:
        """Whether the server has hung up."""
        return self._wire.cut

    @property
    def succeeded(self) -> bool:
        """Whether a player is in."""
        return SUCCESS in self.answers

    @property
    def key(self) -> str | None:
        """The player of a session on this connection."""
        assert isinstance(self._owner, _Connection)
        session = self._owner.session_requested()
        assert isinstance(session, _Channel)
        return session._caller.key

    def hang_up(self) -> None:
        """The client is gone."""
        self.connection.connection_lost(None)

    # What a client may ask for.

    def probe(self, key: KnownKey, name: str = "x") -> bytes:
        """Whether this key would do; no signature (RFC 4252, 7)."""
        return _request(name, "publickey") + Boolean(value=False) + String("ssh-ed25519") + String(key.public)

    def sign(self, key: KnownKey, by: KnownKey | None = None, name: str = "x", *, elsewhere: bool = False) -> bytes:
        """A key with a signature: by another key, or of another connection, where it is to be a lie."""
        asked = _request(name, "publickey") + Boolean(value=True) + String("ssh-ed25519") + String(key.public)
        session = os.urandom(32) if elsewhere else self._session
        return asked + String((by or key).key.sign(String(session) + asked, b"ssh-ed25519"))

    def garbage(self, key: KnownKey, name: str = "x") -> bytes:
        """A key with a signature that is none."""
        asked = _request(name, "publickey") + Boolean(value=True) + String("ssh-ed25519") + String(key.public)
        return asked + String(String("ssh-ed25519") + String(os.urandom(64)))

    def guest(self, name: str = "x") -> bytes:
        """To come in without a key (RFC 4256)."""
        return _request(name, "keyboard-interactive") + String("") + String("")

    def nothing(self, name: str = "x") -> bytes:
        """What the methods are."""
        return _request(name, "none")


def _request(name: str, method: str) -> bytes:
    return Byte(REQUEST) + String(name) + String("ssh-connection") + String(method)


def _packet(payload: bytes) -> bytes:
    padding = 4 + -(len(payload) + 9) % 8
    return UInt32(len(payload) + padding + 1) + Byte(padding) + payload + bytes(padding)
