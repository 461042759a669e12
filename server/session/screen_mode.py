"""The full screen: one composed frame says what to show, a painter sends what has changed, the last row is typed into.

Only the newest frame is ever drawn, none while the reader is behind, and nothing happens here while nothing changes.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Protocol

from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from server.cells import BOLD
from server.commands.completion import add_copy, walk
from server.render.frame import Frame
from server.render.theme import NARROW
from server.terminal.input_line import InputLine
from server.terminal.keys import KeyInput
from server.terminal.painter import START, Painter
from server.terminal.terminal import INTERRUPT, Terminal

LINES_REMEMBERED: Final = 50
REDRAW_SECONDS: Final = 0.04
"""Frames come no faster than this."""
_WALKING: Final = (Keys.Left, Keys.Right, " ")
"""The keys that walk through the moves that can be made."""
_PAGES: Final[Mapping[Keys | str, int]] = MappingProxyType(
    {
        Keys.ControlM: 1,
        Keys.ControlJ: 1,
        Keys.Down: 1,
        " ": 1,
        Keys.Up: -1,
        "b": -1,
        Keys.Escape: 0,
        Keys.ControlC: 0,
        "q": 0,
        "Q": 0,
    }
)
"""The keys that turn so many pages; 0 puts them away."""


class Guide(Protocol):
    """What there is to see, and how the line that is being typed may go on."""

    def frame(self, columns: int, rows: int) -> Frame:
        """The newest frame at this size."""

    def offers(self) -> list[str]:
        """The lines that would make a move now."""

    def turn(self, pages: int) -> bool:
        """Go on, or back, by so many pages where one is shown, or for 0 put it away; whether one was shown."""

    def step_back(self) -> str:
        """Esc was pressed on an empty line; the line to submit for it, empty for none."""

    def proposal(self) -> str:
        """What an empty line could stand for; empty where it stands for nothing."""

    def complete(self, line: str) -> str:
        """The line as far as it is clear how it goes on."""


class ScreenMode:
    """One person's full screen. ``submit`` takes each line typed.

    Nothing is drawn in a window that is too small; ``resized`` is called at every change of size and may end the mode.
    """

    def __init__(
        self, terminal: Terminal, guide: Guide, submit: Callable[[str], None], resized: Callable[[], None]
    ) -> None:
        self._terminal = terminal
        self._end_if_too_small = resized
        self._guide = guide
        self._lines: deque[str] = deque(maxlen=LINES_REMEMBERED)
        """What was typed before, the last one first."""
        self._recalled = -1
        """Which of them the line shows."""
        self._walked = ""
        """The move that arrow keys have put into the line; nobody has typed it."""
        self._proposed = False
        """Whether the line shows what an empty one could stand for: Enter takes it, typing replaces it."""
        self._submit = submit
        self._keys = KeyInput(self._read_keys, on_end=lambda: submit("quit"))
        self._line = InputLine()
        self._painter = Painter(colour=terminal.has_colour, narrow=NARROW if terminal.has_signs else "")
        self._frame: Frame | None = None
        """The newest frame; None where it has to be composed."""
        self._last: Frame | None = None
        """The frame that was drawn last; None where it does not fit the terminal any more."""
        self._drawing: asyncio.Handle | None = None
        self._not_before = 0.0
        """When the next frame may be composed, in the event loop's time."""
        self._stopped = asyncio.Event()

    async def run(self) -> None:
        """Show the screen until `stop`; the end of input counts as ``quit``."""
        self._terminal.write(START)
        self._terminal.attach(
            data=self._keys.feed,
            input_end=self._keys.end,
            resize=self._resized,
            drained=self.refresh,
        )
        self.refresh()
        try:
            await self._stopped.wait()
            if self._drawing is not None:
                # What was done last is shown, however soon the end comes after it.
                self._drawing.cancel()
                self._draw()
        finally:
            self._keys.close()
            if self._drawing is not None:
                self._drawing.cancel()
            self._terminal.detach((self._line.text + self._keys.unread()).encode("utf-8", "replace"))
            self._terminal.restore()

    def stop(self) -> None:
        """End `run`."""
        self._stopped.set()

    def refresh(self) -> None:
        """Something has changed: draw when the reader can take it, but not too soon after the last frame."""
        self._frame = None
        loop = asyncio.get_running_loop()
        if self._drawing is None:
            early = loop.time() < self._not_before
            self._drawing = loop.call_at(self._not_before, self._draw) if early else loop.call_soon(self._draw_next)

    def say(self, lines: list[str]) -> None:
        """Nothing to do: the frame shows it all."""

    def _resized(self) -> None:
        """The terminal may have mangled the old picture: begin on a clean screen."""
        self._painter.forget()
        self._last = None
        self._end_if_too_small()
        self.refresh()

    # Drawing.

    def _draw_next(self) -> None:
        """Draw in the loop's next turn: the answer to a move comes in the same one as this, and is drawn with it."""
        self._drawing = asyncio.get_running_loop().call_soon(self._draw)

    def _draw(self) -> None:
        self._drawing = None
        if not self._terminal.is_large_enough:
            return
        if self._terminal.stalled:
            # Whoever watches the reader calls when it has caught up.
            self._terminal.metrics.frames_skipped.inc()
            return
        columns, rows = self._terminal.size
        if self._frame is None:
            self._frame = self._last = self._guide.frame(columns, rows)
            self._not_before = asyncio.get_running_loop().time() + REDRAW_SECONDS
        self._paint(self._frame, columns, rows)

    def _paint(self, frame: Frame, columns: int, rows: int) -> None:
        typed, x = self._line.shown(frame.prompt, columns)
        picture = (*frame.rows[: rows - 1], ((BOLD, typed),))
        if painting := self._painter.paint(picture, (x, rows - 1)):
            self._terminal.write(painting)
            self._terminal.metrics.frames_drawn.inc()

    # Typing.

    def _read_keys(self) -> None:
        for pressed in self._keys.read_keys():
            walked, self._walked = self._walked, ""
            proposed, self._proposed = self._proposed, False
            if not self._line.text and pressed.key in _PAGES and self._guide.turn(_PAGES[pressed.key]):
                self.refresh()
                continue
            if pressed.key in _WALKING and self._line.text in {"", walked} and self._guide.offers():
                # What was typed is nobody's but its typist's: they change only what they have put there.
                self._walk(pressed.key)
            else:
                if proposed and not isinstance(pressed.key, Keys):
                    self._line.take()
                self._press(pressed)
            if pressed.key not in {Keys.Up, Keys.Down}:
                self._recalled = -1
        self._echo()

    def _echo(self) -> None:
        """Show what has been typed; it costs little, so it is not kept waiting by a frame that has to wait."""
        if self._drawing is None:
            self._draw()
        elif isinstance(self._drawing, asyncio.TimerHandle) and self._last is not None and not self._terminal.stalled:
            self._paint(self._last, *self._terminal.size)

    def _press(self, pressed: KeyPress) -> None:
        match pressed.key:
            case Keys.ControlM | Keys.ControlJ:
                self._enter()
            case Keys.Up | Keys.Down:
                self._recall(1 if pressed.key == Keys.Up else -1)
            case Keys.ControlI:
                self._line.put(self._guide.complete(self._line.text))
                self.refresh()
            case Keys.ControlC | Keys.ControlD if not self._line.text:
                self._submit(INTERRUPT)
            case Keys.ControlC | Keys.Escape if self._line.text:
                self._line.take()
            case Keys.Escape:
                self._step_back()
            case Keys.ControlL:
                self._painter.forget()
            case _:
                self._line.press(pressed)

    def _enter(self) -> None:
        line = self._line.take()
        if not line and (proposal := self._guide.proposal()):
            self._line.put(proposal)
            self._proposed = True
            self.refresh()
            return
        if line.strip() and [line] != list(self._lines)[:1]:
            self._lines.appendleft(line)
        self._submit(line)

    def _step_back(self) -> None:
        if line := self._guide.step_back():
            self._submit(line)
        else:
            self.refresh()

    def _recall(self, step: int) -> None:
        """Show a line that was typed before; after the last one, an empty line."""
        self._recalled = min(max(self._recalled + step, -1), len(self._lines) - 1)
        self._line.put(self._lines[self._recalled] if self._recalled >= 0 else "")

    def _walk(self, key: Keys | str) -> None:
        """Show the next move that can be made, or one more copy of the rank."""
        offers, line = self._guide.offers(), self._line.text
        if key != " ":
            line = walk(offers, line, 1 if key == Keys.Right else -1)
        elif line:
            line = add_copy(offers, line)
        self._walked = line
        self._line.put(line)
