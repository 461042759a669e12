"""What a tournament knows of each of its tables: the data of the table's occasion, see `server.table.occasion`."""

from typing import Final

from msgspec import Struct

KIND: Final = "tournament"
"""The kind of the occasion."""


class RoundTable(Struct, frozen=True):
    """A table of a round."""

    tournament: str
    """The id of the tournament."""
    round: int
    board: int
    """The board's number in the round, from 1 on."""
