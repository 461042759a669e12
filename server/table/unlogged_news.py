"""What happens at a table and is not in its log, as one process tells it to the others that have the table loaded."""

from dataclasses import dataclass
from typing import TypeAlias

from server.table.recent_talk import Said
from server.table.table_events import AIPlayerAdded, Disconnected, Reconnected


@dataclass(frozen=True, slots=True)
class TableTalk:
    """Something was said."""

    said: Said
    to_spectators: bool
    """Whether no player in a seat may hear it."""


@dataclass(frozen=True, slots=True)
class HostWarned:
    """A line for the host of the table."""

    warning: str


@dataclass(frozen=True, slots=True)
class AIPlayersSet:
    """The host of the table has said how AI players play; see `UnloggedState`."""

    pace: float
    ai_level: str


UnloggedEvent: TypeAlias = Disconnected | Reconnected | AIPlayerAdded
UnloggedNews: TypeAlias = TableTalk | HostWarned | AIPlayersSet | UnloggedEvent
