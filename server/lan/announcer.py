"""Announces a server on the local network by mDNS (RFC 6762), in a process of its own.

What the network sends is read here and not by the server, so that a flood of it costs no player anything. Standard
input has what is to be announced, one JSON object a line; standard output tells what came of it. At the end of the
input, also if the server was killed, the network is told that the server is gone.
"""

import asyncio
import logging
import signal
import sys
from contextlib import suppress
from typing import IO, Final

from msgspec import DecodeError, json
from zeroconf import Error, IPVersion, NonUniqueNameException
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from server.joining.join_lines import ANYBODY
from server.lan.announcement import SERVICE, SSH_SERVICE, Report, Wanted, host_of
from server.lan.obstacles import MULTICAST, send_problem

TAKEN_SECONDS: Final = 2.0
"""How long to wait while the process before this one still has the name."""
RESOLVE_MS: Final = 1500
"""How long to ask who has the name."""
HEARD_SECONDS: Final = 4.0
"""After so long this machine must have heard itself."""
UNHEARD: Final = (
    f"this machine does not hear its own announcement: a firewall here probably blocks UDP port {MULTICAST[1]}. "
    "The lines to type and the QR code work without it"
)


class Announcer:
    """One server's services in the local network."""

    def __init__(self, wanted: Wanted) -> None:
        """Raises OSError if the port of mDNS cannot be used."""
        self._wanted = wanted
        self._zeroconf = AsyncZeroconf(interfaces=list(wanted.addresses), ip_version=IPVersion.V4Only)
        self._instance = wanted.announcement.instance
        self._is_announced = False

    async def begin(self) -> Report:
        """Announce the server when its name is free, under another name if a second server has the same one."""
        name, number = self._instance, 1
        while not self._is_announced:
            service, ssh = self._services()
            try:
                told = await self._zeroconf.async_register_service(service)
            except NonUniqueNameException:
                if await self._is_ours():
                    await asyncio.sleep(TAKEN_SECONDS)
                else:
                    number += 1
                    self._instance = f"{name}-{number}"
                continue
            self._is_announced = True
            await asyncio.gather(told, await self._zeroconf.async_register_service(ssh, cooperating_responders=True))
        if self._instance == name:
            return Report(name)
        taken = f"another server here is called {name!r}: this one is announced as {self._instance!r}"
        return Report(self._instance, taken)

    async def change(self, wanted: Wanted) -> None:
        """Announce what has changed. A server without an address goes on as before, unheard."""
        moved = wanted.addresses != self._wanted.addresses
        self._wanted = wanted
        if not wanted.addresses:
            return
        if moved or wanted.again:
            await self._zeroconf.async_update_interfaces(list(wanted.addresses))
        if self._is_announced:
            await asyncio.gather(*[await self._zeroconf.async_update_service(each) for each in self._services()])

    async def _is_ours(self) -> bool:
        """Whether the server that has the name is this one: a process before this one, which has not left yet."""
        other = AsyncServiceInfo(SERVICE, f"{self._instance}.{SERVICE}")
        await other.async_request(self._zeroconf.zeroconf, RESOLVE_MS)
        same_port = other.port in {None, self._wanted.announcement.port}  # None: it has left meanwhile
        return same_port and set(other.parsed_addresses()) <= set(self._wanted.addresses)

    def is_heard(self) -> bool:
        """Whether this machine has heard its own announcement."""
        name = f"{self._instance}.{SERVICE}"
        return self._zeroconf.zeroconf.cache.current_entry_with_name_and_alias(SERVICE, name) is not None

    async def end(self) -> None:
        """Tell the network that the server is gone."""
        await self._zeroconf.async_close()

    def _services(self) -> tuple[AsyncServiceInfo, AsyncServiceInfo]:
        told, addresses = self._wanted.announcement, list(self._wanted.addresses)
        ssh = {"txtvers": "1", "g": "palace", "v": told.version, "st": told.state, "u": ANYBODY}
        both = [(SERVICE, told.texts()), (SSH_SERVICE, ssh)]
        ours, theirs = (
            AsyncServiceInfo(
                *(kind, f"{self._instance}.{kind}", told.port),
                server=host_of(self._instance),
                properties=texts,
                parsed_addresses=addresses,
            )
            for kind, texts in both
        )
        return ours, theirs


async def announce(lines: asyncio.StreamReader, output: IO[bytes]) -> None:
    """Announce what the lines say until they end."""

    def tell(report: Report) -> None:
        output.write(json.encode(report) + b"\n")
        output.flush()

    async def begin() -> None:
        try:
            tell(await announcer.begin())
        except (Error, OSError) as error:
            tell(Report(problem=f"the server cannot be announced: {error or type(error).__name__}"))
            return
        await asyncio.sleep(HEARD_SECONDS)
        if not announcer.is_heard():
            tell(Report(problem=UNHEARD))

    wanted = json.decode(await lines.readline(), type=Wanted)
    if problem := send_problem(wanted.addresses):
        tell(Report(problem=problem))
    try:
        announcer = Announcer(wanted)
    except OSError as error:
        tell(Report(problem=f"UDP port {MULTICAST[1]}, that of mDNS, cannot be used: {error.strerror or error}"))
        return
    beginning = asyncio.create_task(begin())
    try:
        while line := await lines.readline():
            await announcer.change(json.decode(line, type=Wanted))
    finally:
        beginning.cancel()
        await announcer.end()


async def main() -> None:
    """Announce what standard input says."""
    # What is sent to a terminal's whole group, such as Ctrl-C, is for the server: at its end the input ends.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    logging.disable()  # the library's; what a host needs to know is in the reports
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    with suppress(BrokenPipeError, DecodeError):  # the server has ended, perhaps in the middle of a line
        await announce(reader, sys.stdout.buffer)


if __name__ == "__main__":
    asyncio.run(main())
