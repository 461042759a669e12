"""What can happen to a table, as its log keeps it. An entry's id lets its writer know it again."""

import os
from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import Any, Final, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, json, structs

from server.people.players import FORMER, Player
from server.table.deal import Deal
from server.table.occasion import Occasion
from server.typed_json import Versioned, read_versioned, write_versioned

Reason: TypeAlias = Literal["gone", "clock"]


class _Change(Versioned, frozen=True, tag_field="kind", tag=str.lower, kw_only=True):
    id: str = ""
    """Given when it is written; empty otherwise, so that equal changes are equal."""


class TableSettings(_Change, frozen=True, tag="opened"):
    """A table was opened: what is played there, and how."""

    rules: str
    options: dict[str, Any]
    """The rules that differ from those of the rule set."""
    seats: int
    level: str
    """The level of AI players, unless they have that of the host; a rule set may have rules for it."""
    title: str = ""
    """The title of the table's rules, if it is not the rule set's own."""
    clock: float = 60.0
    """Seconds for a decision, if more than one person or bot plays."""
    pace: float | None = None
    """Seconds that AI players wait before each move; None for the server's own pace."""
    word: str = ""
    """The word that opens a private table; empty if anybody may come."""
    secret: str = ""
    """The source of chance at this table; it also distinguishes tables that had the same number."""
    version: str = ""
    """The version of the program that opened the table."""
    hints: bool = True
    """Whether players may ask for hints and odds."""
    ai_level: str = ""
    """The level of AI players: that of the host, as it was then, which they follow. Empty: ``level``."""
    house: str = ""
    """The name of the host's rule set that is played unchanged; ``rules`` is its base. Empty for any other rules."""
    occasion: Occasion | UnsetType = UNSET
    """What the table was opened for; ``secret`` is the seed of its game. Missing if it is open to all."""

    @property
    def level_of_seats(self) -> str:
        """The level of AI players who take seats, or play for people who are away."""
        return self.ai_level or self.level

    def __repr__(self) -> str:
        """Without the word and the secret, which must not come into a log."""
        return f"TableSettings(rules={self.rules!r}, options={self.options!r}, seats={self.seats})"


class Sat(_Change, frozen=True):
    """A player took a seat. Any player who had it before has lost it."""

    seat: int
    player: Player
    level_named: bool = False
    """Whether this is an AI player, and the host of the table named its level."""
    winner: int | None = None
    """The seat whose player has won the running game, which all others have left for good now."""


class Left(_Change, frozen=True):
    """A seat is free again."""

    seat: int


class Away(_Change, frozen=True):
    """An AI player plays for a person who lost the connection or ran out of time."""

    seat: int
    reason: Reason


class Called(_Change, frozen=True):
    """A person was called from a running game to one for which others wait, or has left before a card was played."""

    seat: int


class Returned(_Change, frozen=True):
    """The person of a seat is back."""

    seat: int


class Barred(_Change, frozen=True):
    """A player may not sit at this table again."""

    player_id: str
    by: str = ""
    """The id of the player who decided that, if known."""


class Committed(_Change, frozen=True):
    """The next deal is fixed, except for the cuts: its game and its seed, which stays secret until the game is over."""

    game: str
    seed: str

    def __repr__(self) -> str:
        """Without the seed, which must not come into a log."""
        return f"Committed(game={self.game!r})"


class Cut(_Change, frozen=True):
    """A player cut the cards of the next deal with a text."""

    name: str
    text: str
    player_id: str = ""


class CutSealed(_Change, frozen=True):
    """The player of a seat cut the cards of the next deal with a text of which only the seal is known."""

    seat: int
    seal: str


class CutsClosed(_Change, frozen=True):
    """A game is to begin: nobody can cut any more, and the seals are opened."""


class CutOpened(_Change, frozen=True):
    """The player of a seat has opened their seal."""

    seat: int
    text: str


class SavedSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A taken seat; ``away`` says why an AI player plays for its player, None if none does. See `Sat`."""

    player: Player
    away: Reason | None = None
    level_named: bool = False


class Checkpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """A table right before a deal: everything that the table after the deal comes from, except the dealer."""

    settings: TableSettings
    seats: tuple[SavedSeat, ...]
    host: str
    """The id of the player who hosts the table; empty if no person or bot has a seat."""
    barred: frozenset[str]
    deal: Deal


class Dealt(_Change, frozen=True):
    """A game began with the deal last committed to."""

    dealer: int | None
    checkpoint: Checkpoint | None = None
    """The table before this entry, so that a log can begin with it. Given when it is written."""
    source: str | None = ""
    """The mark of where it was asked for (`addresses.mark_of`); None if no more games from there are kept."""


class Moved(_Change, frozen=True):
    """A seat moved."""

    seat: int
    move: str
    is_hurried: bool = False
    """Whether an AI player had less time for it than its level has."""


class Abandoned(_Change, frozen=True):
    """A table closed during a game that nobody stayed to end. `finished_game.abandoned_ranks` says how it is rated."""


class TimeUp(_Change, frozen=True):
    """The time is up of a game for whose end others wait. Those still in it are ranked by the cards that they have."""


class Forgotten(_Change, frozen=True):
    """The name of a player was taken out of all earlier entries, in the same write. The table itself is the same."""


SeatChange: TypeAlias = Sat | Left | Away | Called | Returned | Barred
CutChange: TypeAlias = Cut | CutSealed | CutsClosed | CutOpened
Change: TypeAlias = TableSettings | SeatChange | Committed | CutChange | Dealt | Moved | Abandoned | TimeUp | Forgotten
_DECODER: Final[json.Decoder[Change]] = json.Decoder(Change)


def write_change(change: Change) -> bytes:
    """A change as JSON for the log. A change that is written twice becomes two different entries."""
    return write_versioned(structs.replace(change, id=os.urandom(8).hex())).encode()


def read_change(data: bytes) -> Change:
    """A change back from the log. Raises ValueError as `read_versioned` does."""
    return structs.replace(read_versioned(data, _DECODER), id="")


def without_name(entries: Mapping[int, bytes], player_id: str, names: Collection[str]) -> dict[int, bytes]:
    """The entries of a log, by number, in which a player is named, with `FORMER` in place of the name.

    ``names``: what the player is known to have been called, besides the names that stand beside the id. The id stays:
    the digests have it, and nothing else says whose it is.
    """
    decoded = {seq: json.decode(data) for seq, data in entries.items() if player_id.encode() in data or names}
    known = {*names, *chain.from_iterable(_names_beside(player_id, each) for each in decoded.values())} - {FORMER}
    after = {seq: json.encode(_renamed(each, player_id, known)) for seq, each in decoded.items()}
    return {seq: data for seq, data in after.items() if data != json.encode(decoded[seq])}


def _names_beside(player_id: str, value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    """The names that stand in one object with this id."""
    if isinstance(value, dict) and player_id in (value.get("id"), value.get("player_id")) and "name" in value:
        yield value["name"]
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _names_beside(player_id, each)


def _renamed(value: Any, player_id: str, names: Collection[str]) -> Any:  # noqa: ANN401 - JSON
    """JSON without the names beside this id, and without these names of those who have cut the cards."""
    if isinstance(value, list):
        return [_renamed(each, player_id, names) for each in value]
    if not isinstance(value, dict):
        return value
    renamed = {key: _renamed(each, player_id, names) for key, each in value.items()}
    if player_id in (value.get("id"), value.get("player_id")) and "name" in value:
        renamed["name"] = FORMER
    if isinstance(cuts := value.get("cuts"), list):
        renamed["cuts"] = [[FORMER, *cut[1:]] if cut[0] in names else cut for cut in cuts]
    return renamed
