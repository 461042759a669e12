"""Decides what a board shows, and for how long: it turns from one page to the next, and to where something happens."""

from collections.abc import Sequence
from math import inf
from typing import Final, NamedTuple

from server.board.scene import Board, BoardSize, BoardTable, Shown

CALL_SECONDS: Final = 6.0
"""How long one page of a call is shown, before the next one or the same again."""
SECONDS: Final = {"clock": 10.0, "tables": 15.0, "table": 20.0, "standings": 12.0, "people": 8.0, "join": 8.0}
"""How long each kind of page is shown."""
LEAST_SECONDS: Final = 5.0
"""No page is left earlier, so that it can be read."""
CLOSE_UP_SECONDS: Final = 8.0
"""How long a table is shown because something has happened there."""
BETTER: Final = 1.17
"""A table is shown in place of another if it promises so many times as much."""
_LAST_CARDS, _ALL_PEOPLE = 6.0, 4.0


class Happened(NamedTuple):
    """Something that a room turns round for."""

    table: int
    at: float
    """The event loop's time."""


class Director:
    """What all boards of one size show. The times are the event loop's."""

    def __init__(self, size: BoardSize, tables_on_a_page: int, calls_on_a_page: int = 1) -> None:
        self._size = size
        self._most = tables_on_a_page
        self._most_calls = calls_on_a_page
        self.shown = Shown("tables")
        """What to show now."""
        self._since = self._until = -inf
        self._featured = 0
        """The table that was chosen last to be shown by itself."""

    def turn(self, board: Board, happened: Happened | None, now: float) -> Shown:
        """Go on to another page if it is time for that, and return what to show; ``happened`` is the latest."""
        if board.competition is not None and (calls := board.competition.calls):
            if self.shown.kind != "call" or now >= self._until:
                pages = -(-len(calls) // self._most_calls)
                page = (self.shown.at + 1) % pages if self.shown.kind == "call" else 0
                self._show(Shown("call", page), now, CALL_SECONDS)
            return self.shown
        is_read = now >= self._since + LEAST_SECONDS or not self._is_there(board)
        is_here = happened is not None and board.table(happened.table) is not None
        if happened and is_here and happened.at > self._since and is_read and now < happened.at + CLOSE_UP_SECONDS:
            self._show(self._page_with(board, happened.table), now, CLOSE_UP_SECONDS)
        elif now >= self._until or not self._is_there(board):
            program = self._program(board)
            following = program[0] if self._since == -inf else self._following(program)
            self._show(following, now, SECONDS[following.kind])
        return self.shown

    def _show(self, shown: Shown, now: float, seconds: float) -> None:
        if shown.kind == "table":
            self._featured = shown.at
        self.shown, self._since, self._until = shown, now, now + seconds

    def _following(self, pages: list[Shown]) -> Shown:
        """The page after the one that is shown, or after those of its kind."""
        same = [at for at, page in enumerate(pages) if page == self.shown or page.kind == self.shown.kind == "table"]
        return pages[(same[-1] + 1) % len(pages)] if same else pages[0]

    def _is_there(self, board: Board) -> bool:
        """Whether what is shown can still be shown."""
        if self.shown.kind == "table":
            return board.table(self.shown.at) is not None
        return self.shown in self._program(board)

    def _page_with(self, board: Board, number: int) -> Shown:
        """What shows this table: its page on a large board, else the table by itself."""
        at = next((at for at, table in enumerate(board.tables) if table.snapshot.table == number), 0)
        return Shown("tables", at // self._most) if self._size == BoardSize.LARGE else Shown("table", number)

    def _program(self, board: Board) -> list[Shown]:
        """All pages in their order; at least one."""
        tables = [Shown("tables", page) for page in range(-(-len(board.tables) // self._most))]
        if self._size == BoardSize.LARGE:
            return tables or [Shown("tables")]
        featured = [Shown("table", table.snapshot.table) for table in self._best(board.tables)]
        if self._size == BoardSize.SMALL or len(board.tables) == 1:
            tables = []
        its = board.competition
        standings = [Shown("standings")] if its is not None else []
        if self._size == BoardSize.SMALL and its is not None and its.left is not None:
            standings = [Shown("clock"), *standings]
        return [*tables, *featured, *standings, *([] if tables or featured else [Shown("people")]), Shown("join")]

    def _best(self, tables: Sequence[BoardTable]) -> list[BoardTable]:
        """The table to show by itself: the one that promises most. It stays unless another promises clearly more."""
        if not tables:
            return []
        best = max(tables, key=promise)
        before = next((each for each in tables if each.snapshot.table == self._featured), None)
        return [best if before is None or promise(best) > BETTER * promise(before) else before]


def promise(table: BoardTable) -> float:
    """How much there is to see at a table: people who play, and more if one of them is close to the end."""
    snapshot, view = table.snapshot, table.snapshot.view
    people = sum(sitter is not None and not sitter.is_ai for sitter in snapshot.sitters)
    if view is None or not snapshot.playing:
        return people / 10
    is_close = any(view.hand_counts[seat] == view.up_counts[seat] == 0 for seat in view.seats)
    is_all_people = people == len(snapshot.sitters)
    return 1.0 + people + _LAST_CARDS * is_close + _ALL_PEOPLE * is_all_people
