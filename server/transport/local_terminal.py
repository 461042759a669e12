"""The terminal in which this program was started as a transport, for `quatch play`: a game with no network."""

import asyncio
import os
import signal
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from server.process.standard_streams import drop_standard_output
from server.terminal.terminal import Terminal

LOOK_SECONDS: Final = 0.02
"""After so long it is looked again whether a line of a pipe can be taken."""


class LocalTerminal:
    """Standard input and output as the transport of a session."""

    def __init__(self) -> None:
        self._ended = False
        self.may_take_line: Callable[[], bool] = lambda: True
        """Whether the session has answered all lines of a pipe and waits for the next one."""
        self._feeding: asyncio.TimerHandle | None = None
        self._piped = bytearray()
        """What has come through a pipe and waits."""
        is_tty = sys.stdin.isatty() and sys.stdout.isatty()
        term = os.environ.get("TERM", "")
        self.terminal = Terminal(self, term=term, size=_window(), is_tty=is_tty, environment=os.environ)

    @contextmanager
    def attached(self) -> Iterator[Terminal]:
        """Read keys inside the context; restore the terminal's settings at its end."""
        loop = asyncio.get_running_loop()
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor) if self.terminal.is_tty else None
        if before is not None:
            tty.setraw(descriptor)
        loop.add_signal_handler(signal.SIGWINCH, lambda: self.terminal.resize(*_window()))
        try:
            loop.add_reader(descriptor, self._read)
        except PermissionError:
            # Standard input is a file or /dev/null: nothing is typed there.
            self._ended = True
            self.terminal.end_input()
        try:
            yield self.terminal
        finally:
            loop.remove_reader(descriptor)
            if self._feeding is not None:
                self._feeding.cancel()
            loop.remove_signal_handler(signal.SIGWINCH)
            self.terminal.close()
            if before is not None:
                with suppress(termios.error):  # the terminal is gone
                    termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

    def _read(self) -> None:
        try:
            data = os.read(sys.stdin.fileno(), 4096)
        except OSError:  # the terminal is gone
            data = b""
        if self.terminal.is_tty and data:
            self.terminal.feed(data)
            return
        self._piped += data
        if not data:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            self._ended = True
        self._feed_piped()

    def _feed_piped(self) -> None:
        """Pass on one line of a pipe, and look again soon: who pipes lines in cannot see whose turn it is."""
        if self._feeding is not None:
            self._feeding.cancel()
            self._feeding = None
        if self._piped and not self.may_take_line():
            self._feeding = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._feed_piped)
        elif self._piped:
            line, end, rest = self._piped.partition(b"\n")
            if end or self._ended:
                self._piped = rest
                self.terminal.feed(bytes(line + end))
                self._feeding = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._feed_piped)
        elif self._ended:
            self.terminal.end_input()

    def _end_input(self) -> None:
        self._ended = True
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        self.terminal.end_input()

    def write(self, data: bytes) -> None:
        try:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # Nobody reads any more, as behind `| head`: the session ends as if its input had.
            drop_standard_output()
            self._end_input()

    def waiting(self) -> int:
        return 0

    def hold(self, *, held: bool) -> None:
        loop = asyncio.get_running_loop()
        if held:
            loop.remove_reader(sys.stdin.fileno())
        elif not self._ended:
            loop.add_reader(sys.stdin.fileno(), self._read)

    def close(self, status: int) -> None: ...
    def abort(self) -> None: ...


def _window() -> tuple[int, int]:
    try:
        return os.get_terminal_size(sys.stdout.fileno())
    except OSError:
        return (0, 0)
