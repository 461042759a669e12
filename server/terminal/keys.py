"""Bytes from a terminal as prompt_toolkit's key presses, in memory, without its inputs and without its parser.

The library's own pipe input deadlocks on a long paste and its parser's global cache grows with every odd escape
sequence, so this one splits text into keys by a regular expression, knows sequences from the library's table alone, and
drops what it does not know. Everything is bounded.
"""

import asyncio
import codecs
import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from server.limits import ESCAPE_LENGTH, ESCAPE_SECONDS, KEYS_PER_TICK, KEYS_WAITING, PASTE_LENGTH
from server.terminal.input_line import EDITS

_TOKEN: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[ -~]|\x1b[^\x1b\[O]|[^\x1b]"  # whole sequences and characters
    r"|\x1b\[[0-?]*[ -/]*(?=[^ -~])|\x1bO(?=[^ -~])|\x1b(?=\x1b)"  # sequences broken off by something else
)
_KNOWN: Final = frozenset(
    {
        Keys.ControlC,
        Keys.ControlD,
        Keys.ControlI,
        Keys.ControlJ,
        Keys.ControlL,
        Keys.ControlM,
        Keys.Up,
        Keys.Down,
        *EDITS,
    }
)
"""The keys that edit, complete, recall or end a line, or draw it anew. All others are dropped here."""
_PASTE_START: Final = "\x1b[200~"
_PASTE_END: Final = "\x1b[201~"
_INTERRUPT: Final = "\x03"
_ESCAPE: Final = "\x1b"


class KeyInput:
    """Keys typed at one terminal. `feed` takes bytes; whoever listens reads the keys a few at a time.

    As on any tty, Ctrl-C throws away what was typed ahead of it.
    """

    def __init__(self, on_keys: Callable[[], None] | None = None, on_end: Callable[[], None] = lambda: None) -> None:
        """``on_keys`` is called when there are keys, ``on_end`` when the input has ended and the last one was read."""
        self._on_keys = on_keys
        self._on_end = on_end
        self._ended = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        """The start of an escape sequence whose end has not come yet."""
        self._paste: list[str] | None = None
        self._keys: deque[KeyPress] = deque()
        self._woken: asyncio.Handle | None = None
        self._waiting: asyncio.TimerHandle | None = None
        """Set while it is not clear whether Esc was pressed, or a sequence has begun."""

    def feed(self, data: bytes) -> None:
        """Take bytes as typed; what is over the limits is dropped."""
        text = self._rest + self._decoder.decode(data)
        self._rest = ""
        self._stop_waiting()
        while text:
            text = self._feed_typed(text) if self._paste is None else self._feed_pasted(text)
        if self._rest == _ESCAPE and self._paste is None and self._on_keys is not None:
            self._waiting = asyncio.get_running_loop().call_later(ESCAPE_SECONDS, self._press_escape)
        self._wake()

    def end(self) -> None:
        """No more bytes will come."""
        self._ended = True
        self._wake()

    def close(self) -> None:
        """Nobody listens any more."""
        self._on_keys = None
        self._stop_waiting()
        if self._woken is not None:
            self._woken.cancel()

    def unread(self) -> str:
        """What was typed and never read."""
        return "".join(key.data for key in self._keys) + self._rest

    def read_keys(self) -> list[KeyPress]:
        """The next keys, a few at a time so that nobody else has to wait for a long paste."""
        keys = [self._keys.popleft() for _ in range(min(KEYS_PER_TICK, len(self._keys)))]
        if self._keys:
            self._wake()
        return keys

    def _feed_typed(self, text: str) -> str:
        """Take keys up to the start of a paste; what is left to be taken."""
        typed, start, pasted = text.partition(_PASTE_START)
        end = 0
        while token := _TOKEN.match(typed, end):
            end = token.end()
            if token[0] == _INTERRUPT:
                self._keys = deque(key for key in self._keys if key.key == Keys.ControlC)
            if len(self._keys) < KEYS_WAITING:
                self._keys.extend(_keys_of(token[0]))
        if start:
            self._paste = []
            return pasted
        rest = typed[end:]
        self._rest = rest if len(rest) <= ESCAPE_LENGTH else ""
        return ""

    def _feed_pasted(self, text: str) -> str:
        """Gather pasted text up to its end mark, which may be cut in two, or to an interrupt; what is left."""
        assert self._paste is not None  # noqa: S101 - only called inside a paste
        pasted, end, left = text.partition(_PASTE_END)
        if not end and _INTERRUPT in pasted:
            pasted, end, left = pasted.partition(_INTERRUPT)
        if not end and (cut := pasted.rfind("\x1b", -len(_PASTE_END))) >= 0:
            self._rest, pasted = pasted[cut:], pasted[:cut]
        room = PASTE_LENGTH - sum(map(len, self._paste))
        if room > 0:
            self._paste.append(pasted[:room])
        if end and len(self._keys) < KEYS_WAITING:
            self._keys.append(KeyPress(Keys.BracketedPaste, "".join(self._paste)))
        if end:
            self._paste = None
        return left

    def _press_escape(self) -> None:
        """Nothing has followed: it was the key. Should a sequence go on after all, it is known still."""
        self._waiting = None
        if len(self._keys) < KEYS_WAITING:
            self._keys.append(KeyPress(Keys.Escape, ""))
        self._wake()

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _wake(self) -> None:
        if self._on_keys is not None and self._woken is None and (self._keys or self._ended):
            self._woken = asyncio.get_running_loop().call_soon(self._call)

    def _call(self) -> None:
        self._woken = None
        if self._keys and self._on_keys is not None:
            self._on_keys()
        if self._ended and not self._keys:
            self._ended = False
            self._on_end()


def _keys_of(token: str) -> Iterator[KeyPress]:
    """The key of one character or escape sequence; none for one that does not edit a line."""
    if token[0] == "\x1b" and len(token) == 2 and token not in ANSI_SEQUENCES:
        # Esc pressed before a key: the key alone counts, so that a stray Esc never swallows a rank.
        token = token[1]
    known = ANSI_SEQUENCES.get(token)
    if known is None and len(token) == 1:
        yield KeyPress(token, token)
    elif isinstance(known, Keys) and known in _KNOWN:
        yield KeyPress(known, token)
