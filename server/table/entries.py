"""What can happen to a table, and how the log keeps it: JSON with a version, and an id that knows an entry again."""

import json
import secrets
from dataclasses import asdict, dataclass, field
from typing import Final, Literal, TypeAlias

from server.people.players import Player, TableSettings

VERSION: Final = 1

Reason: TypeAlias = Literal["gone", "clock"]


@dataclass(frozen=True, slots=True)
class Sat:
    """A player took a seat, free or not: whoever had it has it no more."""

    seat: int
    player: Player


@dataclass(frozen=True, slots=True)
class Left:
    """A seat is free again."""

    seat: int


@dataclass(frozen=True, slots=True)
class Away:
    """An AI player plays a seat for its person, who lost the connection or let the clock run out."""

    seat: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Returned:
    """The person of a seat is back."""

    seat: int


@dataclass(frozen=True, slots=True)
class Barred:
    """Somebody may not sit at this table again."""

    player_id: str


@dataclass(frozen=True, slots=True)
class Committed:
    """The next deal is fixed but for the cuts: its game, and the seed that stays secret until the game is over."""

    game: str
    seed: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Cut:
    """A player cut the cards of the next deal with a text of their own."""

    name: str
    text: str
    player_id: str = ""


@dataclass(frozen=True, slots=True)
class Dealt:
    """A game began, with the deal last committed to."""

    dealer: int | None


@dataclass(frozen=True, slots=True)
class Moved:
    """A seat moved."""

    seat: int
    move: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The game came to no end: its table closes."""


Change: TypeAlias = TableSettings | Sat | Left | Away | Returned | Barred | Committed | Cut | Dealt | Moved | Abandoned
_KINDS: Final[dict[str, type[Change]]] = {
    "opened": TableSettings,
    **{
        kind.__name__.lower(): kind
        for kind in (Sat, Left, Away, Returned, Barred, Committed, Cut, Dealt, Moved, Abandoned)
    },
}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


def write_change(change: Change) -> bytes:
    """A change as the log keeps it; written twice it is two entries that can be told apart."""
    kind = _NAMES[type(change)]
    return json.dumps({"v": VERSION, "id": secrets.token_hex(8), "kind": kind, **asdict(change)}).encode()


def read_change(data: bytes) -> Change:
    """A change back from the log. Raises ValueError for anything that this version did not write."""
    try:
        fields = json.loads(data)
        if fields.pop("v") != VERSION:
            raise ValueError("this log was written by another version of the program")
        del fields["id"]
        kind = _KINDS[fields.pop("kind")]
        if kind is Sat:
            fields["player"] = Player(**fields["player"])
        change: Change = kind(**fields)
    except (KeyError, TypeError) as error:
        raise ValueError(f"not an entry of a table's log: {error}") from None
    return change
