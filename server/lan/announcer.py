"""Announces a server on the local network by mDNS (RFC 6762), and hears whether it is announced.

Anybody in the network can send packets here. Each costs the event loop about a tenth of a millisecond, of a large one
two, and between two of them others have their turn. The library keeps 10,000 records at most.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import structlog
from zeroconf import Error, IPVersion, NonUniqueNameException
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from server.joining import ANYBODY
from server.lan.announcement import SERVICE, SSH_SERVICE, Announcement, host_of
from server.lan.interfaces import MULTICAST, send_problem

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

log = structlog.get_logger("quatch.lan")


class Announcer:
    """One server's services in the local network."""

    def __init__(self, announcement: Announcement, addresses: tuple[str, ...], tell: Callable[[str], None]) -> None:
        """``tell`` is told each problem, in one line. Raises OSError if the port of mDNS cannot be used."""
        logging.getLogger("zeroconf").setLevel(logging.CRITICAL)  # what a host needs to know is told
        self._announcement = announcement
        self._addresses = addresses
        self._tell = tell
        self._name = announcement.name
        self._is_announced = False
        try:
            self._zeroconf = AsyncZeroconf(interfaces=list(addresses), ip_version=IPVersion.V4Only)
        except OSError as error:
            raise OSError(f"UDP port {MULTICAST[1]}, that of mDNS, cannot be used: {error.strerror or error}") from None

    @property
    def name(self) -> str:
        """The name under which the server is announced; empty as long as it is not."""
        return self._name if self._is_announced else ""

    async def begin(self) -> None:
        """Announce the server, and tell what keeps guests from hearing it."""
        if problem := send_problem(self._addresses):
            self._tell(problem)
        name = self._name
        try:
            await self._take_name()
        except (Error, OSError) as error:
            self._tell(f"the server cannot be announced: {error or type(error).__name__}")
            return
        log.info("announced on the local network", name=self._name)
        if self._name != name:
            self._tell(f"another server here is called {name!r}: this one is announced as {self._name!r}")
        await asyncio.sleep(HEARD_SECONDS)
        heard = self._zeroconf.zeroconf.cache.current_entry_with_name_and_alias(SERVICE, f"{self._name}.{SERVICE}")
        if heard is None:
            self._tell(UNHEARD)

    async def change(self, announcement: Announcement, addresses: tuple[str, ...], *, again: bool) -> None:
        """Announce what has changed, if anything has; or the same ``again``. Without an address it goes on, unheard."""
        moved = addresses != self._addresses
        if not again and not moved and announcement == self._announcement:
            return
        self._announcement, self._addresses = announcement, addresses
        if not addresses:
            return
        if moved or again:
            await self._zeroconf.async_update_interfaces(list(addresses))
        if self._is_announced:
            await asyncio.gather(*[await self._zeroconf.async_update_service(each) for each in self._services()])

    async def end(self) -> None:
        """Tell the network that the server is gone."""
        await self._zeroconf.async_close()

    async def _take_name(self) -> None:
        """Announce the server when its name is free, under another name if a second server has the same one."""
        name, number = self._name, 1
        while not self._is_announced:
            service, ssh = self._services()
            try:
                told = await self._zeroconf.async_register_service(service)
            except NonUniqueNameException:
                other = AsyncServiceInfo(SERVICE, service.name)
                await other.async_request(self._zeroconf.zeroconf, RESOLVE_MS)
                same_port = other.port in {None, service.port}  # None: it has left meanwhile
                if same_port and set(other.parsed_addresses()) <= set(self._addresses):
                    await asyncio.sleep(TAKEN_SECONDS)  # a process before this one, which has not left yet
                else:
                    number += 1
                    self._name = f"{name}-{number}"
                continue
            self._is_announced = True
            await asyncio.gather(told, await self._zeroconf.async_register_service(ssh, cooperating_responders=True))

    def _services(self) -> tuple[AsyncServiceInfo, AsyncServiceInfo]:
        told = self._announcement
        ssh = {"txtvers": "1", "g": "palace", "v": told.version, "st": told.state, "u": ANYBODY}
        ours, theirs = (
            AsyncServiceInfo(
                *(kind, f"{self._name}.{kind}", told.port),
                server=host_of(self._name),
                properties=texts,
                parsed_addresses=list(self._addresses),
            )
            for kind, texts in ((SERVICE, told.texts()), (SSH_SERVICE, ssh))
        )
        return ours, theirs
