"""Line mode: plain text, one fact a line, no escape codes; for `ssh -T`, dumb terminals, scripts and screen readers.

On a tty the server echoes and edits the line, since an SSH client puts the tty in raw mode; without one it does
neither. On a tty that tells its width lines are wrapped between words; programs read lines without a tty.
"""

import asyncio
import codecs
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.wording.phrases import quantity
from server.cells import char_width, wrap
from server.limits import LINE_LENGTH
from server.player.table_feed import Told, spoken
from server.terminal.terminal import END_OF_INPUT, INTERRUPT, Terminal

LINES_KEPT: Final = 400
"""Lines that may wait for a slow reader; the oldest ones beyond that are left out."""
PROMPT: Final = "> "
ESCAPE_LENGTH: Final = 16
PASTE: Final[Mapping[str, bool]] = {"\x1b[200~": True, "\x1b[201~": False}
"""What terminals put around pasted text if a program has asked for it (xterm, "Bracketed Paste Mode")."""
_BACKSPACE: Final = frozenset("\x08\x7f")
_ERASE_ALL: Final = frozenset("\x15\x03")
_END: Final = "\x04"


class LineMode:
    """One person's plain lines."""

    def __init__(
        self,
        terminal: Terminal,
        submit: Callable[[str], None],
        *,
        prompts: Callable[[], bool],
        typing: Callable[[], object],
        resized: Callable[[], None],
    ) -> None:
        """``prompts``: whether to show a prompt, and behind it the unfinished line again after each output.

        ``typing`` is called for each character of a line.
        """
        self._terminal = terminal
        self._submit = submit
        self._prompts = prompts
        self._typing = typing
        self._resized = resized
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._typed = ""
        self._was_return = False
        self._escape = ""
        """The start of an escape sequence, which is dropped whole."""
        self._pasting = False
        """Whether the input is pasted text: it becomes one line, which only Enter sends."""
        self._waiting: list[str] = []
        self._left_out = 0
        self._stopped = asyncio.get_running_loop().create_future()

    async def run(self) -> None:
        """Take lines until `stop`."""
        self._terminal.attach(data=self._feed, input_end=self._input_ended, drained=self._flush, resize=self._resized)
        try:
            await self._stopped
        finally:
            self._terminal.detach(self._typed.encode("utf-8", "replace"))
            self._flush()

    def stop(self) -> None:
        """End `run`."""
        if not self._stopped.done():
            self._stopped.set_result(None)

    def refresh(self, lines: Sequence[Told] = (), /, *, call: str = "", at_once: bool = False) -> None:  # noqa: ARG002
        """Show these lines, now or as soon as the reader has caught up."""
        said = [*self._waiting, *spoken(lines)]
        self._left_out += max(0, len(said) - LINES_KEPT)
        self._waiting = said[-LINES_KEPT:]
        self._flush()
        if call:
            self._terminal.write(call)

    def hold(self) -> None:
        """Plain lines need not be held back: each stays where it was written."""

    def go_on(self) -> None:
        """See `hold`."""

    def _flush(self) -> None:
        if self._terminal.stalled or not self._waiting:
            return
        lines = [f"({quantity(self._left_out, 'line')} left out.)"] if self._left_out else []
        if self._terminal.is_tty and self._terminal.tells_size:
            lines += [row for line in self._waiting for row in wrap(line, self._terminal.size[0] - 1)]
        else:
            lines += self._waiting
        self._waiting.clear()
        self._left_out = 0
        if self._terminal.is_tty:
            self._terminal.write("\r\n" if self._typed else "\r")
        self._terminal.write_lines(*lines)
        self._prompt()

    def _prompt(self) -> None:
        if self._terminal.is_tty and self._prompts():
            self._terminal.write(PROMPT + self._typed)

    def _input_ended(self) -> None:
        if self._typed:
            self._end_line()
        self._submit(END_OF_INPUT)

    def _feed(self, data: bytes) -> None:
        """Take what came. CR, LF and CR LF each end one line; escape sequences are dropped."""
        for char in self._decoder.decode(data):
            after_return, self._was_return = self._was_return, char == "\r"
            escape, self._escape = self._escape, ""
            if char == "\x1b":
                self._escape = char
            elif escape and " " <= char <= "~":
                self._take_escape(escape + char)
            elif char in "\r\n":
                if not (char == "\n" and after_return):
                    self._end_line()
            else:
                self._type(char)

    def _type(self, char: str) -> None:
        """Take a character that ends no line."""
        self._typing()
        if char in _BACKSPACE:
            self._erase(1)
        elif char == INTERRUPT and not self._typed:
            self._submit(INTERRUPT)
        elif char in _ERASE_ALL:
            self._erase(len(self._typed))
        elif char == _END:
            if not self._typed:
                self._submit("quit")
        elif (char_width(char) > 0 or char == "\t") and len(self._typed) < LINE_LENGTH:
            self._typed += char
            if self._terminal.is_tty:
                self._terminal.write(char)

    def _take_escape(self, sequence: str) -> None:
        """Take an escape sequence up to its newest character; CSI and SS3 end with one from @ on (ECMA-48, 5.4)."""
        if len(sequence) == 2 and sequence[1] not in "[O":
            self._type(sequence[1])
        elif len(sequence) == 2 or sequence[-1] < "@":
            self._escape = sequence[:ESCAPE_LENGTH]
        else:
            self._pasting = PASTE.get(sequence, self._pasting)

    def _end_line(self) -> None:
        if self._pasting:
            self._type(" ")
            return
        line, self._typed = self._typed, ""
        if self._terminal.is_tty:
            self._terminal.write("\r\n")
        if not line.strip():
            self._prompt()
        self._submit(line)

    def _erase(self, count: int) -> None:
        for _ in range(min(count, len(self._typed))):
            cells = max(1, char_width(self._typed[-1]))
            self._typed = self._typed[:-1]
            if self._terminal.is_tty:
                self._terminal.write("\b \b" * cells)
