"""A far terminal, whatever carries it: what it is, what it has typed, and text on its way to it."""

from collections.abc import Callable
from typing import Final, Protocol

from server.clean import clean
from server.limits import LEAST_SCREEN, OUTPUT_WAITING, TERM_LENGTH, USUAL_SIZE, clamp

RESTORE: Final = "\x1b[?1049l\x1b[?25h\x1b[?1000l\x1b[?1006l\x1b[?2004l\x1b[?7h\x1b[0m"
"""Back to the usual screen, with a cursor and without modes, whatever happened before."""
_DUMB: Final = frozenset({"", "dumb", "unknown", "network", "dialup"})


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
    """One terminal. Its carrier calls `feed`, `resize`, `drained` and `end_input`; the interface sets `on_...`."""

    def __init__(self, carrier: Carrier, *, term: str = "", size: tuple[int, int] = USUAL_SIZE, is_tty: bool) -> None:
        """Term and size are as the other side claims them; a session without a tty has plain lines and no echo."""
        self._carrier = carrier
        self.term = clean(term, TERM_LENGTH).lower()
        self.columns, self.rows = clamp(*size)
        self.is_tty = is_tty
        self.on_data: Callable[[bytes], None] = lambda _: None
        self.on_resize: Callable[[], None] = lambda: None
        self.on_drained: Callable[[], None] = lambda: None
        self.on_input_end: Callable[[], None] = lambda: None

    @property
    def can_draw(self) -> bool:
        """Whether the full screen works here: a tty of a usable kind that is large enough."""
        big_enough = self.columns >= LEAST_SCREEN[0] and self.rows >= LEAST_SCREEN[1]
        return self.is_tty and self.term not in _DUMB and big_enough

    @property
    def stalled(self) -> bool:
        """Whether the reader is so far behind that another frame would only wait."""
        return self._carrier.waiting() > OUTPUT_WAITING // 4

    def write(self, text: str) -> None:
        """Send text. A reader that lets `OUTPUT_WAITING` bytes pile up is cut off."""
        if self._carrier.waiting() > OUTPUT_WAITING:
            self._carrier.abort()
            return
        self._carrier.write(text.encode("utf-8", "replace"))

    def write_lines(self, *lines: str) -> None:
        """Send lines, ended as the other side expects."""
        end = "\r\n" if self.is_tty else "\n"
        self.write("".join(line + end for line in lines))

    def hold(self, *, held: bool) -> None:
        """Let the other side wait with its input, or go on."""
        self._carrier.hold(held=held)

    def restore(self) -> None:
        """Leave the terminal as it was found. To be called before anything is to stay readable on it."""
        self.write(RESTORE)

    def close(self, status: int = 0) -> None:
        """End the session."""
        self._carrier.close(status)

    # Called by the carrier.

    def feed(self, data: bytes) -> None:
        """Bytes came."""
        self.on_data(data)

    def resize(self, columns: int, rows: int) -> None:
        """The terminal has, or claims to have, a new size."""
        size = clamp(columns, rows)
        if size != (self.columns, self.rows):
            self.columns, self.rows = size
            self.on_resize()

    def drained(self) -> None:
        """The other side takes bytes again."""
        self.on_drained()

    def end_input(self) -> None:
        """The other side will send nothing more, but still reads."""
        self.on_input_end()
