"""The SSH carrier: who is connecting, by which algorithms, and what they have proved.

Anybody may come in. A key whose signature was verified is an identity; whoever proves none is a guest.
"""

import asyncio
import base64
import hashlib
import struct
from collections.abc import Callable
from typing import Final

import asyncssh
import structlog

from server.limits import (
    FIRST_SESSION_SECONDS,
    KEY_EXCHANGES_AT_ONCE,
    KEY_EXCHANGES_PER_SECOND,
    LOGIN_BYTES,
    LOGIN_KEYS,
    LOGIN_SECONDS,
    PENALTY_ABUSE,
    PENALTY_UNKNOWN,
    SESSIONS_ASKED_AT_ONCE,
    SESSIONS_ASKED_PER_SECOND,
    SESSIONS_PER_CONNECTION,
)
from server.net.connection_limits import Entry
from server.net.throttled_transport import ThrottledTransport
from server.ops.metrics import Metrics
from server.people.admission import Admission
from server.people.players import Caller
from server.rate import Rate
from server.terminal.terminal import Welcome
from server.transport.asyncssh_private import new_connection, watch_key_exchanges
from server.transport.ssh_channel import Channel

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
    "login_timeout": LOGIN_SECONDS,
    "keepalive_interval": 15,
    "keepalive_count_max": 3,
    "rekey_bytes": 256 << 20,
    "rekey_seconds": 3600,
    "window": 65536,
    "max_pktsize": 16384,
}
"""Nothing is offered but a terminal, and nothing is kept that a client could make large."""
_ETM: Final = ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com"]
_PROFILES: Final = {
    "compatible": {
        # The client's order decides. Ours matters to dropbear, which guesses: where the first of both lists differ it
        # takes its guess for wrong (RFC 4253, 7), and asyncssh does not.
        "kex_algs": ["curve25519-sha256", "curve25519-sha256@libssh.org", "mlkem768x25519-sha256"],
        # The last one is for dropbear, which has no other.
        "mac_algs": [*_ETM, "hmac-sha2-256"],
    },
    "strict": {"kex_algs": ["mlkem768x25519-sha256"], "mac_algs": _ETM},
}
"""The algorithms by `Config.crypto`: for OpenSSH since 7.4 and all usual clients, or only what has no known flaw, which
OpenSSH has since 9.9."""
_DISCONNECT, _TOO_MANY_CONNECTIONS, _NO_MORE_METHODS = 1, 12, 14


class Ssh:
    """What listens behind the door for ssh."""

    name = "ssh"

    def __init__(
        self, welcome: Welcome, metrics: Metrics, admission: Admission, key: asyncssh.SSHKey, crypto: str
    ) -> None:
        """``welcome`` runs a session, ``crypto`` names the algorithms, see `Config`."""
        self._welcome = welcome
        self._metrics = metrics
        self._admission = admission
        self._options = asyncssh.SSHServerConnectionOptions(
            server_host_keys=[key], **OPTIONS, **_PROFILES[crypto], server_factory=asyncssh.SSHServer
        )

    def connect(self, intake: ThrottledTransport, entry: Entry) -> asyncio.Protocol:
        """See `door.Carrier`."""
        owner = _Connection(self._welcome, self._metrics, self._admission, intake, entry)
        return new_connection(self._options, owner, asyncio.get_running_loop())

    def refuse(self, words: str) -> bytes:
        """The words as a message that a client shows (RFC 4253, 6 and 11.1): it may come before any key exchange.

        Before it, in OpenSSH's words, a line that clients pass over (RFC 4253, 4.2) and those who scan the net know.
        """
        said = words.encode()
        message = struct.pack(f">BII{len(said)}sI", _DISCONNECT, _TOO_MANY_CONNECTIONS, len(said), said, 0)
        padding = 4 + -(len(message) + 9) % 8
        packet = struct.pack(">IB", len(message) + padding + 1, padding) + message + bytes(padding)
        return b"Not allowed at this time\r\nSSH-2.0-" + VERSION + b"\r\n" + packet


