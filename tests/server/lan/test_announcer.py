"""Servers that are announced and found on the loopback interface of this machine, with the real library."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address
from typing import IO, cast

import pytest
from msgspec import json
from msgspec.structs import replace

from server.joining.interfaces import Interface
from server.lan.announcement import Announcement, Report, Wanted
from server.lan.finder import MOST_SERVERS, Found, find_servers
from tests.soak import SOAKING
from tests.support.interfaces import KEY

pytest.importorskip("zeroconf")

NODE = f"test-{os.getpid()}"
"""Tests of other processes may announce servers at the same time."""
HERE = Announcement("Ana's night", NODE, 2222, KEY, "0.1.0", people=1, who=("Ana",), rules=("life",))
LOOPBACK = [Interface("lo", IPv4Address("127.0.0.1"), 8)]


class AnnouncerProcess:
    """An announcer as a server starts it."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def tell(self, announcement: Announcement, address: str = "127.0.0.1") -> None:
        """Have this announced from now on."""
        self.input.write(json.encode(Wanted(announcement, (address,))) + b"\n")
        self.input.flush()

    def report(self) -> Report:
        """The next thing that it says."""
        return json.decode(cast(IO[bytes], self._process.stdout).readline(), type=Report)

    @property
    def input(self) -> IO[bytes]:
        """What it reads."""
        return cast(IO[bytes], self._process.stdin)


@contextmanager
def announcer(announcement: Announcement, address: str = "127.0.0.1") -> Iterator[AnnouncerProcess]:
    """An announcer that was told this; its input ends at the end."""
    command = [sys.executable, "-m", "server.lan.announcer"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        running = AnnouncerProcess(process)
        running.tell(announcement, address)
        yield running


async def find(seconds: float = 1.0) -> Found:
    """What a guest finds on this machine."""
    return await find_servers(["lo"], seconds, lambda: LOOPBACK)


async def test_a_server_is_found_while_it_is_announced() -> None:
    """With who is there; when its process has ended, however, no guest is led to it."""
    with announcer(HERE) as running:
        assert await asyncio.to_thread(running.report) == Report(HERE.instance)
        running.tell(replace(HERE, people=2, who=("Ana", "Bo")))
        (found,) = [each for each in (await find()).servers if each.name == HERE.instance]
        assert (found.address, found.port, found.who, found.fingerprint) == ("127.0.0.1", 2222, ("Ana", "Bo"), KEY)
    assert HERE.instance not in {each.name for each in (await find(0.3)).servers}


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
    with announcer(HERE) as first:
        assert await asyncio.to_thread(first.report) == Report(HERE.instance)
        with announcer(HERE, "127.0.0.2") as second:
            report = await asyncio.to_thread(second.report)
            assert report.name == f"{HERE.instance}-2"
            assert "another server here is called" in report.problem
            found = {each.name: each.address for each in (await find(3.0)).servers}
            assert found[HERE.instance] == "127.0.0.1"
            assert found[report.name] == "127.0.0.2"


@pytest.mark.skipif(not SOAKING, reason="slow: waits for the first one to leave")
async def test_the_next_process_of_a_server_waits_for_the_one_before() -> None:
    """However long that takes: it is the same server, so it has the same name."""
    with announcer(HERE) as first:
        assert await asyncio.to_thread(first.report) == Report(HERE.instance)
        with announcer(HERE) as second:
            reporting = asyncio.create_task(asyncio.to_thread(second.report))
            await asyncio.sleep(15)
            assert not reporting.done()
            first.input.close()
            assert await reporting == Report(HERE.instance)


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
