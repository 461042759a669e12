"""Turns the bytes from a terminal into keys, by the names that prompt_toolkit gives them.

A regular expression splits the text into characters and escape sequences; the library's table says which key a
sequence is, and a key that `key_bindings` has no use for is dropped. Everything is bounded: the text of a paste, the
keys that wait, and those that are handed out at a time.

A terminal sends Esc before a character for Alt, so an Esc that is followed at once by `b` is Alt-B. Before a character
that has no meaning with Alt the Esc is dropped, so that it never swallows a rank.
"""

import asyncio
import codecs
import re
from collections.abc import Callable
from typing import Final, TypeAlias

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.keys import Keys

from server.fair_queue import UNLIMITED, Payer
from server.limits import ESCAPE_LENGTH, ESCAPE_SECONDS, KEYS_PER_TICK, KEYS_WAITING, PASTE_LENGTH
from server.terminal.key_bindings import BOUND, TEXT, KeyNames
from server.terminal.terminal import INTERRUPT

_TOKEN: Final = re.compile(
    r"\x1b\[M[^\x1b]{3}|\x1b\[(?!M)[0-?]*[ -/]*[@-~]|\x1bO[ -~]|\x1b[^\x1b\[O]|[^\x1b]"  # whole; M: of a mouse
    r"|\x1b\[(?:M[^\x1b]{0,2}(?=\x1b)|[0-?]*[ -/]*(?=[^ -~]))|\x1bO(?=[^ -~])|\x1b(?=\x1b)"  # broken off by another
)
Key: TypeAlias = tuple[KeyNames, str]
"""A key, and its character or the text of a paste. A character that has no binding is `Keys.Any`."""
_PASTE_START: Final = "\x1b[200~"
_PASTE_END: Final = "\x1b[201~"
_ESCAPE: Final = "\x1b"


