"""Servers that are announced and found on the loopback interface of this machine, with the real library."""

import asyncio
import os
import signal
import socket
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.lan.announcement import Announcement, FoundServer
from server.lan.announcer import Announcer
from server.lan.interfaces import MULTICAST, Interface
from server.lan.local_servers import MOST_SERVERS, SEARCH_SECONDS, Found, find_servers
from tests.server.lan.machine import KEY
from tests.soak import SOAKING
from tests.support.hosted import HostedServer, hosted_server

NODE = f"test-{os.getpid()}"
"""Tests of other processes may announce servers at the same time."""
HERE = Announcement(f"{NODE} (1a2b)", 2222, KEY, "0.1.0", people=1, who=("Ana",), rules=("life",))
LOOPBACK = [Interface("lo", IPv4Address("127.0.0.1"), 8)]


class Announced:
    """A server that is announced, and what its host is told of that."""

    def __init__(self, announcement: Announcement, address: str) -> None:
        self.problems: list[str] = []
        self.announcer = Announcer(announcement, (address,), self.problems.append)
        self.beginning = asyncio.create_task(self.announcer.begin())

    async def name(self) -> str:
        """The name under which it is announced, as soon as it is."""
        while not self.announcer.name:
            await asyncio.sleep(0.05)
        return self.announcer.name


@asynccontextmanager
async def announced(announcement: Announcement, address: str = "127.0.0.1") -> AsyncIterator[Announced]:
    """A server that is announced until the end."""
    server = Announced(announcement, address)
    try:
        yield server
    finally:
        server.beginning.cancel()
        await server.announcer.end()


async def find(seconds: float = SEARCH_SECONDS) -> Found:
    """What a guest finds on this machine."""
    return await find_servers(["lo"], seconds, lambda: LOOPBACK)


async def test_a_server_is_found_while_it_is_announced() -> None:
    """With who is there; when it has ended, however, no guest is led to it. It hears itself all the while."""
    async with announced(HERE) as server:
        assert await server.name() == HERE.name
        await server.announcer.change(replace(HERE, people=2, who=("Ana", "Bo")), ("127.0.0.1",), again=False)
        (found,) = [each for each in (await find()).servers if each.name == HERE.name]
        assert (found.address, found.port, found.who, found.fingerprint) == ("127.0.0.1", 2222, ("Ana", "Bo"), KEY)
        await server.beginning
        assert not server.problems
    assert HERE.name not in {each.name for each in (await find(0.3)).servers}


async def test_a_forged_announcement_keeps_nobody_from_finding_servers() -> None:
    """One that is no name of a service, or has a control character in it, is left out."""
    from zeroconf._dns import DNSPointer  # noqa: PLC0415 - not in every installation
    from zeroconf._protocol.outgoing import DNSOutgoing  # noqa: PLC0415
    from zeroconf.asyncio import AsyncZeroconf  # noqa: PLC0415

    mdns = AsyncZeroconf(interfaces=["127.0.0.1"])
    try:
        finding = asyncio.create_task(find(0.3))
        await asyncio.sleep(0.1)  # it listens by then
        for alias in ("evil.example.", "a\x01b._quatch._tcp.local."):
            forged = DNSOutgoing(0x8400)  # an answer
            forged.add_answer_at_time(DNSPointer("_quatch._tcp.local.", 12, 1, 60, alias), 0)
            mdns.zeroconf.async_send(forged)
        found = await finding
    finally:
        await mdns.async_close()
    assert not {each.name for each in found.servers if "evil" in each.name or "\x01" in each.name}


@pytest.mark.skipif(not SOAKING, reason="slow: the second server asks who has its name")
async def test_a_second_server_of_one_name_gets_another_one() -> None:
    """And its host is told."""
    async with announced(HERE) as first:
        assert await first.name() == HERE.name
        async with announced(HERE, "127.0.0.2") as second:
            name = await second.name()
            assert name == f"{HERE.name}-2"
            found = {each.name: each.address for each in (await find(3.0)).servers}
            assert found[HERE.name] == "127.0.0.1"
            assert found[name] == "127.0.0.2"
            assert "another server here is called" in second.problems[0]


