"""The line a person types: a buffer of prompt_toolkit whose text, history and cut text are bounded.

Each session has objects of its own: this `Buffer`, its `History`, a `Clipboard` from the first cut on, and a
`WordCompleter` for each Tab. All sessions share only what never changes: `Document`s, the
`KeyBindings` tables, the library's editing commands, its table of escape sequences and an output that does nothing
(see `key_bindings` and `keys`).

The rest of the library is not used, for these reasons, each of them measured:

- `Application` and its renderer: a drawn view took 5 times the CPU and a player 10 times the memory, which was 34 and
  25 times those of a bare asyncssh server. The rows are painted by `painter`.
- `get_app()`, and with it every `Condition` filter and background task, which load the history and ask `AutoSuggest`:
  the current application is found by a context that the whole process shares, so that keys of one person acted in
  another's session. `InputLine` loads its history itself, and its faint text is a property.
- The pipe input: one paste of 64 KiB stopped every session. The VT100 parser: its process-wide cache keeps every odd
  escape sequence for ever. `keys` takes the place of both.
- `KeyProcessor`, numeric arguments, macros, undo: 250 keystrokes that double a text kept the server busy for minutes.
"""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.cache import FastDictCache
from prompt_toolkit.clipboard import ClipboardData
from prompt_toolkit.document import Document
from prompt_toolkit.history import History
from prompt_toolkit.selection import PasteMode, SelectionState

from server.cells import BOLD, DIM, Row, char_width, cut, styled, text_width
from server.clean_text import MARKS_PER_CELL
from server.limits import HISTORY_LENGTH, HISTORY_LINES, LINE_LENGTH

_DOCUMENTS: Final[FastDictCache[tuple[str, int, SelectionState | None], Document]] = FastDictCache(Document, size=100)
"""Texts with a cursor, which never change, for all sessions."""


class LineHistory(History):
    """The lines typed in one session. The oldest make room for new ones, and nothing is written to disk."""

    def load_history_strings(self) -> Iterable[str]:
        """Returns the lines of earlier sessions: none."""
        return ()

    def store_string(self, string: str) -> None:  # noqa: ARG002 - `append_string` has put it into the list
        """Drop the oldest lines beyond `HISTORY_LINES` lines or `HISTORY_LENGTH` characters."""
        lines = self._loaded_strings
        while len(lines) > HISTORY_LINES or sum(map(len, lines)) > HISTORY_LENGTH:
            lines.pop()


class InputLine(Buffer):
    """One line of at most `LINE_LENGTH` characters, and the lines before it."""

    _working_lines: list[str]  # type: ignore[assignment]
    """The library's is a deque, which takes 760 bytes; its `reset` makes one."""

    def __init__(self) -> None:
        # The library's own would make 5 KiB of what an application needs; see the end of this file.
        self.offer = ""
        """The line that Enter alone stands for; empty if it stands for none."""
        self.history = LineHistory()
        self.reset(_DOCUMENTS["", 0, None])
        self._working_lines = [""]

    @property
    def faint(self) -> str:
        """The rest of the offer if it begins with the text; empty unless the cursor is at the line's end."""
        return self._faint_behind(self.text, self.cursor_position)

    def _faint_behind(self, text: str, cursor: int) -> str:
        fits = cursor == len(text) and self.offer.startswith(text.lower())
        return self.offer[len(text) :] if fits else ""

    def take(self) -> str:
        """Empty the line and return what was in it; a line that is not blank joins the history."""
        text = self.text
        if text.strip() and self.history.get_strings()[-1:] != [text]:
            self.history.append_string(text)
        self.reset(_DOCUMENTS["", 0, None])
        self._working_lines = [""]
        return text

    def put(self, text: str) -> None:
        """Replace the line; the cursor goes to the end."""
        self.reset()
        self.insert_text(text)

    def insert_text(
        self,
        data: str,
        overwrite: bool = False,  # noqa: ARG002, FBT001, FBT002 - as inherited; a line is never overwritten
        move_cursor: bool = True,  # noqa: ARG002, FBT001, FBT002
        fire_event: bool = True,  # noqa: ARG002, FBT001, FBT002 - an event would look for the process's application
    ) -> None:
        """Insert what is printable, as far as there is room."""
        before, text = self.text, data
        if not (data.isascii() and data.isprintable()):
            printable = "".join(char for char in data if char_width(char) > 0 or _is_mark(char))
            text = _with_few_marks(before[: self.cursor_position], printable)
        text, at = text[: LINE_LENGTH - len(before)], self.cursor_position
        self.document = _DOCUMENTS[before[:at] + text + before[at:], at + len(text), None]

    def paste_clipboard_data(
        self,
        data: ClipboardData,
        paste_mode: PasteMode = PasteMode.EMACS,  # noqa: ARG002 - as inherited
        count: int = 1,  # noqa: ARG002
    ) -> None:
        """Insert cut text once, within the same bounds as typed text."""
        self.insert_text(data.text)

    def history_backward(self, count: int = 1) -> None:
        """Show an earlier line."""
        self._load_history()
        super().history_backward(count)

    def _load_history(self) -> None:
        """Have the earlier lines before this one. The library does this in a task of the process's application."""
        if len(self._working_lines) == 1:
            cursor = self.cursor_position
            self._working_lines = [*self.history.get_strings(), *self._working_lines]
            self.working_index = len(self._working_lines) - 1
            self.cursor_position = cursor

    def shown(self, prompt: str, columns: int) -> tuple[Row, int]:
        """Returns the row to show in so many columns, and the cursor's column in it.

        The row holds the prompt, as much of the text around the cursor as fits, and the faint text.
        """
        text, cursor = self.text, self.cursor_position
        faint = self._faint_behind(text, cursor) if self.offer else ""
        return _shown(prompt, text, cursor, faint, columns)


@lru_cache(256)  # most lines are empty, or a rank that others type, too
def _shown(prompt: str, text: str, cursor: int, faint: str, columns: int) -> tuple[Row, int]:
    """Returns the row, and the cursor's column in it."""
    behind_prompt = text_width(prompt)
    room = columns - behind_prompt - 2
    start, too_much = 0, text_width(text[:cursor]) - room
    while too_much > 0:
        too_much -= text_width(text[start])
        start += 1
    typed = cut(text[start:], room)
    row = styled(BOLD, prompt + typed)
    if faint:
        row += styled(DIM, cut(faint, room - text_width(typed)))
    return row, behind_prompt + text_width(text[start:cursor])


def _is_mark(char: str) -> bool:
    """Whether a character is drawn on the one before it, as accents and the vowels of some scripts are."""
    return unicodedata.category(char) == "Mn" and char_width(char) == 0


def _with_few_marks(before: str, typed: str) -> str:
    """The typed text, to be inserted behind ``before``, without more than `MARKS_PER_CELL` marks in a row."""
    kept = before[-MARKS_PER_CELL:]
    for char in typed:
        if not _is_mark(char) or not (kept and all(map(_is_mark, kept[-MARKS_PER_CELL:]))):
            kept += char
    return kept[len(before[-MARKS_PER_CELL:]) :]


# What the library makes for each line and never changes: events that nobody hears, filters, options.
for _name, _value in (vars(Buffer(multiline=False)) | {"_document_cache": _DOCUMENTS}).items():
    setattr(InputLine, _name, _value)
