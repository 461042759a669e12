"""Telnet on real sockets: every kind of client can play, and none can do harm."""

import asyncio
import random
from collections.abc import AsyncIterator
from ipaddress import IPv4Address
from pathlib import Path
from typing import Final

import pytest

from server.addresses import AddressSet
from server.limits import OUTPUT_WAITING, TELNET_GRACE, TELNET_GRACES, RateLimit
from server.net.connection_limits import ConnectionLimits
from server.net.throttled_transport import ThrottledTransport
from server.ops.metrics import UNREAD
from server.session.terminal_session import TerminalSession
from server.terminal.probe import NARROW_SAFE, QUESTION
from server.terminal.terminal import RESTORE, Terminal
from server.transport.telnet import TelnetAcceptor
from server.transport.telnet_parser import DO, DONT, IAC, SB, SE, WILL, WONT
from tests.soak import long
from tests.support.people import RunningServer, running_server, what_to_type
from tests.support.probe import probe
from tests.support.resources import descriptors, settled, tasks
from tests.support.telnet import TelnetClient, naws, screen_client, telnet_client
from tests.support.tmux import play_to_the_end, terminal
from tests.support.virtual_time import in_virtual_time

RESETS: Final = long(200, 2_000)
TINTIN: Final = "/usr/games/tt++"
"""Where Debian has it, which is on few search paths."""


@pytest.fixture
async def telnet_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningServer]:
    """A server whose telnet port does not wait long for silent clients."""
    monkeypatch.setattr("server.transport.telnet.TELNET_GRACE", 0.3)
    async with running_server(tmp_path, telnet_port=0, keep_table=0) as running:
        yield running


async def test_telnet_is_off_by_default(open_server: RunningServer) -> None:
    """No port listens."""
    assert open_server.telnet_port == 0


async def test_a_silent_client_plays_in_lines(telnet_server: RunningServer) -> None:
    """Like nc: it says nothing about itself, ends lines in any way, and gets plain text with CR LF."""
    async with telnet_client(telnet_server.telnet_port) as ana:
        await ana.until("Type play")
        ana.send(b"play\nready\r\nwhere\r\0")
        await ana.until("Three face-down cards")
        ana.send(b"frob\r\nfrob\r\0frob\n")
        await ana.until(lambda ana: ana.text.count("nknown command") == 3)
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
        ana.send(screen_client(80, 24))
        await ana.until(lambda ana: "lobby>" in ana.shown)
        assert bytes((IAC, WILL, 1)) in ana.raw
        for key in b"frob\r":
            ana.send(bytes((key,)))
        await ana.until(lambda ana: "Unknown command 'frob'" in ana.shown)
        ana.screen.resize(30, 100)
        ana.send(naws(100, 30))
        await ana.until(lambda ana: ana.shown.split("\n")[29].startswith("lobby>"))
        ana.send(b"play\r\0")
        await ana.until(lambda ana: "YOUR TURN" in ana.shown)
        ana.send(b"quit\r\nquit\r\n")
        assert RESTORE in await ana.until_gone()


async def test_a_real_terminal_is_asked_what_it_can_show(telnet_server: RunningServer) -> None:
    """As over ssh: it gets suit signs and box lines if it answers, and letters if it does not."""
    async with telnet_client(telnet_server.telnet_port) as ana, telnet_client(telnet_server.telnet_port) as bo:
        for person in (ana, bo):
            person.send(screen_client(80, 24))
            await person.until(QUESTION)
        ana.send(NARROW_SAFE.encode())
        await ana.until(lambda ana: "\u2500" * 79 in ana.shown)
        await bo.until(lambda bo: "-" * 79 in bo.shown)


async def test_a_screen_reader_gets_lines(telnet_server: RunningServer) -> None:
    """MTTS says so in its third answer; the client's own echo stays on."""
    async with telnet_client(telnet_server.telnet_port) as ana:
        ana.send(bytes((IAC, WILL, 24)))
        for name in (b"NVDA", b"XTERM", b"MTTS 79"):
            ana.send(bytes((IAC, SB, 24, 0)) + name + bytes((IAC, SE)))
        await ana.until("Type play")
        assert "\x1b" not in ana.text
        assert bytes((IAC, WILL, 1)) not in ana.raw


async def test_unknown_options_are_refused_once(telnet_server: RunningServer) -> None:
    """A refusal is not answered, so no loop begins."""
    async with telnet_client(telnet_server.telnet_port) as ana:
        ana.send(bytes((IAC, DO, 99, IAC, WILL, 86, IAC, DONT, 99, IAC, WONT, 86, IAC, DO, 6)))
        await ana.until("Type play")
        assert ana.raw.count(bytes((IAC, WONT, 99))) == 1
        assert ana.raw.count(bytes((IAC, DONT, 86))) == 1
        assert ana.raw.count(bytes((IAC, WONT, 6))) == 1
        ana.send(bytes((IAC, 246)) + b"who\n")
        await ana.until("1 here")
        assert "[yes]" in ana.text


