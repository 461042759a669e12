"""The codes by which guests are known again, and by which keys are linked, and the id that a resume code stands for."""

import hashlib
import secrets
from typing import Final

_SECURE: Final = secrets.SystemRandom()
_LETTERS: Final = "23456789abcdefghjkmnpqrstvwxyz"
_CODE_PARTS: Final = (4, 4, 4)


GUEST: Final = "guest:"
"""The id of a guest begins so."""


def new_code() -> str:
    """A random code that is short to type and hard to guess: three groups of letters and digits, 58 bits."""
    return "-".join("".join(_SECURE.choices(_LETTERS, k=size)) for size in _CODE_PARTS)


def guest_id(resume_code: str) -> str:
    """The id of the guest with this resume code; the code cannot be computed from it."""
    return GUEST + hashlib.sha256(b"quatch-guest-v1\0" + resume_code.lower().encode()).hexdigest()[:24]
