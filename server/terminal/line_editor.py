"""The keys of the full screen: a table for each situation, and what each key does to the line.

The tables are prompt_toolkit's `KeyBindings`, looked up here without its key processor. Most keys name one of the
library's editing commands, which are GNU Readline's. A key has a handler of ours where the game gives it a meaning, and
where the library's command has no bound or does not suit short words.

The right arrow key does the first of these that it can:

1. on an empty line, or on a move that arrow keys have put there: show the next move that can be made; the first one is
   the move that the faint text has suggested;
2. at the end of the line: take over the faint text;
3. move the cursor.

Nothing but Enter sends a line, and Enter on an empty line sends no move.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Final, NamedTuple, Protocol, TypeAlias

from prompt_toolkit.clipboard import InMemoryClipboard
from prompt_toolkit.completion import CompleteEvent, WordCompleter, get_common_complete_suffix
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.bindings.named_commands import get_by_name
from prompt_toolkit.key_binding.key_bindings import Binding
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.search import SearchDirection

from server.clean import clean
from server.limits import LINE_LENGTH
from server.terminal.input_line import InputLine
from server.terminal.terminal import INTERRUPT

KeyNames: TypeAlias = tuple[Keys | str, ...]
"""A key as prompt_toolkit names it: one name, with Escape before it for a key pressed together with Alt."""


class Guide(Protocol):
    """What the session knows about the line that is being typed."""

    def offers(self) -> list[str]:
        """Return the lines to suggest, the first one first: moves, or what begins a game."""

    def walk(self, line: str, step: int) -> str:
        """Return the move ``step`` further on than the one in the line; empty if there is no move to make."""

    def add_copy(self, line: str) -> str:
        """Return the move in the line with one more card of its rank; empty if the line is no move."""

    def propose(self) -> str:
        """Say what a second Enter on an empty line would do, and return the line for it; empty if it does nothing."""

    def words(self, line: str) -> list[str]:
        """Return the words with which the last word of the line may go on."""

    def show_words(self, words: list[str]) -> None:
        """Show these words to choose from."""

    def turn_page(self, pages: int) -> bool:
        """Turn the page of text forward or back, or put it away for 0. Returns False if there is none."""

    def step_back(self) -> None:
        """Esc was pressed on an empty line: go back to where the player was before."""


class KeyEvent(NamedTuple):
    """A key that was pressed, as its handler gets it: a handler of ours, or an editing command of the library."""

    app: "LineEditor"
    data: str
    walked: str
    proposed: bool
    is_repeat: bool
    arg: int = 1
    """How often to do it: once, since numeric arguments are not used."""

    @property
    def current_buffer(self) -> InputLine:
        """The line."""
        return self.app.line

    @property
    def guide(self) -> Guide:
        """The session's guide."""
        return self.app.guide


Handler: TypeAlias = Callable[[KeyEvent], object]
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
        self.proposed = False
        """Whether the last key, Enter, has put the line there: Enter sends it, and typing replaces it."""
        self._last: Binding | None = None

    @cached_property
    def clipboard(self) -> InMemoryClipboard:
        """What was cut last, for Ctrl-Y."""
        return InMemoryClipboard(max_size=1)

    def press(self, keys: KeyNames, data: str) -> None:
        """Do what a key does; ``data`` is its character, or the text of a paste."""
        walked, self.walked = self.walked, ""
        proposed, self.proposed = self.proposed, False
        last, self._last = self._last, None
        for table in self._tables():
            if found := table.get_bindings_for_keys(keys):
                binding = found[-1]
                event = KeyEvent(self, data, walked, proposed, is_repeat=binding is last)
                # A handler takes `KeyEvent`, which has all that is used of the library's own event.
                if binding.handler(event) is not NotImplemented:  # type: ignore[arg-type]
                    self._last = binding
                    return

    def _tables(self) -> tuple[KeyBindings, ...]:
        if self.line.search is not None:
            return SEARCH_KEYS, LINE_KEYS
        return (LINE_KEYS,) if self.line.text else (PAGE_KEYS, LINE_KEYS)


# Typing and sending.


def _type(event: KeyEvent) -> None:
    line = event.current_buffer
    if event.proposed:
        line.reset()
    if line.text or event.data != " ":  # a line that began with a space would look empty
        line.insert_text(event.data)


def _paste(event: KeyEvent) -> None:
    """Insert pasted text as one line: a line end in it must play nothing."""
    event.current_buffer.insert_text(" ".join(clean(event.data, LINE_LENGTH).split()))


def _enter(event: KeyEvent) -> None:
    line = event.current_buffer
    if not line.text and (proposal := event.guide.propose()):
        line.put(proposal)
        event.app.proposed = True
    else:
        event.app.submit(line.take())


def _interrupt(event: KeyEvent) -> None:
    if event.current_buffer.text:
        event.current_buffer.reset()
    else:
        event.app.submit(INTERRUPT)