class KeyInput:
    """The keys typed at one terminal: `feed` takes bytes, `read_keys` returns a few keys at a time.

    As on any tty, Ctrl-C drops the keys that were typed ahead of it.
    """

    def __init__(
        self,
        on_keys: Callable[[], None] | None = None,
        on_end: Callable[[], None] = lambda: None,
        payer: Payer = UNLIMITED,
    ) -> None:
        """``on_keys`` is called when keys can be read, ``on_end`` when the input has ended and all keys were read.

        ``payer`` is charged for what they do.
        """
        self._on_keys = on_keys
        self._on_end = on_end
        self._payer = payer
        self._ended = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        """The start of an escape sequence whose end has not come yet."""
        self._paste: list[str] | None = None
        self._keys: list[Key] = []
        self._woken: asyncio.Handle | None = None
        self._waiting: asyncio.TimerHandle | None = None
        """Runs while an Esc may still be the start of a sequence."""

    def feed(self, data: bytes) -> None:
        """Take bytes as they were typed. Keys beyond the limits are dropped."""
        text = self._decoder.decode(data)
        if self._rest == _ESCAPE and self._waiting is None and text[:1] not in {"", "[", "O"}:
            self._rest = ""  # Esc was pressed long before this key, so this is not Alt
        text = self._rest + text
        self._rest = ""
        self._stop_waiting()
        while text:
            text = self._feed_typed(text) if self._paste is None else self._feed_pasted(text)
        if self._rest == _ESCAPE and self._paste is None and self._on_keys is not None:
            self._waiting = asyncio.get_running_loop().call_later(ESCAPE_SECONDS, self._press_escape)
        self._read()

    def end(self) -> None:
        """Note that no more bytes will come."""
        self._ended = True
        self._read()

    def close(self) -> None:
        """Call back no more."""
        self._on_keys, self._on_end = None, lambda: None
        self._stop_waiting()
        if self._woken is not None:
            self._woken.cancel()

    def unread(self) -> str:
        """Returns what was typed and never read."""
        return "".join(data for _, data in self._keys) + self._rest

    def read_keys(self) -> list[Key]:
        """Returns the next keys, `KEYS_PER_TICK` at most, so that no other session waits for a flood of them."""
        keys, self._keys = self._keys[:KEYS_PER_TICK], self._keys[KEYS_PER_TICK:]
        if self._keys and self._on_keys is not None:
            self._woken = asyncio.get_running_loop().call_soon(self._payer.call, self._call)
        return keys

    def _feed_typed(self, text: str) -> str:
        """Take keys up to the start of a paste. Returns the text behind it."""
        typed, start, pasted = text.partition(_PASTE_START)
        end = 0
        while token := _TOKEN.match(typed, end):
            end = token.end()
            if token[0] == INTERRUPT:
                self._keys = [key for key in self._keys if key[0] == (Keys.ControlC,)]
            if len(self._keys) < KEYS_WAITING and (key := _TEXT_KEYS.get(token[0]) or _key_of(token[0])):
                self._keys.append(key)
        if start:
            self._paste = []
            return pasted
        rest = typed[end:]
        self._rest = rest if len(rest) <= ESCAPE_LENGTH else ""
        return ""

    def _feed_pasted(self, text: str) -> str:
        """Gather pasted text up to its end mark, which may be cut in two, or to Ctrl-C. Returns the rest."""
        assert self._paste is not None  # noqa: S101 - only called inside a paste
        pasted, end, left = text.partition(_PASTE_END)
        if not end and INTERRUPT in pasted:
            pasted, end, left = pasted.partition(INTERRUPT)
        if not end and (cut := pasted.rfind("\x1b", -len(_PASTE_END))) >= 0:
            self._rest, pasted = pasted[cut:], pasted[:cut]
        room = PASTE_LENGTH - sum(map(len, self._paste))
        if room > 0:
            self._paste.append(pasted[:room])
        if end and len(self._keys) < KEYS_WAITING:
            self._keys.append(((Keys.BracketedPaste,), "".join(self._paste)))
        if end:
            self._paste = None
        return left

    def _press_escape(self) -> None:
        """Nothing has followed, so Esc itself was pressed. If a sequence goes on after all, it is still recognised."""
        self._waiting = None
        if len(self._keys) < KEYS_WAITING:
            self._keys.append(((Keys.Escape,), ""))
        self._read()

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _read(self) -> None:
        """Have keys read now, unless a part of them was read in this turn of the event loop."""
        if self._woken is None:
            self._payer.call(self._call)

    def _call(self) -> None:
        self._woken = None
        if self._keys and self._on_keys is not None:
            self._on_keys()
        if self._ended and not self._keys:
            self._ended = False
            self._on_end()


def _key_of(token: str) -> Key | None:
    """Returns the key of one character or escape sequence; None if it does nothing."""
    if len(token) == 2 and token[0] == _ESCAPE and token not in _KEYS:
        token = token[1]
    if keys := _KEYS.get(token):
        return keys, token
    return (TEXT, token) if len(token) == 1 and token not in ANSI_SEQUENCES else None


def _bound_keys() -> dict[str, KeyNames]:
    """Returns the names of each key that does something, by the character or escape sequence for it."""
    keys: dict[str, KeyNames] = {char: (char,) for char in map(chr, range(0x20, 0x7F))}
    keys |= {token: names if isinstance(names, tuple) else (names,) for token, names in ANSI_SEQUENCES.items()}
    with_alt = {_ESCAPE + token: (Keys.Escape, *names) for token, names in keys.items() if len(token) == 1}
    return {token: names for token, names in (with_alt | keys).items() if names in BOUND and token != _ESCAPE}


_KEYS: Final = _bound_keys()
"""Esc alone is none of them: `KeyInput` tells by the time whether it was pressed."""
_TEXT_KEYS: Final[dict[str, Key]] = {char: (TEXT, char) for char in map(chr, range(0x20, 0x7F)) if char not in _KEYS}
