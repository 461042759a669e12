"""The keys of the full screen: a table for each situation, what each key does, and the line that it does it to.

The tables are prompt_toolkit's `KeyBindings`, looked up here without its key processor. Most keys name one of the
library's editing commands, which are GNU Readline's. A key has a handler of ours where the game gives it a meaning, and
where the library's command has no bound or does not suit short words.

The right arrow key does the first of these that it can:

1. on an empty line, or on a move that arrow keys have put there: show the next move that can be made;
2. at the end of the line: take over the faint text;
3. move the cursor.

Nothing but Enter sends a line, and Enter on an empty line sends no move.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from prompt_toolkit.clipboard import InMemoryClipboard
from prompt_toolkit.completion import CompleteEvent, WordCompleter, get_common_complete_suffix
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.bindings.named_commands import get_by_name
from prompt_toolkit.key_binding.key_bindings import Binding
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import DummyOutput

from server.clean_text import clean
from server.limits import LINE_LENGTH
from server.terminal.input_line import InputLine
from server.terminal.terminal import INTERRUPT, Guide

KeyNames: TypeAlias = tuple[Keys | str, ...]
"""A key as prompt_toolkit names it: one name, with Escape before it for a key pressed together with Alt."""
TEXT: Final[KeyNames] = (Keys.Any,)
"""A character that is only text."""


class KeyEvent(NamedTuple):
    """A key that was pressed, as its handler gets it: a handler of ours, or an editing command of the library."""

    app: "LineEditor"
    current_buffer: InputLine
    """The line."""
    guide: Guide
    """The session's guide."""
    data: str
    walked: str
    is_repeat: bool
    arg: int = 1
    """How often to do it: once, since numeric arguments are not used."""


KeyHandler: TypeAlias = Callable[[KeyEvent], object]
"""Does what a key does; returns `NotImplemented` if the key means nothing here, and the next table is asked."""


class LineEditor:
    """One person's line, and what the keys have to know from one to the next.

    To the library's commands it is the application, of which they need the clipboard and the bell.
    """

    output: Final = DummyOutput()
    """Rings no bell."""

    def __init__(self, guide: Guide, submit: Callable[[str], None], redraw: Callable[[], None]) -> None:
        """``submit`` takes each line that is sent; ``redraw`` paints the whole screen anew."""
        self.guide = guide
        self.submit = submit
        self.redraw = redraw
        self.line = InputLine()
        self.walked = ""
        """The move that the last key, an arrow key, has put into the line."""
        self.last: Binding | None = None

    def suggest(self) -> None:
        """Show faintly what Enter alone does now."""
        self.line.offer = self.guide.offer()

    @cached_property
    def clipboard(self) -> InMemoryClipboard:
        """What was cut last, for Ctrl-Y."""
        return InMemoryClipboard(max_size=1)


def press(editor: LineEditor, keys: KeyNames, data: str) -> None:
    """Do what a key does; ``data`` is its character, or the text of a paste."""
    walked, editor.walked = editor.walked, ""
    last, editor.last = editor.last, None
    line, guide = editor.line, editor.guide
    for table in _tables(line, keys, stopped=guide.stop_playing()):
        if found := table.get_bindings_for_keys(keys):
            binding = found[-1]
            event = KeyEvent(editor, line, guide, data, walked, is_repeat=binding is last)
            # A handler takes `KeyEvent`, which has all that is used of the library's own event.
            if binding.handler(event) is not NotImplemented:  # type: ignore[arg-type]
                editor.last = binding
                return


def _tables(line: InputLine, keys: KeyNames, *, stopped: bool) -> tuple[KeyBindings, ...]:
    """The tables to look these keys up in. ``stopped``: whether the key has stopped what went on by itself."""
    if keys == TEXT or line.text:
        return (LINE_KEYS,)
    return (*([STOP_KEYS] if stopped else []), PAGE_KEYS, STEP_KEYS, LINE_KEYS)


