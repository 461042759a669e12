"""Every use of asyncssh's private names; each is here because asyncssh offers no public way, or a long one.

They were read in asyncssh 2.24.1. A test fails if one of these names is gone or means something else. For the same
reason the version is pinned.

What nearly all packets are, text for a terminal and keys typed there, goes a short way. All other packets, and those
that are damaged or forged, go asyncssh's own way. As there, a cipher is made for each packet: one takes a microsecond
to make, and 2.5 KiB to keep.
"""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, Final, Protocol, cast

import asyncssh
from asyncssh import kex
from asyncssh.constants import MSG_CHANNEL_DATA, MSG_IGNORE, MSG_USERAUTH_LAST
from asyncssh.crypto import pq
from asyncssh.encryption import GCMEncryption
from asyncssh.logging import SSHLogger
from asyncssh.packet import SSHPacket
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from server.limits import ENVIRONMENT, ENVIRONMENT_LENGTH

_TAG_LENGTH: Final = 16
_DATA: Final = MSG_CHANNEL_DATA.to_bytes()
_IGNORE: Final = MSG_IGNORE.to_bytes()
_HYBRID: Final = b"mlkem768x25519-sha256"
_PLAIN: Final = frozenset({type(None), bool, int})
"""Types of values that never change and name nobody, so that it does not matter whose they are."""
_OF_LOGIN: Final = ("_auth", "_kex", "_peer")
"""With these begin the names of attributes that say who the other side is, and how far its login has come."""
_OF_SERVER: Final = ("_enc_alg", "_mac_alg", "_cmp_alg", "_server_")
"""With these begin the names of attributes that name algorithms, and say who the server is."""
_EMPTY: Final[Any] = MappingProxyType({})
_NOTHING: Final[Any] = staticmethod("".format)
"""A method that takes anything and does nothing. A function of Python would cost a call each time."""


class _NoLog:
    """The log of a connection and its channels: asyncssh's is off, and it would first make the text of each line."""

    debug1 = debug2 = info = packet = _NOTHING

    def get_child(self, *_: object, **__: object) -> "_NoLog":
        """The log of a part."""
        return self


_NO_LOG: Final = cast(SSHLogger, _NoLog())


class _NobodyWaits:
    """The event of a connection or channel that closes, for which nobody waits: a real one takes 800 bytes."""

    set = _NOTHING


_CLOSED: Final = cast(asyncio.Event, _NobodyWaits())


class Owner(Protocol):
    """An `asyncssh.SSHServer` that is asked more about its connection."""

    def carry_out(self, work: Coroutine[Any, Any, None]) -> Awaitable[None]:
        """Do the work of a task of the connection, as the login, in which asyncssh does not return to its caller."""

    def new_keys(self) -> None:
        """Take note of the start of a key exchange, whichever side asked for it."""

    async def judge_key(self, key_data: bytes, check: Callable[[], Awaitable[bool]], *, is_signed: bool) -> bool:
        """Whether the client may log in with a key. ``check`` is asyncssh's own question, which checks its signature.

        asyncssh asks also about a key that the client has not signed with.
        """


