"""A full screen for tests that no session stands behind: a test says what it shows and what may be typed."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from server.cells import BLANK, Row
from server.commands.completion import add_copy, walk
from server.limits import REDRAW_SECONDS
from server.process.counters import UNREAD, Counters
from server.render.frame import Frame
from server.session.screen_mode import ScreenMode
from server.terminal.terminal import Guide, Terminal
from tests.support.emulated_screen import shown_by, suggested_by
from tests.support.emulator import SETTLED, EmulatorTransport


class SettableGuide(Guide):
    """A guide of the typed line that answers what a test has set."""

    def __init__(self) -> None:
        self.on_enter = ""
        self.moves: list[str] = []
        self.completions: list[str] = []
        self.shown_words: list[str] = []

    def offer(self) -> str:
        """See `Guide`."""
        return self.on_enter

    def walk(self, line: str, step: int) -> str:
        """See `Guide`."""
        return walk(self.moves, line, step)

    def add_copy(self, line: str) -> str:
        """See `Guide`."""
        return add_copy(self.moves, line)

    def words(self, line: str) -> list[str]:  # noqa: ARG002
        """See `Guide`."""
        return self.completions

    def show_words(self, words: list[str]) -> None:
        """See `Guide`."""
        self.shown_words = words


class Viewer:
    """A screen that shows whatever `rows` says, and what was typed at it."""

    def __init__(self, columns: int = 80, rows: int = 24, counters: Counters = UNREAD) -> None:
        self.transport = EmulatorTransport(columns, rows)
        self.terminal = Terminal(self.transport, term="xterm", size=(columns, rows), is_tty=True, counters=counters)
        self.typed: list[str] = []
        self.composed = 0
        self.rows: Callable[[int, int], tuple[Row, ...]] = lambda _, rows: (BLANK,) * (rows - 1)
        self.guide = SettableGuide()
        self.mode = ScreenMode(self.terminal, self._compose, self.typed.append, self.guide)

    def _compose(self, columns: int, rows: int) -> Frame:
        self.composed += 1
        return Frame(self.rows(columns, rows), "> ")

    async def type(self, *keys: bytes) -> str:
        """Press these keys one after the other; return the typed row."""
        for key in keys:
            self.terminal.feed(key)
            await asyncio.sleep(SETTLED)
        return self.bottom()

    def resize(self, columns: int, rows: int) -> None:
        """A new size."""
        self.transport.screen.resize(rows, columns)
        self.terminal.resize(columns, rows)

    def bottom(self) -> str:
        """The last row of the emulator, without the suggestion."""
        return shown_by(self.transport.screen).split("\n")[-1]

    def suggestion(self) -> str:
        """The faint text behind the cursor."""
        return suggested_by(self.transport.screen)


@asynccontextmanager
async def viewer(columns: int = 80, rows: int = 24, counters: Counters = UNREAD) -> AsyncIterator[Viewer]:
    """A screen that is being shown."""
    shown = Viewer(columns, rows, counters)
    running = asyncio.create_task(shown.mode.run())
    await drawn()
    yield shown
    shown.mode.stop()
    await running


async def drawn() -> None:
    """Wait until what is due has been drawn."""
    await asyncio.sleep(2 * REDRAW_SECONDS)
