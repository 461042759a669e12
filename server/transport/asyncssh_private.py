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
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Any, Final, cast

import asyncssh
from asyncssh.constants import MSG_CHANNEL_DATA, MSG_IGNORE, MSG_USERAUTH_LAST
from asyncssh.encryption import GCMEncryption
from asyncssh.logging import SSHLogger
from asyncssh.packet import SSHPacket
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_TAG_LENGTH: Final = 16
_DATA: Final = MSG_CHANNEL_DATA.to_bytes()
_IGNORE: Final = MSG_IGNORE.to_bytes()


class _NoLog:
    """The log of a connection and its channels: asyncssh's is off, and it would first make the text of each line."""

    debug1 = debug2 = info = packet = staticmethod("".format)
    """Each takes anything and does nothing. A function of Python would cost a call for each."""

    def get_child(self, *_: object, **__: object) -> "_NoLog":
        """The log of a part."""
        return self


_NO_LOG: Final = cast(SSHLogger, _NoLog())


class Connection(asyncssh.SSHServerConnection):
    """A connection that does what asyncssh's own does, in less time and memory, for a transport of ours.

    asyncssh's listener allows no limits before the handshake.
    """

    logger = _NO_LOG

    def __init__(
        self,
        options: asyncssh.SSHServerConnectionOptions,
        owner: asyncssh.SSHServer,
        carry_out: Callable[[Coroutine[Any, Any, None]], Awaitable[None]],
        on_key_exchange: Callable[[], None],
    ) -> None:
        """``carry_out`` does the work of its tasks, as the login, in which asyncssh does not return to its caller.

        ``on_key_exchange`` is called at the start of every key exchange, whichever side asked for it.
        """
        super().__init__(asyncio.get_running_loop(), options)
        self._protocol_factory = lambda: owner
        self.carry_out = carry_out
        self.on_key_exchange = on_key_exchange
        self._heard_at = 0.0
        """When input came last, in the event loop's time."""

    def create_task(self, coro: Awaitable[None], task_logger: Any = None) -> asyncio.Task[None]:  # noqa: ANN401
        """Do this work as `carry_out` does it."""
        work = cast("Coroutine[Any, Any, None]", coro)
        task = super().create_task(self.carry_out(work), task_logger)
        task.add_done_callback(lambda _: work.close())  # it has not begun if the task was cancelled at once
        return task

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
        self._send(header + AESGCM(cipher._key).encrypt(cipher._iv, packet, header))
        cipher._update_iv()
        self._send_seq = self._send_seq + 1 & 0xFFFFFFFF
        self._rekey_bytes_sent += length

    def data_received(self, data: bytes, datatype: Any = None) -> None:  # noqa: ANN401 - as inherited
        """Take input: keys that are typed the short way, several packets at once."""
        at = 0
        if not self._inpbuf and self._auth_complete and self._recv_handler == self._recv_pkthdr:
            while self._transport and at < len(data) and (taken := self._take_typed(data, at)):
                at += taken
        if at < len(data) and (self._transport or not at):
            super().data_received(data[at:] if at else data, datatype)
        else:
            self._reset_keepalive_timer()

    def _take_typed(self, data: bytes, at: int) -> int:
        """Take a packet that begins there, with data for a channel or to be ignored, as some clients send before data.

        Returns its length, 0 if it is anything else.
        """
        encryption, end = self._recv_encryption, at + 4 + int.from_bytes(data[at : at + 4]) + _TAG_LENGTH
        if end > len(data) or type(encryption) is not GCMEncryption:
            return 0
        cipher = encryption._cipher
        try:
            packet = AESGCM(cipher._key).decrypt(cipher._iv, data[at + 4 : end], data[at : at + 4])
        except InvalidTag:
            return 0
        kind, channel, payload = packet[1:2], None, packet[2 : -packet[0]] if packet else b""
        if kind == _DATA:
            channel, payload = self._channels.get(int.from_bytes(payload[:4])), payload[4:]
        if int.from_bytes(payload[:4]) != len(payload) - 4 or not (
            kind == _IGNORE
            if channel is None
            else channel._recv_state == "open" and len(payload) - 4 <= channel._recv_window
        ):
            return 0
        cipher._update_iv()
        self._recv_seq = self._recv_seq + 1 & 0xFFFFFFFF
        if channel is not None:
            self._auth_final = True
            try:
                channel._accept_data(payload[4:])
            except Exception:  # noqa: BLE001 - as asyncssh does
                self.internal_error()
        return end - at

    def _reset_keepalive_timer(self) -> None:
        """Note that input came: a timer for each piece of input costs more than one that rings too early."""
        self._heard_at = self._loop.time()

    def _keepalive_timer_callback(self) -> None:
        left = self._heard_at + self._keepalive_interval - self._loop.time()
        if left > 0:
            self._keepalive_timer = self._loop.call_later(left, self._keepalive_timer_callback)
        else:
            super()._keepalive_timer_callback()

    log_sent_packet = log_received_packet = staticmethod("".format)  # type: ignore[assignment]
    """asyncssh's log is off, and what it would say of each packet takes some microseconds."""

    def _send_kexinit(self) -> None:
        self.on_key_exchange()
        super()._send_kexinit()

    def forget_key_exchange(self) -> None:
        """Keep no packets of the first key exchange, now that it is over: 3 KiB."""
        self._client_kexinit = self._server_kexinit = b""
        self._extensions_to_send.clear()


def write(channel: asyncssh.SSHServerChannel[bytes], data: bytes) -> None:
    """Send data on a channel that is open: as one packet at once, if the other side has room for it."""
    size = len(data)
    if channel._send_buf or size > channel._send_window or size > channel._send_pktsize:
        if channel._send_state == "open":
            channel.write(data)
    elif channel._send_state == "open" and channel._conn is not None and channel._send_chan is not None:
        channel._send_window -= size
        header = channel._send_chan.to_bytes(4) + size.to_bytes(4)
        channel._conn.send_packet(MSG_CHANNEL_DATA, header, data)


def limit_environment(channel: asyncssh.SSHServerChannel[bytes], names: Collection[str], length: int) -> None:
    """Keep only these variables, if their values are short; asyncssh would keep all that a client sends."""
    take: Callable[[SSHPacket], bool] = channel._process_env_request

    def take_wanted(packet: SSHPacket) -> bool:
        taken = take(packet)
        kept = channel._env
        unwanted = [name for name in kept if name.decode("ascii", "replace") not in names or len(kept[name]) > length]
        for name in unwanted:
            del kept[name]
        return taken and not unwanted

    channel._process_env_request = take_wanted  # type: ignore[method-assign]


def send_disconnect(connection: asyncssh.SSHServerConnection, message: str) -> None:
    """Send the packet that makes a client show why it is disconnected.

    The public method closes the channels first, and OpenSSH then exits before it has read the reason.
    """
    connection._send_disconnect(asyncssh.DISC_BY_APPLICATION, message, "en")
