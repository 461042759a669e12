"""Attacks that exhaust a server, and clients that vanish, by their numbers in README.md beside this file."""

import asyncio
import os
import signal
import socket
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import asyncssh
import pytest
from asyncssh.packet import SSHPacketLogger

from server.limits import CONNECTIONS, KEY_EXCHANGES, LINE_LENGTH, PASTE_LENGTH
from server.terminal.key_bindings import LineEditor, press
from server.terminal.keys import KeyInput
from server.transport.ssh import OPTIONS
from tests.soak import Figure, long
from tests.support.people import Guest, RunningServer, running_server
from tests.support.probe import ATTACKER, probe
from tests.support.resources import descriptors, settled, tasks
from tests.support.screens import SettableGuide
from tests.support.wires import dial

pytestmark = pytest.mark.computing_takes_time
EVERY_NTH: Final = long(64, 1)
"""Of all code points, those that are typed."""
KEY_EXCHANGE: Final = 20
"""The message that begins a key exchange (RFC 4253, 7.1)."""


async def test_key_exchanges_from_one_address_are_few(tmp_path: Path, figure: Figure) -> None:
    """10: of three hundred fast logins the first few succeed; the others cost nothing."""
    came = 0

    async def log_in(running: RunningServer) -> None:
        nonlocal came
        with suppress(asyncssh.Error, OSError):
            async with running.connection("flood", source=ATTACKER):
                came += 1

    async with running_server(tmp_path) as running:
        for _ in range(10):
            await asyncio.gather(*(log_in(running) for _ in range(30)))
        async with running.person("honest", term=None) as honest:
            await honest.until("Type play")
    figure(f"{came} of 300 logins from one address")
    # The bucket fills by one in two seconds while this lasts.
    assert 0 < came <= CONNECTIONS.share.burst + 10


class Named(Guest):
    """A client that sends its name as it is."""

    def __init__(self, name: bytes) -> None:
        self._name = name

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
        """Have it sent instead of the harmless one."""
        conn._username = self._name  # type: ignore[assignment]


async def test_a_name_that_could_do_harm_is_refused(open_server: RunningServer) -> None:
    """12: control and bidirectional characters and broken UTF-8: no client logs in with such a name."""
    for name in (b"a\x1b[31m", b"a\nb", b"a\x00b", "a\u202eb".encode(), b"\xff\xfe", b"a\x7f"):
        with pytest.raises((asyncssh.Error, OSError)):
            async with open_server.connection("harmless", client=partial(Named, name)):
                pass
        await settled(lambda: not open_server.app.listener.connection_limits.connections)
        assert not open_server.app.sessions


async def test_a_command_of_odd_bytes_is_refused(open_server: RunningServer) -> None:
    """28: NUL, broken UTF-8, 200 KB: exit status 2, or no command at all."""
    for command in (b"who\x00", b"\xff\xfe", b"rules\x00life", b"who " + b"\xc3\x28", b"x" * 200_000):
        async with open_server.connection() as connection:
            try:
                process = await connection.create_process(command, encoding=None)
                assert (await process.wait(timeout=10)).exit_status == 2
            except (asyncssh.Error, OSError):
                assert b"\xff" in command or b"\xc3" in command
        assert await probe(open_server) < 1


async def test_thousands_of_nested_pastes_are_one() -> None:
    """35: start after start, then as many ends: no recursion, one bounded paste, and typing goes on."""
    terminal = KeyInput()
    terminal.feed(b"\x1b[200~" * 5_000 + b"\x1b[201~" * 5_000 + b"k")
    keys = [key for some in iter(terminal.read_keys, []) for key in some]
    assert len(keys) == 2
    (_, paste), (_, after) = keys
    assert len(paste) <= PASTE_LENGTH
    assert after == "k"


async def test_every_character_can_be_typed(figure: Figure) -> None:
    """37: after each code point of Unicode the input line is bounded and shown whole."""
    terminal, editor = KeyInput(), LineEditor(SettableGuide(), submit=lambda _: None, redraw=lambda: None)
    line = editor.line
    typed = 0
    for start in range(0, 0x110000, 0x100):
        text = "".join(chr(code) for code in range(start, start + 0x100, EVERY_NTH))
        terminal.feed(text.encode("utf-8", "surrogatepass"))
        while keys := terminal.read_keys():
            for key, data in keys:
                press(editor, key, data)
                typed += 1
        shown, cursor = line.shown("> ", 80)
        assert len(line.text) <= LINE_LENGTH
        assert cursor < 80
        assert "\x1b" not in shown.text
        line.take()
    figure(f"{typed:,} of all characters typed")


async def test_endless_key_exchanges_end_the_connection(open_server: RunningServer) -> None:
    """47: after a few exchanges the client is cut off; honest players are answered."""
    exchanged = 0

    class Counting(Guest):
        """A client that counts."""

        def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
            """Count what is begun."""
            send = conn.send_packet

            def count(pkttype: int, *args: bytes, handler: SSHPacketLogger | None = None) -> None:
                nonlocal exchanged
                exchanged += pkttype == KEY_EXCHANGE
                send(pkttype, *args, handler=handler)

            conn.send_packet = count  # type: ignore[method-assign]

    async with open_server.connection(client=Counting, rekey_bytes=1) as connection:
        process = await connection.create_process(encoding=None)
        async with asyncio.timeout(20):
            while not connection.is_closed():
                with suppress(OSError):
                    process.stdin.write(b"\n")
                await asyncio.sleep(0.002)
        assert await probe(open_server) < 1
    assert KEY_EXCHANGES.share.burst // 2 < exchanged <= KEY_EXCHANGES.share.burst + 10
    await settled(lambda: not open_server.app.sessions)


async def test_a_half_closed_connection_is_closed(open_server: RunningServer) -> None:
    """50: in every phase the server closes its half, too."""
    before = tasks(), descriptors()
    async with dial(open_server.port) as wire:
        await wire.until(b"SSH-2.0-quatch")
        wire.transport.write_eof()
        await wire.until_cut()
    async with open_server.connection() as connection:
        await connection.create_process(term_type="xterm", encoding=None)
        await settled(lambda: bool(open_server.app.sessions))
        connection.get_extra_info("socket").shutdown(socket.SHUT_WR)
        await settled(lambda: not open_server.app.sessions)
    await settled(lambda: tasks() <= before[0] and descriptors() <= before[1])


@pytest.mark.needs("ssh")
async def test_a_client_that_has_stopped_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """50: a real client stopped by a signal answers nothing: keepalives end its session in 45 seconds, here sooner."""
    assert (OPTIONS["keepalive_interval"], OPTIONS["keepalive_count_max"]) == (15, 3)
    monkeypatch.setitem(OPTIONS, "keepalive_interval", 0.2)
    async with running_server(tmp_path) as running:
        process = await asyncio.create_subprocess_exec(
            *running.openssh("-T", "ana@127.0.0.1"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        assert process.stdout is not None
        await asyncio.wait_for(process.stdout.readuntil(b"Type play"), 10)
        os.kill(process.pid, signal.SIGSTOP)
        try:
            await settled(lambda: not running.app.sessions)
        finally:
            process.kill()
            await process.communicate()