def _fingerprint(key_data: bytes) -> str:
    """A public key as OpenSSH shows it: SHA256:..."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(key_data).digest()).decode().rstrip("=")


class _Connection(asyncssh.SSHServer):
    """One connection, and who has proved to be behind it."""

    def __init__(
        self, welcome: Welcome, metrics: Metrics, admission: Admission, intake: ThrottledTransport, entry: Entry
    ) -> None:
        self._welcome = welcome
        self._metrics = metrics
        self._admission = admission
        self._intake = intake
        self._entry = entry
        self._username = ""
        self._key: str | None = None
        """The fingerprint of the key that was proved last; None for a guest."""
        self._unlisted: str | None = None
        """The same of a key that was proved and is not among those who may come in."""
        self._logged_in = False
        self._keys = set[bytes]()
        """Keys that were offered before logging in."""
        self._sessions = 0
        self._exchanges = Rate(KEY_EXCHANGES_AT_ONCE, KEY_EXCHANGES_PER_SECOND)
        self._asked = Rate(SESSIONS_ASKED_AT_ONCE, SESSIONS_ASKED_PER_SECOND)
        self._idle: asyncio.TimerHandle | None = None
        self._refuse: Callable[[str], None]

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Learn of keys where their signatures are checked.

        asyncssh calls `validate_public_key` of its server class for keys that a client merely asks about, too, before
        any signature; whoever remembers a key there can be anybody. So the check itself is wrapped: a key counts only
        when it was accepted with a signed message, and nothing counts any more once somebody is in.
        """
        self._intake.allow(LOGIN_BYTES)
        watch_key_exchanges(conn, self._new_keys)
        self._refuse = lambda words: conn.disconnect(_NO_MORE_METHODS, words)
        check = conn.validate_public_key

        async def remember_proven(username: str, key_data: bytes, msg: bytes, signature: bytes) -> bool:
            self._keys.add(key_data)
            if len(self._keys) > LOGIN_KEYS:
                self._cut("too many keys")
                return False
            proven = await check(username, key_data, msg, signature)
            if msg and not self._logged_in:
                self._key = _fingerprint(key_data) if proven else None
                return proven and self._may_come_in(self._key)
            return proven

        conn.validate_public_key = remember_proven  # type: ignore[method-assign]

    def _new_keys(self) -> None:
        """An exchange costs a millisecond, and both sides want one in an hour or after hundreds of megabytes."""
        if not self._exchanges.take_if_free():
            self._cut("too many key exchanges")

    def auth_completed(self) -> None:
        """Somebody is in, and now has to want something."""
        self._logged_in = True
        self._entry.know()
        self._intake.allow(None)
        self._idle = asyncio.get_running_loop().call_later(FIRST_SESSION_SECONDS, self._intake.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Sessions hear of it themselves; a scanner's nonsense is no news."""
        if self._idle is not None:
            self._idle.cancel()
        if not self._logged_in:
            self._entry.blame(PENALTY_UNKNOWN)
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
        self._key = None
        if words := self._admission.of_unlisted(self._unlisted):
            self._entry.refuse("unlisted")
            self._refuse(words)
            return False
        return True

    def _may_come_in(self, key: str | None) -> bool:
        """Whether the host lets in who has this key: asked when it is proved, so that nobody learns it of others."""
        if words := self._admission.of_key(key):
            self._entry.refuse("banned")
            self._refuse(words)
            return False
        if self._admission.of_unlisted(key):
            self._key, self._unlisted = None, key
            return False
        return True

    def session_requested(self) -> Channel | bool:
        """One more session on this connection, within bounds."""
        if not self._asked.take_if_free():
            self._cut("too many sessions asked for")
            return False
        if self._sessions >= SESSIONS_PER_CONNECTION:
            return False
        if self._idle is not None:
            self._idle.cancel()
        self._sessions += 1
        caller = Caller(self._username, self._key, self._entry.address)
        return Channel(self._welcome, self._metrics, self._intake, caller, self._session_ended)

    def _session_ended(self) -> None:
        self._sessions -= 1

    def _cut(self, reason: str) -> None:
        """What no honest client does."""
        log.debug("ssh connection cut", reason=reason)
        self._entry.blame(PENALTY_ABUSE)
        self._intake.abort()
