"""A finished game as a player steps through it."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import ClassVar, Final

from engine.errors import InputError
from server.history.replay import OPEN, Replay, Viewpoint
from server.player.location import LocationName
from server.render.scene import LINES_KEPT, Progress
from server.table.snapshot import Snapshot

MOVES_IN_LOG: Final = 30
"""The log shows so many moves before the one that is looked at."""


class ReplayView:
    """A side view of a finished game."""

    location_name: ClassVar[LocationName] = "replay"
    is_over = False

    def __init__(self, replay: Replay, tell: Callable[[list[str]], None]) -> None:
        """``tell`` takes lines for players who see no screen."""
        self.replay = replay
        self._tell = tell
        tell([f"A replay of {replay.title}. Enter or next goes on a move, help tells the rest, leave leaves."])
        self._show()

    @property
    def seat(self) -> int | None:
        """The seat whose view is shown; None for the view of a spectator and for all cards open."""
        return self.replay.viewpoint if isinstance(self.replay.viewpoint, int) else None

    def go(self, ply: int) -> None:
        """Go to this move, or to the nearest one that exists. Raises InputError at the end if this goes no further."""
        before = self.replay.ply
        self.replay.to(ply)
        if self.replay.ply == before == self.replay.length:
            raise InputError(
                "bad_request", "that is the end: b goes a move back, leave or Esc goes back to where you were"
            )
        self._show()

    def look_from(self, viewpoint: Viewpoint) -> None:
        """Show the game from another viewpoint. Raises InputError if there is no such seat."""
        self.replay.look_from(viewpoint)
        self._show()

    def _viewpoint_words(self, snapshot: Snapshot) -> str:
        viewpoint = self.replay.viewpoint
        if viewpoint is None:
            return "as spectators saw it"
        return "all cards open" if viewpoint == OPEN else f"as {snapshot.name(int(viewpoint))} saw it"

    def _show(self) -> None:
        """Show the present move, and in the log the moves before it."""
        replay, ply = self.replay, self.replay.ply
        before = (replay.to(earlier).sentences for earlier in range(max(0, ply - MOVES_IN_LOG), ply + 1))
        self.log: Sequence[str] = list(chain.from_iterable(before))[-LINES_KEPT:]
        moment = replay.to(ply)
        self.snapshot = moment.snapshot
        self.progress = Progress(ply, replay.length, self._viewpoint_words(moment.snapshot))
        self._tell([f"Move {ply} of {replay.length}.", *moment.sentences])
