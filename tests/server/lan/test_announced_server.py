"""A real server of two processes that is announced on the loopback interface, renewed and killed."""

import asyncio
import os
import signal
from ipaddress import IPv4Address
from pathlib import Path

import pytest

from server.lan.announcement import FoundServer
from server.lan.interfaces import Interface
from server.lan.local_servers import find_servers
from tests.soak import SOAKING
from tests.support.hosted import HostedServer, hosted_server

pytest.importorskip("zeroconf")

EVENT = "announced on the local network"
LOOPBACK = [Interface("lo", IPv4Address("127.0.0.1"), 8)]


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
