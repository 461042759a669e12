"""The tables that are awake by the log, as their rows list them (`table/listed.py`), whichever process runs them.

A table runs where somebody is. If its process has died, the table runs nowhere and is forlorn: another process runs
it, so that its clocks go on. That is the first process by name, or the next one if the first does not.
"""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from server.lobby.peers import Peers
from server.people.names import NamesInUse
from server.storage.database import EMPTY, Head, TableChange
from server.table.listed import Listed
from server.table.snapshot import Listing
from server.table.table import Table
from server.typed_json import readable

FORLORN_SECONDS: Final = 4.5
"""If nobody is at an awake table for so many seconds, the first process by name runs it; each other one waits longer.

A table that its last player has left falls asleep sooner."""


class Row(NamedTuple):
    """A table that is awake."""

    head: Head
    text: str
    listed: Listed | None
    """None if this program cannot read it."""


class ListedTables:
    """The rows of the tables that are awake."""

    def __init__(self, here: Mapping[int, Table], peers: Peers) -> None:
        """``here``: the tables that run in this process, by number."""
        self.names = NamesInUse()
        """The names on the seats of people and bots, by table."""
        self._here, self._peers = here, peers
        self._rows = dict[int, Row]()
        self._empty_since = dict[int, float]()
        """Since when nobody has been at a table that does not run here, in the event loop's time."""

    def note(self, change: TableChange) -> None:
        """Note how a table stands."""
        number, before = change.table, self._rows.get(change.table)
        if change.due is not None or change.head == EMPTY:
            self._rows.pop(number, None)
            self.names.put(number, {})
        elif before is not None and before.text == change.listing:
            self._rows[number] = before._replace(head=change.head)
        else:
            listed = readable(change.listing, Listed, table=number)
            self._rows[number] = Row(change.head, change.listing, listed)
            self.names.put(number, listed.names() if listed else {})

    def row(self, number: int) -> Row | None:
        """How a table stands; None if it is not awake."""
        return self._rows.get(number)

    def __contains__(self, number: int) -> bool:
        return number in self._rows

    def __iter__(self) -> Iterator[int]:
        return iter(self._rows)

    def listings(self) -> Iterator[Listing]:
        """The tables that do not run here, without tables at which a player plays alone."""
        for number, row in self._rows.items():
            if number not in self._here and row.listed and not row.listed.is_alone:
                yield row.listed.at(row.head.seq, self._peers.at(number))

    def running(self) -> set[int]:
        """The tables at which somebody is present in another process."""
        return {number for number in self._rows if self._peers.at(number)}

    def forlorn_to_run(self) -> list[int]:
        """Returns the tables that are to run here now: for some seconds this was asked, and they ran nowhere."""
        now = asyncio.get_running_loop().time()
        empty = [number for number in self._rows if number not in self._here and not self._peers.at(number)]
        self._empty_since = {number: self._empty_since.get(number, now) for number in empty}
        after = (1 + self._peers.turn) * FORLORN_SECONDS
        return [number for number, since in self._empty_since.items() if now - since >= after]


def seats_may_differ(before: Row | None, now: Row | None) -> bool:
    """Whether people may have to read anew which seats they have; if a table sleeps or slept, its seats are unknown."""
    if before is None or now is None:
        return True
    return before.text != now.text and (before.listed and before.listed.names()) != (now.listed and now.listed.names())
