"""SSH connections: the algorithms, the login, which key a client has proved to hold, and its sessions.

Everybody may log in. A key whose signature was verified is an identity; a client that proves none is a guest.
"""

import asyncio
import base64
import hashlib
import struct
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final, cast

import asyncssh
import structlog

from server import limits
from server.clean_text import clean_name
from server.fair_queue import Payer
from server.ledger import Rate
from server.net.connection_limits import AdmittedConnection
from server.net.throttled_transport import ThrottledTransport
from server.people.admission import Admission
from server.people.players import Caller
from server.process.counters import Counters
from server.terminal.terminal import Terminal, Welcome
from server.transport.asyncssh_private import Connection, forget_start, make_keys_on_demand, send_disconnect

log = structlog.get_logger("quatch.ssh")

VERSION: Final = b"quatch"
OPTIONS: Final = {
    "config": None,
    "server_version": VERSION,
    "encryption_algs": ["aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "aes256-ctr"],
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
    "login_timeout": limits.LOGIN_SECONDS,
    "keepalive_interval": 15,
    "keepalive_count_max": 3,
    "rekey_bytes": 256 << 20,
    "rekey_seconds": 3600,
    "window": 65536,
    "max_pktsize": 16384,
}
"""Only terminals are offered: no forwarding, files or compression, and nothing that lets a client fill memory."""
_ETM: Final = ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com"]
PROFILES: Final = {
    "compatible": {
        # The client's order decides. Ours matters to dropbear, which sends a guess: if the first names of both lists
        # differ, it takes its guess for wrong (RFC 4253, 7), and asyncssh does not.
        "kex_algs": ["curve25519-sha256", "curve25519-sha256@libssh.org", "mlkem768x25519-sha256"],
        # The last one is for dropbear, which has no other of ours.
        "mac_algs": [*_ETM, "hmac-sha2-256"],
    },
    "strict": {"kex_algs": ["mlkem768x25519-sha256"], "mac_algs": _ETM},
}
"""The algorithms by `Config.crypto`: those of OpenSSH 7.4 and all usual clients, or only those without a known
weakness, which OpenSSH has since 9.9."""
_DISCONNECT, _TOO_MANY_CONNECTIONS, _NO_MORE_METHODS = 1, 12, 14
TOO_MANY_KEY_EXCHANGES: Final = "your client asks for new keys too often: give it a RekeyLimit of 1M or more"


class SshAcceptor:
    """Makes the protocol of each ssh connection (a `listener.Acceptor`)."""

    name = "ssh"
    key_exchanges = limits.KEY_EXCHANGES.share
    """How often a client may ask for new keys."""

    def __init__(
        self, welcome: Welcome, counters: Counters, admission: Admission, keys: Sequence[asyncssh.SSHKey], crypto: str
    ) -> None:
        """``keys``: the host key, and what clients are to learn; ``crypto`` names the algorithms, as in `Config`."""
        make_keys_on_demand()
        self.welcome = welcome
        self.counters = counters
        self.admission = admission
        self._options = asyncssh.SSHServerConnectionOptions(
            server_host_keys=[*keys],
            send_server_host_keys=len(keys) > 1,
            **OPTIONS,
            **PROFILES[crypto],
            server_factory=asyncssh.SSHServer,
        )

    def accept(self, throttled: ThrottledTransport, admitted: AdmittedConnection) -> asyncio.Protocol:
        """See `listener.Acceptor`."""
        return Connection(self._options, _Connection(self, throttled, admitted))

    def denial(self, message: str) -> bytes:
        """A disconnect packet: the client shows its message, even before a key exchange (RFC 4253, 6 and 11.1).

        The line in front of it is OpenSSH's. Clients skip it (RFC 4253, 4.2); network scanners recognise it.
        """
        text = message.encode()
        payload = struct.pack(f">BII{len(text)}sI", _DISCONNECT, _TOO_MANY_CONNECTIONS, len(text), text, 0)
        padding = 4 + -(len(payload) + 9) % 8
        packet = struct.pack(">IB", len(payload) + padding + 1, padding) + payload + bytes(padding)
        return b"Not allowed at this time\r\nSSH-2.0-" + VERSION + b"\r\n" + packet


class _Connection(asyncssh.SSHServer):
    """One connection and the key that its client has proved to hold."""

    _keys = frozenset[bytes]()
    """Keys that the client offered before it logged in."""

    def __init__(self, acceptor: SshAcceptor, throttled: ThrottledTransport, admitted: AdmittedConnection) -> None:
        self._acceptor = acceptor
        self._throttled = throttled
        self._admitted = admitted
        self._username = ""
        self._key: str | None = None
        """The fingerprint of the key that was proved last; None for a guest."""
        self._unlisted: str | None = None
        """The fingerprint of a proved key that the host's list does not have."""
        self._logged_in = False
        self._sessions = 0
        self._exchanges = Rate(acceptor.key_exchanges)
        self._asked = Rate(limits.SESSIONS_ASKED.share)
        self._idle: asyncio.TimerHandle | None = None
        self._conn: Connection

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._throttled.limit_input(limits.LOGIN_BYTES)
        self._conn = cast(Connection, conn)

    def carry_out(self, work: Coroutine[Any, Any, None]) -> Awaitable[None]:
        """See `asyncssh_private.Owner`."""
        return self._throttled.payer.run(work)

    async def judge_key(self, key_data: bytes, check: Callable[[], Awaitable[bool]], *, is_signed: bool) -> bool:
        """See `asyncssh_private.Owner`. Only here is a key proved.

        asyncssh also calls `validate_public_key` of this class for keys that a client merely asks about, without a
        signature. A server that takes its identity from there can be told any (CVE-2024-45337 is the same mistake).
        Here a key counts only if it was accepted with a signed message, and no key counts after the login.
        """
        self._keys |= {key_data}
        if len(self._keys) > limits.LOGIN_KEYS:
            self._abort_abuse("too many keys")
            return False
        proven = await check()
        if not is_signed or self._logged_in:
            return proven
        self._key = None
        # The fingerprint as OpenSSH shows it: SHA256:...
        key = "SHA256:" + base64.b64encode(hashlib.sha256(key_data).digest()).decode().rstrip("=")
        return proven and await self._accept_key(key)

    def new_keys(self) -> None:
        """Limit key exchanges: each takes a millisecond, and an honest client wants one an hour."""
        if self._exchanges.take():
            send_disconnect(self._conn, TOO_MANY_KEY_EXCHANGES)
            self._abort_abuse("too many key exchanges")

    def auth_completed(self) -> None:
        self._logged_in = True
        self._conn.forget_login()
        self._admitted.mark_authenticated()
        self._throttled.limit_input(None)
        self._idle = asyncio.get_running_loop().call_later(limits.FIRST_SESSION_SECONDS, self._throttled.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._idle is not None:
            self._idle.cancel()
        if not self._logged_in:
            self._admitted.penalise(limits.PENALTY_NO_LOGIN)
        if exc is None or isinstance(exc, OSError | asyncssh.Error):
            log.debug("connection lost", reason=type(exc).__name__)
        else:  # an error of this machine or of the server, such as no memory for another thread
            log.error("connection failed", problem=f"{type(exc).__name__}: {exc}")

    def begin_auth(self, username: str) -> bool:
        self._username = clean_name(username)
        return True  # a login is needed, so that the client offers its keys

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:  # noqa: ARG002
        return True  # any key is acceptable; asyncssh checks its signature next

    def kbdint_auth_supported(self) -> bool:
        return True  # guests log in by a challenge without questions

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> bool:  # noqa: ARG002
        """Log a guest in. Whatever key was offered before, this login proves none."""
        self._key = None
        if message := self._acceptor.admission.denial_if_unlisted(self._unlisted):
            self._acceptor.counters.refused["unlisted"].inc()
            self._refuse(message)
            return False
        return True

    def _refuse(self, message: str) -> None:
        """End the connection with this message, since the client may not log in."""
        self._conn.disconnect(_NO_MORE_METHODS, message)

    async def _accept_key(self, key: str) -> bool:
        """Whether the holder of this proved key may log in. Only the holder learns of a ban: the proof comes first."""
        admission = self._acceptor.admission
        if message := await admission.judge_key(key):
            self._acceptor.counters.refused["banned"].inc()
            self._refuse(message)
            return False
        if admission.denial_if_unlisted(key):
            self._unlisted = key
            return False
        self._key = key
        return True

    def session_requested(self) -> "_Channel | bool":
        if self._asked.take():
            self._abort_abuse("too many sessions asked for")
            return False
        if self._sessions >= limits.SESSIONS_PER_CONNECTION:
            return False
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        self._sessions += 1
        caller = Caller(self._username, self._key, self._admitted.address)
        return _Channel(self._acceptor, self._throttled, caller, Payer(self._admitted.group), self._session_ended)

    def _session_ended(self) -> None:
        self._sessions -= 1

    def _abort_abuse(self, reason: str) -> None:
        """Close the connection and penalise its address, for what no honest client does."""
        log.debug("ssh connection aborted", reason=reason)
        self._admitted.penalise(limits.PENALTY_ABUSE)
        self._throttled.abort()


class _Channel(asyncssh.SSHServerSession[bytes]):
    """The transport of one terminal. When the channel closes, its session's task is cancelled."""

    def __init__(
        self,
        acceptor: SshAcceptor,
        throttled: ThrottledTransport,
        caller: Caller,
        payer: Payer,
        on_end: Callable[[], None],
    ) -> None:
        self._acceptor = acceptor
        self._throttled = throttled
        self._caller = caller
        self._payer = payer
        self._on_end = on_end
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None
        self.write: Callable[[bytes], None]
        """See `TerminalTransport`."""
        self._term = ""
        self._size = limits.USUAL_SIZE
        self._is_tty = False
        self._command: str | None = None
        self._terminal: Terminal | None = None
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel, self.write = chan, chan.write

    def pty_requested(self, term_type: str, term_size: tuple[int, int, int, int], term_modes: object) -> bool:  # noqa: ARG002
        if self._is_tty:
            return False  # only one terminal
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
        self._terminal = Terminal(
            self,
            errors=self._channel.write_stderr if self._channel and not self._is_tty else None,
            term=self._term,
            size=self._size,
            is_tty=self._is_tty,
            environment=self._channel.get_environment() if self._channel else {},
            counters=self._acceptor.counters,
            payer=self._payer,
        )
        self._task = asyncio.create_task(self._run(self._terminal))
        forget_start(self._channel)

    async def _run(self, terminal: Terminal) -> None:
        status = 1
        try:
            status = await self._payer.run(self._acceptor.welcome(terminal, self._caller, self._command))
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

    # As a `TerminalTransport`.

    def waiting(self) -> int:
        return 0 if self._channel is None else self._channel.get_write_buffer_size() + self._throttled.waiting()

    def hold(self, *, held: bool) -> None:
        if self._channel is not None:
            (self._channel.pause_reading if held else self._channel.resume_reading)()

    def close(self, status: int) -> None:
        if self._channel is not None and not self._channel.is_closing():
            self._channel.exit(status)

    def abort(self) -> None:
        # To close only the channel would wait for an answer from a client that may no longer read.
        self._throttled.abort()
