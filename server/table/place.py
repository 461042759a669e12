"""Where a player is, as a value: what it is called, what can be typed there, and how its screen differs from a table's.

The core has the lobby and a table, with a seat or without one. A feature declares a place of its own, such as a
finished game or an exercise, and gives it, so that refusals can say how to get there.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

Kind: TypeAlias = Literal["lobby", "table", "watching", "record", "exercise", "shell"]
"""What a place has in common with others.

- "record": a finished game is looked at. No player there has a turn, and all seats have names.
- "exercise": the player makes moves in a position that is nobody's game.
- "shell": there is no session, as behind `ssh HOST`.
"""
MOVES: Final = "moves"
"""Stands in `Place.hints` for how to type the moves that are possible besides plays."""


class Place(Struct, frozen=True):
    """One place. Two players in the same place have the same value."""

    name: str
    """In a word; commands say by it, or by its kind, where they work."""
    kind: Kind
    works: str
    """Where a command works, as in "at a table"."""
    way: str = ""
    """How to get there from the lobby, as in "type play or new"."""
    reached_by: str = ""
    """A line that leads there from the lobby, where ID stands for the id of a finished game."""
    heading: str = ""
    """What the status row begins with, where {game} stands for the id of the game; empty: as at a table."""
    prompt: str = "> "
    """What stands before the typed line if the player has no turn."""
    count: str = "move"
    """What the number in the status row counts; empty if there is none."""
    has_last: bool = False
    """Whether it is known how far that number goes."""
    number_means: str = ""
    """The line that a number alone stands for, as in "move {}"; empty if it is what was typed."""
    hints: tuple[str, ...] = ()
    """The row of hints, the most useful first; none: as at a table."""
    keys: str = ""
    """The keys that work only there, and what for, in two columns as help lists them."""
    steps: Mapping[str, str] = field(default_factory=dict)
    """The commands that keys stand for there on an empty line, by the names of the keys (`key_bindings.STEP_KEYS`)."""
    guides: bool = False
    """Whether it always says itself what to do."""
    suggests: bool = True
    """Whether the arrow keys begin with a usual move."""

    def __hash__(self) -> int:
        return hash(self.name)


LOBBY: Final = Place("lobby", "lobby", "in the lobby")
TABLE: Final = Place("table", "table", "at a table", "type play or new, or sit N for a table")
WATCHING: Final = Place("watching", "watching", "while you watch", "type watch N for a table")
SSH: Final = Place("ssh", "shell", "from a shell")
ADMIN_SSH: Final = Place("admin", "shell", "from a shell")
PROMPT: Final = Place("prompt", "shell", "at a prompt for ops")
RECORD: Final = Place("record", "record", "at a finished game", heading="Game {game}")
OF_THE_CORE: Final = (TABLE, LOBBY, WATCHING)
