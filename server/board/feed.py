"""What the boards of one process show: collected once for all of them, and drawn once for those of one size.

While no board is open, nothing is collected.
"""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

from engine.events import Event
from server.board.director import Director, Happened
from server.cells import Row
from server.lan.qr import qr_modules, qr_rows
from server.language.event_text import sentences
from server.language.headlines import headlines
from server.lobby.lobby import Lobby
from server.people.settings import Settings
from server.render.board_frame import draw_board, tables_on_a_page
from server.render.board_scene import Board, BoardSize, BoardTable, Shown
from server.render.theme import theme_of
from server.table.broadcaster import tell_each
from server.table.snapshot import Snapshot
from server.table.table import Table
from server.table.table_events import CardsCut, CutOpened

REDRAW_SECONDS: Final = 0.25
"""The shortest time between two pictures."""
TICK_SECONDS: Final = 1.0
"""How often clocks are shown anew, and people and new tables looked for."""
LINES_KEPT: Final = 40
HEADLINES_AT_ONCE: Final = 3
"""The most headlines of one change, as when a table is found whose game has gone on for long."""
MESSAGE_SECONDS: Final = 120.0
"""How long an announcement of an op stands on the boards."""
TALK_SECONDS: Final = 300.0
HOST: Final = "host"
"""The name under which ops announce."""
TITLE: Final = "QUATCH"


class BoardLook(NamedTuple):
    """What decides which picture a board shows. Boards that look alike share one."""

    columns: int
    rows: int
    has_signs: bool = False
    table: int | None = None
    """The table to which it keeps; None if it turns pages."""


class OpenBoard(Protocol):
    """A connection that shows a board."""

    @property
    def look(self) -> BoardLook:
        """Which picture it shows now."""

    def refresh(self) -> None:
        """The picture may have changed."""


