"""What one person's screen shows, before it is drawn: the newest update, the talk, and the answer to what was typed."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from server.cells import BOLD, Row, wrap
from server.people.settings import Settings
from server.rulebook import Rulebook
from server.table.snapshot import Listing, Snapshot

LINES_KEPT: Final = 60


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one has come in what is gone through step by step."""

    at: int
    of: int
    seen: str
    """With whose eyes."""


@dataclass(slots=True)
class Scene:
    """The state of one session's screen; the session changes it, `frame` draws it."""

    name: str
    rulebook: Rulebook = field(default_factory=Rulebook)
    settings: Settings = field(default_factory=Settings)
    resume_word: str = ""
    """What a guest says to be known again; empty for who is known by a key."""
    is_op: bool = False
    """Whether the host has named this person's key."""
    snapshot: Snapshot | None = None
    """The table one is at; None is the lobby."""
    tables: tuple[Listing, ...] = ()
    people: tuple[str, ...] = ()
    log: deque[str] = field(default_factory=lambda: deque(maxlen=LINES_KEPT))
    talk: deque[str] = field(default_factory=lambda: deque(maxlen=LINES_KEPT))
    drawn: bool = False
    """Whether the person sees it drawn; else all is told in lines."""
    clock_left: int | None = None
    """Seconds left for what is to be decided; None where there is no clock."""
    answer: str = ""
    reason: str = ""
    """Why what happened last to this person did, where they did not choose it."""
    page: list[str] = field(default_factory=list)
    """A longer answer, shown in place of the table until Enter is pressed."""
    page_at: int = 0
    page_title: str = ""
    """What was asked."""
    progress: Progress | None = None
    """Where a replay or a lesson stands."""
    has_signs: bool = False
    """Whether the terminal has proved to show suit signs."""


def answer_rows(scene: Scene, width: int) -> list[Row]:
    """The answer to what was typed last, on as many rows as it takes, at least one."""
    return [((BOLD, f" {line}"),) for line in wrap(scene.answer, width - 1)]