def _escape(event: KeyEvent) -> None:
    if event.current_buffer.text:
        event.current_buffer.reset()
    else:
        event.guide.step_back()


def _delete_or_hang_up(event: KeyEvent) -> None:
    if event.current_buffer.text:
        event.current_buffer.delete()
    else:
        event.app.submit(INTERRUPT)


def _redraw(event: KeyEvent) -> None:
    event.app.redraw()


def _complete(event: KeyEvent) -> None:
    line = event.current_buffer
    words = event.guide.words(line.document.text_before_cursor)
    completer = WordCompleter(words, ignore_case=True, WORD=True)
    found = list(completer.get_completions(line.document, CompleteEvent(completion_requested=True)))
    if len(found) == 1:
        line.apply_completion(found[0])
        line.insert_text(" ")
    elif found:
        line.insert_text(get_common_complete_suffix(line.document, found))
        event.guide.show_words([completion.text for completion in found])


# Suggested moves.


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
    line = event.current_buffer
    faint = line.faint
    if faint:
        line.insert_text(faint)
        event.app.walked = line.text
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


# Searching.


def _search_back(event: KeyEvent) -> None:
    event.current_buffer.search_on(SearchDirection.BACKWARD)


def _search_forward(event: KeyEvent) -> None:
    event.current_buffer.search_on(SearchDirection.FORWARD)


def _search_for_more(event: KeyEvent) -> object:
    """Add a character to what is looked for; any other key ends the search, and then does what it does."""
    search = event.current_buffer.search
    if search is None or not event.data.isprintable() or not event.data:
        event.current_buffer.end_search()
        return NotImplemented
    event.current_buffer.search_for(search.text + event.data)
    return None


def _search_for_less(event: KeyEvent) -> None:
    search = event.current_buffer.search
    event.current_buffer.search_for(search.text[:-1] if search is not None else "")


def _end_search(event: KeyEvent) -> None:
    event.current_buffer.end_search()


def _leave_search(event: KeyEvent) -> None:
    event.current_buffer.leave_search()


# Pages.


def _turn(pages: int) -> Handler:
    return lambda event: None if event.guide.turn_page(pages) else NotImplemented


# The tables.


def _table(*rows: tuple[str, str | Handler]) -> KeyBindings:
    """Make a table from rows of keys, in the library's names, and a handler or the name of one of its commands.

    Keys are separated by commas; a key pressed with Alt has "escape" before its name.
    """
    table = KeyBindings()
    for keys, handler in rows:
        act = get_by_name(handler).handler if isinstance(handler, str) else handler
        for key in keys.split(", "):
            table.add(*key.split())(act)  # type: ignore[type-var]  # see `LineEditor.press`
    return table


LINE_KEYS: Final = _table(
    ("<any>", _type),
    ("<bracketed-paste>", _paste),
    ("c-m, c-j", _enter),
    ("space", _space),
    ("left", _left),
    ("right", _right),
    ("c-e, end", _end_of_line),
    ("c-i", _complete),
    ("up, c-p", "previous-history"),
    ("down, c-n", "next-history"),
    ("c-r", _search_back),
    ("c-s", _search_forward),
    ("c-a, home", "beginning-of-line"),
    ("c-b", "backward-char"),
    ("c-f", "forward-char"),
    ("escape b, c-left, escape left", "backward-word"),
    ("escape f, c-right, escape right", _forward_word),
    ("c-h", "backward-delete-char"),
    ("delete", "delete-char"),
    ("c-t", "transpose-chars"),
    ("c-w", "unix-word-rubout"),
    ("escape c-h", "backward-kill-word"),
    ("escape d", _kill_word),
    ("c-u", "unix-line-discard"),
    ("c-k", "kill-line"),
    ("c-y", "yank"),
    ("c-l", _redraw),
    ("c-c", _interrupt),
    ("c-d", _delete_or_hang_up),
    ("escape", _escape),
)
"""The keys while a line is typed."""
SEARCH_KEYS: Final = _table(
    ("<any>, <any> <any>", _search_for_more),
    ("c-h", _search_for_less),
    ("c-r", _search_back),
    ("c-s", _search_forward),
    ("c-m, c-j", _end_search),
    ("escape, c-c, c-g", _leave_search),
)
"""The keys while Ctrl-R looks for an earlier line."""
PAGE_KEYS: Final = _table(
    ("c-m, c-j, down, space", _turn(1)),
    ("up, b", _turn(-1)),
    ("escape, c-c, q, Q", _turn(0)),
)
"""The keys on an empty line while a page of text is shown."""


def _bound(*tables: KeyBindings) -> Iterable[KeyNames]:
    return (binding.keys for table in tables for binding in table.bindings)


BOUND: Final = frozenset(_bound(LINE_KEYS, SEARCH_KEYS, PAGE_KEYS))
"""All keys that do something. `keys` drops every other one."""
