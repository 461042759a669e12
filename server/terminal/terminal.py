"""A player's terminal over any transport: what it can show, its input, and its output."""

import asyncio
import re
import unicodedata
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from operator import ge
from types import MappingProxyType
from typing import Any, Final, Protocol

from engine.cards import SUIT_SIGNS, SUITS
from server import limits
from server.cells import ASCII_STROKES, STROKES, char_width
from server.clean_text import clean
from server.fair_queue import UNLIMITED, Payer
from server.people.players import Caller
from server.process.counters import UNREAD, Counters

RESTORE: Final = "\x1b[?1049l\x1b[?25h\x1b[?1000l\x1b[?1006l\x1b[?2004l\x1b[?7h\x1b[0m"
"""Returns to the usual screen, with a cursor and without modes, whatever happened before."""
INTERRUPT: Final = "\x03"
"""What a mode submits when Ctrl-C is pressed on an empty line."""
END_OF_INPUT: Final = "\x04"
"""What a mode submits when the other side will send nothing more."""
AT_ONCE_SECONDS: Final = 0.001
"""Input that comes sooner after the last one waits for the loop's next turn, so that many small pieces become one."""
_DUMB: Final = frozenset({"", "dumb", "unknown", "network", "dialup"})
_MONOCHROME: Final = re.compile("vt[1-4].*|.*-(?:m|mono)")
_LIKE: Final = str.maketrans(
    f"{SUIT_SIGNS}{STROKES}\u2018\u2019\u201c\u201d\u2013\u2014", f"{SUITS}{ASCII_STROKES}''\"\"--"
)
"""The characters of ASCII that stand for signs, strokes, quotes and dashes."""
_LOCALE: Final = ("LC_ALL", "LC_CTYPE", "LANG")
"""The variables that name a client's character set; the first one that is set decides (POSIX, 8.2)."""
LETTER: Final = "\u00f1"
"""Two bytes in UTF-8, one cell on every terminal, also on Chinese, Japanese and Korean ones."""
WHERE: Final = "\x1b[6n"
QUESTION: Final = f"\r{LETTER}{WHERE}\r{SUIT_SIGNS}{WHERE}\r\x1b[K"
_RIGHT: Final = (2, 5)
"""The columns, counted from 1, behind the letter and behind the signs if each takes one cell."""
NARROW_SAFE: Final = "".join(f"\x1b[1;{column}R" for column in _RIGHT)
"""The answer of a terminal that shows all of it as it should be."""
_ANSWER: Final = re.compile(rb"\x1b\[[0-9]{1,4};([0-9]{1,4})R")
_BEGUN: Final = re.compile(rb"\x1b(?:\[[0-9]{0,4}(?:;[0-9]{0,4})?)?\Z")


class TerminalTransport(Protocol):
    """What a terminal needs of its connection. No call may wait."""

    def write(self, data: bytes) -> None:
        """Send bytes as soon as the other side takes them."""

    def waiting(self) -> int:
        """Returns how many bytes the other side has not taken yet."""

    def hold(self, *, held: bool) -> None:
        """Stop reading, so that the other side has to wait; or go on."""

    def close(self, status: int) -> None:
        """End the session with this exit status."""

    def abort(self) -> None:
        """Cut the connection at once."""


def _nobody_asks() -> None:
    """What is called while no mode wants to be told."""


