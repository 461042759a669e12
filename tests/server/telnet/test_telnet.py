"""Telnet on real sockets: every kind of client can play, and none can do harm."""

import asyncio
import random
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from server.config import Config, ConfigError
from server.limits import CONNECTIONS, OUTPUT_WAITING
from server.session.terminal_session import TerminalSession
from server.telnet.protocol import DO, IAC, SB, WILL
from server.terminal.terminal import NARROW_SAFE, QUESTION, RESTORE
from tests.soak import long
from tests.support.hostile import HOSTILE, be_hostile
from tests.support.limits import asking_on, let_flood
from tests.support.people import RunningServer, running_server
from tests.support.plain_clients import play_a_move
from tests.support.playing_on_screen import what_to_type
from tests.support.probe import probe
from tests.support.resources import descriptors, settled, tasks
from tests.support.telnet import naws, screen_client, telnet_client
from tests.support.tmux import play_to_the_end, terminal
from tests.support.wires import dial

RESETS: Final = long(100, 2_000)


async def test_a_silent_client_plays_in_lines(telnet_server: RunningServer) -> None:
    """Like nc: it says nothing about itself, ends lines in any way, and gets plain text with CR LF."""
    async with telnet_client(telnet_server.telnet_port) as ana:
        await ana.press(b"play\nready\r\nwhere\r\0", "Three face-down cards")
        await ana.press(b"frob\r\nfrob\r\0frob\n", lambda ana: ana.text.count("nknown command") == 3)
        ana.send(b"quit\r\n")
        assert (await ana.until_gone()).endswith("Good-bye. Come again.\r\n")
        assert "\x1b" not in ana.text
        assert "\n" not in ana.text.replace("\r\n", "")
        assert "frob" not in ana.text.replace("'frob'", ""), "its own echo is enough"


async def test_a_telnet_player_is_a_guest(telnet_server: RunningServer) -> None:
    """Nothing that a telnet client says proves an identity."""
    async with telnet_client(telnet_server.telnet_port) as ana:
        await ana.until("Type play")
        assert [visitor.player.account for visitor in telnet_server.app.lobby.visitors.here] == [None]


async def test_a_real_terminal_gets_the_screen_and_our_echo(telnet_server: RunningServer) -> None:
    """Its size, its resizes and its keys count; when the player leaves, the terminal is restored."""
    async with telnet_client(telnet_server.telnet_port) as ana:
        await ana.press(screen_client(80, 24), lambda ana: "lobby>" in ana.shown)
        assert bytes((IAC, WILL, 1)) in ana.raw
        for key in b"frob\r":
            ana.send(bytes((key,)))
        await ana.until(lambda ana: "You are frob now" in ana.shown)
        ana.screen.resize(30, 100)
        await ana.press(naws(100, 30), lambda ana: ana.shown.split("\n")[29].startswith("lobby>"))
        await ana.press(b"play\r\0", lambda ana: "YOUR TURN" in ana.shown)
        await ana.press(b"quit\r\n", lambda ana: "to hang up." in " ".join(ana.shown.split()))
        ana.send(b"quit\r\n")
        assert RESTORE in await ana.until_gone()


async def test_a_real_terminal_is_asked_what_it_can_show(telnet_server: RunningServer) -> None:
    """As over ssh: it gets suit signs and box lines if it answers, and letters if it does not."""
    async with telnet_client(telnet_server.telnet_port) as ana, telnet_client(telnet_server.telnet_port) as bo:
        for person in (ana, bo):
            await person.press(screen_client(80, 24), QUESTION)
        await ana.press(NARROW_SAFE.encode(), lambda ana: "\u2500" * 79 in ana.shown)
        await bo.until(lambda bo: "-" * 79 in bo.shown)


async def test_any_size_is_made_usable(telnet_server: RunningServer) -> None:
    """NAWS may say anything and in any number."""
    for size in ((65535, 65535), (0, 0), (1, 1), (255, 255)):
        async with telnet_client(telnet_server.telnet_port) as ana:
            ana.send(screen_client(*size))
            await settled(lambda: bool(telnet_server.app.sessions))
            ana.send(naws(80, 24) + naws(*size) * 2_000 + naws(100, 30))
            session = next(iter(telnet_server.app.sessions))
            await settled(lambda session=session: session.terminal.size == (100, 30))  # type: ignore[misc]
            assert await probe(telnet_server) < 1
        await settled(lambda: not telnet_server.app.sessions)


