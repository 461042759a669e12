"""What one player is told of the table they are at: what happened, what it asks of them, how long they have.

It fills their scene and says lines; whether they look is somebody else's affair.
"""

from collections.abc import Callable
from typing import Final

from engine.events import Event, GameOver
from server.language.event_text import AWAY, sentences
from server.language.explanations import reason
from server.language.position_text import (
    cards_in_play_text,
    seats_text,
    seconds_text,
    table_text,
    turn_prompt,
    turn_text,
)
from server.language.tips import Tips
from server.player.countdown import Countdown
from server.render.scene import LINES_KEPT, Scene
from server.table.snapshot import Snapshot
from server.table.table_events import CameBack, GameBegan

SPOKEN_SECONDS: Final = (10, 5)
"""What is left on one's clock when one is told."""


class TableFeed:
    """Tells a player of their table, update by update."""

    def __init__(self, scene: Scene, tell: Callable[[list[str]], None], call: Callable[[], None]) -> None:
        """``tell`` shows lines; ``call`` calls somebody back who may be looking elsewhere: others wait for them."""
        self._scene = scene
        self._tell = tell
        self._call = call
        self.tips = Tips()
        self._countdown = Countdown(self._tick)
        self.came_back: list[str] = []
        """What they were told who came in again and has a seat that was played for them; heard before all else."""
        self.last_game = ""
        """The last game that was over while the player was there."""
        self.finished = 0
        """Games that they have seen to their end, in a seat."""

    def push(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """The table has changed: see `snapshot.Subscriber`."""
        before, self._scene.snapshot = self._scene.snapshot, snapshot
        if _is_over_with(before, snapshot):
            self._scene.answer = ""
        told = sentences(events, snapshot)
        if why := reason(snapshot, events):
            self._scene.reason = why
        drawn = self._scene.drawn
        if self._scene.settings.tips == "on" and (tip := self.tips.tip(before, snapshot, events, drawn=drawn)):
            told.append(tip)
        self._scene.log.extend(told)
        if any(isinstance(event, GameOver) for event in events):
            self.last_game = snapshot.game
            self.finished += snapshot.seat is not None
            # The screen of results says it as well.
            told += _afterwards(snapshot)
        self.watch_clock()
        is_called = _is_new_turn(before, snapshot)
        self.came_back = told if before is None else []
        self._tell([*told, *self._then(before, snapshot, events, is_called=is_called)])
        if is_called and snapshot.deadline is not None:
            self._call()

    def recall(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """See `snapshot.Subscriber`."""
        before = sentences(events, snapshot)
        room = LINES_KEPT - len(self._scene.log)
        self._scene.log.extendleft(reversed(before[max(0, len(before) - room) :]))
        self._tell([])

    def tell_table(self) -> None:
        """Say in lines what the table is that one has come to, and how its game stands."""
        snapshot = self._scene.snapshot
        if snapshot is not None:
            self._tell(
                [*seats_text(snapshot), *(table_text(snapshot, self._scene.clock_left) if snapshot.view else [])]
            )

    def watch_clock(self) -> None:
        """Count down to what the table, or none, says now."""
        deadline = self._scene.snapshot.deadline if self._scene.snapshot else None
        self._countdown.watch(deadline, by_seconds=self._scene.settings.motion == "full")
        self._scene.clock_left = self._countdown.left

    def _tick(self) -> None:
        left = self._scene.clock_left = self._countdown.left
        is_mine = self._scene.snapshot is not None and self._scene.snapshot.my_turn
        self._tell([f"{left} seconds left."] if is_mine and left in SPOKEN_SECONDS else [])

    def _then(
        self, before: Snapshot | None, snapshot: Snapshot, events: tuple[Event, ...], *, is_called: bool
    ) -> list[str]:
        """What is said after the news: what there is to decide, or where one stands who has just come back."""
        left = self._scene.clock_left
        if is_called:
            return list(turn_prompt(snapshot, left))
        if snapshot.away and any(isinstance(event, GameBegan) for event in events):
            return [AWAY]
        if snapshot.view is not None and any(isinstance(e, CameBack) and e.seat == snapshot.seat for e in events):
            return [turn_text(snapshot, left), *cards_in_play_text(snapshot.view)]
        if (
            before is not None
            and before.deadline is None
            and left is not None
            and snapshot.my_turn
            and not snapshot.away
        ):
            return [f"You have {seconds_text(left)}: you are no longer the only person."]
        return []


def _afterwards(snapshot: Snapshot) -> list[str]:
    """What can be done after a game, and with it."""
    again = ["Say start for another game."] if snapshot.seat is not None else []
    played = "review to hear what your moves cost, " if snapshot.seat is not None else ""
    return [
        *again,
        f"Say {played}replay {snapshot.game} to see this game again, verify {snapshot.game} to check its deal.",
    ]


def _is_over_with(before: Snapshot | None, snapshot: Snapshot) -> bool:
    """Whether what was answered last is about what is no more: another game or phase has begun, or one's turn."""
    if before is None or snapshot.view is None:
        return False
    if before.view is None or (before.game, before.view.phase) != (snapshot.game, snapshot.view.phase):
        return True
    return _is_new_turn(before, snapshot)


def _is_new_turn(before: Snapshot | None, snapshot: Snapshot) -> bool:
    """Whether there is something to decide that there was not before."""
    if not snapshot.my_turn or snapshot.away or snapshot.view is None:
        return False
    if before is None or before.view is None or before.view.phase != snapshot.view.phase or before.away:
        return True
    return snapshot.view.phase == "play" and before.ply != snapshot.ply
