"""Opens listening sockets, which several processes may then accept from.

A socket that several processes hold has one queue of connections. It lives as long as one of them holds it, so that no
connection is reset when a process ends or makes room for its successor.
"""

import asyncio
import errno
import os
import socket
from collections.abc import Collection, Iterable
from contextlib import ExitStack
from typing import Final

import structlog
from msgspec import Struct

from server.command_line import ListensAt

BACKLOG: Final = 128
"""Connections that may wait in the kernel to be accepted."""

log = structlog.get_logger("quatch.listening")


class ListeningSockets(Struct, frozen=True, eq=False):
    """The sockets of one address: a name of a host may have several."""

    carrier: str
    address: str
    asked_port: int
    """As the settings have it; 0 for any free one."""
    sockets: tuple[socket.socket, ...]

    @property
    def port(self) -> int:
        """The port on which they listen."""
        return int(self.sockets[0].getsockname()[1])

    @property
    def ready_line(self) -> str:
        """What tells the host of them."""
        return f"ready {self.carrier} {self.address} {self.port}"

    def close(self) -> None:
        """Close them in this process."""
        for each in self.sockets:
            each.close()


async def open_all(
    places: Iterable[ListensAt], opened_before: Collection[ListeningSockets] = ()
) -> list[ListeningSockets]:
    """Open the sockets of these places; those that are open already are taken as they are.

    An address that cannot be used is logged. Raises OSError if it is the first one of a place, with a line that names
    the setting to be changed.
    """
    opened = list[ListeningSockets]()
    try:
        for place in places:
            opened += await _open_place(place, opened_before)
    except OSError:
        close_all(set(opened).difference(opened_before))
        raise
    return opened


async def _open_place(place: ListensAt, opened_before: Collection[ListeningSockets]) -> list[ListeningSockets]:
    opened, port = list[ListeningSockets](), place.port
    for address in place.addresses:
        before = [each for each in opened_before if (each.carrier, each.address) == (place.carrier, address)]
        found = next((each for each in before if port in {each.asked_port, each.port}), None)
        try:
            found = found or ListeningSockets(place.carrier, address, port, await _open(address, port))
        except OSError as error:
            if not opened:
                raise OSError(error.errno, _problem(place, address, port, error)) from None
            log.warning("not listening", problem=_problem(place, address, port, error))
            continue
        opened.append(found)
        port = found.port
    return opened


def by_carrier(opened: Iterable[ListeningSockets]) -> list[tuple[str, socket.socket]]:
    """Each of these sockets with its carrier."""
    return [(each.carrier, listening) for each in opened for listening in each.sockets]


def close_all(opened: Iterable[ListeningSockets]) -> None:
    """Close all of these in this process."""
    for each in opened:
        each.close()


def _problem(place: ListensAt, address: str, port: int, error: OSError) -> str:
    """Why it cannot be listened there, in one line that names the setting."""
    if isinstance(error, socket.gaierror):
        return f"{place.address_setting}: {address}: {error.strerror}"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{place.address_setting}: {address}: {os.strerror(error.errno)}"
    if error.errno == errno.EADDRINUSE:
        return f"{place.port_setting} {port} is in use on {address}"
    return f"{place.port_setting}: {address} {port}: {os.strerror(error.errno or 0)}"


async def _open(address: str, port: int) -> tuple[socket.socket, ...]:
    """Open the sockets of an address. Raises OSError."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(
            address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except UnicodeError:  # a name of a host with an empty or a long part
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known") from None
    with ExitStack() as undo:
        sockets = tuple(
            undo.enter_context(socket.create_server(place, family=family, backlog=BACKLOG))
            for family, _, _, _, place in dict.fromkeys(found)
        )
        for listening in sockets:
            listening.setblocking(False)  # noqa: FBT003 - no name is taken
        undo.pop_all()
    return sockets
