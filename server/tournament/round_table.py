"""What a table knows of the tournament that it belongs to: it is a part of the table's settings."""

from msgspec import Struct

from server.people.players import Player


class RoundTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a round: its players, and the game that is played there."""

    tournament: str
    """The id of the tournament."""
    name: str
    round: int
    board: int
    """The board's number in the round, from 1 on."""
    game: str
    """The id of the only game that is played at this table."""
    players: tuple[Player | None, ...]
    """By seat; None for an AI player."""
    final: bool = False
    people_only: bool = False
    """Whether bots may not play, also for players who entered as people."""

    @property
    def title(self) -> str:
        """As in "Friday, round 2, board 1"."""
        return f"{self.name}, {'final' if self.final else f'round {self.round}'}, board {self.board}"

    def seat_of(self, player_id: str) -> int | None:
        """The seat that is for this player; None if there is none."""
        ids = [player and player.id for player in self.players]
        return ids.index(player_id) if player_id in ids else None
