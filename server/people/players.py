"""Who plays, and what a table is opened for: said in the lobby, written in the log."""

import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from engine.rules import Json
from server.addresses import Address

Kind: TypeAlias = Literal["person", "ai", "bot"]

_LETTERS: Final = "23456789abcdefghjkmnpqrstvwxyz"
_WORD_PARTS: Final = (4, 4)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who has come in, as far as the carrier knows."""

    wished_name: str = ""
    key: str | None = None
    """The fingerprint of the key that they have proved to have; None for a guest."""
    address: Address | None = None
    """Where they come from; None for this very terminal."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits: a person, an AI player or a bot. ``id`` is a proven key's fingerprint, or made from a resume word.

    Of several keys that were linked it is always the first one's.
    """

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
class TableSettings:
    """The table's first entry: what is played here, and under which terms."""

    rules: str
    options: dict[str, Json]
    seats: int
    level: str
    """Of AI players who fill seats or play for persons who are away."""
    title: str = ""
    """What the table's rules go by, where that is not the rule set's own title."""
    clock: float = 60.0
    """Seconds for a decision, where more than one person or bot plays."""
    pace: float | None = None
    """Seconds that AI players take for show; None is what the server's host says."""
    word: str = field(default="", repr=False)
    """What one has to say to come to the table; empty where anybody may."""
    secret: str = field(default="", repr=False)
    """What chance at this table is drawn from; also tells it from any other table that had its number."""
    version: str = ""
    """The version of the program that opened it."""
    hints: bool = True
    """Whether those who play may ask for hints and odds."""


def new_word() -> str:
    """A word that nobody guesses, to be typed once: two groups of letters and digits, 39 bits."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(size)) for size in _WORD_PARTS)


def guest_id(resume_word: str) -> str:
    """The id of the guest with this resume word; the word cannot be found from it."""
    return "guest:" + hashlib.sha256(b"quatch-guest-v1\0" + resume_word.lower().encode()).hexdigest()[:24]
