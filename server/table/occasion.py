"""What a table is opened for if it is not open to all: plain values, all of which the table itself enforces.

So a server without the feature that has opened the table keeps its promises: who may sit, how the game is played, when
it must end, what stays secret. What only the feature knows is in `Occasion.data`, which nothing else reads.
"""

from typing import Any, Final

from msgspec import Struct

from server.people.players import Player
from server.records.results import Secret


class Next(Struct, frozen=True, forbid_unknown_fields=True):
    """What leads on after a game at a table, and in which words."""

    command: str
    """What is typed."""
    hints: tuple[str, ...]
    """The first of the row of hints after a game."""
    lines: tuple[str, ...]
    """The first sentences after a game, which say what to type."""


ANOTHER_GAME: Final = Next("start", ("start deals another game",), ("Type start for another game.",))
"""What leads on at a table without an occasion."""
NO_OTHER_GAME: Final = Next("leave", ("leave goes to the lobby",), ("No other game begins: the server stops soon.",))
"""What leads on there while the server drains."""


class Occasion(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What one game is played for, at a table that was opened for it alone."""

    kind: str
    """The name of the feature."""
    data: dict[str, Any]
    """What the feature itself wants to know of it later."""
    game: str
    """The id of the only game that is played."""
    part_of: str = ""
    """The id of what the game is a part of, together with those of other tables; empty if it is played by itself."""
    seats: tuple[Player | str, ...]
    """By seat the player whose seat it is, who has it whether they are there or not; or the style of the AI player who
    has it, empty for any."""
    title: str
    """What the table is called, as in "Friday, round 2, board 1"."""
    name: str
    """What is played, in a sentence: "a game of the cup"."""
    strangers: str
    """Why others cannot sit, behind "table 3": "is for those who play Friday"."""
    left: str
    """What players are told who go to the lobby before the end."""
    next: Next
    alone: bool = False
    """Whether one player plays it, out of sight of all others: the table is in no list and nobody watches, and the
    game, whose cards others may yet get, counts in no night and is not searched for anything."""
    people_only: bool = False
    """Whether bots may not play, also for players who entered as people."""
    others_wait: bool = False
    """Whether others wait for the end of the game. The feature says when the cards are dealt, and may end the game:
    then those who are in it are ranked by the cards that they have left. Every decision has a clock, the game goes on
    without players, nobody who stays away has an excuse, and nobody is the host. If nobody waits, the cards are dealt
    when the player comes."""
    same_for_all: bool = False
    """Whether equal moves of the players get equal answers in every game with these cards: AI players arrange theirs
    first, and their chance depends on the seed, the ply and the seat alone."""
    practice: bool = False
    """Whether nothing depends on it: it is not kept if its player leaves, and tells nothing about how they play."""
    ends: float | None = None
    """When the table closes even if the game is not over, in seconds since 1970; None if never."""
    over: str = ""
    """Why it has closed then, as a phrase for its players."""
    secret: Secret | None = None
    """How long the finished game is secret; None if it is not."""
    rated_as: str | None = None
    """What the game is rated under, as in "feature/daily"; empty for nothing, None for what its rules say."""
    rating: str = ""
    """How that is said; empty for what the rules say."""
    counts_in: str = ""
    """Where it counts by the cards left, as in "in the cup"; empty if nowhere."""

    def seat_of(self, player_id: str) -> int | None:
        """The seat that is for this player; None if there is none."""
        for number, seat in enumerate(self.seats):
            if isinstance(seat, Player) and seat.id == player_id:
                return number
        return None

    @property
    def given(self) -> tuple[int, ...]:
        """The seats that are for people or bots."""
        return tuple(number for number, seat in enumerate(self.seats) if isinstance(seat, Player))
