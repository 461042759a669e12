"""Attacks on an ssh port, by their numbers in README.md beside this file, while an honest player is served."""

import asyncio
import random
import struct
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import asyncssh
import pytest
from asyncssh.packet import Boolean, String, UInt32

import server.transport.ssh
from server.limits import FIRST_SESSION_SECONDS, LOGIN_BYTES, SESSIONS_ASKED, SESSIONS_PER_CONNECTION
from server.terminal.terminal import Terminal
from tests.support.people import Guest, RunningServer, running_server
from tests.support.probe import ATTACKER, probe
from tests.support.resources import settled
from tests.support.wires import dial

pytestmark = pytest.mark.computing_takes_time
PROBE_SECONDS: Final = 1.0
"""For an answer while an attack goes on, on a machine that does other things, too."""
VERSION: Final = b"SSH-2.0-attack\r\n"
IGNORE, DISCONNECT, GLOBAL_REQUEST = 2, 1, 80


def packet(payload: bytes) -> bytes:
    """An ssh packet before any key exchange (RFC 4253, 6)."""
    padding = 4 + -(len(payload) + 9) % 8
    return struct.pack(">IB", len(payload) + padding + 1, padding) + payload + bytes(padding)


async def flood(port: int, data: bytes) -> bytes:
    """Send all this, as far as the server takes it; returns what the server sent before it hung up."""
    async with dial(port, ATTACKER) as wire:
        wire.send(data)
        return await wire.until_cut()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"SSH-2.0-" + b"x" * 20_000, id="4 a version without end"),
        pytest.param(b"hello\r\n" * 100_000, id="5 lines of text"),
        pytest.param(b"SSH-2.0-\xff\xfe\x1b[31m\r\n", id="6 a version that is no ASCII"),
        pytest.param(VERSION + b"\xff\xff\xff\xf0" + b"x" * 100, id="7 a packet of 4 GB"),
        pytest.param(VERSION + struct.pack(">I", 261_000) + b"x" * 250_000, id="8 most of a large packet"),
        pytest.param(VERSION + packet(bytes((IGNORE,)) + bytes(4)) * 50_000, id="9 tiny packets before logging in"),
        pytest.param(b"GET / HTTP/1.1\r\n\r\n" * 2_000, id="a web browser"),
        pytest.param(VERSION + random.Random(1).randbytes(200_000), id="noise"),
    ],
)
async def test_nonsense_before_the_handshake_is_cut_off(open_server: RunningServer, data: bytes) -> None:
    """Soon and silently; no other player has to wait."""
    attack = asyncio.gather(*(flood(open_server.port, data) for _ in range(4)))
    assert await probe(open_server) < PROBE_SECONDS
    async with asyncio.timeout(10):
        await attack
    await settled(lambda: not open_server.app.listener.connection_limits.unauthenticated)


async def test_a_client_that_never_logs_in_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """3: a byte now and then keeps no connection open for longer than a login may take."""
    monkeypatch.setitem(server.transport.ssh.OPTIONS, "login_timeout", 0.5)
    async with running_server(tmp_path) as running, AsyncExitStack() as stack:
        wires = [await stack.enter_async_context(dial(running.port, f"127.3.{n}.1")) for n in range(60)]
        started = time.perf_counter()
        for wire in wires:
            wire.send(b"S")
        await asyncio.gather(*(wire.until_cut() for wire in wires))
        assert 0.2 < time.perf_counter() - started < 2
        assert not running.app.listener.connection_limits.connections


@pytest.mark.waiting_takes_no_time
async def test_a_connection_without_a_session_is_cut_off(open_server: RunningServer) -> None:
    """It would hold a place for nothing."""
    async with open_server.connection() as connection:
        await asyncio.wait_for(connection.wait_closed(), 2 * FIRST_SESSION_SECONDS)
    await settled(lambda: not open_server.app.listener.connection_limits.connections)


