"""A taken seat of a table."""

from dataclasses import dataclass

from server.people.players import Player
from server.table.entries import Reason
from server.table.snapshot import Sitter


@dataclass(frozen=True, slots=True)
class Seat:
    """A taken seat. While its player is away an AI player of the table's level plays for them."""

    player: Player
    away_since: int | None = None
    """The ply at which an AI player took over; None while the player decides."""
    away: Reason | None = None
    """Why an AI player plays for the player; None if none does."""
    level_named: bool = False
    """Whether the host of the table named the level of this AI player."""

    @property
    def played_by_ai(self) -> bool:
        """Whether an AI player decides for this seat."""
        return self.away is not None or self.player.kind == "ai"

    def shown(self, level: str) -> Sitter:
        """The seat as everybody may know it; ``level`` is that of the table's AI players."""
        ai_level = (self.player.level or level) if self.played_by_ai else None
        return Sitter(self.player.name, ai_level, self.away is not None, bot=self.player.kind == "bot")
