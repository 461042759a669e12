"""The SSH carrier: who is connecting, and a terminal for each of their sessions. The only user of asyncssh's server.

Anybody may come in. A key whose signature was verified is an identity; whoever proves none is a guest.
"""

import asyncio
import base64
import hashlib
import socket
from collections.abc import Callable
from typing import Final, TypeAlias

import asyncssh
import structlog

from server.limits import SESSIONS_PER_CONNECTION, USUAL_SIZE
from server.terminal import Terminal, Welcome

Listener: TypeAlias = asyncssh.SSHAcceptor

log = structlog.get_logger("quatch.ssh")

OPTIONS: Final = {
    "config": None,
    "server_version": "quatch",
    "reuse_address": True,
    "backlog": 128,
    "kex_algs": ["mlkem768x25519-sha256", "curve25519-sha256", "curve25519-sha256@libssh.org"],
    "encryption_algs": ["aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "aes256-ctr"],
    "mac_algs": ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com"],
    "compression_algs": ["none"],
    "gss_host": None,
    "x11_forwarding": False,
    "agent_forwarding": False,
    "allow_scp": False,
    "password_auth": False,
    "host_based_auth": False,
    "public_key_auth": True,
    "kbdint_auth": True,
    "encoding": None,
    "line_editor": False,
    "rdns_lookup": False,
    "login_timeout": 20,
    "keepalive_interval": 15,
    "keepalive_count_max": 3,
    "rekey_bytes": 256 << 20,
    "rekey_seconds": 3600,
    "window": 65536,
    "max_pktsize": 16384,
}
"""Nothing is offered but a terminal, and only ciphers that are sound. How many may connect, and how often, is not
limited yet."""


async def listen(welcome: Welcome, key: asyncssh.SSHKey, address: str, port: int) -> asyncssh.SSHAcceptor:
    """Accept SSH connections. Raises OSError where the address or the port cannot be had."""
    return await asyncssh.create_server(
        lambda: _Connection(welcome), address, port, server_host_keys=[key], family=_family(address), **OPTIONS
    )


def _family(address: str) -> int:
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def _fingerprint(key_data: bytes) -> str:
    """A public key as OpenSSH shows it: SHA256:..."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(key_data).digest()).decode().rstrip("=")


def unsent(channel: asyncssh.SSHServerChannel[bytes]) -> int:
    """Bytes of a channel's connection that the network has not taken: a client may open a window of gigabytes.

    asyncssh shows its transport to nobody, so this reaches inside; a test fails when there is nothing there any more.
    """
    transport = channel.get_connection()._transport  # noqa: SLF001
    return 0 if transport is None else transport.get_write_buffer_size()


class _Connection(asyncssh.SSHServer):
    """One connection, and who has proved to be behind it."""

    def __init__(self, welcome: Welcome) -> None:
        self._welcome = welcome
        self._username = ""
        self._identity: str | None = None
        self._sessions = 0

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Learn of keys where their signatures are checked.

        asyncssh calls `validate_public_key` of its server class for keys that a client merely asks about, too, before
        any signature; whoever remembers a key there can be anybody. So the check itself is wrapped: a key counts only
        when it was accepted with a signed message.
        """
        check = conn.validate_public_key

        async def remember_proven(username: str, key_data: bytes, msg: bytes, signature: bytes) -> bool:
            proven = await check(username, key_data, msg, signature)
            if msg:
                self._identity = _fingerprint(key_data) if proven else None
            return proven

        conn.validate_public_key = remember_proven  # type: ignore[method-assign]

    def connection_lost(self, exc: Exception | None) -> None:
        """Sessions hear of it themselves; a scanner's nonsense is no news."""
        log.debug("connection lost", reason=type(exc).__name__)

    def begin_auth(self, username: str) -> bool:
        """Have the client offer its keys; only then is there an identity."""
        self._username = username
        return True

    def public_key_auth_supported(self) -> bool:
        """Keys are how one is known again."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:  # noqa: ARG002
        """Any key will do; asyncssh goes on to check its signature."""
        return True

    def kbdint_auth_supported(self) -> bool:
        """Guests come in by answering no questions."""
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> bool:  # noqa: ARG002
        """Let a guest in: whatever key was offered before, this login proves none."""
        self._identity = None
        return True

    def session_requested(self) -> "_Session | bool":
        """One more session on this connection, within bounds."""
        if self._sessions >= SESSIONS_PER_CONNECTION:
            return False
        self._sessions += 1
        return _Session(self._welcome, self._username, self._identity, self._session_ended)

    def _session_ended(self) -> None:
        self._sessions -= 1


class _Session(asyncssh.SSHServerSession[bytes]):
    """One channel: the carrier of one terminal. Whatever ends it ends its task."""

    def __init__(self, welcome: Welcome, username: str, identity: str | None, on_end: Callable[[], None]) -> None:
        self._welcome = welcome
        self._username = username
        self._identity = identity
        self._on_end = on_end
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None
        self._term = ""
        self._size = USUAL_SIZE
        self._is_tty = False
        self._command: str | None = None
        self._terminal: Terminal | None = None
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan

    def pty_requested(
        self,
        term_type: str,
        term_size: tuple[int, int, int, int],
        term_modes: object,  # noqa: ARG002
    ) -> bool:
        self._term, self._size, self._is_tty = term_type, term_size[:2], True
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        self._command = command
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        self._command = subsystem
        return subsystem == "bot"

    def session_started(self) -> None:
        self._terminal = Terminal(self, term=self._term, size=self._size, is_tty=self._is_tty)
        self._task = asyncio.create_task(self._run(self._terminal))

    async def _run(self, terminal: Terminal) -> None:
        status = 1
        try:
            status = await self._welcome(terminal, self._username, self._identity, self._command)
        except Exception:
            log.exception("session failed")
            terminal.write_lines("Something went wrong here; it is logged. Please come in again.")
        finally:
            terminal.close(status)

    def data_received(self, data: bytes, datatype: int | None) -> None:  # noqa: ARG002
        if self._terminal is not None:
            self._terminal.feed(data)

    def eof_received(self) -> bool:
        if self._terminal is not None:
            self._terminal.end_input()
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:  # noqa: ARG002
        if self._terminal is not None:
            self._terminal.resize(width, height)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._channel = None
        self._on_end()
        if self._terminal is not None:
            self._terminal.gone()
        if self._task is not None:
            self._task.cancel()

    # The carrier's side.

    def write(self, data: bytes) -> None:
        if self._channel is not None and not self._channel.is_closing():
            self._channel.write(data)

    def waiting(self) -> int:
        return 0 if self._channel is None else self._channel.get_write_buffer_size() + unsent(self._channel)

    def hold(self, *, held: bool) -> None:
        if self._channel is not None:
            (self._channel.pause_reading if held else self._channel.resume_reading)()

    def close(self, status: int) -> None:
        if self._channel is not None and not self._channel.is_closing():
            self._channel.exit(status)

    def abort(self) -> None:
        if self._channel is not None:
            # Closing the channel alone would wait for an answer of a client that has stopped listening.
            self._channel.get_connection().abort()
