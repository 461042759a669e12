"""One connection that shows the big board, for as long as it likes. It takes no input but `q`."""

import asyncio
from typing import Final

from server.board.feed import BoardFeed, BoardLook
from server.cells import Row
from server.joining.qr import HALVES
from server.lobby.competitions import Held
from server.render.theme import NARROW
from server.terminal.painter import START, Painter
from server.terminal.probe import probe
from server.terminal.terminal import RESTORE, Terminal

REPAINT_SECONDS: Final = 60.0
"""How often everything is painted anew, in case that the screen was disturbed."""
FAREWELL: Final = "The board is closed."
_LEAVE: Final = frozenset(b"qQ\x03\x04")
"""q, Ctrl-C and Ctrl-D."""


class BoardSession:
    """A board at one terminal. It is an `OpenBoard` of its feed."""

    def __init__(
        self, feed: BoardFeed, terminal: Terminal, table: int | None = None, competition: Held | None = None
    ) -> None:
        """``table`` or ``competition``: to which the board keeps, if it keeps to one."""
        self._feed = feed
        self._terminal = terminal
        self._table = table
        self.competition = competition
        self._painter = Painter(colour=terminal.has_colour, narrow="")
        self._painted: tuple[Row, ...] | None = None
        """The picture that the terminal shows; None if all of it has to be painted."""
        self._repaint_at = 0.0
        self._is_due = False
        self._ended = asyncio.Event()
        self._farewell = FAREWELL

    @property
    def look(self) -> BoardLook:
        """Which picture it shows now."""
        columns, rows = self._terminal.size
        competition = self.competition.id if self.competition else ""
        return BoardLook(columns, rows, self._terminal.has_signs, self._table, competition)

    async def run(self) -> None:
        """Show the board until its person types q or is gone, or until `ended`."""
        terminal = self._terminal
        await probe(terminal)
        self._painter = Painter(colour=terminal.has_colour, narrow=NARROW + HALVES if terminal.has_signs else "")
        terminal.write(START)
        terminal.attach(data=self._read, input_end=self._ended.set, resize=self._resized, drained=self.refresh)
        self._feed.open(self)
        try:
            await self._ended.wait()
        finally:
            self._feed.close(self)
            terminal.detach()
            terminal.write(RESTORE)
        terminal.write_lines(self._farewell)

    def ended(self, farewell: str) -> None:
        """End it with this last line, unless it is ending already."""
        if not self._ended.is_set():
            self._farewell = farewell
            self._ended.set()

    def refresh(self) -> None:
        """Show the newest picture when it is this session's turn; once, if it is asked for that several times."""
        if not self._is_due and not self._ended.is_set():
            self._is_due = True
            self._terminal.payer.call(self._draw)

    def _draw(self) -> None:
        self._is_due = False
        if self._ended.is_set() or self._terminal.stalled:
            return  # the terminal calls `refresh` when its reader has caught up
        now = asyncio.get_running_loop().time()
        if now >= self._repaint_at:
            self._painter.forget()
            self._painted, self._repaint_at = None, now + REPAINT_SECONDS
        if (picture := self._feed.picture(self.look)) is not self._painted:
            self._painted = picture
            self._terminal.write(self._painter.paint(picture, None))
            self._terminal.metrics.frames_drawn.inc()

    def _resized(self) -> None:
        self._repaint_at = 0.0
        self._feed.resized()

    def _read(self, data: bytes) -> None:
        if not _LEAVE.isdisjoint(data):
            self._ended.set()
