"""How a table is listed where it does not run: by a row in the log, which is written with the entry that changes it.

A move changes nothing in it but the number of moves, which follows from the number of the entry: a move writes no row.
"""

from msgspec.structs import replace

from server.table.finished_game import rating_status
from server.table.snapshot import Listing
from server.table.state import TableState
from server.typed_json import Versioned, write_versioned


class Listed(Versioned, frozen=True):
    """A table as its row has it."""

    listing: Listing
    """Without what is in no log: how many watch, and whether the table is asleep."""
    seq: int
    """The number of the entry with which it was written; behind it there are moves alone."""
    player_ids: tuple[str, ...]
    """For each seat the id of the person or bot who has it; empty for others."""
    is_alone: bool = False
    """Whether one player plays here, out of sight of all others."""

    def names(self) -> dict[str, str]:
        """The names on the seats of people and bots, by their ids."""
        sitters = zip(self.player_ids, self.listing.sitters, strict=True)
        return {player_id: sitter.name for player_id, sitter in sitters if player_id and sitter}

    def at(self, seq: int, present: frozenset[str]) -> Listing:
        """The listing when the log stands at this entry, with these players at the table."""
        watching = len(present - {*self.player_ids})
        ply = self.listing.ply + max(0, seq - self.seq) if self.listing.playing else self.listing.ply
        return replace(self.listing, ply=ply, watching=watching, asleep=not present)


def listing(number: int, state: TableState) -> Listing:
    """A table as the lobby lists it, without what is in no log. It has those who hold the seats now."""
    level = state.settings.level_of_seats
    return Listing(
        number,
        state.rules.name,
        state.rules.title,
        tuple(None if seat is None else seat.shown(level) for seat in state.seats),
        state.playing,
        state.ply,
        0,
        private=bool(state.settings.word),
        hints=state.settings.hints,
        clock=state.settings.clock,
        rating=rating_status(state),
        occasion=state.occasion.title if state.occasion else "",
        game_over=state.occasion is not None and state.result is not None,
    )


def write_listed(number: int, seq: int, state: TableState) -> str:
    """The row of a table after the entry with this number."""
    player_ids = tuple(seat.player.id if seat and seat.player.kind != "ai" else "" for seat in state.seats)
    return write_versioned(
        Listed(listing=listing(number, state), seq=seq, player_ids=player_ids, is_alone=state.is_alone)
    )
