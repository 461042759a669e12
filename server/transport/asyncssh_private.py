"""Every use of asyncssh's private names; each is here because asyncssh offers no public way.

A test fails if one of these names is gone or means something else. For the same reason the version is pinned.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Any

import asyncssh
from asyncssh.constants import MSG_IGNORE
from asyncssh.packet import SSHPacket


class _Connection(asyncssh.SSHServerConnection):
    """A connection that sends half as many packets as asyncssh does.

    Before each packet asyncssh sends an empty one. That defends ciphers in CBC mode (RFC 4251, 9.3.1), which
    `ssh.OPTIONS` does not offer.
    """

    def send_packet(self, pkttype: int, *args: bytes, handler: Any = None) -> None:  # noqa: ANN401 - as inherited
        """Send a packet, unless it is one that the other side has to ignore."""
        if pkttype != MSG_IGNORE:
            super().send_packet(pkttype, *args, handler=handler)


def new_connection(
    options: asyncssh.SSHServerConnectionOptions,
    owner: asyncssh.SSHServer,
    loop: asyncio.AbstractEventLoop,
    carry_out: Callable[[Coroutine[Any, Any, None]], Awaitable[None]],
) -> asyncssh.SSHServerConnection:
    """A connection for a transport of our own: asyncssh's listener allows no limits before the handshake.

    ``carry_out`` does the work of its tasks, as the key exchange and the login, in which asyncssh does not return to
    its caller.
    """
    connection = _Connection(loop, options)
    connection._protocol_factory = lambda: owner
    create: Callable[..., asyncio.Task[None]] = connection.create_task

    def create_task(work: Coroutine[Any, Any, None], logger: object = None) -> asyncio.Task[None]:
        task = create(carry_out(work), logger)
        task.add_done_callback(lambda _: work.close())  # it has not begun if the task was cancelled at once
        return task

    connection.create_task = create_task  # type: ignore[method-assign, assignment]
    return connection


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


def watch_key_exchanges(connection: asyncssh.SSHServerConnection, begins: Callable[[], None]) -> None:
    """Call ``begins`` at the start of every key exchange, whichever side asked for it."""
    begin: Callable[[], None] = connection._send_kexinit

    def begin_watched() -> None:
        begins()
        begin()

    connection._send_kexinit = begin_watched  # type: ignore[method-assign]


def send_disconnect(connection: asyncssh.SSHServerConnection, message: str) -> None:
    """Send the packet that makes a client show why it is disconnected.

    The public method closes the channels first, and OpenSSH then exits before it has read the reason.
    """
    connection._send_disconnect(asyncssh.DISC_BY_APPLICATION, message, "en")
