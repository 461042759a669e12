"""A deal that a table has committed to: its seed and its cuts. Pure.

A player cuts with a text, or seals a cut: the seal is the hash of a text that the player keeps secret. When a game is
to begin and there are seals, the cuts are closed, and the players open their seals by telling the texts. A seal that
stays unopened has no part in the deal. The log keeps a deal in a checkpoint (`entries`).
"""

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.errors import InputError
from server.clean_text import clean
from server.limits import WORD_LENGTH
from server.people.players import Player
from server.records.fairness import DealCut, seal_of

SEAL: Final = re.compile("[0-9a-f]{64}")


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    """The id of the deal's game, its secret seed, and its cuts. A method that changes it raises InputError."""

    game: str
    seed: str
    cuts: tuple[DealCut, ...] = ()
    cut_by: frozenset[str] = frozenset()
    """The ids of the players who have cut without a seal, since a name can be changed."""
    closed: bool = False
    """Whether nobody may cut any more, and the seals are being opened or have been."""

    def __repr__(self) -> str:
        """Without the seed, which must not come into a log."""
        return f"Deal(game={self.game!r}, cuts={self.cuts!r})"

    def with_cut(self, name: str, text: str, player_id: str) -> "Deal":
        """A player has cut with a text."""
        self._must_be_open()
        if player_id and player_id in self.cut_by:
            raise InputError("bad_request", "you have cut these cards already")
        return replace(self, cuts=(*self.cuts, DealCut(name, text)), cut_by=self.cut_by | {player_id})

    def with_seal(self, seat: int, player: Player, seal: str) -> "Deal":
        """The player of a seat has sealed a cut."""
        self._must_be_open()
        if player.id in self.cut_by or self.sealed_by(seat):
            raise InputError("bad_request", "you have cut these cards already")
        return replace(self, cuts=(*self.cuts, DealCut(player.name, None, seal, seat)))

    def without_seal(self, seat: int) -> "Deal":
        """The player of a seat has left it. Their seal goes with them, unless the cuts are closed."""
        return self if self.closed else replace(self, cuts=tuple(cut for cut in self.cuts if cut.seat != seat))

    def closing(self) -> "Deal":
        """The cuts are closed: seals may be opened."""
        self._must_be_open()
        if not self.is_sealed:
            raise InputError("wrong_phase", "there is no sealed cut to open")
        return replace(self, closed=True)

    def with_text(self, seat: int, text: str) -> "Deal":
        """The player of a seat has opened their seal."""
        cut = self.sealed_by(seat)
        if cut is None:
            raise InputError("bad_request", "you have sealed no cut")
        if not self.closed:
            raise InputError("wrong_phase", "a sealed cut is opened after start: until then keep its text to yourself")
        if cut.text is not None:
            raise InputError("bad_request", "your cut is open already")
        if seal_of(text) != cut.seal:
            raise InputError("bad_request", "that is not the text that you sealed")
        return replace(self, cuts=tuple(cut._replace(text=text) if each is cut else each for each in self.cuts))

    @property
    def is_sealed(self) -> bool:
        """Whether a cut was sealed."""
        return any(cut.seal for cut in self.cuts)

    @property
    def unopened(self) -> list[int]:
        """The seats whose seals can be opened now."""
        return [cut.seat for cut in self.cuts if self.closed and cut.text is None and cut.seat is not None]

    def sealed_by(self, seat: int) -> DealCut | None:
        """The sealed cut of a seat's player, if there is one."""
        return next((cut for cut in self.cuts if cut.seat == seat), None)

    def _must_be_open(self) -> None:
        if self.closed:
            raise InputError("wrong_phase", "the cuts are closed: the cards are dealt in a moment")


def read_seal(text: str) -> str:
    """A seal as a player sends it; what `sha256sum` prints will do. Raises InputError."""
    seal = text.strip().removesuffix("-").strip().lower()
    if not SEAL.fullmatch(seal):
        raise InputError("bad_request", "a seal is the SHA-256 of a text: 64 hexadecimal digits")
    return seal


def read_sealed_text(text: str) -> str:
    """The text of a seal as a player sends it. Raises InputError if it could not be shown as it is."""
    if not text or clean(text, WORD_LENGTH) != text:
        raise InputError("bad_request", f"the text of a cut has 1 to {WORD_LENGTH} characters that can be shown")
    return text