async def test_a_client_that_mirrors_every_option_causes_no_loop(telnet_server: RunningServer) -> None:
    """Whatever the server says comes back; both fall silent."""
    async with telnet_client(telnet_server.telnet_port) as ana:
        mirrored = 0
        while not ana.text:
            said = ana.raw
            ana.send(said[mirrored:])
            mirrored = len(said)
            await ana.until(lambda ana, mirrored=mirrored: len(ana.raw) > mirrored)  # type: ignore[misc]
        assert mirrored < 200


@pytest.mark.parametrize("size", [(65535, 65535), (0, 0), (1, 1), (255, 255)])
async def test_any_size_is_made_usable(telnet_server: RunningServer, size: tuple[int, int]) -> None:
    """NAWS may say anything and in any number."""
    async with telnet_client(telnet_server.telnet_port) as ana:
        ana.send(screen_client(*size))
        await settled(lambda: bool(telnet_server.app.sessions))
        ana.send(naws(80, 24) + naws(*size) * 2_000 + naws(100, 30))
        session = next(iter(telnet_server.app.sessions))
        await settled(lambda: session.terminal.size == (100, 30))
        assert await probe(telnet_server) < 1


@pytest.mark.parametrize("start", [b"\x18\0", b"\x1f", b"\x2a\x01;"])
async def test_a_subnegotiation_without_end_is_cut_off(telnet_server: RunningServer, start: bytes) -> None:
    """A terminal type of 200 KB, or anything else that does not end."""
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


async def test_text_comes_as_it_was_typed(telnet_server: RunningServer) -> None:
    """Latin-1, broken UTF-8 and a doubled 255 end no connection, and what is shown is clean."""
    async with telnet_client(telnet_server.telnet_port) as ana:
        await ana.until("Type play")
        ana.send(b"/a\xff\xffb\xe9\x1b[31m\xc2\x9b z\xc3\xa4h\r\n")
        await ana.until("zäh")
        assert "\x1b" not in ana.text
        assert "\x9b" not in ana.text


async def test_reset_connections_leave_nothing(telnet_server: RunningServer) -> None:
    """Reset in every phase: before the answers, while the server waits for them, in the lobby, and at a table."""
    await go_away(telnet_server, 3)
    await settled(lambda: not telnet_server.app.sessions)
    before = tasks(), descriptors()
    for n in range(0, RESETS, 10):
        await asyncio.gather(*(go_away(telnet_server, n + k) for k in range(10)))
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


