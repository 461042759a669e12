"""Callers and players, and the codes by which guests are known."""

import hashlib
import secrets
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from server.addresses import Address

Kind: TypeAlias = Literal["person", "ai", "bot"]

_SECURE: Final = secrets.SystemRandom()
_LETTERS: Final = "23456789abcdefghjkmnpqrstvwxyz"
_CODE_PARTS: Final = (4, 4, 4)


class Caller(Struct, frozen=True):
    """What a connection tells about the person or program that came in."""

    wished_name: str = ""
    """Cleaned; empty if the player wishes for none."""
    key: str | None = None
    """The fingerprint of the proven key; None for a guest."""
    address: Address | None = None
    """None for a local terminal."""
    runs_server: bool = False
    """Whether it is the person who runs the server, at the terminal where it was started."""
    may_return: bool = True
    """Whether the player can come in again; not to a game that ends with its process."""


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person, an AI player or a bot.

    ``id`` is the fingerprint of the account's first key, or for a guest the hash of their resume code.
    """

    id: str
    name: str
    kind: Kind = "person"
    level: str | None = None
    """An AI player's level."""

    @property
    def account(self) -> str | None:
        """The account, which linked keys share: the fingerprint of its first key; None for a guest and an AI player."""
        return self.id if self.id.startswith("SHA256:") else None


def new_code() -> str:
    """A random code that is short to type and hard to guess: three groups of letters and digits, 58 bits."""
    return "-".join("".join(_SECURE.choices(_LETTERS, k=size)) for size in _CODE_PARTS)


def guest_id(resume_code: str) -> str:
    """The id of the guest with this resume code; the code cannot be computed from it."""
    return "guest:" + hashlib.sha256(b"quatch-guest-v1\0" + resume_code.lower().encode()).hexdigest()[:24]