class Flooding(Guest):
    """A client that sends ignored packets instead of logging in."""

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
        """Remember the connection."""
        self._connection = conn

    def public_key_auth_requested(self) -> None:
        """Flood: everything but a login."""
        for _ in range(LOGIN_BYTES // 500):
            self._connection.send_packet(IGNORE, String(b"x" * 1000))


async def test_a_flood_while_logging_in_is_cut_off(open_server: RunningServer) -> None:
    """12, 17: the bytes before a login are limited, encrypted or not."""
    with pytest.raises((asyncssh.Error, OSError)):
        async with open_server.connection(client=Flooding, preferred_auth="publickey,keyboard-interactive"):
            pass
    await settled(lambda: not open_server.app.listener.connection_limits.connections)


@pytest.mark.parametrize("name", ["x" * 300_000, "x" * 1_023, "../../etc/passwd", "a" + "\u0301" * 300])
async def test_any_user_name_is_a_short_name_or_none(open_server: RunningServer, name: str) -> None:
    """11, 13: refused, or cut to what a name may be."""
    try:
        async with open_server.person(name, term=None) as ana:
            await ana.until("Type play")
            (visitor,) = open_server.app.lobby.visitors.here
            assert len(visitor.player.name) <= 16 * 3
            assert "/" not in visitor.player.name
    except (asyncssh.Error, OSError):
        assert len(name) > 1_023
    assert await probe(open_server) < PROBE_SECONDS


async def test_sessions_on_one_connection_are_few(open_server: RunningServer) -> None:
    """18, 19: four are open; a client that asks on and on is cut off."""
    async with open_server.connection() as connection:
        asked = [connection.create_process(encoding=None) for _ in range(20)]
        opened = [found for found in await asyncio.gather(*asked, return_exceptions=True) if not _failed(found)]
        assert len(opened) == SESSIONS_PER_CONNECTION
        more = [connection.create_process(encoding=None) for _ in range(int(SESSIONS_ASKED.share.burst))]
        assert all(_failed(found) for found in await asyncio.gather(*more, return_exceptions=True))
        await asyncio.wait_for(connection.wait_closed(), 10)
    assert await probe(open_server) < PROBE_SECONDS
    await settled(lambda: not open_server.app.sessions)


def _failed(found: object) -> bool:
    return isinstance(found, BaseException)


async def test_one_session_is_one_thing(open_server: RunningServer) -> None:
    """20, 26: a second terminal, shell or command on it, X11 and an agent are refused."""
    async with open_server.connection() as connection:
        channel, _ = await connection.create_session(asyncssh.SSHClientSession, term_type="xterm", encoding=None)
        terminal = (String("xterm"), UInt32(80), UInt32(24), UInt32(0), UInt32(0), String(b""))
        x11 = (Boolean(value=False), String("MIT-MAGIC-COOKIE-1"), String("00"), UInt32(0))
        requests: list[tuple[bytes, tuple[bytes, ...]]] = [
            *((b"pty-req", terminal), (b"shell", ()), (b"exec", (String("who"),))),
            *([(b"x11-req", x11), (b"auth-agent-req@openssh.com", ())] * 20),
        ]
        for kind, fields in requests:
            assert not await channel._make_request(kind, *fields), kind


async def test_few_variables_are_kept(open_server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """24: thousands of large variables cost nothing; the useful ones are kept."""
    flood = {f"V{n}": "x" * 30_000 for n in range(10)}
    environments = list[Mapping[str, str]]()

    begin = Terminal.__init__

    def noted(*args: Any, environment: Mapping[str, str], **more: Any) -> None:  # noqa: ANN401 - passed on
        environments.append(environment)
        begin(*args, environment=environment, **more)

    monkeypatch.setattr(Terminal, "__init__", noted)
    async with open_server.connection() as connection:
        process = await connection.create_process(
            encoding=None, env={**flood, "LANG": "de_DE.UTF-8", "LC_ALL": "x" * 65}
        )
        await process.stdout.readuntil(b"Type play")
        assert [dict(environment) for environment in environments] == [{"LANG": "de_DE.UTF-8"}]


async def test_nothing_is_forwarded_and_no_files_are_served(open_server: RunningServer) -> None:
    """25, 27: direct and reverse forwarding, sockets, sftp, other subsystems: refused."""
    async with open_server.connection() as connection:
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_connection("127.0.0.1", open_server.port, encoding=None)
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_unix_connection("/tmp/x", encoding=None)  # noqa: S108 - never made
        with pytest.raises(asyncssh.ChannelListenError):
            await connection.forward_remote_port("127.0.0.1", 0, "127.0.0.1", 1)
        with pytest.raises(asyncssh.Error):
            await connection.start_sftp_client()
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.create_process(subsystem="netconf", encoding=None)


async def test_no_compression_is_negotiated(open_server: RunningServer) -> None:
    """48: a small packet never becomes a large one."""
    with pytest.raises(asyncssh.KeyExchangeFailed):
        await asyncssh.connect(
            "127.0.0.1", open_server.port, compression_algs=["zlib@openssh.com"], known_hosts=None, config=None
        )


async def test_a_flood_after_login_delays_only_its_sender(open_server: RunningServer) -> None:
    """46: endless requests have a rate, and honest players are answered."""
    async with AsyncExitStack() as stack:
        for n in range(4):
            connection = await stack.enter_async_context(open_server.connection(f"flood{n}"))
            await connection.create_process(encoding=None)
            for _ in range(1_500):
                connection.send_packet(GLOBAL_REQUEST, String("x"), Boolean(value=False))
        for _ in range(3):
            assert await probe(open_server) < PROBE_SECONDS
