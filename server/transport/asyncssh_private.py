"""Every use of asyncssh's private names; each is here because asyncssh offers no public way.

A test fails if one of these names is gone or means something else. For the same reason the version is pinned.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Any, Final, cast

import asyncssh
from asyncssh.constants import MSG_IGNORE
from asyncssh.logging import SSHLogger
from asyncssh.packet import SSHPacket


class _NoLog:
    """The log of a connection and its channels: asyncssh's is off, and it would first make the text of each line."""

    def debug1(self, *_: object, **__: object) -> None:
        """Do nothing."""

    debug2 = info = packet = debug1

    def get_child(self, *_: object, **__: object) -> "_NoLog":
        """The log of a part."""
        return self


_NO_LOG: Final = cast(SSHLogger, _NoLog())


class Connection(asyncssh.SSHServerConnection):
    """A connection that does what asyncssh's own does, in less time and memory, for a transport of ours.

    asyncssh's listener allows no limits before the handshake.
    """

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

    def create_task(self, coro: Awaitable[None], task_logger: Any = None) -> asyncio.Task[None]:  # noqa: ANN401
        """Do this work as `carry_out` does it."""
        work = cast("Coroutine[Any, Any, None]", coro)
        task = super().create_task(self.carry_out(work), task_logger)
        task.add_done_callback(lambda _: work.close())  # it has not begun if the task was cancelled at once
        return task

    @property
    def logger(self) -> SSHLogger:
        """See `_NoLog`."""
        return _NO_LOG

    async def reload_config(self) -> None:
        """Do nothing. asyncssh looks here, in a thread, for options that its configuration file has for one user."""

    def send_packet(self, pkttype: int, *args: bytes, handler: Any = None) -> None:  # noqa: ANN401, ARG002 - as inherited
        """Send a packet, unless it is one that the other side has to ignore.

        Before each packet asyncssh sends such a one. That defends ciphers in CBC mode (RFC 4251, 9.3.1), which
        `ssh.OPTIONS` does not offer.
        """
        if pkttype != MSG_IGNORE:
            super().send_packet(pkttype, *args)  # a handler would only log it

    def log_sent_packet(self, *_: object, **__: object) -> None:
        """Do nothing: asyncssh's log is off, and what it would say of each packet takes some microseconds."""

    log_received_packet = log_sent_packet

    def _send_kexinit(self) -> None:
        self.on_key_exchange()
        super()._send_kexinit()

    def forget_key_exchange(self) -> None:
        """Keep no packets of the first key exchange, now that it is over: 3 KiB."""
        self._client_kexinit = self._server_kexinit = b""
        self._extensions_to_send.clear()


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
