"""What a person is told about their table: what happened, what they have to decide, how much time they have."""

import asyncio
import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from sys import intern
from typing import Final, TypeAlias

from engine.events import Event, GameOver, Played, WentOut
from engine.wording.own_cards import cards_in_play_text
from engine.wording.phrases import quantity
from server.language import position_text
from server.language.event_text import AWAY, sentences
from server.language.tips import HAVE_REASONS, Tips, reason
from server.people.settings import Settings
from server.render.scene import LINES_KEPT, AfterGame
from server.table.snapshot import Snapshot
from server.table.table_events import CameBack, GameBegan, TableEvent, WentAway

Told: TypeAlias = str | Callable[[], Iterable[str]]
"""A line for a player, or what makes several if they are read: on a screen nobody does, unless they type `repeat`."""
SPOKEN_SECONDS: Final = (10, 5)
"""The player hears when so many seconds are left for their decision."""
LAST_SECONDS: Final = 10
"""From here on every second is shown."""
STEP: Final = 5
MINUTE: Final = 60
LONG: Final = 300
"""The clock is shown in such steps before that, and for players who want less motion; by minutes if more than LONG."""
SLACK: Final = 0.05
"""Seconds by which a timer may come too early."""


def spoken(told: Iterable[Told]) -> list[str]:
    """The lines of all of it."""
    return [line for each in told for line in ([each] if isinstance(each, str) else each())]


