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
from zeroconf import IPVersion, NonUniqueNameException
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from server.lan.announcement import SERVICE, SSH_SERVICE, Report, Wanted
from server.lan.join_lines import ANYBODY
from server.lan.surroundings import MULTICAST, send_problem

TAKEN_TRIES: Final = 5
TAKEN_SECONDS: Final = 2.0
"""How often and how long to wait while the name is taken: the process before this one may not have left yet."""
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

    async def begin(self) -> Report:
        """Announce the server, under another name if a second server has the same one."""
        wanted_name = self._instance
        for attempt in range(TAKEN_TRIES + 1):
            service = self._services()[0]
            with suppress(NonUniqueNameException):
                told = await self._zeroconf.async_register_service(service, allow_name_change=attempt == TAKEN_TRIES)
                self._instance = service.name.removesuffix(f".{SERVICE}")
                # Another name of the first service is the only one that is free for the second one, too.
                ssh = self._services()[1]
                await asyncio.gather(
                    told, await self._zeroconf.async_register_service(ssh, cooperating_responders=True)
                )
                break
            await asyncio.sleep(TAKEN_SECONDS)
        if self._instance == wanted_name:
            return Report(self._instance)
        taken = f"another server here is called {wanted_name!r}: this one is announced as {self._instance!r}"
        return Report(self._instance, taken)

    async def change(self, wanted: Wanted) -> None:
        """Announce what has changed. A server without an address goes on as before, unheard."""
        moved = wanted.addresses != self._wanted.addresses
        self._wanted = wanted
        if not wanted.addresses:
            return
        if moved or wanted.again:
            await self._zeroconf.async_update_interfaces(list(wanted.addresses))
        await asyncio.gather(*[await self._zeroconf.async_update_service(each) for each in self._services()])

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
                server=told.host,
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

    async def tell_if_unheard() -> None:
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
    try:
        tell(await announcer.begin())
        listening = asyncio.create_task(tell_if_unheard())
        while line := await lines.readline():
            await announcer.change(json.decode(line, type=Wanted))
        listening.cancel()
    finally:
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
