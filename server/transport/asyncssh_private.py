"""The few places where asyncssh has to be reached into, because it offers no other way. Nothing else may.

A test fails when one of these names is gone or means something else; the version is pinned for the same reason.
"""

import asyncio
from collections.abc import Callable, Collection

import asyncssh
from asyncssh.packet import SSHPacket


def new_connection(
    options: asyncssh.SSHServerConnectionOptions, owner: asyncssh.SSHServer, loop: asyncio.AbstractEventLoop
) -> asyncssh.SSHServerConnection:
    """A connection for a transport of our own: asyncssh's listener has no room for limits before the handshake."""
    connection = asyncssh.SSHServerConnection(loop, options)
    connection._protocol_factory = lambda: owner
    return connection


def limit_environment(channel: asyncssh.SSHServerChannel[bytes], names: Collection[str], length: int) -> None:
    """Keep only these variables of what a client sets, and only short ones; asyncssh keeps all that it is sent."""
    take: Callable[[SSHPacket], bool] = channel._process_env_request

    def take_some(packet: SSHPacket) -> bool:
        taken = take(packet)
        kept = channel._env
        unwanted = [name for name in kept if name.decode("ascii", "replace") not in names or len(kept[name]) > length]
        for name in unwanted:
            del kept[name]
        return taken and not unwanted

    channel._process_env_request = take_some  # type: ignore[method-assign]


def watch_key_exchanges(connection: asyncssh.SSHServerConnection, begins: Callable[[], None]) -> None:
    """Have this called whenever an exchange of keys begins, whoever asked for it."""
    begin: Callable[[], None] = connection._send_kexinit

    def begin_and_tell() -> None:
        begins()
        begin()

    connection._send_kexinit = begin_and_tell  # type: ignore[method-assign]
