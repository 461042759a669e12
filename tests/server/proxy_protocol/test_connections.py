"""Connections that a proxy passes on, on real sockets: only a listed proxy speaks for others, and must say for whom."""

import socket
from pathlib import Path

import asyncssh
import pytest

from tests.support.people import Guest, running_server
from tests.support.wires import dial


async def test_a_listed_proxy_speaks_for_others(tmp_path: Path) -> None:
    """Limits count where the proxy says the connection is from."""
    async with running_server(tmp_path, proxies=["127.0.0.7"]) as running, dial(running.port, "127.0.0.7") as wire:
        await wire.press(b"PROXY TCP4 192.0.2.1 10.0.0.1 4000 22\r\n", b"SSH")
        assert [str(address) for address in running.app.listener.connection_limits.records][-1] == "192.0.2.1"


async def test_a_whole_session_goes_through_a_proxy(tmp_path: Path) -> None:
    """What comes together with the header is not lost."""
    async with running_server(tmp_path, proxies=["127.0.0.0/24"]) as running:
        sock = socket.create_connection(("127.0.0.1", running.port))
        sock.sendall(b"PROXY TCP6 2001:db8::9 ::1 4000 22\r\n")
        async with asyncssh.connect(
            sock=sock, client_factory=Guest, known_hosts=None, client_keys=None, agent_path=None, config=None
        ) as guest:
            assert "0 here" in str((await guest.run("who")).stdout)


@pytest.mark.parametrize("said", [b"SSH-2.0-OpenSSH_9.2\r\n", b"PROXY TCP4 nonsense\r\n", b"x" * 70_000])
async def test_a_proxy_without_a_header_is_refused(tmp_path: Path, said: bytes) -> None:
    """Without a usable header there is no connection."""
    async with running_server(tmp_path, proxies=["127.0.0.7"]) as running, dial(running.port, "127.0.0.7") as wire:
        wire.send(said)
        assert not await wire.until_cut()


@pytest.mark.waiting_takes_no_time
async def test_a_proxy_that_says_nothing_is_cut_off(tmp_path: Path) -> None:
    """After a few seconds."""
    async with running_server(tmp_path, proxies=["127.0.0.7"]) as running, dial(running.port, "127.0.0.7") as wire:
        wire.send(b"PROXY TC")
        assert not await wire.until_cut()
