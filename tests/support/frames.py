"""Frames for tests: their sizes, long names, and whether each fits its terminal."""

from wcwidth import wcswidth

from engine.state import State
from engine.view import view_of
from server.render.frame import Frame
from server.render.scene import Scene
from server.table.snapshot import Sitter, Snapshot

SIZES = [(60, 20), (80, 24), (100, 30), (300, 100)]
NAMES = ("ana", "漢字漢字漢字漢字", "Fox", "é" * 16)


def assert_exact(frame: Frame, columns: int, rows: int) -> None:
    """No row reaches the last column, and the rows leave the last line free."""
    assert len(frame.rows) == rows - 1
    for row in frame.rows:
        assert wcswidth("".join(text for _, text in row)) <= columns - 1


def scene_of(state: State, seat: int | None) -> Scene:
    """What this seat's screen shows."""
    sitters = tuple(Sitter(NAMES[n], "hard" if n % 2 else None) for n in range(len(state.hands)))
    return Scene(
        NAMES[0],
        snapshot=Snapshot(1, state.rules, seat, sitters, view_of(state, seat), 7, 3),
        log=[f"{NAMES[1]} plays a queen and says {n}." for n in range(30)],
        talk=["漢字 talk " * 9] * 9,
        answer="an answer that is much longer than one row of a small terminal, " * 2,
    )
