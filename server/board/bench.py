"""`quatch bench boards`: the CPU time to draw twenty boards of a room, beside that of the twenty players in it.

Five tables of four play, each with a move a second. A board shows all of them, and is drawn four times a second.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final

from server.bench.figures import Figure, Line
from server.bench.frames import SITTERS, scenes
from server.board.feed import REDRAW_SECONDS
from server.board.frame import draw_board
from server.board.room_bench import bench_room
from server.board.scene import Board, BoardTable, Shown
from server.cells import BOLD, Row
from server.people.settings import Settings
from server.render.frame import draw
from server.render.scene import Scene
from server.render.theme import theme_of
from server.table.snapshot import Presence
from server.terminal.painter import Painter

SIZES: Final = ((80, 24), (200, 60))
TABLES: Final = 5
BOARDS: Final = 20
A_SECOND: Final = round(1 / REDRAW_SECONDS)
"""The most pictures of a board in a second."""


def bench(options: argparse.Namespace) -> Iterator[Line]:
    """Measure how boards are drawn, then a room with boards."""
    return chain(bench_boards(options.seconds), bench_room(options.seconds, options.players or 40))


def bench_boards(seconds: float) -> Iterator[Line]:
    """For each size: milliseconds of CPU time for each second of the room, for its boards and for its players."""
    games = [[[*scenes(seat, f"table {number}")] for seat in (*range(len(SITTERS)), None)] for number in range(TABLES)]
    played = [game[:-1] for game in games]
    watched = [game[-1] for game in games]
    length = min(len(scenes) for scenes in watched)
    for columns, rows in SIZES:
        boards = _cpu_ms(_boards(watched, columns, rows), length, seconds / 2)
        players = _cpu_ms(_players(played, columns, rows), length, seconds / 2)
        size = f"{columns}x{rows}"
        text = (
            f"{size:<10}{BOARDS} boards {boards:>8.2f} ms a second   {TABLES * len(SITTERS)} players {players:>8.2f} ms"
            f"   {boards / players:.2f} x players"
        )
        yield Figure(f"boards: {size}, beside as many players", boards, players, "ms", text)


def _players(games: Sequence[Sequence[Sequence[Scene]]], columns: int, rows: int) -> Callable[[int], None]:
    """Draw all players' screens after the move with this number at each table."""
    painters = [[Painter(colour=True) for _ in game] for game in games]

    def show(ply: int) -> None:
        for seats, screens in zip(games, painters, strict=True):
            for seat, painter in zip(seats, screens, strict=True):
                frame = draw(seat[ply], columns, rows)
                painter.paint((*frame.rows, ((BOLD, frame.prompt),)), (0, rows - 1)).encode()

    return show


def _boards(games: Sequence[Sequence[Scene]], columns: int, rows: int) -> Callable[[int], None]:
    """Draw all boards while the move with this number is made at each table, at one after the other."""
    painters, theme = [Painter(colour=True) for _ in range(BOARDS)], theme_of(Settings())

    def show(ply: int) -> None:
        for part in range(A_SECOND):
            scenes = [game[ply - (number % A_SECOND > part and ply > 0)] for number, game in enumerate(games)]
            picture = draw_board(_board(scenes), Shown("tables"), columns, rows, theme)
            _paint(painters, picture)

    return show


def _board(scenes: Sequence[Scene]) -> Board:
    tables = [BoardTable(scene.snapshot, 30, tuple(scene.log)) for scene in scenes if scene.snapshot is not None]
    people = tuple(Presence(sitter.name, number) for number in range(TABLES) for sitter in SITTERS)
    return Board("QUATCH", "20:41", "ssh 192.0.2.7", tables=tables, people=people, news=tuple(scenes[0].log[-20:]))


def _paint(painters: Sequence[Painter], picture: tuple[Row, ...]) -> None:
    for painter in painters:
        painter.paint(picture, None).encode()


def _cpu_ms(show: Callable[[int], None], length: int, seconds: float) -> float:
    """Milliseconds of CPU time for a second of the room."""
    began, shown = time.process_time(), 0
    while not shown or time.process_time() - began < seconds:
        show(shown % length)
        shown += 1
    return 1e3 * (time.process_time() - began) / shown
