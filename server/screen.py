"""The full screen: prompt_toolkit reads the keys and sends the bytes, one composed frame says what to show.

There is one container and no tree of windows: it puts the frame's rows on prompt_toolkit's screen, whose renderer sends
only what changed since the last time. Only the newest frame is ever drawn, and none while the reader is behind.
"""

from collections import defaultdict
from collections.abc import Callable
from io import StringIO
from typing import Final

from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Point, Size
from prompt_toolkit.history import DummyHistory
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, Container, Dimension, Layout, Window
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import _CHAR_CACHE, Char, Screen, WritePosition
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style
from wcwidth import wcswidth, wcwidth

from server.cells import Row, cut
from server.clean import clean
from server.frame import Frame
from server.keys import KeyInput
from server.limits import LINE_LENGTH
from server.terminal import INTERRUPT, Terminal

STYLE: Final = Style([])
REDRAW_SECONDS: Final = 0.04
"""Frames come no faster than this."""

Cells = defaultdict[int, Char]


class ScreenMode:
    """One person's full screen. `compose` gives the frame for a size, `submit` takes each line typed."""

    def __init__(self, terminal: Terminal, compose: Callable[[int, int], Frame], submit: Callable[[str], None]) -> None:
        self._terminal = terminal
        self._submit = submit
        self._keys = KeyInput(on_end=lambda: submit("quit"))
        self._drawn_size = terminal.size
        self._line = _Line(accept_handler=self._accept, multiline=False, history=DummyHistory())
        self._app = _Application(
            layout=Layout(_Canvas(compose, self._line)),
            style=STYLE,
            include_default_pygments_style=False,
            key_bindings=_bindings(submit),
            full_screen=True,
            color_depth=ColorDepth.DEPTH_4_BIT,
            min_redraw_interval=REDRAW_SECONDS,
            terminal_size_polling_interval=None,
            before_render=self._before_render,
            input=self._keys,
            output=Vt100_Output(
                _Writer(terminal),
                lambda: Size(columns=terminal.size[0], rows=terminal.size[1]),
                term=terminal.term,
                enable_cpr=False,
            ),
        )

    async def run(self) -> None:
        """Show the screen until `stop`; the end of input counts as ``quit``."""
        self._terminal.attach(
            data=self._keys.feed,
            input_end=self._keys.end,
            resize=self._app.invalidate,
            drained=self._app.invalidate,
        )
        try:
            # Key bindings find "the" application through the app session: without one of its own, another person's.
            with create_app_session(self._keys, self._app.output):
                await self._app.run_async(handle_sigint=False, set_exception_handler=False)
        finally:
            self._terminal.detach(self._line.text + self._keys.unread())
            self._terminal.restore()
            # prompt_toolkit keeps unread keys in a global table under an id that a later session may get.
            clear_typeahead(self._keys)

    def stop(self) -> None:
        """End `run`."""
        if self._app.is_running and not self._app.is_done:
            self._app.exit()

    def refresh(self) -> None:
        """Something has changed: draw when the reader can take it."""
        if not self._terminal.stalled:
            self._app.invalidate()

    def say(self, lines: list[str]) -> None:
        """Nothing to do: the frame shows it all."""

    def _before_render(self, app: Application[None]) -> None:
        """Begin on a clean screen after a resize: the terminal may have mangled the old picture."""
        if self._drawn_size != self._terminal.size:
            self._drawn_size = self._terminal.size
            app.output.erase_screen()
            app.output.cursor_goto(1, 1)
            app.renderer.reset(leave_alternate_screen=False)

    def _accept(self, line: Buffer) -> bool:
        self._submit(line.text)
        return False


class _Application(Application[None]):
    """An application that takes SIGWINCH, which is about the server's own terminal, as no more than a hint to look."""

    def _on_resize(self) -> None:
        if self.is_running:
            self.invalidate()