async def test_a_subnegotiation_without_end_is_cut_off(telnet_server: RunningServer) -> None:
    """A terminal type of 200 KB, or anything else that does not end."""
    for start in (b"\x18\0", b"\x1f", b"\x2a\x01;"):
        async with telnet_client(telnet_server.telnet_port) as ana:
            ana.send(bytes((IAC, SB)) + start + b"x" * 200_000)
            await ana.until_gone()
        await settled(lambda: not telnet_server.app.sessions)


async def test_floods_and_noise_do_not_delay_another_player(telnet_server: RunningServer) -> None:
    """IAC floods, requests without end, random bytes."""
    noise = random.Random(3)
    async with telnet_client(telnet_server.telnet_port) as ana, telnet_client(telnet_server.telnet_port) as bo:
        ana.send(bytes((IAC, DO, 99)) * 30_000 + bytes((IAC, 246)) * 10_000)
        bo.send(noise.randbytes(100_000).replace(bytes((IAC, SB)), b"").replace(b"\x04", b""))
        for _ in range(5):
            assert await probe(telnet_server) < 1


async def test_reset_connections_leave_nothing(telnet_server: RunningServer) -> None:
    """Reset in every phase: before the answers, while the server waits for them, in the lobby, and at a table."""
    await go_away(telnet_server, 3)
    await settled(lambda: not telnet_server.app.sessions)
    before = tasks(), descriptors()
    for n in range(0, RESETS, 50):
        await asyncio.gather(*(go_away(telnet_server, n + k) for k in range(50)))
    await settled(
        lambda: (
            not telnet_server.app.sessions
            and not telnet_server.app.lobby.tables.listings()
            and tasks() <= before[0]
            and descriptors() <= before[1]
        )
    )


async def go_away(running_server: RunningServer, phase: int) -> None:
    """Log in, get as far as the number says, and reset the connection."""
    async with telnet_client(running_server.telnet_port) as ana:
        if phase % 5:
            ana.send(screen_client() if phase % 2 else b"\xff")
        if phase % 5 > 2:
            await ana.until(lambda ana: bool(ana.text))
            ana.send(b"play\r\n")


async def test_a_last_line_without_an_end_is_carried_out(telnet_server: RunningServer) -> None:
    """`printf who | nc`: the server does not wait for a greeting, answers, and ends the session."""
    async with telnet_client(telnet_server.telnet_port) as ana:
        ana.send(b"who")
        ana.writer.write_eof()
        text = await ana.until_gone()
        assert "1 here" in text
        assert text.endswith("Good-bye. Come again.\r\n")


async def test_a_client_that_does_not_read_is_cut_off(telnet_server: RunningServer) -> None:
    """Its output does not pile up, and no player on ssh waits for it."""
    async with telnet_client(telnet_server.telnet_port) as ana:
        await ana.until("Type play")
        ana.writer.transport.pause_reading()  # type: ignore[attr-defined]
        reader = next(iter(telnet_server.app.sessions))
        assert isinstance(reader, TerminalSession)
        let_flood(telnet_server, reader, 0.5)
        ask = partial(ana.send, b"rules life\n" * 50)
        await asking_on(ask, lambda: reader.terminal.stalled)
        assert await probe(telnet_server) < 1
        assert reader.terminal.waiting <= OUTPUT_WAITING
        await asking_on(ask, lambda: reader not in telnet_server.app.sessions)


async def test_telnet_players_are_told_when_the_server_stops(tmp_path: Path) -> None:
    """Like all others."""
    async with running_server(tmp_path, telnet_port=0) as running, telnet_client(running.telnet_port) as ana:
        await ana.press(screen_client(), lambda ana: "lobby>" in ana.shown)
        await running.app.stop()
        assert "The server has ended" in await ana.until_gone()


