"""What one player is told of the table they are at: what happened, what it asks of them, how long they have.

It fills their scene and says lines; whether they look is somebody else's affair.
"""

from collections.abc import Callable
from typing import Final

from engine.events import Event, GameOver
from server.countdown import Countdown
from server.happenings import CameBack, GameBegan
from server.position_words import open_words, seats_words, seconds_words, summons, table_words, turn_words
from server.reasons import reason
from server.scene import LINES_KEPT, Scene
from server.tips import Tips
from server.update import Update
from server.words import AWAY, sentences

SPOKEN_SECONDS: Final = (10, 5)
"""What is left on one's clock when one is told."""


class News:
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

    def push(self, update: Update, events: tuple[Event, ...]) -> None:
        """The table has changed: see `update.Member`."""
        before, self._scene.update = self._scene.update, update
        if _is_over_with(before, update):
            self._scene.answer = ""
        told = sentences(events, update)
        if why := reason(update, events):
            self._scene.reason = why
        drawn = self._scene.drawn
        if self._scene.settings.tips == "on" and (tip := self.tips.tip(before, update, events, drawn=drawn)):
            told.append(tip)
        self._scene.log.extend(told)
        if any(isinstance(event, GameOver) for event in events):
            self.last_game = update.game
            self.finished += update.seat is not None
            # The screen of results says it as well.
            told += _afterwards(update)
        self.watch_clock()
        is_called = _is_new_turn(before, update)
        self.came_back = told if before is None else []
        self._tell([*told, *self._then(before, update, events, is_called=is_called)])
        if is_called and update.deadline is not None:
            self._call()

    def recall(self, update: Update, events: tuple[Event, ...]) -> None:
        """See `update.Member`."""
        before = sentences(events, update)
        room = LINES_KEPT - len(self._scene.log)
        self._scene.log.extendleft(reversed(before[max(0, len(before) - room) :]))
        self._tell([])

    def tell_table(self) -> None:
        """Say in lines what the table is that one has come to, and how its game stands."""
        update = self._scene.update
        if update is not None:
            self._tell([*seats_words(update), *(table_words(update, self._scene.clock_left) if update.view else [])])

    def watch_clock(self) -> None:
        """Count down to what the table, or none, says now."""
        deadline = self._scene.update.deadline if self._scene.update else None
        self._countdown.watch(deadline, by_seconds=self._scene.settings.motion == "full")
        self._scene.clock_left = self._countdown.left

    def _tick(self) -> None:
        left = self._scene.clock_left = self._countdown.left
        is_mine = self._scene.update is not None and self._scene.update.my_turn
        self._tell([f"{left} seconds left."] if is_mine and left in SPOKEN_SECONDS else [])

    def _then(self, before: Update | None, update: Update, events: tuple[Event, ...], *, is_called: bool) -> list[str]:
        """What is said after the news: what there is to decide, or where one stands who has just come back."""
        left = self._scene.clock_left
        if is_called:
            return list(summons(update, left))
        if update.away and any(isinstance(event, GameBegan) for event in events):
            return [AWAY]
        if update.view is not None and any(isinstance(e, CameBack) and e.seat == update.seat for e in events):
            return [turn_words(update, left), *open_words(update.view)]
        if before is not None and before.deadline is None and left is not None and update.my_turn and not update.away:
            return [f"You have {seconds_words(left)}: you are no longer the only person."]
        return []


def _afterwards(update: Update) -> list[str]:
    """What can be done after a game, and with it."""
    again = ["Say start for another game."] if update.seat is not None else []
    played = "review to hear what your moves cost, " if update.seat is not None else ""
    return [*again, f"Say {played}replay {update.game} to see this game again, verify {update.game} to check its deal."]


def _is_over_with(before: Update | None, update: Update) -> bool:
    """Whether what was answered last is about what is no more: another game or phase has begun, or one's turn."""
    if before is None or update.view is None:
        return False
    if before.view is None or (before.game, before.view.phase) != (update.game, update.view.phase):
        return True
    return _is_new_turn(before, update)


def _is_new_turn(before: Update | None, update: Update) -> bool:
    """Whether there is something to decide that there was not before."""
    if not update.my_turn or update.away or update.view is None:
        return False
    if before is None or before.view is None or before.view.phase != update.view.phase or before.away:
        return True
    return update.view.phase == "play" and before.ply != update.ply
