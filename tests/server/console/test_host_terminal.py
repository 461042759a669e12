"""The terminal where the server was started: nothing waits for it."""

import asyncio
import os
import pty
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import Mock

import pytest

from server.console.consoles import HostTerminal
from server.process.standard_streams import is_at_terminal


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
