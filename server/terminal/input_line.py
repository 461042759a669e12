"""The line a person types into: prompt_toolkit's buffer, and the keys that edit it.

No key of prompt_toolkit's own bindings is in use: its yank, macros and numeric arguments let 250 keystrokes hang the
server, and finding "the" application they act on is process-wide, so that one person's keys acted in another's session.
"""

import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.history import DummyHistory
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys
from wcwidth import wcwidth

from server.cells import cut, text_width
from server.clean import MARKS_PER_CELL, clean
from server.limits import LINE_LENGTH


class InputLine:
    """One line of bounded length, and where the cursor is in it."""

    def __init__(self) -> None:
        self._buffer = Buffer(multiline=False, history=DummyHistory())

    @property
    def text(self) -> str:
        """What is typed."""
        return self._buffer.text

    def take(self) -> str:
        """What was typed; the line is empty again."""
        text = self._buffer.text
        self._buffer.reset()
        return text

    def put(self, text: str) -> None:
        """Have this text in the line, the cursor behind it."""
        self._buffer.reset()
        self._insert(text)

    def press(self, pressed: KeyPress) -> None:
        """A character, a paste or a key that edits; any other key does nothing."""
        if pressed.key == Keys.BracketedPaste:
            # Pasted text is only ever text: a line end in it plays nothing.
            self._insert(" ".join(clean(pressed.data, LINE_LENGTH).split()))
        elif isinstance(pressed.key, Keys):
            EDITS.get(pressed.key, _do_nothing)(self._buffer)
        elif self.text or pressed.data != " ":
            # A line never begins with a space: it would only look empty.
            self._insert(pressed.data)

    def shown(self, prompt: str, columns: int) -> tuple[str, int]:
        """The prompt and as much of the line as fits around the cursor; the cursor's column."""
        room = columns - len(prompt) - 2
        text, cursor = self._buffer.text, self._buffer.cursor_position
        start, too_much = 0, text_width(text[:cursor]) - room
        while too_much > 0:
            too_much -= text_width(text[start])
            start += 1
        before = text[start:cursor]
        return prompt + cut(before + text[cursor:], room), len(prompt) + text_width(before)

    def _insert(self, data: str) -> None:
        typed = "".join(char for char in data if wcwidth(char) > 0 or _is_mark(char))
        room = LINE_LENGTH - len(self._buffer.text)
        self._buffer.insert_text(_with_few_marks(self._buffer.document.text_before_cursor, typed)[:room])


def _is_mark(char: str) -> bool:
    """Whether a character only adds to the one before it, as accents and the vowels of some scripts do."""
    return unicodedata.category(char) == "Mn" and wcwidth(char) == 0


def _with_few_marks(before: str, typed: str) -> str:
    """What is typed behind a text, without heaps of marks."""
    kept = before[-MARKS_PER_CELL:]
    for char in typed:
        if not _is_mark(char) or not (kept and all(map(_is_mark, kept[-MARKS_PER_CELL:]))):
            kept += char
    return kept[len(before[-MARKS_PER_CELL:]) :]


def _do_nothing(line: Buffer) -> None:
    pass


def _to_start(line: Buffer) -> None:
    line.cursor_position = 0


def _to_end(line: Buffer) -> None:
    line.cursor_position = len(line.text)


def _left(line: Buffer) -> None:
    line.cursor_left()


def _right(line: Buffer) -> None:
    line.cursor_right()


def _word_left(line: Buffer) -> None:
    line.cursor_position += line.document.find_previous_word_beginning() or 0


def _word_right(line: Buffer) -> None:
    line.cursor_position += line.document.find_next_word_ending(include_current_position=True) or 0


def _delete(line: Buffer) -> None:
    line.delete()


def _delete_before(line: Buffer) -> None:
    line.delete_before_cursor()


def _delete_word(line: Buffer) -> None:
    back = line.document.find_start_of_previous_word(WORD=True) or -line.cursor_position
    line.delete_before_cursor(-back)


def _delete_to_start(line: Buffer) -> None:
    line.delete_before_cursor(line.cursor_position)


def _delete_to_end(line: Buffer) -> None:
    line.delete(len(line.text) - line.cursor_position)


EDITS: Final[Mapping[Keys, Callable[[Buffer], None]]] = MappingProxyType(
    {
        Keys.ControlA: _to_start,
        Keys.Home: _to_start,
        Keys.ControlE: _to_end,
        Keys.End: _to_end,
        Keys.ControlB: _left,
        Keys.Left: _left,
        Keys.ControlF: _right,
        Keys.Right: _right,
        Keys.ControlLeft: _word_left,
        Keys.ControlRight: _word_right,
        Keys.ControlH: _delete_before,
        Keys.Delete: _delete,
        Keys.ControlW: _delete_word,
        Keys.ControlU: _delete_to_start,
        Keys.ControlK: _delete_to_end,
    }
)
