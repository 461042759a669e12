"""The provably fair deal: a commitment to the seed before the cuts, the seed itself after the game.

The commitment binds the host of the server to a seed, and the seed shown at the end lets every player deal the cards
again and compare. So the players could not choose the cards. The host knows the seed, and could type the last cut after
trying many. A sealed cut prevents that: its hash (SHA-256) is known before the cuts are closed, and its text only
afterwards. A player who sealed a text that nobody can guess, and opened it, knows that nobody else could choose the
cards, unless another seal was not opened: its owner may have waited to see the other texts. The host still sees all
cards during the game; nothing here can prevent that.
"""

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from server.people.players import Player

COMMIT_LABEL: Final = b"quatch-commit-v1\0"
_ID_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without I, L, O and U, which are easily misread or make words."""
_ID_LENGTH: Final = 8
PROMISES: Final[Mapping[bool, str]] = {
    True: "no one could choose the cards",
    False: "the players could not choose the cards",
}
"""The mark of a deal, by `no_one_could_choose`."""


class DealCut(NamedTuple):
    """A text that a player added to a deal."""

    name: str
    text: str | None
    """None for a sealed cut that has not been opened, or was not opened in time."""
    seal: str = ""
    """`seal_of` the text, if it was sealed; empty if not."""
    seat: int | None = None
    """The seat of the player who sealed it; None if it was not sealed."""


def new_game_id() -> str:
    """A new game's id: 40 random bits."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def game_id_of(digest: bytes) -> str:
    """The id that the first 40 bits of a hash make."""
    return "".join(_ID_LETTERS[byte % len(_ID_LETTERS)] for byte in digest[:_ID_LENGTH])


def new_seed() -> str:
    """A new seed: 32 random bytes in hexadecimal."""
    return secrets.token_hex(32)


def commitment(game_id: str, seed: str) -> str:
    """SHA-256 in hexadecimal, published before the deal. It fits only this seed and does not reveal it."""
    return hashlib.sha256(COMMIT_LABEL + f"{game_id}\0{seed}".encode()).hexdigest()


def seal_of(text: str) -> str:
    """SHA-256 of the text of a cut, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def deal_seed(seed: str, cuts: Iterable[DealCut]) -> str:
    """The seed that the engine deals from: the committed seed and the texts of the cuts, each with its length in bytes.

    A sealed cut counts in the order of sealing. One that was not opened does not count.
    """
    texts = (cut.text for cut in cuts if cut.text is not None)
    return seed + "".join(f"\n{len(text.encode())}:{text}" for text in texts)


def no_one_could_choose(players: Sequence[Player], cuts: Sequence[DealCut]) -> bool:
    """Whether all people and bots among the players dealt in had sealed a cut, and every seal was opened."""
    seats = {seat for seat, player in enumerate(players) if player.kind != "ai"}
    opened = {cut.seat for cut in cuts if cut.seal and cut.text is not None}
    return bool(seats) and seats <= opened and all(cut.text is not None for cut in cuts)
