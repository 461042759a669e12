"""The provably fair deal: a commitment to the seed before anybody can cut the cards, the seed itself after the game.

The commitment binds the host to a seed. The cuts are typed after the commitment is known, so that the host cannot
choose the deal. The seed shown at the end lets every player deal the cards again and compare. The host still sees all
cards during the game; nothing here can prevent that.
"""

import hashlib
import secrets
from collections.abc import Iterable
from typing import Final

COMMIT_LABEL: Final = b"quatch-commit-v1\0"
_ID_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without I, L, O and U, which are easily misread or make words."""
_ID_LENGTH: Final = 8


def new_game_id() -> str:
    """A new game's id: 40 random bits."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def new_seed() -> str:
    """A new seed: 32 random bytes in hexadecimal."""
    return secrets.token_hex(32)


def commitment(game_id: str, seed: str) -> str:
    """SHA-256 in hexadecimal, published before the deal. It fits only this seed and does not reveal it."""
    return hashlib.sha256(COMMIT_LABEL + f"{game_id}\0{seed}".encode()).hexdigest()


def deal_seed(seed: str, cuts: Iterable[str]) -> str:
    """The seed that the engine deals from: the committed seed and the cuts as typed, each with its length in bytes."""
    return seed + "".join(f"\n{len(cut.encode())}:{cut}" for cut in cuts)
