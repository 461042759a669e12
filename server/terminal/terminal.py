"""A far terminal, whatever carries it: what it is, what it has typed, and text on its way to it."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Final, Protocol

from server.clean import clean
from server.limits import (
    INPUT_WAITING,
    LEAST_SCREEN,
    OUTPUT_STUCK_SECONDS,
    OUTPUT_WAITING,
    READ_AT_ONCE,
    RESIZE_SECONDS,
    STALL_SECONDS,
    TERM_LENGTH,
    USUAL_SIZE,
    clamp,
)
from server.ops.metrics import UNREAD, Metrics
from server.people.players import Caller
from server.terminal.ascii import in_ascii

RESTORE: Final = "\x1b[?1049l\x1b[?25h\x1b[?1000l\x1b[?1006l\x1b[?2004l\x1b[?7h\x1b[0m"
"""Back to the usual screen, with a cursor and without modes, whatever happened before."""
INTERRUPT: Final = "\x03"
"""What a mode submits for Ctrl-C on an empty line."""
_DUMB: Final = frozenset({"", "dumb", "unknown", "network", "dialup"})
_MONOCHROME: Final = re.compile("vt[1-4].*|.*-(?:m|mono)")
_LOCALE: Final = ("LC_ALL", "LC_CTYPE", "LANG")
"""Where a client says what its characters are, the first that is set decides (POSIX, 8.2)."""


class TerminalTransport(Protocol):
    """What a terminal needs of the connection that carries it. No call may wait."""

    def write(self, data: bytes) -> None:
        """Send bytes when the other side takes them."""

    def waiting(self) -> int:
        """Bytes that the other side has not taken yet."""

    def hold(self, *, held: bool) -> None:
        """Stop taking input, or go on: the other side has to wait."""

    def close(self, status: int) -> None:
        """End the session with this exit status."""

    def abort(self) -> None:
        """Cut the connection at once."""


class Terminal:
    """One terminal. Its carrier calls `feed`, `resize`, `end_input` and `gone`; a mode attaches itself to hear of it.

    A mode hears of what has come a little at a time, so that others get their turn; what comes while none is attached
    waits for the next one. Where too much waits, the other side has to.
    """

    def __init__(
        self,
        transport: TerminalTransport,
        *,
        term: str = "",
        size: tuple[int, int] = USUAL_SIZE,
        is_tty: bool,
        environment: Mapping[str, str] = MappingProxyType({}),
        metrics: Metrics = UNREAD,
    ) -> None:
        """Term, size and environment are as the other side claims them; ``metrics`` counts what is sent to it.

        A session without a tty has plain lines and no echo.
        """
        self._transport = transport
        self.term = clean(term, TERM_LENGTH).lower()
        self._size = clamp(*size)
        self.is_tty = is_tty
        self.has_colour = not (_MONOCHROME.fullmatch(self.term) or environment.get("NO_COLOR"))
        """Whether it is of a kind that knows colours, and nobody there minds them (no-color.org)."""
        self.has_signs = False
        """Whether suit signs and lines have proved to take one cell each."""
        self.is_asked = False
        """Whether it was asked what it can show, see `probe`."""
        self._utf8 = not is_tty or _says_utf8(environment)
        self.metrics = metrics
        self._unread = bytearray()
        """What has come and was not heard yet."""
        self._listener: Callable[[bytes], None] | None = None
        self._next_piece: asyncio.Handle | None = None
        self._held = self._holding = False
        """Whether the mode does not want to hear more now, and whether the carrier has been told to wait."""
        self._input_ended = self._end_told = False
        self.heard_at = float("-inf")
        """When something came last, in the event loop's time."""
        self._stall: asyncio.TimerHandle | None = None
        self._claimed = self._size
        self._resizing: asyncio.TimerHandle | None = None
        self._waiting = 0
        """Bytes that waited for a stalled reader when it was last looked at."""
        self._on_input_end: Callable[[], None]
        self._on_drained: Callable[[], None]
        self._on_resize: Callable[[], None]
        self.detach()

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows, as it last said, made usable."""
        return self._size

    @property
    def knows_screen(self) -> bool:
        """Whether it is a tty of a kind that a full screen can be drawn on, however small."""
        return self.is_tty and self.term not in _DUMB

    @property
    def is_large_enough(self) -> bool:
        """Whether it has space for the full screen, of whatever kind it is."""
        columns, rows = self.size
        return columns >= LEAST_SCREEN[0] and rows >= LEAST_SCREEN[1]

    @property
    def input_ended(self) -> bool:
        """Whether the other side will type nothing more."""
        return self._input_ended

    @property
    def stalled(self) -> bool:
        """Whether the reader is so far behind that another frame would only wait."""
        return self._transport.waiting() > OUTPUT_WAITING // 4

    def attach(
        self,
        *,
        data: Callable[[bytes], None],
        input_end: Callable[[], None],
        drained: Callable[[], None],
        resize: Callable[[], None] = lambda: None,
    ) -> None:
        """Hear of what comes, beginning with what has come already."""
        self._listener = data
        self._on_input_end = input_end
        self._on_drained = drained
        self._on_resize = resize
        self._held = self._end_told = False
        self._read_on()

    def detach(self, unread: bytes = b"") -> None:
        """Hear no more; what comes waits, behind what was heard and not used."""
        self._unread[:0] = unread
        self._listener = None
        self._on_input_end = self._on_drained = self._on_resize = lambda: None

    def write(self, text: str) -> None:
        """Send text. A reader that lets `OUTPUT_WAITING` bytes pile up, or takes none for long, is cut off."""
        if self._transport.waiting() > OUTPUT_WAITING:
            self._transport.abort()
            return
        data = (text if self._utf8 else in_ascii(text)).encode("utf-8", "replace")
        self._transport.write(data)
        self.metrics.bytes_out.inc(len(data))
        if self.stalled and self._stall is None:
            self._watch(OUTPUT_STUCK_SECONDS)

    def write_lines(self, *lines: str) -> None:
        """Send lines, ended as the other side expects."""
        end = "\r\n" if self.is_tty else "\n"
        self.write("".join(line + end for line in lines))

    def learn(self, *, utf8: bool | None, signs: bool) -> None:
        """It was asked what it can show; None is no answer."""
        self.is_asked = True
        self._utf8 = self._utf8 if utf8 is None else utf8
        self.has_signs = signs

    def restore(self) -> None:
        """Leave the terminal as it was found. To be called before anything is to stay readable on it."""
        self.write(RESTORE)

    def hold(self, *, held: bool) -> None:
        """Hear no more for now, and let the other side wait with its input; or go on."""
        self._held = held
        if held:
            self._hold_if_need_be()
        else:
            self._read_on()

    def close(self, status: int = 0) -> None:
        """End the session."""
        self._transport.close(status)

    def _read_on(self) -> None:
        """Have the mode hear of a little now and of more in the loop's next turn."""
        if self._next_piece is None and self._listener is not None:
            self._read_piece()

    def _read_piece(self) -> None:
        self._next_piece = None
        if self._listener is not None and not self._held:
            piece = bytes(self._unread[:READ_AT_ONCE])
            del self._unread[:READ_AT_ONCE]
            if piece:
                # Whatever else comes in this turn of the loop waits for the next one.
                self._next_piece = asyncio.get_running_loop().call_soon(self._read_piece)
                self._listener(piece)
            elif self._input_ended and not self._end_told:
                self._end_told = True
                self._on_input_end()
        self._hold_if_need_be()

    def _hold_if_need_be(self) -> None:
        holding = self._held or len(self._unread) > INPUT_WAITING
        if holding != self._holding:
            self._holding = holding
            self._transport.hold(held=holding)

    def _watch(self, patience: float) -> None:
        """Look again soon whether a stalled reader has caught up, and cut it off when patience is at an end."""
        if not self.stalled:
            self._stall = None
            self._on_drained()
        elif patience <= 0:
            self._transport.abort()
        else:
            waiting, self._waiting = self._waiting, self._transport.waiting()
            patience = OUTPUT_STUCK_SECONDS if self._waiting < waiting else patience - STALL_SECONDS
            self._stall = asyncio.get_running_loop().call_later(STALL_SECONDS, self._watch, patience)

    def _take_size(self) -> None:
        """Have the size that was claimed last; the next one after a moment, so that a flood of them costs little."""
        self._resizing = None
        if self._claimed != self._size:
            self._size = self._claimed
            self._on_resize()
            self._resizing = asyncio.get_running_loop().call_later(RESIZE_SECONDS, self._take_size)

    # Called by the carrier.

    def feed(self, data: bytes) -> None:
        """Bytes came."""
        self.heard_at = asyncio.get_running_loop().time()
        self._unread += data
        self._read_on()
        self._hold_if_need_be()

    def resize(self, columns: int, rows: int) -> None:
        """The terminal has, or claims to have, a new size."""
        self._claimed = clamp(columns, rows)
        if self._resizing is None:
            self._take_size()

    def end_input(self) -> None:
        """The other side will send nothing more, but still reads."""
        self._input_ended = True
        self._read_on()

    def gone(self) -> None:
        """There is no other side any more."""
        for timer in (self._stall, self._resizing, self._next_piece):
            if timer is not None:
                timer.cancel()


def _says_utf8(environment: Mapping[str, str]) -> bool:
    """What a client says of its characters; who says nothing has UTF-8, as nearly everybody has."""
    said = next(filter(None, map(environment.get, _LOCALE)), "utf-8")
    return "utf8" in said.lower().replace("-", "")


Welcome = Callable[[Terminal, Caller, "str | None"], Awaitable[int]]
"""Runs a session: its terminal, who is there, the command or None; gives the exit status."""
