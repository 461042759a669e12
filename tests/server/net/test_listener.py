"""Where connections come in, on real sockets."""

import asyncio
import time
from contextlib import AsyncExitStack
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import asyncssh
import pytest

from server.config import Config
from server.limits import CONNECTIONS, PENALTY_ABUSE, STRANGERS
from tests.soak import long
from tests.support.people import RunningServer, running_server
from tests.support.resources import settled
from tests.support.wires import dial

SILENT: Final = long(100, 1_000)
HONEST: Final = "127.9.9.9"
PROBE_SECONDS: Final = 1.0
"""For a greeting, on a machine that does other things, too; alone it takes a millisecond."""


async def greeted(port: int, source: str = HONEST) -> float:
    """Seconds until a client from this address is greeted."""
    started = time.perf_counter()
    async with dial(port, source) as wire:
        assert await wire.until(b"\n") == b"SSH-2.0-quatch\r\n"
    return time.perf_counter() - started


def held(running_server: RunningServer) -> int:
    """Connections that are open."""
    return len(running_server.app.listener.connection_limits.connections)


async def test_silent_connections_from_one_address_are_few(open_server: RunningServer) -> None:
    """1: hundreds of silent connections: few are held, another address is served at once."""
    async with AsyncExitStack() as stack:
        for _ in range(SILENT):
            await stack.enter_async_context(dial(open_server.port, "127.0.0.2"))
        most = Config().per_address
        await settled(lambda: not open_server.app.listener.being_denied or held(open_server) <= most)
        assert held(open_server) <= most
        assert await greeted(open_server.port) < PROBE_SECONDS


async def test_silent_connections_from_everywhere_cost_the_oldest(open_server: RunningServer) -> None:
    """2: a hundred addresses, three each: the newcomer is served."""
    async with AsyncExitStack() as stack:
        for n in range(300):
            await stack.enter_async_context(dial(open_server.port, f"127.1.0.{n % 100 + 1}"))
        await settled(lambda: held(open_server) == STRANGERS.share)
        assert await greeted(open_server.port) < PROBE_SECONDS
        assert "0 here" in (await open_server.run("who", source=HONEST))[1]


async def test_a_refused_login_is_told_the_reason(open_server: RunningServer) -> None:
    """Over ssh as a message that clients show, over telnet as a line."""
    async with AsyncExitStack() as stack:
        for _ in range(int(CONNECTIONS.share.burst)):
            await stack.enter_async_context(dial(open_server.port, "127.0.0.4"))
        with pytest.raises(asyncssh.DisconnectError, match="too many connections from your address: come again in 2"):
            await open_server.run("who", source="127.0.0.4")
    await settled(lambda: not open_server.app.listener.being_denied)


@pytest.mark.needs("ssh")
async def test_openssh_shows_why(open_server: RunningServer) -> None:
    """The words of the denial, not a mere reset."""
    entry = open_server.app.listener.connection_limits.admit(ip_address("127.0.0.5"), lambda: None)
    entry.penalise(PENALTY_ABUSE)
    process = await asyncio.create_subprocess_exec(
        *open_server.openssh("-b", "127.0.0.5", "127.0.0.1"), stderr=asyncio.subprocess.PIPE
    )
    _, error = await process.communicate()
    assert b"too much trouble from your address: come again in 60 seconds" in error
    assert process.returncode == 255


async def test_a_header_of_an_unlisted_proxy_is_not_believed(open_server: RunningServer) -> None:
    """A header from an address that is no proxy is not ssh. It counts against that address."""
    async with dial(open_server.port, "127.0.0.8") as wire:
        await wire.press(b"PROXY TCP4 192.0.2.1 10.0.0.1 4000 22\r\n", b"SSH")
        assert [str(address) for address in open_server.app.listener.connection_limits.records] == ["127.0.0.8"]


@pytest.mark.features("proxy_protocol")
async def test_a_stop_closes_every_connection(tmp_path: Path) -> None:
    """Whether or not the clients have said anything: an open socket would be left to the garbage collector."""
    async with (
        running_server(tmp_path, proxies=["127.0.0.7"]) as running,
        dial(running.port, "127.0.0.7") as proxy,
        dial(running.port, "127.0.0.8") as ssh,
    ):
        await ssh.until(b"SSH-")
        assert held(running) == 1
        await running.app.stop()
        assert not held(running)
        for wire in (proxy, ssh):
            await wire.until_cut()


async def test_the_refused_are_not_told_without_end(tmp_path: Path) -> None:
    """A flood of refused connections is hung up on at once; few are given time to read why."""
    async with running_server(tmp_path, per_address=1) as running, AsyncExitStack() as stack:
        for n in range(200):
            await stack.enter_async_context(dial(running.port, f"127.2.{n // 100}.1"))
            assert len(running.app.listener.being_denied) <= 32
        await greeted(running.port)
