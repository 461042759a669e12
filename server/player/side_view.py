"""What a player looks at meanwhile: a finished game, also at a table where none is going on, or a lesson."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.rules import Rules
from server.history.replay import OPEN, Replay, Viewpoint
from server.player.lesson import Lesson
from server.player.replay_view import ReplayView
from server.records.record import Record
from server.render.scene import Scene
from server.table.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Behind:
    """The table that one looks away from meanwhile."""

    snapshot: Snapshot
    log: list[str]


class SideView:
    """Where a player's scene shows something else than the lobby or their table."""

    def __init__(self, scene: Scene, tell: Callable[[list[str]], None], back: Callable[[], None]) -> None:
        """``tell`` shows lines; ``back`` is called when they look no more and have no table to look at."""
        self.showing: ReplayView | Lesson | None = None
        self._scene = scene
        self._tell = tell
        self._back = back
        self._behind: Behind | None = None

    @property
    def is_lesson(self) -> bool:
        """Whether it is a lesson."""
        return isinstance(self.showing, Lesson)

    @property
    def where(self) -> str:
        """Where one is then; empty where there is nothing of the kind."""
        return "" if self.showing is None else "in a lesson" if self.is_lesson else "at a replay"

    def look_at(self, record: Record, viewpoint: Viewpoint = OPEN) -> None:
        """Look at a finished game. Raises InputError where its record is no game, or there is no such seat."""
        replay = Replay(record, viewpoint)
        if self._scene.snapshot is not None and self.showing is None:
            self._behind = Behind(self._scene.snapshot, list(self._scene.log))
        self.showing = ReplayView(replay, self._scene, self._tell)

    def learn(self, rules: Rules, name: str) -> None:
        """Begin a lesson in these rules, called so by who asked. Raises InputError where there is none."""
        self._scene.talk.clear()
        self.showing = Lesson(rules, self._scene, self._tell, self._back, name)

    def look_up(self) -> str:
        """Look at it no more; where one is then."""
        behind = self._behind
        self.forget()
        if behind is None:
            self._back()
            return "in the lobby"
        self._scene.snapshot, self._scene.progress = behind.snapshot, None
        self._scene.log.clear()
        self._scene.log.extend(behind.log)
        return f"at table {behind.snapshot.table}"

    def forget(self) -> None:
        """There is nothing to look at any more, and no table behind it."""
        self.showing = self._behind = None

    def hides(self, snapshot: Snapshot) -> bool:
        """Whether this news of their table waits until they look up; a game that begins does not wait."""
        if self._behind is None:
            return False
        if snapshot.playing:
            self.look_up()
            return False
        self._behind = replace(self._behind, snapshot=snapshot)
        return True

    def note(self, line: str) -> None:
        """Put a line into the log of their table."""
        (self._behind.log if self._behind else self._scene.log).append(line)