class Terminal:
    """One terminal. Its transport calls `feed`, `resize`, `end_input` and `gone`; a mode attaches itself to be told.

    Input is handed to the mode a little at a time, so that other sessions get their turn. Input that comes while no
    mode is attached waits for the next one. If too much waits, the other side has to wait too.
    """

    stuck_seconds = limits.OUTPUT_STUCK_SECONDS
    """A reader that takes nothing for so long is cut off."""
    # Of the class while it has not ended: an object with more than 29 values of its own takes a kilobyte more.
    input_ended = _end_told = False

    def __init__(
        self,
        transport: TerminalTransport,
        *,
        term: str = "",
        size: tuple[int, int] = limits.USUAL_SIZE,
        is_tty: bool,
        environment: Mapping[str, str] = MappingProxyType({}),
        counters: Counters = UNREAD,
        payer: Payer = UNLIMITED,
        errors: Callable[[bytes], None] | None = None,
    ) -> None:
        """``term``, ``size`` and ``environment`` are the other side's claims. Without a tty there is no echo.

        ``payer`` is charged for handling its input and drawing its screen. ``errors`` sends what is no answer to a
        program; None if it goes the same way.
        """
        self._transport, self._errors = transport, errors
        self.term = clean(term, limits.TERM_LENGTH).lower()
        self.size = limits.clamp(*size)
        """Columns and rows: the last claim, within `limits.COLUMNS` and `limits.ROWS`."""
        self.tells_size = all(size)
        """Whether the size is the other side's claim. If it tells none, the usual size is taken."""
        self.is_tty = is_tty
        self.knows_screen = is_tty and self.term not in _DUMB
        """Whether it is a tty on which a full screen can be drawn, if it is large enough."""
        self.has_colour = not (_MONOCHROME.fullmatch(self.term) or environment.get("NO_COLOR"))
        """Whether its kind shows colours, and its player has not switched them off (no-color.org)."""
        self.has_signs = False
        """Whether suit signs and box lines are known to take one cell each."""
        self.is_asked = False
        """Whether `probe` has asked it."""
        # One that names no character set has UTF-8, as nearly all have.
        locale = next(filter(None, map(environment.get, _LOCALE)), "utf-8").lower()
        self._utf8 = not is_tty or "utf8" in locale.replace("-", "")
        self._has_other = "." in locale and not self._utf8
        """Whether its locale names another character set: tmux may answer for a terminal that has no UTF-8."""
        self.counters = counters
        self.payer = payer
        self._unread = bytearray()
        """Input that no mode has been told of."""
        self._listener: Callable[[bytes], None] | None = None
        self._next_piece: asyncio.Handle | None = None
        self._held = self._holding = False
        """Whether the mode wants no input now, and whether the transport has been told to wait."""
        self.last_input_at = float("-inf")
        """When the last input came, in the event loop's time."""
        self._stall: asyncio.TimerHandle | None = None
        self._claimed: tuple[int, int] | None = None
        self._resizing: asyncio.TimerHandle | None = None
        self._waiting = 0
        """Bytes that waited for a stalled reader at the last look."""
        self._on_input_end = self._on_drained = self._on_resize = _nobody_asks

    @property
    def is_large_enough(self) -> bool:
        """Whether its window has space for the full screen."""
        return all(map(ge, self.size, limits.LEAST_SCREEN))

    @property
    def waiting(self) -> int:
        """How many bytes of output the other side has not taken yet."""
        return self._transport.waiting()

    @property
    def stalled(self) -> bool:
        """Whether the reader is so far behind that another frame would only wait in a buffer."""
        return self._stall is not None and self.waiting > limits.OUTPUT_WAITING // 4

    def attach(
        self,
        *,
        data: Callable[[bytes], None],
        input_end: Callable[[], None],
        drained: Callable[[], None],
        resize: Callable[[], None] = _nobody_asks,
    ) -> None:
        """Call these functions from now on: for input, beginning with what has come already, and for other news."""
        self._listener = data
        self._on_input_end = input_end
        self._on_drained = drained
        self._on_resize = resize
        self._held = self._end_told = False
        self._read_on()

    def detach(self, unread: bytes = b"") -> None:
        """Call back no more. New input waits, behind ``unread``, which was handed over and not used."""
        self._unread[:0] = unread
        self._listener = None
        self._on_input_end = self._on_drained = self._on_resize = _nobody_asks

    def write(self, text: str, *, as_it_is: bool = False) -> None:
        """Send text, in ASCII to a terminal that shows nothing else, unless it is to be sent ``as_it_is``.

        A reader is cut off if `OUTPUT_WAITING` bytes wait for it, or if it takes none for long.
        """
        data = (text if self._utf8 or as_it_is else in_ascii(text)).encode("utf-8", "replace")
        self._transport.write(data)
        self.counters.bytes_out.value += len(data)
        waiting = self._transport.waiting()
        if waiting > limits.OUTPUT_WAITING + len(data):
            self._transport.abort()
        elif waiting > limits.OUTPUT_WAITING // 4 and self._stall is None:
            self._watch(self.stuck_seconds)

    def write_lines(self, *lines: str) -> None:
        """Send lines, with the line ends that the other side expects."""
        end = "\r\n" if self.is_tty else "\n"
        self.write(end.join((*lines, "")))

    def write_error(self, *lines: str) -> None:
        """Send lines that say what is wrong, to a program apart from what it has asked for."""
        if self._errors is None:
            self.write_lines(*lines)
        else:
            self._errors("\n".join((*lines, "")).encode())

    def learn(self, *, utf8: bool | None, signs: bool) -> None:
        """Note what it can show; ``utf8`` is None if it has not answered."""
        self.is_asked = True
        self._utf8 = self._utf8 if utf8 is None else utf8
        self.has_signs = signs and not self._has_other

    def hold(self, *, held: bool) -> None:
        """Take no input for now and have the other side wait; or go on."""
        self._held = held
        if held:
            self._hold_if_need_be()
        else:
            self._read_on()

    def close(self, status: int = 0) -> None:
        """End the session."""
        self._transport.close(status)

    def _read_on(self) -> None:
        """Hand a little input to the mode now, and more in the loop's next turn."""
        if self._next_piece is None and self._listener is not None:
            self._read_piece()

    def _read_piece(self) -> None:
        self._next_piece = None
        if self._listener is not None and not self._held:
            piece = bytes(self._unread[: limits.READ_AT_ONCE])
            del self._unread[: limits.READ_AT_ONCE]
            if piece and (self._unread or self.input_ended):
                self._next_piece = asyncio.get_running_loop().call_soon(self.payer.call, self._read_piece)
            if piece:
                self._listener(piece)
            elif self.input_ended and not self._end_told:
                self._end_told = True
                self._on_input_end()
        if self._holding:
            self._hold_if_need_be()

    def _hold_if_need_be(self) -> None:
        holding = self._held or len(self._unread) > limits.INPUT_WAITING
        if holding != self._holding:
            self._holding = holding
            self._transport.hold(held=holding)

    def _watch(self, patience: float) -> None:
        """Look again soon whether a stalled reader has caught up; cut it off after ``patience`` seconds."""
        before, self._waiting = self._waiting, self.waiting
        if self._waiting <= limits.OUTPUT_WAITING // 4:
            self._stall = None
            self._on_drained()
        elif patience <= 0:
            self._transport.abort()
        else:
            patience = self.stuck_seconds if self._waiting < before else patience - limits.STALL_SECONDS
            self._stall = asyncio.get_running_loop().call_later(limits.STALL_SECONDS, self._watch, patience)

    def _take_size(self) -> None:
        """Take the last claimed size, and the next one only after a moment, so that a flood of them costs little."""
        self._resizing = None
        if self._claimed is not None:  # also the old one: a window that was smaller in between has lost rows
            self.size, self._claimed = self._claimed, None
            self._on_resize()
            self._resizing = asyncio.get_running_loop().call_later(limits.RESIZE_SECONDS, self._take_size)

    # Called by the transport.

    def feed(self, data: bytes) -> None:
        """Take bytes from the other side."""
        loop = asyncio.get_running_loop()
        before, self.last_input_at = self.last_input_at, loop.time()
        self._unread += data
        if self._next_piece is None:
            if self.last_input_at - before >= AT_ONCE_SECONDS:
                self.payer.call(self._read_piece)
            else:
                self._next_piece = loop.call_soon(self.payer.call, self._read_piece)
        if len(self._unread) > limits.INPUT_WAITING:
            self._hold_if_need_be()

    def resize(self, columns: int, rows: int) -> None:
        """Take a new size, as the other side claims it."""
        self._claimed = limits.clamp(columns, rows)
        self.tells_size = bool(columns and rows)
        if self._resizing is None:
            self._take_size()

    def end_input(self) -> None:
        """Note that the other side will send nothing more; it still reads."""
        self.input_ended = True
        self._read_on()

    def gone(self) -> None:
        """Note that the connection is lost."""
        for timer in (self._stall, self._resizing, self._next_piece):
            if timer is not None:
                timer.cancel()


