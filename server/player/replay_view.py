"""A finished game as a player steps through it."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Final

from engine.errors import InputError
from server.history.replay import OPEN, Replay, ReplayPosition
from server.player.location import Place
from server.records.record import Record
from server.render.scene import LINES_KEPT, Progress
from server.table.snapshot import Snapshot

HELP: Final = (
    "Enter, next         the next move",
    "b                   one move back",
    "e, u                the next burn, pick-up or going out, and the one before",
    "12                  to move 12",
    "start, end          to the deal, to the end",
    "seat 2, watch, open as seat 2 saw it, as spectators did, all cards open",
    "where, pile, log    what lies where, what happened",
    "review, review 2    what the moves of your seat, or of seat 2, have cost",
    "leave, quit, Esc    back to where you were",
)
MOVES_IN_LOG: Final = 30
"""The log shows so many moves before the one that is looked at."""


class ReplayView:
    """A side view of a finished game."""

    place: Place = "replay"
    is_over = False

    def __init__(self, replay: Replay, tell: Callable[[list[str]], None]) -> None:
        """``tell`` takes lines for players who see no screen."""
        self._replay = replay
        self._tell = tell
        tell([f"A replay of {replay.title}. Enter or next goes on a move, help tells the rest, leave leaves."])
        self._show()

    @property
    def record(self) -> Record:
        """The game."""
        return self._replay.record

    @property
    def seat(self) -> int | None:
        """The seat whose view is shown; None for the view of a spectator and for all cards open."""
        return self._replay.viewpoint if isinstance(self._replay.viewpoint, int) else None

    def execute(self, text: str) -> list[str] | None:
        """See `location.SideView`."""
        replay = self._replay
        steps: dict[str, Callable[[], ReplayPosition]] = {
            "": replay.forward,
            "n": replay.forward,
            "next": replay.forward,
            "b": replay.back,
            "e": replay.next_event,
            "u": replay.previous_event,
            "start": replay.start,
            "end": replay.end,
        }
        word, _, rest = text.strip().lower().partition(" ")
        if word in steps and not rest:
            before = replay.ply
            if steps[word]().snapshot.ply == before == replay.length:
                raise InputError(
                    "bad_request", "that is the end: b goes a move back, leave or Esc goes back to where you were"
                )
        elif word.isascii() and word.isdigit() and not rest:
            replay.to(int(word[:6]))
        elif word in {"seat", "watch", "open"}:
            self._change_viewpoint(word, rest)
        elif word in {"help", "?"}:
            return list(HELP)
        else:
            return None
        self._show()
        return []

    def _change_viewpoint(self, word: str, rest: str) -> None:
        seats = len(self._replay.now().snapshot.sitters)
        if word != "seat":
            self._replay.viewpoint = OPEN if word == "open" else None
        elif rest.isascii() and rest.isdigit() and 1 <= int(rest[:3]) <= seats:
            self._replay.viewpoint = int(rest) - 1
        else:
            raise InputError("bad_request", f"there are seats 1 to {seats}: type seat 2 for the second one")

    def _viewpoint_words(self, snapshot: Snapshot) -> str:
        viewpoint = self._replay.viewpoint
        if viewpoint is None:
            return "as spectators saw it"
        return "all cards open" if viewpoint == OPEN else f"as {snapshot.name(int(viewpoint))} saw it"

    def _show(self) -> None:
        """Show the present move, and in the log the moves before it."""
        replay, ply = self._replay, self._replay.ply
        before = (replay.to(earlier).sentences for earlier in range(max(0, ply - MOVES_IN_LOG), ply + 1))
        self.log: Sequence[str] = list(chain.from_iterable(before))[-LINES_KEPT:]
        moment = replay.to(ply)
        self.snapshot = moment.snapshot
        self.progress = Progress(ply, replay.length, self._viewpoint_words(moment.snapshot))
        self._tell([f"Move {ply} of {replay.length}.", *moment.sentences])
