"""What the keys of the full screen act on: one person's line, and what its session knows about it."""

from collections.abc import Callable
from functools import cached_property
from typing import Final, NamedTuple, Protocol, TypeAlias

from prompt_toolkit.clipboard import InMemoryClipboard
from prompt_toolkit.key_binding.key_bindings import Binding
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import DummyOutput

from server.terminal.input_line import InputLine

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

    def step(self, command: str) -> bool:
        """Carry out this command at a finished game. Returns False if the player looks at none."""

    def stop_playing(self) -> bool:
        """Stop a finished game that goes on by itself. Returns whether there was one."""

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
        self.proposed = False
        """Whether the last key, Enter, has put the line there: Enter sends it, and typing replaces it."""
        self.last: Binding | None = None

    @cached_property
    def clipboard(self) -> InMemoryClipboard:
        """What was cut last, for Ctrl-Y."""
        return InMemoryClipboard(max_size=1)