def _type(event: KeyEvent) -> None:
    line = event.current_buffer
    if event.walked and event.data[:1].isalpha():  # a word, instead of the move that an arrow key has put there
        line.put("")
    if typed := event.data if line.text else event.data.lstrip(" "):  # a line that began with a space would look empty
        line.insert_text(typed)


def _paste(event: KeyEvent) -> None:
    """Insert pasted text as one line: a line end in it must play nothing."""
    event.current_buffer.insert_text(" ".join(clean(event.data, LINE_LENGTH).split()))


def _enter(event: KeyEvent) -> None:
    event.app.submit(event.current_buffer.take())


def _empty_or(act: Callable[[KeyEvent], None]) -> KeyHandler:
    """Make a handler that empties the line, or acts if the line is empty."""
    return lambda event: event.current_buffer.reset() if event.current_buffer.text else act(event)


def _interrupt(event: KeyEvent) -> None:
    event.app.submit(INTERRUPT)


def _delete_or_interrupt(event: KeyEvent) -> None:
    if event.current_buffer.text:
        event.current_buffer.delete()
    else:
        _interrupt(event)


def _complete(event: KeyEvent) -> None:
    line = event.current_buffer
    words = event.guide.words(line.document.text_before_cursor)
    completer = WordCompleter(words, ignore_case=True, WORD=True)
    found = list(completer.get_completions(line.document, CompleteEvent(completion_requested=True)))
    if len(found) == 1:
        line.apply_completion(found[0])
        line.insert_text("" if found[0].text.endswith("=") else " ")
    elif found:
        line.insert_text(get_common_complete_suffix(line.document, found))
        event.guide.show_words([completion.text for completion in found])


def _walk(event: KeyEvent, step: int) -> bool:
    """Show another move, unless the player has typed something. Returns whether one is shown."""
    line = event.current_buffer
    move = event.guide.walk(line.text, step) if line.text in {"", event.walked} else ""
    if move:
        line.put(move)
        event.app.walked = move
    return bool(move)


def _accept(event: KeyEvent) -> bool:
    """Take over the faint text. Returns whether there was any."""
    faint = event.current_buffer.faint
    event.current_buffer.insert_text(faint)
    return bool(faint)


def _left(event: KeyEvent) -> None:
    if not _walk(event, -1):
        event.current_buffer.cursor_left()


def _right(event: KeyEvent) -> None:
    if not _walk(event, 1) and not _accept(event):
        event.current_buffer.cursor_right()


def _end_of_line(event: KeyEvent) -> None:
    if not _accept(event):
        event.current_buffer.cursor_position = len(event.current_buffer.text)


def _space(event: KeyEvent) -> None:
    if event.walked and (more := event.guide.add_copy(event.walked)):
        event.current_buffer.put(more)
        event.app.walked = more
    else:
        _type(event)


# Words. The library's commands pass over a word of one letter that the cursor is on, and cards are such words.


def _to_end_of_word(line: InputLine) -> int:
    return line.document.find_next_word_ending(include_current_position=True) or 0


def _forward_word(event: KeyEvent) -> None:
    event.current_buffer.cursor_position += _to_end_of_word(event.current_buffer)


def _kill_word(event: KeyEvent) -> None:
    cut = event.current_buffer.delete(_to_end_of_word(event.current_buffer))
    before = event.app.clipboard.get_data().text if event.is_repeat else ""
    event.app.clipboard.set_text(before + cut)


def _turn(pages: int) -> KeyHandler:
    return lambda event: None if event.guide.turn_page(pages) else NotImplemented


def _step(key: str) -> KeyHandler:
    return lambda event: None if event.guide.step(key) else NotImplemented


def _table(*rows: tuple[str, str | KeyHandler]) -> KeyBindings:
    """Make a table from rows of keys, in the library's names, and a handler or the name of one of its commands.

    Keys are separated by commas; a key pressed with Alt has "escape" before its name.
    """
    table = KeyBindings()
    for keys, handler in rows:
        act = get_by_name(handler).handler if isinstance(handler, str) else handler
        for key in keys.split(", "):
            table.add(*key.split())(act)  # type: ignore[type-var]  # see `press`
    return table