@pytest.mark.skipif(not SOAKING, reason="slow: waits for the first one to leave")
async def test_the_next_process_of_a_server_waits_for_the_one_before() -> None:
    """However long that takes: it is the same server, so it has the same name."""
    async with AsyncExitStack() as leaving:
        first = await leaving.enter_async_context(announced(HERE))
        assert await first.name() == HERE.name
        async with announced(HERE) as second:
            await asyncio.sleep(15)
            assert not second.announcer.name
            await leaving.aclose()
            assert await second.name() == HERE.name


@pytest.mark.skipif(not SOAKING, reason="slow: thousands of forged announcements")
async def test_ten_thousand_announcements_hide_no_end() -> None:
    """A guest gets an answer in time, of bounded length, whatever is sent."""
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf  # noqa: PLC0415 - not in every installation

    kind = "_quatch._tcp.local."
    mdns = AsyncZeroconf(interfaces=["127.0.0.1"])
    try:
        async with asyncio.timeout(60):
            finding = asyncio.create_task(find(5.0))
            for number in range(10_000):
                info = AsyncServiceInfo(
                    *(kind, f"-o{number}.{kind}", 22),
                    server="evil.local.",
                    properties={"who": "x" * 250},
                    parsed_addresses=["127.0.0.1"],
                )
                mdns.zeroconf.async_send(mdns.zeroconf.generate_service_broadcast(info, None))
                if number % 20 == 0:
                    await asyncio.sleep(0)
            found = await finding
    finally:
        await mdns.async_close()
    assert found.more
    assert len(found.servers) <= MOST_SERVERS
    assert all(len(each.name) < 64 and len(each.who) <= 30 for each in found.servers)


@pytest.mark.skipif(not SOAKING, reason="slow: thousands of forged announcements")
async def test_a_flood_of_announcements_costs_the_announcing_server_little() -> None:
    """A millisecond for each packet at most, and it stays announced."""
    from zeroconf._dns import DNSPointer  # noqa: PLC0415 - not in every installation
    from zeroconf._protocol.outgoing import DNSOutgoing  # noqa: PLC0415

    kind, forged = "_quatch._tcp.local.", list[bytes]()
    for number in range(5_000):
        packet = DNSOutgoing(0x8400)  # an answer
        for each in range(30):
            packet.add_answer_at_time(DNSPointer(kind, 12, 1, 4500, f"evil {number} {each}.{kind}"), 0)
        forged += packet.packets()
    async with announced(HERE) as server:
        await server.name()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as network:
            network.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
            before = time.process_time()
            for data in forged:
                network.sendto(data, MULTICAST)
                await asyncio.sleep(0)
            await asyncio.sleep(0.1)
            took = time.process_time() - before
        assert took < 0.001 * len(forged)
        assert HERE.name in {each.name for each in (await find()).servers}


pytest.importorskip("zeroconf")

EVENT = "announced on the local network"


async def found(server: HostedServer) -> list[FoundServer]:
    """This server, as often as a guest finds it."""
    servers = (await find_servers(["lo"], interfaces=lambda: LOOPBACK)).servers
    return [each for each in servers if each.port == server.port]


@pytest.mark.skipif(not SOAKING, reason="slow: starts five processes")
async def test_a_server_is_announced_once_through_renewals_and_deaths(tmp_path: Path) -> None:
    """Under one name: by one of its processes, by the next generation, by one that takes the place of a dead one."""
    settings = {"QUATCH_LAN": "true", "QUATCH_LAN_INTERFACES": "lo", "QUATCH_NODE": f"test-{os.getpid()}"}
    async with hosted_server(tmp_path, "--processes", "2", **settings) as server:
        name = (await server.logged(EVENT))["name"]
        assert [each.name for each in await found(server)] == [name]
        server.process.send_signal(signal.SIGHUP)
        assert (await server.logged(EVENT))["name"] == name
        assert [each.name for each in await found(server)] == [name]
        for process in server.children():
            os.kill(process, signal.SIGKILL)
        assert (await server.logged(EVENT))["name"] == name
        assert [each.name for each in await found(server)] == [name]
        assert await server.stop() == 0
        await asyncio.sleep(2)
        assert await found(server) == []