async def test_a_client_that_does_not_read_is_cut_off(
    telnet_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its output does not pile up, and no player on ssh waits for it."""
    monkeypatch.setattr("server.terminal.terminal.OUTPUT_STUCK_SECONDS", 0.5)
    monkeypatch.setattr("server.limits.LINES", RateLimit(20_000, 50))
    async with telnet_client(telnet_server.telnet_port) as ana:
        await ana.until("Type play")
        ana.writer.transport.pause_reading()  # type: ignore[attr-defined]
        reader = next(iter(telnet_server.app.sessions))
        assert isinstance(reader, TerminalSession)
        ana.send(b"rules life\n" * 20_000)
        await settled(lambda: reader.terminal.stalled)
        assert await probe(telnet_server) < 1
        assert reader.terminal.waiting <= OUTPUT_WAITING
        await settled(lambda: reader not in telnet_server.app.sessions)


async def test_telnet_players_are_told_when_the_server_stops(tmp_path: Path) -> None:
    """Like all others."""
    async with running_server(tmp_path, telnet_port=0) as running, telnet_client(running.telnet_port) as ana:
        ana.send(screen_client())
        await ana.until(lambda ana: "lobby>" in ana.shown)
        await running.app.stop()
        assert "The server stops now" in await ana.until_gone()


# The grace, on a clock that jumps.


class Wire(asyncio.Transport):
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""

    def write(self, data: object) -> None:
        """Keep it."""
        assert isinstance(data, bytes)
        self.sent += data

    def get_extra_info(self, name: str, default: object = None) -> object:  # noqa: ARG002
        """No socket to be set up."""
        return self

    def setsockopt(self, *_: object) -> None:
        """Nothing to set."""

    def is_closing(self) -> bool:
        """Never by itself."""
        return False

    def get_write_buffer_size(self) -> int:
        """Everything is taken at once."""
        return 0

    def close(self) -> None:
        """Stay."""

    def abort(self) -> None:
        """Stay."""

    def resume_reading(self) -> None:
        """There is no rate to keep here."""

    pause_reading = resume_reading


async def begun(*said: tuple[float, bytes]) -> tuple[float, Terminal]:
    """When the session begins of a client that sends this data at these times, and the session's terminal."""
    loop = asyncio.get_running_loop()
    came: asyncio.Future[tuple[float, Terminal]] = loop.create_future()

    async def welcome(terminal: Terminal, *_: object) -> int:
        came.set_result((loop.time() - started, terminal))
        return 0

    started = loop.time()
    entry = ConnectionLimits(1, 1, AddressSet([])).admit(IPv4Address("192.0.2.1"), lambda: None)
    intake = ThrottledTransport(lambda intake: TelnetAcceptor(welcome, UNREAD).accept(intake, entry))
    intake.connection_made(Wire())
    for after, data in said:
        await asyncio.sleep(started + after - loop.time())
        intake.get_buffer(-1)[: len(data)] = data
        intake.buffer_updated(len(data))
    found = await came
    intake.connection_lost(None)
    return found


@in_virtual_time
async def test_a_silent_client_waits_for_the_grace_and_no_longer() -> None:
    """It waits one second whatever it types meanwhile, and what it typed counts afterwards."""
    when, terminal = await begun((0.5, b"play\n"))
    assert when == pytest.approx(TELNET_GRACE, abs=0.01)
    typed = list[bytes]()
    terminal.attach(data=typed.append, input_end=lambda: None, drained=lambda: None)
    assert (terminal.is_tty, terminal.term, typed) == (False, "dumb", [b"play\r"])


@in_virtual_time
async def test_a_session_begins_as_soon_as_the_client_has_answered() -> None:
    """When everything is known, there is nothing to wait for."""
    refuses = bytes((IAC, WONT, 24, IAC, WONT, 31, IAC, DONT, 42))
    when, _ = await begun((0.2, refuses))
    assert when == pytest.approx(0.2, abs=0.01)


@in_virtual_time
async def test_a_slow_client_is_given_time_but_not_without_end() -> None:
    """Each answer starts the wait again, a few times."""
    when, who = await begun(
        *((0.9 * n, bytes((IAC, WILL, 24)) if n == 1 else bytes((IAC, WILL, 31))) for n in range(1, TELNET_GRACES + 3))
    )
    assert TELNET_GRACE * 2 < when <= TELNET_GRACE * TELNET_GRACES
    assert not who.is_tty


# The real clients.


@pytest.mark.needs("telnet", "tmux")
async def test_the_real_telnet_plays_a_game(telnet_server: RunningServer, tmp_path: Path) -> None:
    """In a real terminal: the screen, a game to its end, a resize, and the terminal restored."""
    with terminal(tmp_path, "telnet", "127.0.0.1", str(telnet_server.telnet_port)) as tmux:
        await tmux.until("to play against AI players")
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
            await tmux.until("to play against AI players")
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
            await tmux.until("Type quit again")
            tmux.type("quit")
            await tmux.until("Good-bye")


@pytest.mark.needs("telnet", "tmux")
async def test_the_real_telnet_on_a_dumb_terminal_keeps_its_own_echo(
    telnet_server: RunningServer, tmp_path: Path
) -> None:
    """In line mode the client alone shows what is typed, once."""
    command = ["env", "TERM=dumb", "telnet", "127.0.0.1", str(telnet_server.telnet_port)]
    with terminal(tmp_path, *command) as tmux:
        await tmux.until("Type play")
        tmux.type("frob")
        screen = await tmux.until("nknown command")
        assert screen.count("frob") == 2, "typed, and quoted in the answer"
        tmux.type("quit")
        await tmux.until("Good-bye")


@pytest.mark.needs("nc")
async def test_nc_plays_from_a_pipe(telnet_server: RunningServer) -> None:
    """A client that knows nothing of telnet."""
    process = await asyncio.create_subprocess_exec(
        *("nc", "127.0.0.1", str(telnet_server.telnet_port)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate(b"play\nready\nwhere\nquit\n")
    assert b"Three face-down cards, numbers 1, 2 and 3." in out
    assert b"\x1b" not in out
    assert out.endswith(b"Good-bye. Come again.\r\n")


def test_the_test_client_hides_telnet_commands() -> None:
    """What is meant for the client is not part of the text."""
    somebody = TelnetClient.__new__(TelnetClient)
    somebody.raw = bytes((IAC, DO, 24, IAC, SB, 24, 1, IAC, SE)) + b"a\r\0\r\n"
    assert somebody.printed == b"a\r\r\n"