_LINE_ROWS: Final[tuple[tuple[str, str | KeyHandler, str], ...]] = (
    ("c-m, c-j", _enter, "send the line"),
    ("right", _right, "show the next move; else take over the faint text; else move the cursor"),
    ("left", _left, "show the move before; else move the cursor"),
    ("space", _space, "one more card of the rank that an arrow key has shown"),
    ("c-e, end", _end_of_line, "take over the faint text; else go to the end of the line"),
    ("c-i", _complete, "complete the word, or show the words that fit"),
    ("up, c-p", "previous-history", "the line sent before"),
    ("down, c-n", "next-history", "the line sent after it"),
    ("c-a, home", "beginning-of-line", "to the start of the line"),
    ("c-b", "backward-char", "back by a character"),
    ("c-f", "forward-char", "forward by a character"),
    ("escape b, c-left, escape left", "backward-word", "back by a word"),
    ("escape f, c-right, escape right", _forward_word, "forward by a word"),
    ("c-h", "backward-delete-char", "erase the character before the cursor"),
    ("delete", "delete-char", "erase the character at the cursor"),
    ("c-t", "transpose-chars", "swap two characters"),
    ("c-w", "unix-word-rubout", "cut back to the space before"),
    ("escape c-h", "backward-kill-word", "cut back to the start of the word"),
    ("escape d", _kill_word, "cut to the end of the word"),
    ("c-u", "unix-line-discard", "cut to the start of the line"),
    ("c-k", "kill-line", "cut to the end of the line"),
    ("c-y", "yank", "put back what was cut last"),
    ("escape", _empty_or(lambda event: event.guide.step_back()), "empty the line; on an empty line: go back"),
    ("c-c", _empty_or(_interrupt), "empty the line; on an empty line, twice: quit"),
    ("c-d", _delete_or_interrupt, "erase the character at the cursor; on an empty line, twice: quit"),
    ("c-l", lambda event: event.app.redraw(), "draw the screen again"),
)
"""Keys, what they do, and what the help page says of them."""
LINE_KEYS: Final = _table(
    ("<any>", _type),
    ("<bracketed-paste>", _paste),
    ("pageup, pagedown", lambda _: None),
    *((keys, handler) for keys, handler, _ in _LINE_ROWS),
)
PAGE_KEYS: Final = _table(
    ("c-m, c-j, down, pagedown, space", _turn(1)),
    ("up, pageup", _turn(-1)),
    ("escape, c-c", _turn(0)),
)
"""The keys on an empty line while a page of text is shown."""
STEP_KEYS: Final = _table(*((key, _step(key)) for key in ("right", "left", "down", "up", "home", "end", "space")))
"""The keys that on an empty line may stand for a command where the player is, as in a replay (`Place.steps`)."""
STOP_KEYS: Final = _table(("space, c-m, c-j, escape, c-c", lambda _: None))
"""The keys that do nothing more if they have stopped a finished game that went on by itself."""
BOUND: Final = frozenset(binding.keys for table in (LINE_KEYS, PAGE_KEYS) for binding in table.bindings)
"""All keys that do something. `keys` drops every other one."""

_SPOKEN: Final = {"c-m": "Enter", "c-i": "Tab", "c-h": "Backspace", "escape": "Esc"}


def keys_help() -> Iterator[tuple[str, str]]:
    """Yields the keys that edit the line, and what each does."""
    for keys, _, meaning in _LINE_ROWS:
        yield ", ".join(_spoken(key) for key in keys.split(", ") if key != "c-j"), meaning


def _spoken(key: str) -> str:
    """Returns a key by the name that stands on it.

    >>> _spoken("escape c-h")
    'Alt-Backspace'
    """
    if key.startswith("escape "):
        return f"Alt-{_spoken(key.removeprefix('escape '))}"
    if key.startswith("c-") and key not in _SPOKEN:
        return f"Ctrl-{key[2:].title()}"
    return _SPOKEN.get(key, key.title())
