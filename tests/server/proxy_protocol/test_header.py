"""PROXY headers: both versions, every way of being wrong, and anything at all without harm."""

import random
import socket
import struct
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import asyncssh
import pytest

from server.proxy_protocol import MOST_BYTES, BadHeader, ProxyHeader
from tests.soak import Figure, long
from tests.support.each import for_each
from tests.support.people import Guest, running_server
from tests.support.wires import dial

FUZZED: Final = long(1_500, 1_000_000)
LONGEST: Final = 16 + MOST_BYTES
"""The longest header, which is one of version 2."""
MAGIC: Final = b"\r\n\r\n\0\r\nQUIT\n"
TCP4: Final = bytes((192, 0, 2, 7, 10, 0, 0, 1)) + b"\x10\x01\x00\x16"
TCP6: Final = ip_address("2001:db8::7").packed + ip_address("::1").packed + b"\x10\x01\x00\x16"


def version_2(command: int, family: int, told: bytes) -> bytes:
    """A header of the binary kind."""
    return MAGIC + bytes((command, family)) + struct.pack(">H", len(told)) + told


GOOD: Final = [
    (b"PROXY TCP4 192.0.2.7 10.0.0.1 4097 22\r\n", "192.0.2.7"),
    (b"PROXY TCP6 2001:db8::7 ::1 4097 22\r\n", "2001:db8::7"),
    (b"PROXY UNKNOWN\r\n", None),
    (b"PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n", None),
    (version_2(0x21, 0x11, TCP4), "192.0.2.7"),
    (version_2(0x21, 0x21, TCP6), "2001:db8::7"),
    (version_2(0x21, 0x11, TCP4 + b"\x04\0\x02ab"), "192.0.2.7"),
    (version_2(0x20, 0x00, b""), None),
    (version_2(0x20, 0x11, TCP4), None),
    (version_2(0x21, 0x31, b"x" * 216), None),
]


@for_each(("header", "address"), GOOD)
def test_a_header_tells_the_address_however_it_is_cut(header: bytes, address: str | None) -> None:
    """What follows it is left for the carrier."""
    whole = header + b"SSH-2.0-x\r\n"
    for cut in range(len(whole)):
        proxy = ProxyHeader()
        first = proxy.feed(whole[:cut])
        rest = proxy.feed(whole[cut:]) if first is None else first + whole[cut:]
        assert rest == b"SSH-2.0-x\r\n"
        assert proxy.address == (address and ip_address(address))


@for_each(
    "header",
    [
        b"SSH-2.0-x\r\n",
        b"GET / HTTP/1.1\r\n",
        b"PROXY TCP4 192.0.2.7 10.0.0.1 4097\r\n",
        b"PROXY TCP4 192.0.2.700 10.0.0.1 1 2\r\n",
        b"PROXY TCP4 2001:db8::7 ::1 1 2\r\n",
        b"PROXY TCP4 192.0.2.7 x 1 2\r\n",
        b"PROXY TCP4 192.0.2.7 10.0.0.1 1 65536\r\n",
        b"PROXY TCP4 192.0.2.7 10.0.0.1 1 -2\r\n",
        b"PROXY TCP4 192.0.2.7 10.0.0.1 1 2 3\r\n",
        b"PROXY TCP4 192.0.2.7 10.0.0.1 1 \xb2\r\n",
        b"PROXY UNIX a b 1 2\r\n",
        b"PROXY " + b"x" * 200,
        b"PROXY UNKNOWN " + b"x" * 200 + b"\r\n",
        version_2(0x21, 0x11, TCP4[:-1]),
        version_2(0x21, 0x21, TCP4),
        version_2(0x22, 0x11, TCP4),
        version_2(0x11, 0x11, TCP4),
        version_2(0x21, 0x11, TCP4 + b"x" * MOST_BYTES),
    ],
)
def test_anything_else_is_refused(header: bytes) -> None:
    """Never half believed."""
    with pytest.raises(BadHeader):
        ProxyHeader().feed(header)


def test_anything_at_all_is_taken_or_refused_and_bounded(figure: Figure) -> None:
    """Good headers with some bytes changed, fed in pieces, are answered or refused before `LONGEST` bytes have come."""
    chance = random.Random(9)
    for _ in range(FUZZED):
        data = bytearray(chance.choice(GOOD)[0] + chance.randbytes(3))
        for _ in range(chance.randrange(4)):
            data[chance.randrange(len(data))] = chance.choice(b" \r\n\0\x21\x11:.09") if data else 0
        proxy = ProxyHeader()
        try:
            for start in range(0, len(data), 7):
                if proxy.feed(bytes(data[start : start + 7])) is not None:
                    break
                assert start + 7 < LONGEST
        except BadHeader:
            continue
    figure(f"{FUZZED:,} headers")


def test_a_line_without_an_end_is_not_kept() -> None:
    """However slowly it comes."""
    proxy = ProxyHeader()
    assert all(proxy.feed(bytes((byte,))) is None for byte in (b"PROXY TCP4 " + b"1" * 95))
    with pytest.raises(BadHeader):
        proxy.feed(b"1")


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
