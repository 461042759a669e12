"""Who plays, and what a table is opened for: said in the lobby, written in the log."""

import hashlib
import secrets
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import msgspec

from server.addresses import Address

Kind: TypeAlias = Literal["person", "ai", "bot"]

_LETTERS: Final = "23456789abcdefghjkmnpqrstvwxyz"
_CODE_GROUPS: Final = (4, 4)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who has come in, as far as the carrier knows."""

    wished_name: str = ""
    key: str | None = None
    """The fingerprint of the key that they have proved to have; None for a guest."""
    address: Address | None = None
    """Where they come from; None for this very terminal."""


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


def new_code() -> str:
    """A word that nobody guesses, to be typed once: two groups of letters and digits, 39 bits."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(size)) for size in _CODE_GROUPS)


def guest_id(resume_code: str) -> str:
    """The id of the guest with this resume word; the word cannot be found from it."""
    return "guest:" + hashlib.sha256(b"quatch-guest-v1\0" + resume_code.lower().encode()).hexdigest()[:24]
