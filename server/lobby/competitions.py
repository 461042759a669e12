"""Competitions as everybody may follow them: a feature holds them, and other features show them."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from msgspec import Struct

from server.lobby.lobby import Lobby


class Leaders(Struct, frozen=True):
    """Who leads, as many as a board shows."""

    title: str
    rows: tuple[tuple[str, str, str], ...]
    """For each person the place, the name and the points, as text."""
    note: str = ""
    """How many more there are, or what comes next."""


class Competition(Struct, frozen=True):
    """How a competition stands now."""

    name: str
    stage: str
    """How far it is, as in "round 2 of 4"."""
    waits_for: str
    """What the countdown is for, as in "round 3 is called in"."""
    left: int | None
    """The seconds of the countdown; None if there is none."""
    calls: tuple[tuple[str, int], ...]
    """Who was called to which table just now, by name."""
    standings: Leaders
    progress: str = ""
    """In one sentence: how far it is, and what it waits for."""
    is_paused: bool = False
    ended: float | None = None
    """How many seconds ago it ended; None if it goes on."""
    honours: tuple[str, ...] = ()
    """What else people have earned, when it is over."""
    enter: str = ""
    """What to type to enter it; empty if nobody can any more."""


class Held(NamedTuple):
    """A competition that can be followed, also beyond its end."""

    id: str
    """The id that its tables have in `Occasion.part_of`."""
    now: Callable[[], Competition]
    """Returns how it stands now."""


class Competitions(Struct, frozen=True):
    """What a feature gives that holds competitions."""

    word: str
    """Stands before the name of one, where a board of it is asked for."""
    held: Callable[[Lobby], Sequence[Held]]
    """Returns those that go on, as far as is known, the oldest first. Asks nothing of the log."""
    find: Callable[[Lobby, str], Awaitable[Held]]
    """Returns the one of this name, or the only one if that is empty. Raises InputError if there is none, NotSaved."""
