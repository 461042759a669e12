"""Who plays, and what a table is opened for: said in the lobby, written in the log."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.rules import Json

Kind: TypeAlias = Literal["person", "ai"]


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits: a person or an AI player. ``id`` is a proven key's fingerprint, or made up for this visit."""

    id: str
    name: str
    kind: Kind = "person"
    level: str | None = None
    """An AI player's level."""

    @property
    def identity(self) -> str | None:
        """The fingerprint of the proven key; None for guests and AI players."""
        return self.id if self.id.startswith("SHA256:") else None


@dataclass(frozen=True, slots=True)
class Opened:
    """The table's first entry: what is played here."""

    rules: str
    options: dict[str, Json]
    seats: int
    level: str
    title: str = ""
    """What the table's rules go by, where that is not the rule set's own title."""
