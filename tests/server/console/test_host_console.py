"""`quatch serve` at a real terminal: a console, nothing that waits for the terminal, and the terminal as it was."""

import asyncio
import os
import pty
import re
import signal
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest.mock import Mock

import pytest

from server.console.consoles import HostTerminal
from server.process.standard_streams import is_at_terminal
from tests.support.hosted import children, is_running, kill_server
from tests.support.patience import PATIENCE
from tests.support.people import ReachedServer
from tests.support.tmux import Tmux, terminal


@contextmanager
def at_terminal(tmp_path: Path, *arguments: str) -> Iterator[Tmux]:
    """A server that was started at a terminal, which it outlives; its data are in `data`."""
    folders = (f"QUATCH_HOSTKEYS={tmp_path}/keys", f"QUATCH_DATA={tmp_path}/data")
    serve = (sys.executable, "-m", "server", "serve", "--host", "127.0.0.1", "--port", "0", *arguments)
    with terminal(tmp_path, "env", *folders, *serve) as tmux:
        try:
            yield tmux
        finally:
            with suppress(FileNotFoundError):  # it has ended
                kill_server(int((tmp_path / "data" / "quatch.pid").read_text("ascii")))


async def stop(tmux: Tmux) -> None:
    """Stop the server at its console."""
    tmux.type("quit")
    await tmux.until("type quit again")
    tmux.type("quit")
    screen = await tmux.until("ended 0")
    assert "ready ssh 127.0.0.1" in screen
    assert "admin>" not in screen


@pytest.mark.needs("tmux")
@pytest.mark.features("moderation")
async def test_a_host_starts_looks_and_stops(tmp_path: Path) -> None:
    """The ready lines stand on the terminal before and after the console, and the log is in the file that it names."""
    with at_terminal(tmp_path) as tmux:
        screen = await tmux.until("admin>")
        assert "no players" in screen
        assert "quatch.log" in "".join(line.strip() for line in screen.splitlines())
        tmux.type("announce good evening")
        await tmux.until("Told 0 people")
        await stop(tmux)
    assert '"after": "good evening"' in logged(tmp_path)


@pytest.mark.needs("tmux")
async def test_without_a_console_the_log_is_on_the_terminal_to_be_read(tmp_path: Path) -> None:
    """As lines for people: it is JSON only elsewhere."""
    with at_terminal(tmp_path, "--console", "no") as tmux:
        await tmux.until("data in")
        tmux.run("send-keys", "C-c")
        screen = await tmux.until("ended 0")
        assert re.search(r"\[info +\] the server stops", screen)
    assert not (tmp_path / "data" / "quatch.log").exists()


@pytest.mark.needs("tmux")
@pytest.mark.features("cluster", "keeper", "moderation")
async def test_the_console_comes_again_after_a_kill_and_after_a_renewal(tmp_path: Path) -> None:
    """Also if several processes run; at the end the terminal echoes what is typed, as before."""
    with at_terminal(tmp_path, "--processes", "2") as tmux:
        await tmux.until("admin>")
        (keeper,) = children(int(tmux.run("list-panes", "-F", "#{pane_pid}")))
        first, *_ = children(keeper)
        os.kill(first, signal.SIGKILL)
        await tmux.until("ERROR a process has ended")
        await announce(tmux, "killed")
        os.kill(keeper, signal.SIGHUP)
        while '"reloaded"' not in logged(tmp_path):
            await asyncio.sleep(0.1)
        await announce(tmux, "renewed")
        assert '"after": "renewed"' in logged(tmp_path)
        await stop(tmux)
        tmux.type("good night")
        await tmux.until("good night\ngood night")


@pytest.mark.needs("tmux")
@pytest.mark.features("cluster", "keeper")
@pytest.mark.parametrize("console", ["yes", "no"])
async def test_nobody_loses_the_server_when_its_window_is_closed(tmp_path: Path, console: str) -> None:
    """A player in the lobby stays, another one comes in, and the server stops when it is told to."""
    with at_terminal(tmp_path, "--processes", "2", "--console", console) as tmux:
        await tmux.until("admin>|data in")
        server, window = ReachedServer(), int(tmux.run("list-panes", "-F", "#{pane_pid}"))
        lines = tmux.run("capture-pane", "-p", "-a", "-q") + tmux.show()  # also those that the console hides
        server.port = int(lines.partition("ready ssh 127.0.0.1 ")[2].split()[0])
        (keeper,) = children(window)
        processes = children(keeper)
        async with server.person() as ana:
            await ana.until("lobby")
            tmux.run("respawn-pane", "-k", "cat")
            await ended(window)
            async with server.person("bo") as bo:
                await bo.until("lobby")
                await ana.until("2 here")
                await ana.enter("who", "2 here: ")
        assert children(keeper) == processes
        os.kill(keeper, signal.SIGTERM)
        await ended(keeper)


async def ended(process: int) -> None:
    """Wait until this process has ended."""
    async with asyncio.timeout(PATIENCE):
        while is_running(process):
            await asyncio.sleep(0.02)


async def announce(tmux: Tmux, text: str) -> None:
    """Type it until a console has read it: a new one reads nothing that was typed before."""
    while f"after={text}" not in tmux.show():
        tmux.type(f"announce {text}")
        await asyncio.sleep(0.5)


def logged(folder: Path) -> str:
    """The log that the console names."""
    return (folder / "data" / "quatch.log").read_text("ascii")


@contextmanager
def standard_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The other end of a terminal that is standard input and output."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "r", closefd=False) as stdin, os.fdopen(theirs, "w", closefd=False) as stdout:
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(sys, "stdout", stdout)
        yield ours
        monkeypatch.undo()
    os.close(theirs)
    os.close(ours)


async def test_output_waits_for_its_reader_and_nobody_else_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it comes when the terminal is read again, and standard output still blocks for others."""
    with standard_terminal(monkeypatch) as far_end:
        terminal = HostTerminal()
        sent = b"0123456789" * 20_000
        terminal.write(sent)
        assert terminal.waiting() > 0
        got = b""
        os.set_blocking(far_end, False)
        async with asyncio.timeout(10):
            while len(got) < len(sent):
                try:
                    got += os.read(far_end, 65536)
                except BlockingIOError:
                    await asyncio.sleep(0)
        assert (got, terminal.waiting()) == (sent, 0)
        assert os.get_blocking(sys.stdout.fileno())
        terminal.close(0)
        terminal.write(b"late")


async def test_a_terminal_that_is_cut_off_is_told_and_holds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The console ends, and the server goes on."""
    with standard_terminal(monkeypatch):
        terminal = HostTerminal()
        terminal.write(b"x" * 200_000)
        terminal.abort()
        assert (terminal.terminal.input_ended, terminal.waiting()) == (True, 0)
        terminal.close(0)


async def test_the_input_of_a_terminal_that_is_gone_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading it fails then, again and again; so does restoring its settings."""
    with standard_terminal(monkeypatch):
        host = HostTerminal()
        with host.attached() as terminal:
            monkeypatch.setattr(os, "read", Mock(side_effect=OSError(5, "Input/output error")))
            host._read()  # noqa: SLF001 - as the event loop calls it
            assert terminal.input_ended
            monkeypatch.setattr(termios, "tcsetattr", Mock(side_effect=termios.error(5, "Input/output error")))


def test_a_terminal_of_others_is_none_for_a_console(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the background of a shell. Under systemd, or with output redirected, there is no terminal at all."""
    assert not is_at_terminal()
    with standard_terminal(monkeypatch):
        assert not is_at_terminal()