Welcome = Callable[[Terminal, Caller, "str | None"], Coroutine[Any, Any, int]]
"""Runs a session for a terminal, its caller, and a command or None; returns the exit status."""


def in_ascii(text: str) -> str:
    """Returns the text in ASCII; a character that resembles none becomes a question mark for each of its cells.

    >>> in_ascii("Zo\u00eb: 7\u2665 \u6f22")
    'Zoe: 7h ??'
    """
    return text if text.isascii() else "".join(map(_ascii_like, text.translate(_LIKE)))


def _ascii_like(char: str) -> str:
    if char.isascii():
        return char
    base = unicodedata.normalize("NFKD", char)[0]
    cells = max(0, char_width(char))
    return base if base.isascii() and base.isprintable() and cells == 1 else "?" * cells


async def probe(terminal: Terminal, first: str = "") -> None:
    """Ask the terminal, before its first frame, whether it shows UTF-8 and how wide suit signs are on it, and tell it.

    Terminals disagree about the width of suit signs, and only the terminal itself knows whether it takes UTF-8. It is
    sent a letter and then the four signs, is asked after each where its cursor is (ECMA-48, DSR 6), and the row is
    erased again. One that does not answer in time is shown letters; a late answer is an unknown key and is dropped.
    What is typed meanwhile waits for the first mode. ``first`` is sent in front of the question: ASCII, with its line
    end.
    """
    answers = _Answers(terminal)
    terminal.attach(data=answers.feed, input_end=answers.complete.set, drained=lambda: None)
    terminal.write(first + QUESTION, as_it_is=True)  # its answer to ASCII would say nothing
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(limits.PROBE_SECONDS):
                await answers.complete.wait()
    finally:
        terminal.detach(answers.typed + answers.begun)
    columns = tuple(answers.columns)
    terminal.learn(utf8=columns[0] == _RIGHT[0] if columns else None, signs=columns == _RIGHT)


