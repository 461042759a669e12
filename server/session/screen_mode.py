"""The full screen: frames are composed when something changes, and the last row is the line that is typed.

Only the newest frame is drawn, and none while the reader is behind.
"""

import asyncio
from collections.abc import Callable
from operator import ge

from server.cells import Row
from server.limits import LEAST_SCREEN, REDRAW_SECONDS
from server.render.frame import Frame
from server.session.drawn_mode import DrawnMode
from server.terminal.key_bindings import TEXT, LineEditor, press
from server.terminal.keys import KeyInput
from server.terminal.painter import START, Painter
from server.terminal.terminal import END_OF_INPUT, RESTORE, Guide, Terminal


class ScreenMode(DrawnMode):
    """One person's full screen. Nothing is drawn in a window that is too small: ``resized`` has to end this mode."""

    def __init__(
        self,
        terminal: Terminal,
        compose: Callable[[int, int], Frame],
        submit: Callable[[str], None],
        guide: Guide,
        resized: Callable[[], None] = lambda: None,
        least: tuple[int, int] = LEAST_SCREEN,
    ) -> None:
        """``compose`` returns the frame for so many columns and rows; ``submit`` takes each line that is sent.

        Nothing is drawn in a window with fewer columns or rows than ``least``.
        """
        super().__init__(terminal)
        self._compose = compose
        self._least = least
        self._on_resize = resized
        self._keys = KeyInput(self._read_keys, on_end=lambda: submit(END_OF_INPUT), payer=terminal.payer)
        self._painter = Painter(colour=terminal.has_colour, has_signs=terminal.has_signs)
        self._editor = LineEditor(guide, submit, redraw=self._forget)
        self._prompt: str | None = None
        """The prompt of the last frame; None if the terminal may show anything."""
        self._typed: tuple[Row, int] | None = None
        """The row of the typed line, and the cursor's column in it; None if they may have changed."""
        self._start = START
        """Sent with the first frame."""

    async def run(self) -> None:
        """Show the screen until `stop`."""
        keys = self._keys
        self._terminal.attach(data=keys.feed, input_end=keys.end, resize=self._resized, drained=self.refresh)
        self.refresh()
        try:
            await self._stopped
            if self._is_due:
                # Show the last change, even if the end comes right after it.
                self._draw()
        finally:
            keys.close()
            self._terminal.detach((self._editor.line.text + keys.unread()).encode("utf-8", "replace"))
            self._terminal.write(RESTORE)

    def _resized(self) -> None:
        """Draw everything anew, since the terminal may have mangled what it showed."""
        self._forget()
        self._on_resize()
        self.refresh()

    def _forget(self) -> None:
        self._painter.forget()
        self._is_due, self._prompt, self._typed = True, None, None

    # Drawing.

    def _draw(self) -> None:
        if self._drawing is not None:
            self._drawing.cancel()
            self._drawing = None
        if not all(map(ge, self._terminal.size, self._least)):
            return
        if self._terminal.stalled:
            self._terminal.counters.frames_skipped.inc()
            return
        frame = self._compose(*self._terminal.size) if self._is_due else None
        if frame is not None:
            before = self._prompt, self._editor.line.offer
            self._is_due, self._prompt = False, frame.prompt
            self._editor.suggest()
            if before != (frame.prompt, self._editor.line.offer):
                self._typed = None
            self._not_before = asyncio.get_running_loop().time() + REDRAW_SECONDS
        self._paint(frame)

    def _paint(self, frame: Frame | None = None) -> None:
        """Show this frame, or else that of before, with the line as it is typed now."""
        columns, rows = self._terminal.size
        if self._typed is None:
            self._typed = self._editor.line.shown(self._prompt or "", columns)
        typed, cursor = self._typed[0], (self._typed[1], rows - 1)
        if frame is None:
            painting = self._painter.paint_last(typed, columns - 1, cursor)
        else:
            painting = self._painter.paint((*frame.rows[: rows - 1], typed), columns - 1, cursor)
        if painting := self._start + self._call + painting:
            self._start = self._call = ""
            self._terminal.write(painting)
            self._terminal.counters.frames_drawn.value += 1

    def _read_keys(self) -> None:
        typed, self._typed = "", None
        for keys, data in self._keys.read_keys():
            # Behind a character without a meaning of its own all characters are text; they are typed together.
            if keys == TEXT or (typed and len(data) == 1 and keys == (data,)):
                typed += data
                continue
            if typed:
                press(self._editor, TEXT, typed)
                typed = ""
            press(self._editor, keys, data)
        if typed:
            press(self._editor, TEXT, typed)
        if not self._is_held:
            self._echo()

    def _echo(self) -> None:
        """Show what was typed. This costs little, so it does not wait until the next frame may come."""
        if self._drawing is None:
            self._draw()
        elif isinstance(self._drawing, asyncio.TimerHandle) and self._prompt is not None and not self._terminal.stalled:
            self._paint()
