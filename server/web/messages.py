"""What a page is sent (deploy/web/README.md): one JSON object a message. Only the newest scene matters: it is complete.

Cards are two characters, as "7h" or "Tc"; a card that cannot be seen is "##", and an empty slot is "".
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from server import VERSION

PROTOCOL: Final = 1
"""The version of the messages, told in the first one."""


class PageMessage(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower, omit_defaults=True):
    """What a page is told. A value that is not sent is empty, 0, false or null."""


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a message."""


class Welcomed(PageMessage, frozen=True):
    """The first message."""

    v: int
    server: str
    token: str
    """What this browser shows the next time, so that the player is known again. Nobody else may know it."""


def welcomed(token: str) -> Welcomed:
    """The first message; also sent when the player has become another guest."""
    return Welcomed(PROTOCOL, f"quatch {VERSION}", token)


class Ended(PageMessage, frozen=True):
    """The session is over, or cannot begin."""

    lines: Sequence[str]
    back: bool = False
    """Whether the server will be there again, so that the page comes back by itself."""


class Act(Part, frozen=True):
    """Something that can be done: a button. It makes a move or does something else; the page sends that as a line."""

    label: str
    move: str = ""
    """The legal move that it makes, as the bot protocol writes it: "play 7 7"."""
    do: str = ""
    """What else it does: "hint", "sit 3". Without either it does nothing now."""
    of: str = ""
    """What that is done with, if its name leaves it out: "K 4" of a swap."""
    says: str = ""
    """The same in words, if the label does not say it."""


class Entry(Part, frozen=True):
    """Something that can be typed, in a menu."""

    line: str
    """What the page sends for it; with a space at its end it goes on with what the player types."""
    usage: str
    help: str


class Menu(PageMessage, frozen=True):
    """What can be typed where the player is."""

    entries: Sequence[Entry]
    quick: Sequence[Act]
    """Things to say."""


class Text(Part, frozen=True):
    """A longer answer, until the player has read it."""

    title: str
    lines: Sequence[str]


class Group(Part, frozen=True):
    """The cards of one rank."""

    cards: Sequence[str]
    acts: Sequence[Act | None] = ()
    """The first one lays one card, the second one two, and so on; null where that cannot be done."""
    others: Sequence[Act] = ()
    """What else can be done with a card of this rank."""
    why: str = ""
    """What asks why none of them can be laid: "why 7"."""


class Seat(Part, frozen=True):
    """A seat as its table sees it."""

    name: str
    kind: str = ""
    """Its AI player's level behind a star, or "bot"."""
    state: str = ""
    moves: bool = False
    """Whether it has to decide something."""
    hand: int = 0
    ups: Sequence[str] = ()
    downs: int = 0
    reserve: int = 0
    open: Sequence[str] = ()
    """The cards of its hand that can be seen."""


class Pile(Part, frozen=True):
    """The middle of the table."""

    count: int
    cards: Sequence[str]
    """The newest cards, the newest one first."""
    play: str
    """What may be played on it."""
    run: str = ""
    stock: int = 0
    bin: int = 0


class Own(Part, frozen=True):
    """The player's own cards."""

    count: int
    """How many cards there are in the hand."""
    hand: Sequence[Group] = ()
    ups: Sequence[Group] = ()
    downs: Sequence[Act | None] = ()
    """The face-down cards by slot; null for an empty one, without a move if it cannot be turned now."""
    reserve: Sequence[str] = ()
    state: str = ""
    lay: Act | None = None
    """If cards are to be laid before the game: what does it, of the ranks that the player chooses."""
    choose: int = 0
    """How many cards that takes."""


class Table(Part, frozen=True):
    """The table that the player sees, or what is in front of it."""

    heading: str
    title: str
    """The title of its rules."""
    terms: str
    """How far it is, and whether it is rated."""
    turn: str = ""
    """Who has to decide something."""
    mine: bool = False
    """Whether the player has to decide something."""
    seats: Sequence[Seat] = ()
    pile: Pile | None = None
    own: Own | None = None
    lines: Sequence[str] = ()
    """What there is to read before and after a game."""


class Listed(Part, frozen=True):
    """A table in the lobby."""

    text: str
    act: Act | None = None


class Lobby(Part, frozen=True):
    """The lobby."""

    here: Sequence[str]
    """The names of all players."""
    steps: Sequence[Act]
    """What to do first."""
    tables: Sequence[Listed] = ()
    lines: Sequence[str] = ()


class Shown(PageMessage, frozen=True):
    """All that a player sees."""

    name: str
    phase: str
    """Where the player is: "lobby"; "open", a table before its first game; "arrange", "play" or "over"."""
    at: str = ""
    """The game and the ply, which a page sends with a line."""
    look: str = ""
    """How the player wants cards coloured: "four" or "two" colours, "none", or "contrast"."""
    calls: bool = False
    """Whether something waits for the player: a phone vibrates."""
    notice: str = ""
    answer: str = ""
    again: Act | None = None
    """What has to be done twice, as the answer says."""
    text: Text | None = None
    table: Table | None = None
    lobby: Lobby | None = None
    log: Sequence[str] = ()
    talk: Sequence[str] = ()
    acts: Sequence[Act] = ()
    clock: float | None = None
    """Seconds left for the decision that is awaited."""


_ENCODER: Final = msgspec.json.Encoder()


def written(message: PageMessage) -> str:
    """A message as JSON on one line."""
    return _ENCODER.encode(message).decode()