async def test_telnet_and_ssh_share_the_limits(tmp_path: Path) -> None:
    """A flood of one is a flood of the other; the denial is a line."""
    async with running_server(tmp_path, telnet_port=0) as running, AsyncExitStack() as stack:
        for _ in range(int(CONNECTIONS.share.burst)):
            await stack.enter_async_context(dial(running.port, "127.0.0.6"))
        async with dial(running.telnet_port, "127.0.0.6") as wire:
            assert b"come again in" in await wire.until(b"\r\n")


@pytest.mark.features("proxy_protocol")
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


@pytest.mark.features("metrics")
async def test_connections_over_telnet_are_counted_apart(tmp_path: Path) -> None:
    """As those of strangers until they type."""
    async with running_server(tmp_path, telnet_port=0) as running, dial(running.telnet_port, "127.0.0.9") as wire:
        await wire.until(b"\xff")
        assert 'carrier="telnet"' in await running.app.measure()


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
        ("telnet_port", "on", "telnet_port: must be a whole number or none, not 'on'"),
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


TINTIN: Final = "/usr/games/tt++"
"""Where Debian has it, which is on few search paths."""


@pytest.mark.needs("telnet", "tmux")
async def test_the_real_telnet_plays_a_game(telnet_server: RunningServer, tmp_path: Path) -> None:
    """In a real terminal: the screen, a game to its end, a resize, and the terminal restored."""
    with terminal(tmp_path, "telnet", "127.0.0.1", str(telnet_server.telnet_port)) as tmux:
        await tmux.until("play against AI players")
        tmux.run("resize-window", "-x", "100", "-y", "30")
        await tmux.until("\u2500{99}")
        tmux.run("resize-window", "-x", "80", "-y", "24")
        tmux.type("play")
        await tmux.until("ready begins")
        await play_to_the_end(tmux)
        tmux.type("quit")
        screen = await tmux.until("ended")
        assert "Good-bye" in screen
        assert "QUATCH" not in screen


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["plink", "-telnet", "-P", "{port}", "127.0.0.1"], marks=pytest.mark.needs("plink", "tmux")),
        pytest.param([TINTIN, "-G", "-e", "#session q 127.0.0.1 {port}"], marks=pytest.mark.needs(TINTIN, "tmux")),
    ],
    ids=["plink", "tintin"],
)
async def test_other_real_clients_play_a_move(tmp_path: Path, command: list[str]) -> None:
    """Both get the screen; they take their time to say what they are."""
    async with running_server(tmp_path, telnet_port=0, keep_table=0) as running:
        words = [word.format(port=running.telnet_port) for word in command]
        with terminal(tmp_path, "env", f"HOME={tmp_path}", *words) as tmux:
            await tmux.until("play against AI players")
            tmux.run("resize-window", "-x", "100", "-y", "30")
            await tmux.until("[-\u2500]{99}")
            tmux.run("resize-window", "-x", "80", "-y", "24")
            tmux.type("play")
            await tmux.until("ready begins")
            tmux.type("ready")
            screen = await tmux.until("(?s)You are ready.*YOUR TURN")
            tmux.type(what_to_type(screen))
            await tmux.until("You (play|pick up)")
            tmux.type("quit")
            await tmux.until("Type quit again, or")
            tmux.type("quit")
            await tmux.until("Good-bye")


@pytest.mark.needs("telnet", "tmux")
async def test_the_real_telnet_on_a_dumb_terminal_keeps_its_own_echo(
    telnet_server: RunningServer, tmp_path: Path
) -> None:
    """In line mode the client alone shows what is typed, once."""
    command = ["env", "TERM=dumb", "telnet", "127.0.0.1", str(telnet_server.telnet_port)]
    with terminal(tmp_path, *command) as tmux:
        tmux.type("frob")
        screen = await tmux.until("nknown command")
        assert screen.count("frob") == 2, "typed, and quoted in the answer"
        tmux.type("quit")
        await tmux.until("Good-bye")


@pytest.mark.needs("nc")
async def test_nc_plays_a_move(telnet_server: RunningServer) -> None:
    """On the telnet port, without knowing telnet."""
    await play_a_move("nc", "127.0.0.1", str(telnet_server.telnet_port))