class BoardFeed:
    """Everything that the open boards of this process show."""

    def __init__(self, lobby: Lobby, wall: Callable[[], float] = time.time) -> None:
        self._lobby = lobby
        self._wall = wall
        self.boards = set[OpenBoard]()
        self._tables: dict[int, _Followed] = {}
        self._news = deque[str](maxlen=LINES_KEPT)
        self._happened: Happened | None = None
        self._board = Board(TITLE, "")
        self._directors: dict[tuple[BoardSize, int], Director] = {}
        """By the size of the board and the tables that it shows at once."""
        self._pictures: dict[BoardLook, tuple[Row, ...]] = {}
        self._drawn_at = -math.inf
        self._timer: asyncio.TimerHandle | None = None

    def open(self, board: OpenBoard) -> None:
        """Begin to tell a board of changes."""
        self.boards.add(board)
        self._update()

    def close(self, board: OpenBoard) -> None:
        """Tell it no more. When the last one has gone, nothing is collected."""
        self.boards.discard(board)
        if not self.boards:
            self._stop()

    def picture(self, look: BoardLook) -> tuple[Row, ...]:
        """The newest picture for a board that looks like this, drawn when it is asked for first."""
        if look not in self._pictures:
            shown = self._director(look).shown if look.table is None else Shown("table", look.table)
            theme = theme_of(Settings(), has_signs=look.has_signs)
            board = self._board if look.has_signs else replace(self._board, code=())
            self._pictures[look] = draw_board(board, shown, look.columns, look.rows, theme)
        return self._pictures[look]

    # Collecting.

    def _update(self) -> None:
        """Collect what boards show, turn their pages if it is time for that, and have them show what has changed."""
        now = asyncio.get_running_loop().time()
        self._follow_tables()
        board = self._collect(now)
        turned = [self._turn(director, board, now) for director in self._directors_in_use()]
        if board != self._board or any(turned):
            self._board = board
            self._pictures.clear()
        self._drawn_at = now
        self._update_at(now + TICK_SECONDS)
        tell_each(self.boards, lambda each: each.refresh())

    def _turn(self, director: Director, board: Board, now: float) -> bool:
        before = director.shown
        return director.turn(board, self._happened, now) != before

    def _directors_in_use(self) -> list[Director]:
        return list({id(found): found for each in self.boards for found in [self._director(each.look)]}.values())

    def _director(self, look: BoardLook) -> Director:
        key = BoardSize.of(look.columns, look.rows), tables_on_a_page(look.columns, look.rows)
        return self._directors.setdefault(key, Director(*key))

    def _update_soon(self) -> None:
        """Show what has happened, but not too soon after the last picture."""
        loop = asyncio.get_running_loop()
        self._update_at(max(loop.time(), self._drawn_at + REDRAW_SECONDS))

    def _update_at(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(when, self._update)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for followed in self._tables.values():
            followed.stop()
        self._tables.clear()
        self._news.clear()
        self._directors.clear()
        self._pictures.clear()
        self._happened = None

    def _follow_tables(self) -> None:
        """Follow the tables that anybody may watch, as far as players are present there."""
        public = {
            table.number: table
            for table in self._lobby.tables.here.values()
            if not (table.runtime.asleep or table.task.state.settings.word or table.task.state.day)
        }
        for number, followed in list(self._tables.items()):
            if public.get(number) is not followed.table:
                self._tables.pop(number).stop()
        for number, table in public.items():
            if number not in self._tables:
                self._tables[number] = _Followed(table, self._tell)

    def _tell(self, number: int, told: list[str]) -> None:
        """Something has happened at this table, which makes these headlines."""
        self._news.extend(f"table {number}  {headline}" for headline in told)
        if told:
            self._happened = Happened(number, asyncio.get_running_loop().time())
        self._update_soon()

    def _collect(self, now: float) -> Board:
        lobby = self._lobby
        clock = time.localtime(self._wall())
        said = lobby.visitors.recent_talk.heard(by_spectator=False, after=now - TALK_SECONDS)
        messages = [each.line for each in said if not each.player_id and each.at > now - MESSAGE_SECONDS]
        talk = [f"{each.name}: {each.line}" for each in said if each.player_id and not lobby.is_silenced(each)]
        return Board(
            TITLE,
            f"{clock.tm_hour}:{clock.tm_min:02}",
            next(iter(lobby.join_lines.lines), ""),
            _code(lobby.join_lines.link),
            tables=tuple(followed.table_now(now) for _, followed in sorted(self._tables.items())),
            private=sum(each.private and not each.asleep for each in lobby.tables.listings()),
            people=lobby.visitors.people(),
            news=tuple(self._news),
            talk=tuple(talk) if lobby.config.board_talk else (),
            message=messages[-1] if messages else "",
        )


@lru_cache(1)
def _code(link: str) -> tuple[Row, ...]:
    """The QR code of a link, as rows; none without a link or without the package that makes it."""
    modules = qr_modules(link) if link else None
    return tuple(qr_rows(modules)) if modules else ()


class _Followed:
    """A table that is shown on boards, with what has happened there."""

    def __init__(self, table: Table, tell: Callable[[int, list[str]], None]) -> None:
        """``tell`` is given the headlines of each change, with the number of the table."""
        self.table = table
        self._log = deque[str](maxlen=LINES_KEPT)
        self._tell = tell
        self._snapshot: Snapshot
        table.task.observe(self._observe)

    def stop(self) -> None:
        """Follow it no more."""
        self.table.task.broadcaster.observers.discard(self._observe)

    def table_now(self, now: float) -> BoardTable:
        """The table, with the seconds that are left at this time of the event loop."""
        deadline = self._snapshot.deadline
        left = None if deadline is None else max(0, math.ceil(deadline - now))
        return BoardTable(self._snapshot, left, tuple(self._log))

    def _observe(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        self._snapshot = snapshot
        # What players type as their cut is not for a projector.
        self._log.extend(sentences([each for each in events if not isinstance(each, CardsCut | CutOpened)], snapshot))
        self._tell(self.table.number, [*headlines(events, snapshot)][-HEADLINES_AT_ONCE:])
