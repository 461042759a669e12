"""What telnet shares with ssh: the limits of connections, proxies, the end of the server, and clean output."""

from contextlib import AsyncExitStack
from pathlib import Path

from server.limits import CONNECTIONS
from tests.support.hostile import HOSTILE, be_hostile
from tests.support.people import running_server
from tests.support.telnet import screen_client, telnet_client
from tests.support.wires import dial


async def test_telnet_and_ssh_share_the_limits(tmp_path: Path) -> None:
    """A flood of one is a flood of the other; the denial is a line."""
    async with running_server(tmp_path, telnet_port=0) as running, AsyncExitStack() as stack:
        for _ in range(int(CONNECTIONS.burst)):
            await stack.enter_async_context(dial(running.port, "127.0.0.6"))
        async with dial(running.telnet_port, "127.0.0.6") as wire:
            assert b"come again in" in await wire.until(b"\r\n")


async def test_a_listed_proxy_speaks_for_others_over_telnet(tmp_path: Path) -> None:
    """Limits count where the proxy says the connection is from."""
    async with (
        running_server(tmp_path, telnet_port=0, proxies=["127.0.0.7"]) as running,
        dial(running.telnet_port, "127.0.0.7") as wire,
    ):
        await wire.press(b"PROXY TCP4 192.0.2.1 10.0.0.1 4000 22\r\n", b"\xff\xfd\x18")
        assert [str(address) for address in running.app.listener.connection_limits.records][-1] == "192.0.2.1"


async def test_a_stop_closes_connections_over_telnet(tmp_path: Path) -> None:
    """Also of a client that has said nothing."""
    async with running_server(tmp_path, telnet_port=0) as running, dial(running.telnet_port, "127.0.0.9") as wire:
        await wire.until(b"\xff")
        await running.app.stop()
        assert not running.app.listener.connection_limits.connections
        await wire.until_cut()


async def test_hostile_people_are_shown_harmlessly_over_telnet(tmp_path: Path) -> None:
    """`telnet_client` holds all that it is sent to the grammar of terminals."""
    async with running_server(tmp_path, telnet_port=0) as running, telnet_client(running.telnet_port) as client:
        await client.press(screen_client(), lambda client: "lobby>" in client.shown)
        for number, text in enumerate(HOSTILE):
            await be_hostile(running, number, text)
        await client.press(b"who\r", lambda client: "here:" in client.shown)


async def test_connections_over_telnet_are_counted_apart(tmp_path: Path) -> None:
    """As those of strangers until they type."""
    async with running_server(tmp_path, telnet_port=0) as running, dial(running.telnet_port, "127.0.0.9") as wire:
        await wire.until(b"\xff")
        assert 'carrier="telnet"' in await running.app.measure()
