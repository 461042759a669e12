"""The codes by which guests are known again, and by which keys are linked, and the id that a resume code stands for."""

import hashlib
import secrets
from typing import Final

_LETTERS: Final = "23456789abcdefghjkmnpqrstvwxyz"
_GROUPS: Final = 3
_GROUP: Final = 4
CODE: Final = "-".join([f"[{_LETTERS}]{{{_GROUP}}}"] * _GROUPS)
"""A pattern for a code as it is typed."""
GUEST_PREFIX: Final = "guest:"
"""The id of a guest begins so."""


def new_code() -> str:
    """A random code that is short to type and hard to guess: three groups of letters and digits, 58 bits."""
    return code_from(secrets.token_bytes(32))


def code_from(digest: bytes) -> str:
    """The code in the form of `new_code` that a digest stands for."""
    number, letters = int.from_bytes(digest), ""
    for _ in range(_GROUPS * _GROUP):
        number, at = divmod(number, len(_LETTERS))
        letters += _LETTERS[at]
    return "-".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))


def guest_id(resume_code: str) -> str:
    """The id of the guest with this resume code; the code cannot be computed from it."""
    return GUEST_PREFIX + hashlib.sha256(b"quatch-guest-v1\0" + resume_code.lower().encode()).hexdigest()[:24]


def come_in_again_text(resume_code: str) -> str:
    """How a player who was disconnected comes back. The code is empty for players with a key."""
    return f"come in again and type resume {resume_code}" if resume_code else "come in again"


def way_back_text(resume_code: str, token: str = "") -> str:
    """How to get the seat back after being disconnected; ``token`` as in `Caller`."""
    if token:
        return "You are known by the program with which you came: come in again with it, and your seat is yours."
    if not resume_code:
        return "You are known by your ssh key: come in again with it, and your seat is yours."
    return f"If the connection is lost: {come_in_again_text(resume_code)}"
