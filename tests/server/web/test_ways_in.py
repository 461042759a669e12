"""Where a page comes from: over TLS, by way of a proxy, from another device, from a banned address; and big boards."""

import asyncio
import re
import socket
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyte
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidMessage, InvalidStatus

from server.config import Config, ConfigError
from server.joining import JoinLines, own_join_lines
from server.limits import INPUT, LINES_WAITING
from server.people.sanctions import Sanction
from server.web.other_device import MINUTES, OtherDevices
from tests.support.emulator import open_lobby
from tests.support.features import FEATURES
from tests.support.patience import PATIENCE
from tests.support.people import RunningServer, running_server
from tests.support.web import Page, page_at


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[str, str]:
    """A certificate that its key has signed, and the key: the names of two files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "cards")]), datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = builder.not_valid_before(now).not_valid_after(now + timedelta(days=1)).sign(key, hashes.SHA256())
    files = tmp_path / "cert.pem", tmp_path / "key.pem"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    pkcs8 = serialization.PrivateFormat.PKCS8
    files[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, pkcs8, plain))
    return str(files[0]), str(files[1])


@pytest.mark.features("linking")
async def test_over_tls_a_browser_has_an_account_and_can_be_linked(
    tmp_path: Path, certificate: tuple[str, str]
) -> None:
    """Its token is a key then, since nobody on the way can read it. Without TLS it never is."""
    context = ssl.create_default_context(cafile=certificate[0])
    context.check_hostname = False
    async with running_server(tmp_path, web_port=0, web_cert=certificate[0], web_key=certificate[1]) as server:
        async with page_at(server.web_port, ssl=context) as ana:
            (visitor,) = server.app.lobby.visitors.here
            account = visitor.player.account
            assert account is not None
            await ana.type("link")
            await ana.until(lambda ana: ana.shown.get("text"))
            code = re.search(r"type: link ([\w-]+)", str(ana.shown["text"]))
            token = ana.token
        assert code is not None
        async with page_at(server.web_port, ssl=context) as other:
            await other.type(f"link {code[1]}")
            await other.until(lambda _: [each.player.account for each in server.app.lobby.visitors.here] == [account])
        async with page_at(server.web_port, "bo", token, ssl=context) as again:
            assert again.shown["name"] == "ana"
        with pytest.raises(InvalidMessage):
            await connect(f"ws://127.0.0.1:{server.web_port}/play")
    files = {"web_port": 0, "web_cert": certificate[1], "web_key": certificate[0]}
    with pytest.raises(ConfigError, match="web_cert: "):
        Config.load(None, {}, files)


@pytest.mark.features("proxy_protocol")
async def test_a_proxy_names_the_address_and_whether_the_way_is_encrypted(tmp_path: Path) -> None:
    """Anybody else could say so, too, and is not believed."""
    says = {"X-Forwarded-Proto": "https"}
    async with running_server(tmp_path, web_port=0, proxies=["127.0.0.7"]) as server:

        async def accounts_and_addresses(source: str) -> list[tuple[bool, str]]:
            plain = socket.socket()
            plain.bind((source, 0))
            plain.connect(("127.0.0.1", server.web_port))
            if source == "127.0.0.7":
                plain.send(b"PROXY TCP4 192.0.2.9 192.0.2.1 1000 80\r\n")
            async with page_at(server.web_port, sock=plain, additional_headers=says):
                return [
                    (bool(each.player.account), str(each.caller.address)) for each in server.app.lobby.visitors.here
                ]

        assert await accounts_and_addresses("127.0.0.7") == [(True, "192.0.2.9")]
        assert await accounts_and_addresses("127.0.0.8") == [(False, "127.0.0.8")]


async def test_a_code_moves_a_guest_to_another_device_once(web_server: RunningServer) -> None:
    """With the seat, and with what keeps it from then on; what the server keeps of the code lets nobody in."""
    pytest.importorskip("segno")
    async with page_at(web_server.web_port) as old, page_at(web_server.web_port, "bo") as new:
        await old.type("play")
        await old.until(lambda old: old.table.get("mine"))
        await old.type("device")
        await old.until(lambda old: old.shown.get("text"))
        lines = old.shown["text"]["lines"]
        assert sum(set(line) <= set(" \u2580\u2584\u2588") for line in lines) >= 13, "a code to scan"
        link = re.search(r"\S+#(\S+)", " ".join(lines))
        assert link is not None
        kept = [row.text or "" for row in await web_server.app.lobby.store.read_texts("web_code", 0)]
        assert not [text for text in kept if old.token in text or link[1] in text]
        await new.type(f"device {link[1]}")
        await old.until_gone()
        await new.until(lambda new: new.table.get("own") == old.table["own"])
        assert (new.token, new.shown["name"]) == (old.token, "ana")
        async with page_at(web_server.web_port, "cy") as third:
            await third.type(f"device {link[1]}")
            await third.until(lambda third: "no longer works" in third.shown.get("answer", ""))


async def test_a_code_for_another_device_ends_soon(tmp_path: Path) -> None:
    """A picture of it is worth nothing the next day."""
    clock = [1_000_000.0]
    async with (
        running_server(tmp_path, None, lambda: clock[0], web_port=0) as server,
        page_at(server.web_port) as old,
        page_at(server.web_port, "bo") as new,
    ):
        await old.type("device")
        await old.until(lambda old: old.shown.get("text"))
        link = re.search(r"#(\S+)", " ".join(old.shown["text"]["lines"]))
        assert link is not None
        clock[0] += 60 * MINUTES + 1
        await new.type(f"device {link[1]}")
        await new.until(lambda new: "no longer works" in new.shown.get("answer", ""))


async def test_bans_kicks_and_mutes_hold_in_browsers(web_server: RunningServer) -> None:
    """As for any guest of the same address."""
    lobby = web_server.app.lobby
    async with page_at(web_server.web_port, local_addr=("127.0.0.5", 0)) as ana:
        (visitor,) = lobby.visitors.here
        assert visitor.caller.address is not None
        await lobby.imposed.bans.put({"127.0.0.5": Sanction("127.0.0.5", "", lobby.wall() + 60, "")})
        await ana.until_gone()
        assert not ana.told["ended"].get("back")
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://127.0.0.1:{web_server.web_port}/play", local_addr=("127.0.0.5", 0))
    assert refused.value.response.status_code == 503
    assert b"banned" in (refused.value.response.body or b"")


async def test_a_flood_waits_and_harms_nobody(web_server: RunningServer) -> None:
    """More lines than are carried out at once, and more bytes than a connection may send."""
    async with page_at(web_server.web_port) as flood, page_at(web_server.web_port, "bo") as other:
        sending = asyncio.create_task(_flood(flood))
        await other.type("who")
        await other.until(lambda other: "2 here" in other.shown.get("answer", ""))
        assert len(web_server.app.sessions) == 2
        sending.cancel()
        flood.cut()


async def _flood(ana: Page) -> None:
    message = '{"type":"type","line":"where"}' + " " * 3000
    assert INPUT.share.burst > LINES_WAITING * len(message)
    while True:
        await ana.socket.send(message)


@pytest.mark.features("board")
async def test_a_browser_shows_the_big_board(web_server: RunningServer) -> None:
    """The same picture as on a terminal of that size, and it needs no seat and no name."""
    async with connect(f"ws://127.0.0.1:{web_server.web_port}/play") as board:
        screen = pyte.Screen(80, 24)
        await board.send('{"type":"board","columns":80,"rows":24}')
        await _drawn(board, screen, f"{web_server.web_port}/")
        assert "\u2500" * 70 in "\n".join(screen.display)
        async with page_at(web_server.web_port):
            await _drawn(board, screen, "1 here")
    assert not web_server.app.sessions


async def _drawn(board: ClientConnection, screen: pyte.Screen, seen: str) -> None:
    """Draw what comes until a text is seen."""
    stream = pyte.Stream(screen)
    async with asyncio.timeout(PATIENCE):
        while seen not in "\n".join(screen.display):
            stream.feed(str(await board.recv()))


async def test_a_host_without_a_console_reads_what_phones_open() -> None:
    """Once: where the whole room is shown how to come, it is among that."""
    async with open_lobby(features=FEATURES) as lobby:
        lobby.join_lines = JoinLines(("-p 2222 10.0.0.5",), "http://10.0.0.5:8080/", opens_anywhere=True)
        (devices,) = (each for each in lobby.services if isinstance(each, OtherDevices))
        assert devices.poster(None) == ["on a phone: http://10.0.0.5:8080/"]
        devices.invites = True
        assert devices.poster(None) == []


def test_phones_are_led_to_the_page_if_there_is_one() -> None:
    """Any camera opens it, at the port that the server has really got; laptops still type the line."""
    config = Config.load(None, {}, {"host": ["10.0.0.5"], "web_port": 0})
    found = own_join_lines(config, {"ssh": 2222, "web": 8080}, "")
    assert found.lines == ["ssh -p 2222 10.0.0.5"]
    assert found.on_phones == "or scan, or open on a phone: http://10.0.0.5:8080/"
