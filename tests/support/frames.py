"""Frames for tests: their sizes, long names, whether each fits its terminal, and those of a whole game."""

from collections import deque
from collections.abc import Iterator
from random import Random

from wcwidth import wcswidth

from engine.game import deal, play
from engine.legality import legal_moves
from engine.moves import READY
from engine.rulesets import ruleset
from engine.state import State
from engine.view import view_of
from server.language.event_text import sentences
from server.render.frame import Frame
from server.render.scene import LINES_KEPT, Scene
from server.table.snapshot import Sitter, Snapshot

SIZES = [(60, 20), (80, 24), (100, 30), (300, 100)]
NAMES = ("ana", "漢字漢字漢字漢字", "Fox", "é" * 16)


def assert_exact(frame: Frame, columns: int, rows: int) -> None:
    """No row reaches the last column, and the rows leave the last line free."""
    assert len(frame.rows) == rows - 1
    for row in frame.rows:
        assert wcswidth(row.text) <= columns - 1


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


def scenes(viewer: int | None = 0) -> Iterator[Scene]:
    """The scenes of one player in the same game, or of a spectator (None), one after each move."""
    chance, sitters = Random(1), tuple(Sitter(name) for name in ("ana", "bo", "Fox", "Ivy"))
    log, talk = deque[str](maxlen=LINES_KEPT), deque[str](maxlen=LINES_KEPT)
    game, events = deal(ruleset("quatch"), len(sitters), "frames")
    for ply in range(200):
        snapshot = Snapshot(1, game.rules, viewer, sitters, view_of(game, viewer), ply)
        log.extend(sentences([event.seen_by(viewer) for event in events], snapshot))
        if ply % 7 == 0:
            talk.append(f"bo: that was move {ply}")
        yield Scene("ana", snapshot=snapshot, log=tuple(log), talk=tuple(talk))
        if game.phase == "over":
            return
        if game.phase == "arrange":
            game, events = play(game, game.ready.index(False), READY)
        else:
            seat = game.to_move or 0
            game, events = play(game, seat, chance.choice(legal_moves(game, seat)))
