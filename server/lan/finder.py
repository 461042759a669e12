"""Finds the servers that are announced on the local network."""

import asyncio
from collections.abc import Callable, Sequence
from ipaddress import IPv4Network
from typing import Final, NamedTuple

from server.joining.interfaces import EVERY_ADDRESS, Interface, guest_interfaces, system_interfaces
from server.lan.announcement import SERVICE, FoundServer, read_announcement
from server.lan.obstacles import obstacle, send_problem

SEARCH_SECONDS: Final = 2.5
"""How long to wait for answers; a server that is there answers within a second."""
RESOLVE_MS: Final = 1000
"""How long to ask for the address of a server that has told only its name."""
MOST_SERVERS: Final = 200
"""The most servers that are looked at: anybody can announce ten thousand."""
NO_LIBRARY: Final = "announcements need the packages zeroconf and segno: pip install zeroconf segno, or make setup"


class Found(NamedTuple):
    """The result of a search."""

    servers: list[FoundServer]
    """By name."""
    more: bool = False
    """Whether there were more than `MOST_SERVERS`."""
    problem: str = ""
    """Why none may be found here, if that is known."""


async def find_servers(
    named: Sequence[str] = (),
    seconds: float = SEARCH_SECONDS,
    interfaces: Callable[[], list[Interface]] = system_interfaces,
) -> Found:
    """Ask the local network for servers. ``named``: as in `guest_interfaces`.

    Raises OSError with one line if that is not possible here.
    """
    try:
        from zeroconf import Error, IPVersion  # noqa: PLC0415 - an optional package
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf  # noqa: PLC0415
    except ImportError:
        raise OSError(NO_LIBRARY) from None
    chosen = guest_interfaces(interfaces(), [EVERY_ADDRESS], named)
    if not chosen:
        raise OSError("this machine has no address in a local network")
    near = [IPv4Network((each.address, each.prefix), strict=False) for each in chosen]
    names = dict[str, None]()

    def note(name: str, **_: object) -> None:
        if len(names) <= MOST_SERVERS:
            names[name] = None

    async def look_at(name: str) -> FoundServer | None:
        try:
            info = AsyncServiceInfo(SERVICE, name)
        except Error:  # it was announced, but is no name of a service
            return None
        if not info.load_from_cache(mdns.zeroconf):
            await info.async_request(mdns.zeroconf, RESOLVE_MS)
        label = name.removesuffix(f".{SERVICE}")
        return read_announcement(label, info.port or 0, info.parsed_addresses(), info.properties, near)

    addresses = [str(each.address) for each in chosen]
    problem = send_problem(addresses) or obstacle()
    mdns = AsyncZeroconf(interfaces=addresses, ip_version=IPVersion.V4Only)
    try:
        browser = AsyncServiceBrowser(mdns.zeroconf, SERVICE, handlers=[lambda name, **_: note(name)])
        await asyncio.sleep(seconds)
        await browser.async_cancel()
        found = await asyncio.gather(*map(look_at, list(names)[:MOST_SERVERS]))
    finally:
        await mdns.async_close()
    servers = [each for each in found if each is not None]
    return Found(sorted(servers, key=lambda each: each.name.casefold()), len(names) > MOST_SERVERS, problem)
