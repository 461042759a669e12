"""What happens at a table and is not in its log, as one process tells it to the others that have the table loaded."""

from typing import TypeAlias

from msgspec import Struct

from server.table.recent_talk import Said
from server.table.table_events import AIPlayerAdded, Disconnected, Reconnected


class TableTalk(Struct, frozen=True):
    """Something was said."""

    said: Said
    to_spectators: bool
    """Whether no player in a seat may hear it."""


class HostWarned(Struct, frozen=True):
    """A line for the host of the table."""

    warning: str


class AIPlayersSet(Struct, frozen=True):
    """The host of the table has said how AI players play; see `UnloggedState`."""

    pace: float
    ai_level: str


UnloggedEvent: TypeAlias = Disconnected | Reconnected | AIPlayerAdded
UnloggedNews: TypeAlias = TableTalk | HostWarned | AIPlayersSet | UnloggedEvent
