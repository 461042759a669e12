"""Opens listening sockets, and gives the same ones to every process that accepts from them.

A socket that several processes hold has one queue of connections. It lives as long as one of them holds it, so that no
connection is reset when a process ends or makes room for its successor.
"""

import asyncio
import errno
import os
import socket
from dataclasses import dataclass, field
from typing import Final

BACKLOG: Final = 128
"""Connections that may wait in the kernel to be accepted."""


@dataclass(slots=True)
class _Opened:
    """The sockets of one address: a name of a host may have several."""

    carrier: str
    address: str
    port: int
    """As it was asked for; 0 for any free one."""
    sockets: list[socket.socket]
    since: int
    asked_by: int
    """The generation of processes that has opened them, and the last one that has asked for them."""


@dataclass(slots=True)
class ListeningSockets:
    """All listening sockets of a server."""

    generation: int = 0
    """Counts the generations of processes."""
    _opened: list[_Opened] = field(default_factory=list)

    async def open(self, carrier: str, address: str, port: int) -> list[socket.socket]:
        """The sockets that listen there for ssh or telnet; they are opened when they are asked for the first time.

        Raises OSError if that cannot be done, with EADDRNOTAVAIL if this machine does not have the address.
        """
        for opened in self._opened:
            ports = {opened.port, port_of(opened.sockets)}
            if (opened.carrier, opened.address) == (carrier, address) and port in ports:
                opened.asked_by = self.generation
                return opened.sockets
        sockets = await _open(address, port)
        self._opened.append(_Opened(carrier, address, port, sockets, self.generation, self.generation))
        return sockets

    def close_unasked(self) -> None:
        """The newest generation has started: close the sockets for which it has not asked."""
        for opened in [each for each in self._opened if each.asked_by < self.generation]:
            self._close(opened)

    def close_newest(self) -> None:
        """The newest generation has not started: close the sockets that were opened for it."""
        for opened in [each for each in self._opened if each.since == self.generation]:
            self._close(opened)

    def close(self) -> None:
        """Close all sockets."""
        for opened in list(self._opened):
            self._close(opened)

    def _close(self, opened: _Opened) -> None:
        self._opened.remove(opened)
        for listening in opened.sockets:
            listening.close()


def port_of(sockets: list[socket.socket]) -> int:
    """The port on which these sockets of one address listen."""
    return int(sockets[0].getsockname()[1])


async def _open(address: str, port: int) -> list[socket.socket]:
    """Open the sockets of an address. Raises OSError."""
    try:
        server = await asyncio.get_running_loop().create_server(asyncio.Protocol, address, port, start_serving=False)
    except UnicodeError:  # a name of a host with an empty or a long part
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known") from None
    except OSError as error:
        if error.errno is not None:
            raise
        server = None  # asyncio of Python 3.13 says no more than that
    if server is None or not server.sockets:
        raise OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL))
    sockets = [socket.socket(fileno=os.dup(bound.fileno())) for bound in server.sockets]
    server.close()
    try:
        for listening in sockets:
            listening.listen(BACKLOG)
    except OSError:
        for listening in sockets:
            listening.close()
        raise
    return sockets