class _Line(Buffer):
    """What is being typed: one line of bounded length, without the undo history that would grow with every key."""

    def save_to_undo_stack(self, clear_redo_stack: bool = True) -> None:  # noqa: FBT001, FBT002 - the library's signature
        pass

    def insert_text(
        self,
        data: str,
        overwrite: bool = False,  # noqa: FBT001, FBT002 - the library's signature
        move_cursor: bool = True,  # noqa: FBT001, FBT002
        fire_event: bool = True,  # noqa: FBT001, FBT002
    ) -> None:
        typed = "".join(char for char in data if wcwidth(char) > 0)[: LINE_LENGTH - len(self.text)]
        super().insert_text(typed, overwrite, move_cursor, fire_event)


class _Canvas(Container):
    """The one container: the composed frame, and the line being typed in the last row."""

    def __init__(self, compose: Callable[[int, int], Frame], line: Buffer) -> None:
        self._compose = compose
        self._line = line
        self._window = Window(BufferControl(line))
        self._drawn: dict[Row, Cells] = {}

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,  # noqa: ARG002
        write_position: WritePosition,
        parent_style: str,  # noqa: ARG002
        erase_bg: bool,  # noqa: ARG002, FBT001
        z_index: int | None,  # noqa: ARG002
    ) -> None:
        columns, rows = write_position.width, write_position.height
        frame = self._compose(columns, rows)
        drawn = {row: self._drawn.get(row) or _cells(row) for row in frame.rows}
        for y, row in enumerate(frame.rows[:rows]):
            screen.data_buffer[y] = drawn[row]
        self._drawn = drawn
        typed, cursor = _typed(frame.prompt, self._line.text, self._line.cursor_position, columns)
        screen.data_buffer[rows - 1] = _cells((("bold", typed),))
        screen.set_cursor_position(self._window, Point(x=cursor, y=rows - 1))
        screen.visible_windows_to_write_positions[self._window] = write_position
        screen.width, screen.height = columns, rows

    def reset(self) -> None:
        self._drawn = {}

    def preferred_width(self, max_available_width: int) -> Dimension:
        return Dimension.exact(max_available_width)

    def preferred_height(self, width: int, max_available_height: int) -> Dimension:  # noqa: ARG002
        return Dimension.exact(max_available_height)

    def get_children(self) -> list[Container]:
        return [self._window]


def _cells(row: Row) -> Cells:
    """A row as prompt_toolkit's cells; a wide character leaves its second cell empty, a mark joins the cell before."""
    cells: Cells = defaultdict(lambda: _CHAR_CACHE[" ", ""])
    x = 0
    for style, text in row:
        for char in text:
            width = wcwidth(char)
            if width > 0:
                cells[x] = _CHAR_CACHE[char, style]
                if width == 2:
                    cells[x + 1] = _CHAR_CACHE["", style]
                x += width
            elif width == 0 and x > 0:
                cells[x - 1] = Char(cells[x - 1].char + char, style)
    return cells


def _typed(prompt: str, text: str, cursor: int, columns: int) -> tuple[str, int]:
    """The last row: the prompt and as much of the line as fits around the cursor; the cursor's column."""
    room = columns - len(prompt) - 2
    before = text[:cursor]
    while wcswidth(before) > room:
        before = before[1:]
    return prompt + cut(before + text[cursor:], room), len(prompt) + wcswidth(before)


def _bindings(submit: Callable[[str], None]) -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("c-c")
    def _interrupt(event: KeyPressEvent) -> None:
        """Throw away what is typed; on an empty line, leave."""
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            submit(INTERRUPT)

    @bindings.add("c-d")
    def _end(event: KeyPressEvent) -> None:
        if not event.current_buffer.text:
            submit(INTERRUPT)

    @bindings.add("c-l")
    def _redraw(event: KeyPressEvent) -> None:
        event.app.renderer.clear()

    @bindings.add(Keys.BracketedPaste)
    def _paste(event: KeyPressEvent) -> None:
        """Pasted text is only ever text: a line end in it plays nothing."""
        event.current_buffer.insert_text(" ".join(clean(event.data, LINE_LENGTH).split()))

    return bindings


class _Writer(StringIO):
    """What prompt_toolkit writes to: straight on to the terminal."""

    def __init__(self, terminal: Terminal) -> None:
        super().__init__()
        self._terminal = terminal

    def write(self, text: str) -> int:
        self._terminal.write(text)
        return len(text)

    def flush(self) -> None:
        pass
