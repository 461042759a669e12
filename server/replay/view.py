"""A finished game as a player steps through it."""

import asyncio
from itertools import chain
from typing import Final

from msgspec.structs import replace

from engine.errors import InputError
from engine.moves import Move
from server.fair_queue import PAYER
from server.player.player_session import FrontEnd, SideView
from server.render.scene import LINES_KEPT, Progress
from server.replay.playback import Playback, Viewpoint
from server.table.place import Place

STEPS: Final = {
    "right": "next",
    "left": "back",
    "down": "next 10",
    "up": "back 10",
    "home": "start",
    "end": "end",
    "space": "play",
}
"""What the keys do on an empty line."""
REPLAY: Final = Place(
    "replay",
    "record",
    "in a replay",
    "type replay ID for a game",
    "replay ID",
    heading="Game {game}",
    prompt="replay> ",
    number_means="move {}",
    hints=(
        "Left/Right move",
        "Up/Down 10",
        "Space plays",
        "Esc leaves",
        "e next event",
        "12 move 12",
        "seat 2 its view",
    ),
    steps=STEPS,
    keys=f"{'arrow keys, Home, End, Space':<30} a move, ten moves, the deal, the end, play",
)
MOVES_IN_LOG: Final = 30
"""The log shows so many moves before the one that is looked at."""
PLAY_SECONDS: Final = (0.2, 60.0)
"""The least and the most seconds between two moves of a replay that plays by itself."""
SECONDS_ON_SCREEN: Final = 1.0
SECONDS_IN_LINES: Final = 3.0
"""The seconds if none are named. Lines have to be read, or heard."""


class ReplayView(SideView):
    """Shows a finished game."""

    place = REPLAY

    def __init__(self, replay: Playback, front_end: FrontEnd) -> None:
        self.replay = replay
        self.record = replay.record
        self._front_end = front_end
        self._seconds = 0.0
        """The seconds that the player has typed behind `play`; 0 before that."""
        self._playing: asyncio.Task[None] | None = None
        """Goes on a move every so many seconds."""
        front_end.told(
            [f"A replay of {replay.title}. Enter or next goes on a move, help tells the rest, leave leaves."]
        )
        self._show()

    @property
    def progress(self) -> Progress:
        """See `SideView`."""
        plays = self._playing is not None and not self._playing.done()
        return Progress(self.replay.ply, self.replay.length, self.replay.viewpoint_text, plays)

    def go(self, ply: int) -> None:
        """Go to this move, or to the nearest one that exists. Raises InputError at the end if this goes no further."""
        before = self.replay.ply
        self.replay.to(ply)
        if self.replay.ply == before:
            self._must_not_be_at_end()
        self._show()

    def play(self, seconds: float | None) -> list[str]:
        """Go on by itself, a move every so many seconds, until `stop`, the end or a page. Returns the answer.

        None stands for the seconds of the last time. Raises InputError at the end.
        """
        self._must_not_be_at_end()
        self.stop()
        is_drawn = self._front_end.is_drawn
        self._seconds = seconds or self._seconds
        pace = self._seconds or (SECONDS_ON_SCREEN if is_drawn else SECONDS_IN_LINES)
        self._playing = asyncio.create_task(self._play(pace))
        every = "second" if pace == 1 else f"{pace:g} seconds"
        return [f"A move every {every}: {'Space' if is_drawn else 'Enter'} stops it."]

    def stop(self) -> bool:
        """See `SideView`."""
        playing, self._playing = self._playing, None
        return playing is not None and playing.cancel()

    async def move(self, move: Move) -> list[str]:
        """See `SideView`: no view of it takes a move."""
        raise InputError("wrong_phase", f"{move} is no move in a replay, which shows a finished game")

    async def _play(self, pace: float) -> None:
        await PAYER.get().run(self._go_on(pace))

    async def _go_on(self, pace: float) -> None:
        while self.replay.ply < self.replay.length:
            await asyncio.sleep(pace)
            if self._front_end.is_reading:
                return
            self.go(self.replay.ply + 1)
        self._front_end.answered("", [_at_end().sentence])

    def _must_not_be_at_end(self) -> None:
        if self.replay.ply == self.replay.length:
            raise _at_end()

    def look_from(self, viewpoint: Viewpoint) -> None:
        """Show the game from another viewpoint. Raises InputError if there is no such seat."""
        self.replay.look_from(viewpoint)
        self._show()

    def _show(self) -> None:
        """Show the present move, and in the log the moves before it."""
        replay, ply = self.replay, self.replay.ply
        before = (replay.to(earlier).sentences for earlier in range(max(0, ply - MOVES_IN_LOG), ply + 1))
        self.log = list(chain.from_iterable(before))[-LINES_KEPT:]
        moment = replay.to(ply)
        self.snapshot = replace(moment.snapshot, place=REPLAY)
        self._front_end.told([f"Move {ply} of {replay.length}.", *moment.sentences])


def _at_end() -> InputError:
    return InputError("bad_request", "that is the end: b goes a move back, leave or Esc goes back to where you were")