class Connection(asyncssh.SSHServerConnection):
    """A connection that does what asyncssh's own does, in less time and memory, for a transport of ours.

    asyncssh's listener allows no limits before the handshake.
    """

    logger = _NO_LOG

    def __init__(self, options: asyncssh.SSHServerConnectionOptions, owner: Owner) -> None:
        super().__init__(asyncio.get_running_loop(), options)
        self.owner = owner
        self._protocol_factory = lambda: cast(asyncssh.SSHServer, owner)
        self._heard_at = 0.0
        """When input came last, in the event loop's time."""

    def create_task(self, coro: Awaitable[None], task_logger: Any = None) -> asyncio.Task[None]:  # noqa: ANN401
        """Have the owner carry out this work."""
        work = cast("Coroutine[Any, Any, None]", coro)
        task = super().create_task(self.owner.carry_out(work), task_logger)
        task.add_done_callback(lambda _: work.close())  # it has not begun if the task was cancelled at once
        return task

    def create_server_channel(
        self, encoding: str | None = "", errors: str = "", window: int = 0, max_pktsize: int = 0
    ) -> asyncssh.SSHServerChannel[Any]:
        """A channel of ours."""
        channel = super().create_server_channel(encoding, errors, window, max_pktsize)
        channel.__class__ = Channel
        return channel

    async def validate_public_key(self, username: str, key_data: bytes, msg: bytes, signature: bytes) -> bool:
        """Have the owner decide."""
        check = partial(super().validate_public_key, username, key_data, msg, signature)
        return await self.owner.judge_key(key_data, check, is_signed=bool(msg))

    async def reload_config(self) -> None:
        """Do nothing. asyncssh looks here, in a thread, for options that its configuration file has for one user."""

    def send_packet(self, pkttype: int, *args: bytes, handler: Any = None) -> None:  # noqa: ANN401, ARG002 - as inherited
        """Send a packet, unless it is one that the other side has to ignore.

        Before each packet asyncssh sends such a one. That defends ciphers in CBC mode (RFC 4251, 9.3.1), which
        `ssh.OPTIONS` does not offer.
        """
        encryption = self._send_encryption
        if pkttype == MSG_IGNORE:
            return
        if (
            pkttype <= MSG_USERAUTH_LAST
            or not self._auth_complete
            or not self._kex_complete
            or type(encryption) is not GCMEncryption
            or self._rekey_bytes_sent >= self._rekey_bytes
            or time.monotonic() >= self._rekey_time
        ):
            super().send_packet(pkttype, *args)  # a handler would only log it
            return
        cipher = encryption._cipher
        payload = b"".join((pkttype.to_bytes(), *args))
        padding = -(self._send_enchdrlen + len(payload)) % self._send_blocksize
        padding += self._send_blocksize if padding < 4 else 0
        length = 1 + len(payload) + padding
        header = length.to_bytes(4)
        packet = b"".join((padding.to_bytes(), payload, os.urandom(padding)))
        if self._transport:
            self._transport.write(header + AESGCM(cipher._key).encrypt(cipher._iv, packet, header))
        cipher._update_iv()
        self._send_seq = self._send_seq + 1 & 0xFFFFFFFF
        self._rekey_bytes_sent += length

    def data_received(self, data: bytes, datatype: Any = None) -> None:  # noqa: ANN401 - as inherited
        """Take input, several packets at once.

        Data for a channel goes the short way, and what is to be ignored, as some clients send before data.
        """
        self._heard_at, at, size = self._loop.time(), 0, len(data)
        is_short = not self._inpbuf and self._auth_complete and self._recv_handler == self._recv_pkthdr
        while is_short and self._transport and at < size:
            encryption, end = self._recv_encryption, at + 4 + int.from_bytes(data[at : at + 4]) + _TAG_LENGTH
            if end > size or type(encryption) is not GCMEncryption:
                break
            cipher = encryption._cipher
            try:
                packet = AESGCM(cipher._key).decrypt(cipher._iv, data[at + 4 : end], data[at : at + 4])
            except InvalidTag:
                break
            kind, channel, payload = packet[1:2], None, packet[2 : -packet[0]] if packet else b""
            if kind == _DATA:
                channel, payload = self._channels.get(int.from_bytes(payload[:4])), payload[4:]
            if int.from_bytes(payload[:4]) != len(payload) - 4 or not (
                kind == _IGNORE
                if channel is None
                else channel._recv_state == "open" and len(payload) - 4 <= channel._recv_window
            ):
                break
            cipher._update_iv()
            self._recv_seq, at = self._recv_seq + 1 & 0xFFFFFFFF, end
            if channel is not None:
                self._auth_final = True
                try:
                    channel._accept_data(payload[4:])
                except Exception:  # noqa: BLE001 - as asyncssh does
                    self.internal_error()
        if at < size and (self._transport or not at):
            super().data_received(data[at:] if at else data, datatype)

    _reset_keepalive_timer = _NOTHING
    """A timer for each piece of input costs more than one that may ring too early."""

    def _keepalive_timer_callback(self) -> None:
        left = self._heard_at + self._keepalive_interval - self._loop.time()
        if left > 0:
            self._keepalive_timer = self._loop.call_later(left, self._keepalive_timer_callback)
        else:
            super()._keepalive_timer_callback()

    log_sent_packet = log_received_packet = _NOTHING
    """asyncssh's log is off, and what it would say of each packet takes some microseconds."""

    def _send_kexinit(self) -> None:
        self.owner.new_keys()
        super()._send_kexinit()

    set_extra_info = _NOTHING
    """What can be asked of a connection is what can be asked of its transport."""

    def forget_login(self) -> None:
        """Keep no packets of the first key exchange, now that it is over, nor what clients alone need: 10 KiB."""
        self._client_kexinit = self._server_kexinit = b""
        self._extensions_to_send.clear()
        _share_attributes(self, _UNUSED, (self._loop, self._options, *vars(self._options).values()))


_UNUSED: Final[dict[str, object]] = {
    **dict.fromkeys(("_key_options", "_extra"), _EMPTY),
    "_close_event": _CLOSED,
    "_local_addr": "",
    **dict.fromkeys(("_protocol_factory", "_logger", "_server_sig_algs", "_trusted_host_keys", "_trusted_ca_keys")),
    **dict.fromkeys(("_revoked_host_keys", "_trusted_host_key_algs")),
    **dict.fromkeys(("_x509_revoked_certs", "_x509_trusted_subjects", "_x509_revoked_subjects")),
}
"""Attributes that a server does not use after the login, or only as they are here."""


