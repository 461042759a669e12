"""A deal nobody can doubt: the seed is committed to before anybody can cut, and shown when the game is over.

The commitment binds the host to a seed; the cuts, typed after it is known, keep the host from choosing the deal; the
seed shown at the end lets anybody deal the cards again (SECURITY.md, section 5).
"""

import hashlib
import secrets
from collections.abc import Iterable
from typing import Final

COMMIT_LABEL: Final = b"quatch-commit-v1\0"
_ID_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without I, L, O and U: what is easily misread or spells words."""
_ID_LENGTH: Final = 8


def new_game_id() -> str:
    """What a game will be known by: 40 random bits."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def new_seed() -> str:
    """32 random bytes, in hexadecimal."""
    return secrets.token_hex(32)


def commitment(game_id: str, seed: str) -> str:
    """What is published before the deal, in hexadecimal: only this seed has it, and nobody finds the seed from it."""
    return hashlib.sha256(COMMIT_LABEL + f"{game_id}\0{seed}".encode()).hexdigest()


def deal_seed(seed: str, cuts: Iterable[str]) -> str:
    """The seed that the engine deals from: the committed one and, by their lengths in bytes, the cuts as typed."""
    return seed + "".join(f"\n{len(cut.encode())}:{cut}" for cut in cuts)