class Countdown:
    """The seconds left until a deadline, as they are shown."""

    def __init__(self, tick: Callable[[], None]) -> None:
        """``tick`` is called whenever another number is shown."""
        self.left: int | None = None
        """None if there is no deadline."""
        self._tick = tick
        self._deadline: float | None = None
        self._by_seconds = False
        self._next = 0.0
        """When the next number is shown."""
        self._timer: asyncio.TimerHandle | None = None
        """It may ring too early, which costs less than to set it anew at each move of a table."""

    def watch(self, deadline: float | None, *, by_seconds: bool) -> None:
        """Count down to this deadline, in the event loop's time, instead of the last one; None stops.

        ``by_seconds``: show every one of the last seconds, else steps of five seconds to the end.
        """
        self._deadline, self._by_seconds, self.left = deadline, by_seconds, None
        if deadline is not None:
            left = self.left = max(0, math.ceil(deadline - asyncio.get_running_loop().time() - SLACK))
            step = MINUTE if left > LONG else 1 if by_seconds and left <= LAST_SECONDS else STEP
            self._next = deadline - (left - 1) // step * step
        if self._timer is not None and (not self.left or self._timer.when() > self._next):
            self._timer.cancel()
            self._timer = None
        if self.left and self._timer is None:
            self._timer = asyncio.get_running_loop().call_at(self._next, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if asyncio.get_running_loop().time() < self._next - SLACK:
            self._timer = asyncio.get_running_loop().call_at(self._next, self._ring)
        else:
            self.watch(self._deadline, by_seconds=self._by_seconds)
            self._tick()


class TableFeed:
    """One person's log, and the lines they are told of their tables."""

    def __init__(self, tell: Callable[[list[str]], None], after_game: Sequence[AfterGame] = ()) -> None:
        """``tell`` takes what there is to say when time runs out. ``after_game``: what can be typed after a game."""
        self._after_game = after_game
        self.log: list[str] = []
        """What happened at the table, the newest line last."""
        self.reason = ""
        """Why the last event happened that the player did not choose, such as having to pick up the pile."""
        self.refused = ""
        """Why the player could not make the move that they tried last in this turn; empty if they tried none."""
        self.hinted = ""
        """The move that a hint has named in this turn, as it is typed; empty if none has."""
        self.tips = Tips()
        self.gives_tips = True
        """Whether the player may read tips, if they want any."""
        self.came_back: list[str] = []
        """What the player was told when they came to the table."""
        self.last_game = ""
        """The id of the last game that ended while the player was there."""
        self.won: list[bool] = []
        """Of the games that the player has played to their end, which of them they won."""
        self._rest_plies = 0
        """How many moves AI players have made since the last person or bot was out of cards."""
        self._tell = tell
        self._countdown = Countdown(self._tick)
        self._is_own_clock = False
        """Whether the countdown is for a decision of the player's own."""

    @property
    def clock_left(self) -> int | None:
        """Seconds left for the present decision, as they are shown; None if there is no clock."""
        return self._countdown.left

    def begin(self) -> None:
        """Begin anew: the player goes to a table."""
        self.log.clear()
        self.reason = ""

    def stop_clock(self) -> None:
        """The player leaves the table: no time runs for them."""
        self._countdown.watch(None, by_seconds=True)

    def note(self, *lines: str) -> None:
        """Add these lines to the log; the oldest make room for them."""
        self.log += map(intern, lines)  # what others at the table read, too, is kept once
        del self.log[:-LINES_KEPT]

    def update(
        self, before: Snapshot | None, snapshot: Snapshot, events: tuple[Event, ...], settings: Settings, *, drawn: bool
    ) -> list[Told]:
        """What to tell of these events. ``before`` is None for the first snapshot of a table."""
        if is_new_turn(before, snapshot):
            self.refused = self.hinted = ""
        if before is not None and before.public.is_left_to_ai:
            # Nobody here has anything to do with these moves, and a player who wants to see them can read the log.
            events = tuple(event for event in events if isinstance(event, TableEvent | WentOut | GameOver))
            self._rest_plies += snapshot.ply - before.ply
        else:
            self._rest_plies = 0
        is_told = self._rest_plies and not snapshot.playing
        alone = [f"AI players made the last {quantity(self._rest_plies, 'move')} at once."] if is_told else []
        told, kinds = [*alone, *sentences(events, snapshot)], set(map(type, events))
        if snapshot.playing and snapshot.watching and before and not before.watching and snapshot.seat is not None:
            told.append("Somebody watches now, who sees no hidden card.")
        told += position_text.changed_text(before, snapshot) if before else ()
        why = "" if kinds.isdisjoint(HAVE_REASONS) else reason(snapshot, events)
        own_plays = (event for event in events if isinstance(event, Played) and event.seat == snapshot.seat)
        if why or (self.reason and (GameBegan in kinds or any(own_plays))):  # nobody asks any more why that happened
            self.reason = why
        if self.gives_tips and settings.tips == "on" and (tip := self.tips.tip(before, snapshot, events, drawn=drawn)):
            told.append(tip)
        if GameBegan in kinds and before is not None and before.view is not None:
            self.log.clear()
        self.note(*([*alone, *sentences(_without_result(events), snapshot)] if GameOver in kinds else told))
        if GameOver in kinds:
            self.last_game = snapshot.game
            if snapshot.seat is not None:
                self.won += [each.winner == snapshot.seat for each in events if isinstance(each, GameOver)]
            told += _afterwards(snapshot, self._after_game)
        self._is_own_clock = snapshot.my_turn or (not snapshot.playing and snapshot.must_open)
        self._countdown.watch(snapshot.deadline, by_seconds=settings.motion == "full")
        self.came_back = told if before is None else []
        return [*told, *self._then(before, snapshot, kinds, events)]

    def recall(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """Put what happened before the player came in front of the log, as far as there is room."""
        told = [each for each in events if not (isinstance(each, WentAway) and each.seat == snapshot.seat)]
        self.log[:0] = map(intern, sentences(_without_result(told) if snapshot.stats else told, snapshot))
        del self.log[:-LINES_KEPT]

    def _tick(self) -> None:
        left = self.clock_left
        self._tell([f"{quantity(left, 'second')} left."] if self._is_own_clock and left in SPOKEN_SECONDS else [])

    def _then(
        self, before: Snapshot | None, snapshot: Snapshot, kinds: set[type[Event]], events: tuple[Event, ...]
    ) -> list[Told]:
        """What follows the news: what there is to decide, or how the game stands for a player who has come back."""
        left = self._countdown.left
        if is_new_turn(before, snapshot):
            return [lambda: position_text.turn_prompt(snapshot, left)]
        if GameBegan in kinds and snapshot.away:
            return [AWAY]
        has_come_back = CameBack in kinds and snapshot.seat in [e.seat for e in events if isinstance(e, CameBack)]
        if snapshot.view is not None and has_come_back:
            return [position_text.turn_text(snapshot, left), *cards_in_play_text(snapshot.view, snapshot.seat)]
        was_untimed = before is not None and before.deadline is None
        if was_untimed and left is not None and snapshot.my_turn and not snapshot.away:
            return [f"You have {quantity(left, 'second')}: you are no longer the only person."]
        return []


def _without_result(events: Iterable[Event]) -> list[Event]:
    """What the log shows of these events beside the result, which says who is out and who has won."""
    return [event for event in events if not isinstance(event, WentOut | GameOver)]


def _afterwards(snapshot: Snapshot, after_game: Sequence[AfterGame]) -> list[str]:
    """What the player can do after a game."""
    is_spectator = snapshot.seat is None
    if not snapshot.is_kept:
        return [*position_text.next_game_sentence(snapshot), "This game is not kept, so it cannot be looked at again."]
    ways = [f"{each.key} {each.to}" for each in after_game if each.is_for_all or not is_spectator]
    last = f"Type {', '.join([*ways, f'verify {snapshot.game} to check its deal'])}."
    sit = ["Type sit to take a seat for it."] if snapshot.may_sit else []
    return [*position_text.next_game_sentence(snapshot), *(sit if is_spectator else snapshot.next.lines), last]


def is_another_moment(before: Snapshot | None, snapshot: Snapshot) -> bool:
    """Whether the answer to the last line is out of date: a game, phase or turn has begun, or the seat is lost."""
    is_seat_lost = before is not None and before.seat is not None and snapshot.seat is None
    if before is None or snapshot.view is None:
        return is_seat_lost
    is_other = before.view is None or (before.game, before.view.phase) != (snapshot.game, snapshot.view.phase)
    return is_seat_lost or is_other or is_new_turn(before, snapshot)


@lru_cache(1)  # it is asked three times, one after the other
def is_new_turn(before: Snapshot | None, snapshot: Snapshot) -> bool:
    """Whether the player has something to decide that they did not have before."""
    if not snapshot.my_turn or snapshot.away or snapshot.view is None:
        return False
    if before is None or before.view is None or before.view.phase != snapshot.view.phase or before.away:
        return True
    return snapshot.view.phase == "play" and before.ply != snapshot.ply