class Channel(asyncssh.SSHServerChannel[Any]):
    """A channel that opens and writes at once, and keeps few variables of the client's environment.

    asyncssh would keep all that a client sends.
    """

    def process_open(self, send_chan: int, send_window: int, send_pktsize: int, session: Any) -> None:  # noqa: ANN401
        """Open it without a task: the session is there already, and nothing has to be waited for."""
        self._send_chan, self._send_window, self._send_pktsize = send_chan, send_window, send_pktsize
        with suppress(StopIteration):
            self._finish_open_request(session).send(None)

    def write(self, data: bytes, datatype: Any = None) -> None:  # noqa: ANN401 - as inherited
        """Send data if the channel is open: as one packet at once, if the other side has room for it."""
        size = len(data)
        if self._send_state != "open" or self._conn is None or self._send_chan is None:
            return
        if datatype or self._send_buf or size > self._send_window or size > self._send_pktsize:
            super().write(data, datatype)
            return
        self._send_window -= size
        self._conn.send_packet(MSG_CHANNEL_DATA, self._send_chan.to_bytes(4) + size.to_bytes(4), data)

    def _process_env_request(self, packet: SSHPacket) -> bool:
        """Keep a variable if it has one of a few names and a short value."""
        taken, kept = super()._process_env_request(packet), self._env
        unwanted = [
            name
            for name, value in kept.items()
            if name.decode("ascii", "replace") not in ENVIRONMENT or len(value) > ENVIRONMENT_LENGTH
        ]
        for name in unwanted:
            del kept[name]
        return taken and not unwanted


_NOT_ASKED_AGAIN: Final[dict[str, object]] = {
    **dict.fromkeys(("_term_modes", "_extra"), _EMPTY),
    "_close_event": _CLOSED,
    **dict.fromkeys(("_str_env", "_term_type", "_term_size")),
    "_request_waiters": (),
}
"""Attributes of a channel that a server does not use after the start of its session, or only as they are here."""


def forget_start(channel: object) -> None:
    """Keep nothing of the terminal of a channel, now that its session has it: half a KiB, or more as OpenSSH asks."""
    _share_attributes(channel, _NOT_ASKED_AGAIN)


def _share_attributes(thing: object, unused: dict[str, object], given: Iterable[object] = ()) -> None:
    """Take out of a connection or channel the plain values that the first one had, too; its class keeps those.

    asyncssh gives each of them dozens of options and switches. To read and to set them is the same as before. What says
    who the other side is, and how far its login has come, is not shared: if another version of asyncssh set such an
    attribute late, connections would have that of the first one, which has logged in. ``unused``: the values that it
    has from now on. ``given``: values that all are given.
    """
    kind, own, common = type(thing), dict[str, object](), {*map(id, (*given, *unused.values()))}
    of_kind = vars(kind)
    for name, value in (vars(thing) | unused).items():
        if of_kind.get(name, thing) is value:  # as nearly all are
            continue
        is_plain = type(value) in _PLAIN or value in ("", b"") or name.startswith(_OF_SERVER)
        if name.startswith(_OF_LOGIN) or not (is_plain or id(value) in common):
            own[name] = value
        elif not hasattr(kind, name):
            setattr(kind, name, value)
        elif not is_plain or type(getattr(kind, name)) is not type(value) or getattr(kind, name) != value:
            own[name] = value
    thing.__dict__ = {**own}  # it is as large as it has to be


class _KeyOnDemand(pq._PyCAKEM):
    """ML-KEM (FIPS 203) whose own key is made when it is used, as clients do: it takes 150 µs for each login."""

    def __init__(self, name: bytes) -> None:
        pq._KEM.__init__(self, name)
        self._priv_cls, self._pub_cls = pq._pyca_pq_alg_classes[name]

    @cached_property
    def _priv_key(self) -> Any:  # noqa: ANN401 - as inherited
        return self._priv_cls.generate()


def make_keys_on_demand() -> None:
    """Have key exchanges make no key that only clients use."""
    handler, hash_alg, (_, *others) = kex._kex_handlers[_HYBRID]
    kex._kex_handlers[_HYBRID] = handler, hash_alg, (_KeyOnDemand, *others)


def send_disconnect(connection: asyncssh.SSHServerConnection, message: str) -> None:
    """Send the packet that makes a client show why it is disconnected.

    The public method closes the channels first, and OpenSSH then exits before it has read the reason.
    """
    connection._send_disconnect(asyncssh.DISC_BY_APPLICATION, message, "en")
