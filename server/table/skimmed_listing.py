"""What a lobby lists of a table without its moves being made: the seats, and how far the game is. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from server.storage.table_log import Head, LogEntry
from server.table.entries import Committed, Moved, begins_log, read_change


class Skim(NamedTuple):
    """What the entries behind a known one come to."""

    deal: LogEntry | None
    """The last deal among them, with which the log could begin."""
    head: Head
    """The last entry. All behind the deal, or behind the known entry, are passed over."""
    is_over: bool
    """Whether the game has ended by then."""


class Passed(NamedTuple):
    """What was passed over."""

    head: Head
    """The last entry."""
    moves: int
    """How many there are: moves, as long as the game goes on."""
    is_over: bool
    """Whether the game has ended."""


def skim(entries: Sequence[LogEntry], known: Head) -> Skim | None:
    """What these entries come to, if only moves and the commitment to the next deal are passed over; None if not.

    The first one is the ``known`` one, unless it was deleted. Raises ValueError if an entry cannot be read.
    """
    if not entries:
        return None
    is_known = entries[0].head == known
    rest = [(entry, read_change(entry.data)) for entry in (entries[1:] if is_known else entries)]
    index = next((n for n in reversed(range(len(rest))) if begins_log(rest[n][1])), None)
    if index is None and not is_known:
        return None
    passed = [change for _, change in (rest if index is None else rest[index + 1 :])]
    if not all(isinstance(change, Moved | Committed) for change in passed):
        return None
    is_over = any(isinstance(change, Committed) for change in passed)
    return Skim(None if index is None else rest[index][0], entries[-1].head, is_over)
