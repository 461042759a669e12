"""What a player reads about a position: the lines about a move, and the answers to questions."""

from typing import Final

from msgspec.structs import replace

from engine.game import play
from engine.moves import parse_move
from engine.state import State
from server.language.event_text import sentences
from server.render.scene import Scene
from server.table.apply_changes import derived_events
from server.table.place import TABLE
from server.table.snapshot import Sitter, Snapshot
from server.table.table_events import StoodIn
from tests.support.asking import Asking, answer
from tests.support.snapshots import snapshot_of

SITTERS: Final = (Sitter("ana"), Sitter("bo"), Sitter("Fox", "hard"), Sitter("Owl", "easy"))
AWAY: Final = "An AI player plays for you until you type back."


def shown_to(state: State, seat: int | None = 0, *, away: bool = False, clock: float = 20) -> Snapshot:
    """What this seat sees; the player of seat 0 may be away."""
    sitters = (replace(SITTERS[0], ai_level="hard" if away else None, away=away), *SITTERS[1:])
    return snapshot_of(state, seat, sitters=sitters, clock=clock)


def told(before: State, move: str, seat: int | None = 0, *, stood_in: bool = False) -> list[str]:
    """The lines about a move by the seat to move, for this seat."""
    mover = before.to_move or 0
    moved, events = play(before, mover, parse_move(move))
    happened = [*([StoodIn(mover)] if stood_in else []), *(event.seen_by(seat) for event in events)]
    return sentences([*happened, *derived_events(before, moved)], shown_to(moved, seat, away=stood_in))


def asked(state: State, name: str, rest: str = "", seat: int | None = 0, left: int | None = None) -> list[str]:
    """The answer to a question."""
    scene = Scene("ana", snapshot=shown_to(state, seat), clock_left=left)
    return list(answer(Asking(TABLE, scene), f"{name} {rest}"))
