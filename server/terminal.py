"""A far terminal, whatever carries it: what it is, what it has typed, and text on its way to it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from server.clean import clean
from server.limits import (
    EARLY_INPUT,
    LEAST_SCREEN,
    OUTPUT_STUCK_SECONDS,
    OUTPUT_WAITING,
    RESIZE_SECONDS,
    STALL_SECONDS,
    TERM_LENGTH,
    USUAL_SIZE,
    clamp,
)
from server.players import Caller

RESTORE: Final = "\x1b[?1049l\x1b[?25h\x1b[?1000l\x1b[?1006l\x1b[?2004l\x1b[?7h\x1b[0m"
"""Back to the usual screen, with a cursor and without modes, whatever happened before."""
INTERRUPT: Final = "\x03"
"""What a mode submits for Ctrl-C on an empty line."""
_DUMB: Final = frozenset({"", "dumb", "unknown", "network", "dialup"})
_MONOCHROME: Final = ("vt1", "vt2", "vt3", "vt4")


class Carrier(Protocol):
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

    What comes while no mode is attached waits for the next one, within bounds.
    """

    def __init__(self, carrier: Carrier, *, term: str = "", size: tuple[int, int] = USUAL_SIZE, is_tty: bool) -> None:
        """Term and size are as the other side claims them; a session without a tty has plain lines and no echo."""
        self._carrier = carrier
        self.term = clean(term, TERM_LENGTH).lower()
        self._size = clamp(*size)
        self.is_tty = is_tty
        self._early = b""
        self._input_ended = False
        self._stall: asyncio.TimerHandle | None = None
        self._claimed = self._size
        self._resizing: asyncio.TimerHandle | None = None
        self._waiting = 0
        """Bytes that waited for a stalled reader when it was last looked at."""
        self._on_data: Callable[[bytes], None]
        self._on_input_end: Callable[[], None]
        self._on_drained: Callable[[], None]
        self._on_resize: Callable[[], None]
        self.detach()

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows, as it last said, made usable."""
        return self._size

    @property
    def can_draw(self) -> bool:
        """Whether the full screen works here: a tty of a usable kind that is large enough."""
        columns, rows = self.size
        return self.is_tty and self.term not in _DUMB and columns >= LEAST_SCREEN[0] and rows >= LEAST_SCREEN[1]

    @property
    def input_ended(self) -> bool:
        """Whether the other side will type nothing more."""
        return self._input_ended

    @property
    def has_colour(self) -> bool:
        """Whether it is of a kind that knows colours."""
        return not self.term.startswith(_MONOCHROME)

    @property
    def stalled(self) -> bool:
        """Whether the reader is so far behind that another frame would only wait."""
        return self._carrier.waiting() > OUTPUT_WAITING // 4

    def attach(
        self,
        *,
        data: Callable[[bytes], None],
        input_end: Callable[[], None],
        drained: Callable[[], None],
        resize: Callable[[], None] = lambda: None,
    ) -> None:
        """Hear of what comes, beginning with what has come already."""
        self._on_data = data
        self._on_input_end = input_end
        self._on_drained = drained
        self._on_resize = resize
        early, self._early = self._early, b""
        if early:
            data(early)
        if self._input_ended:
            input_end()

    def detach(self, unread: str = "") -> None:
        """Hear no more; what comes waits, behind what was heard and not used."""
        self._early = unread.encode("utf-8", "replace")
        self._on_data = self._keep
        self._on_input_end = self._on_drained = self._on_resize = lambda: None

    def write(self, text: str) -> None:
        """Send text. A reader that lets `OUTPUT_WAITING` bytes pile up, or takes none for long, is cut off."""
        if self._carrier.waiting() > OUTPUT_WAITING:
            self._carrier.abort()
            return
        self._carrier.write(text.encode("utf-8", "replace"))
        if self.stalled and self._stall is None:
            self._watch(OUTPUT_STUCK_SECONDS)

    def write_lines(self, *lines: str) -> None:
        """Send lines, ended as the other side expects."""
        end = "\r\n" if self.is_tty else "\n"
        self.write("".join(line + end for line in lines))

    def restore(self) -> None:
        """Leave the terminal as it was found. To be called before anything is to stay readable on it."""
        self.write(RESTORE)

    def hold(self, *, held: bool) -> None:
        """Let the other side wait with its input, or go on."""
        self._carrier.hold(held=held)

    def close(self, status: int = 0) -> None:
        """End the session."""
        self._carrier.close(status)

    def _keep(self, data: bytes) -> None:
        self._early = (self._early + data)[:EARLY_INPUT]

    def _watch(self, patience: float) -> None:
        """Look again soon whether a stalled reader has caught up, and cut it off when patience is at an end."""
        if not self.stalled:
            self._stall = None
            self._on_drained()
        elif patience <= 0:
            self._carrier.abort()
        else:
            waiting, self._waiting = self._waiting, self._carrier.waiting()
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
        self._on_data(data)

    def resize(self, columns: int, rows: int) -> None:
        """The terminal has, or claims to have, a new size."""
        self._claimed = clamp(columns, rows)
        if self._resizing is None:
            self._take_size()

    def end_input(self) -> None:
        """The other side will send nothing more, but still reads."""
        self._input_ended = True
        self._on_input_end()

    def gone(self) -> None:
        """There is no other side any more."""
        for timer in (self._stall, self._resizing):
            if timer is not None:
                timer.cancel()


Welcome = Callable[[Terminal, Caller, "str | None"], Awaitable[int]]
"""Runs a session: its terminal, who is there, the command or None; gives the exit status."""