class _Answers:
    """Takes the answers out of the input."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self.columns: list[int] = []
        self.typed = b""
        self.begun = b""
        """Bytes that may be the start of an answer."""
        self.complete = asyncio.Event()

    def feed(self, data: bytes) -> None:
        received = self.begun + data
        while len(self.columns) < len(_RIGHT) and (answer := _ANSWER.search(received)):
            self.columns.append(int(answer[1]))
            received = received[: answer.start()] + received[answer.end() :]
        done = len(self.columns) == len(_RIGHT)
        begun = None if done else _BEGUN.search(received)
        at = len(received) if begun is None else begun.start()
        self.typed, self.begun = self.typed + received[:at], received[at:]
        if done:
            self.complete.set()
        elif len(self.typed) > limits.INPUT_WAITING:
            self._terminal.hold(held=True)


class Guide:
    """What the keys of the full screen ask the session about the line that is being typed; this one knows nothing."""

    def offer(self) -> str:
        """Returns the line that Enter alone stands for, shown faintly: never a move; empty if there is none."""
        return ""

    def walk(self, line: str, step: int) -> str:  # noqa: ARG002 - others need it, here and below
        """Returns the move ``step`` further on than the one in the line; empty if there is no move to make."""
        return ""

    def add_copy(self, line: str) -> str:  # noqa: ARG002
        """Returns the move in the line with one more card of its rank; empty if the line is no move."""
        return ""

    def words(self, line: str) -> list[str]:  # noqa: ARG002
        """Returns the words with which the last word of the line may go on."""
        return []

    def show_words(self, words: list[str]) -> None:
        """Show these words to choose from."""

    def turn_page(self, pages: int) -> bool:  # noqa: ARG002
        """Turn the page of text forward or back, or put it away for 0.

        Returns False if there is none, and at the end of one where Enter does something.
        """
        return False

    def step(self, key: str) -> bool:  # noqa: ARG002
        """Carry out the command that this key stands for where the player is. Returns False if there is none."""
        return False

    def stop_playing(self) -> bool:
        """Stop a finished game that goes on by itself. Returns whether there was one."""
        return False

    def step_back(self) -> None:
        """Esc was pressed on an empty line: go back to where the player was before."""
