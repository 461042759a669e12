"""Where telnet listens."""

import asyncio
from pathlib import Path

import pytest

from server.config import Config, ConfigError
from tests.support.people import running_server


def addresses(**settings: object) -> tuple[str, ...]:
    """Where it listens with these settings."""
    places = Config.load(None, {}, settings).listens_at()
    return next((place.addresses for place in places if place.carrier == "telnet"), ())


def test_telnet_is_off_and_stays_on_this_machine_unless_told_otherwise() -> None:
    """What is sent in the clear goes to the network only where the host has named an address."""
    assert addresses() == ()
    assert addresses(telnet_port=0) == ("127.0.0.1",)
    assert addresses(telnet_port=0, host=["10.0.0.1"]) == ("10.0.0.1",)
    assert addresses(telnet_port=0, host=["0.0.0.0"]) == ("0.0.0.0",)  # noqa: S104 - compared, not bound
    assert addresses(telnet_port=0, telnet_host=["10.0.0.2"]) == ("10.0.0.2",)


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("telnet_port", 70000, "telnet_port: must be 0 to 65535"),
        ("telnet_port", "on", "telnet_port: must be a number, not 'on'"),
        ("telnet_host", ["a\0b"], "telnet_host: must not hold empty texts or control characters"),
    ],
)
def test_a_setting_that_cannot_be_is_named(name: str, value: object, problem: str) -> None:
    """One line that says what would be right."""
    with pytest.raises(ConfigError, match=problem):
        Config.load(None, {}, {name: value})


def test_telnet_does_not_go_with_an_allow_file() -> None:
    """Its players have no key."""
    with pytest.raises(ConfigError, match="telnet_port: must be none with an allow_file"):
        Config.load(None, {}, {"allow_file": "x", "telnet_port": 0})


async def test_the_host_is_told_where_telnet_listens(tmp_path: Path) -> None:
    """One port on all addresses of the server, or one line that says why not."""
    async with running_server(tmp_path, telnet_port=0, host=["127.0.0.1", "::1"]) as running:
        for address in ("127.0.0.1", "::1"):
            _, writer = await asyncio.open_connection(address, running.telnet_port)
            writer.close()
    with pytest.raises(OSError, match=r"telnet_host: 192\.0\.2\.1: Cannot assign"):
        async with running_server(tmp_path, None, telnet_port=0, telnet_host=["192.0.2.1"]):
            pass
