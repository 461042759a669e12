"""What a table shows each of its subscribers: a private view of the game, the seats, and what has happened."""

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Final, NamedTuple, Protocol

from msgspec import Struct, structs

from engine.events import Event
from engine.legality import legal_moves
from engine.moves import Move
from engine.position import Position
from engine.rules import Rules
from engine.view import View
from server.records.fairness import DealCut
from server.table.occasion import ANOTHER_GAME, Next, Occasion
from server.table.place import TABLE, Place
from server.table.recent_talk import Said

NO_TABLE: Final = 0
"""Instead of a table's number: the position is at no table."""


class Notice(NamedTuple):
    """What a feature tells a player before all else, as long as it holds."""

    text: str
    """One sentence."""
    invites: str = ""
    """If it only says what the player may enter: the line that does so. If not, the player waits for what it tells."""
    call: str = ""
    """To which table the player is called, and in how long its cards are dealt, as in "table 2 in 0:12"."""
    of: str = ""
    """The id of what the player waits for."""


class Sitter(Struct, frozen=True):
    """A seat as everybody may know it."""

    name: str
    ai_level: str | None = None
    """The level of the AI player that plays the seat, empty if it is not known; None if a person or a bot does."""
    away: bool = False
    """Whether its player is away, so that an AI player plays for them."""
    bot: bool = False

    @property
    def is_ai(self) -> bool:
        """Whether an AI player has the seat, and does not only play for a person or a bot."""
        return self.ai_level is not None and not self.away


class PublicDeal(Struct, frozen=True):
    """What everybody may know about a deal before its game is over."""

    game: str
    commitment: str
    """The hash by which the secret seed can be checked after the game."""
    cuts: tuple[DealCut, ...] = ()
    closed: bool = False
    """Whether nobody may cut any more."""
    no_one_could_choose: bool = False
    """Whether that is proven of the running game's cards."""


def is_left_to_ai(sitters: Sequence[Sitter | None], game: Position | None) -> bool:
    """Whether the people and bots of a game are all out of cards, so that AI players play on alone."""
    if game is None or game.phase != "play":
        return False
    others = [seat for seat, sitter in enumerate(sitters) if sitter is not None and not sitter.is_ai]
    return bool(others) and not any(map(game.cards_of, others))


class GameStats(Struct, frozen=True):
    """What the screen with the results shows of a game that is over. By seat, but other players may sit there now."""

    names: tuple[str, ...]
    """The player at each seat at the end, and the one they replaced (`Finish.played_by`)."""
    picked_up: tuple[int, ...]
    """The cards that each seat has picked up, in all."""
    ai_levels: tuple[str | None, ...]
    """The levels of the AI players among them, empty if it is not known; None for people and bots."""
    ranks: tuple[int, ...] = ()
    """The ranks that count."""
    counts_as: str = ""
    """How the result counts, if not as the cards say (`counts_as`)."""
    won_because: str = ""
    """Why those who have won are not those of the cards (`won_because`)."""
    stood_in: frozenset[int] = frozenset()
    """The seats that went out while an AI player played them for the player who was dealt in."""


class Snapshot(Struct, frozen=True, dict=True, eq=False):
    """A table as one subscriber may know it. Each snapshot is complete, so only the newest matters.

    What follows from it is found once: it is equal to no other snapshot, so that functions of it can be cached.
    """

    table: int
    """Its number, or `NO_TABLE`."""
    rules: Rules
    seat: int | None
    """The subscriber's own seat; None for spectators."""
    sitters: tuple[Sitter | None, ...]
    view: View | None
    """The game, or None before the first deal."""
    ply: int
    watching: int = 0
    host: int | None = None
    """The seat of the table's host, who may add and remove players."""
    game: str = ""
    """The id of the game."""
    deal: PublicDeal | None = None
    """The deal of the running game; between games that of the next."""
    hints: bool = True
    """Whether players may ask for hints and odds."""
    ai_level: str = ""
    """The level of AI players who take empty seats."""
    rating: str = ""
    """Whether the running game, or else the next one, is rated, and why not, in words; empty in a replay."""
    won: int | None = None
    """The seat whose player has won already, since all others have left the running game."""
    deadline: float | None = None
    """When the clock of the pending decision runs out, in the event loop's time; None if there is no clock."""
    clock: float = 0.0
    """Seconds for a decision if more than one person plays."""
    word: str = ""
    """The word of a private table, which players here may pass on; empty if anybody may come."""
    is_barred: bool = False
    """Whether the subscriber's player was removed, and so may not sit here again."""
    stats: GameStats | None = None
    """The figures of a game that is over."""
    is_kept: bool = True
    """Whether that is kept, so that it can be looked at again."""
    agreed: tuple[int, ...] = ()
    """The seats whose players want another game, while it waits for others."""
    occasion: Occasion | None = None
    """What the table was opened for; None if it is open to all."""
    next: Next = ANOTHER_GAME
    """What leads on after a game here."""
    place: Place = TABLE
    """What shows it: a table, or what stands in front of one."""
    spectators: "Snapshot | None" = None
    """The same moment as spectators see it, the same object for all who are at the table; None if this is it."""
    playing: bool = False
    """Whether a game is in progress, arranging included. This and what follows is found by `__post_init__`."""
    my_turn: bool = False
    """Whether the subscriber's seat has something to decide."""
    away: bool = False
    """Whether an AI player plays the subscriber's own seat for them."""

    def __post_init__(self) -> None:
        view, seat = self.view, self.seat
        is_on, sitter = view is not None and view.phase != "over", None if seat is None else self.sitters[seat]
        is_asked = seat is not None and view is not None and seat == view.to_move
        if seat is not None and view is not None and view.phase == "arrange":
            is_asked = not view.ready[seat]
        structs.force_setattr(self, "playing", is_on)
        structs.force_setattr(self, "my_turn", is_asked)
        structs.force_setattr(self, "away", sitter is not None and sitter.away)

    @property
    def public(self) -> "Snapshot":
        """What all who are at the table may know: what follows from it is found once for all of them."""
        return self.spectators or self

    @cached_property
    def is_left_to_ai(self) -> bool:
        """See the function `is_left_to_ai`. Ask it of the `public` snapshot, which finds it once for all."""
        return is_left_to_ai(self.sitters, self.view)

    @cached_property
    def next_step(self) -> str:
        """The line that Enter alone stands for there, never a move; empty if it stands for none."""
        if self.away and self.playing:
            return "back"
        if self.playing or self.opening or self.place.kind != "table" or self.seat in self.agreed or self.left_to_host:
            return ""
        return self.next.command if self.seat is not None else "sit" if self.may_sit else ""

    @cached_property
    def legal(self) -> Sequence[Move]:
        """The moves that can be made from the seat that the view is of."""
        return [] if self.view is None or self.view.seat is None else legal_moves(self.view, self.view.seat)

    @cached_property
    def opening(self) -> bool:
        """Whether a game is to begin as soon as the sealed cuts are open."""
        return self.deal is not None and self.deal.closed and not self.playing

    @property
    def left_to_host(self) -> bool:
        """Whether Enter leaves the first deal to the host of the table, who may wait for others; start still deals."""
        is_open = self.view is None and self.occasion is None and None in self.sitters
        return is_open and None not in {self.seat, self.host} and self.seat != self.host

    @property
    def may_sit(self) -> bool:
        """Whether a subscriber who watches can take a seat now."""
        has_room = any(sitter is None or sitter.is_ai for sitter in self.sitters)
        return self.seat is None and has_room and not (self.playing or self.occasion or self.is_barred)

    @cached_property
    def must_open(self) -> bool:
        """Whether the subscriber's player has to open their sealed cut now."""
        if self.deal is None or not self.opening:
            return False
        return any(cut.seal and cut.text is None and cut.seat == self.seat for cut in self.deal.cuts)

    def name(self, seat: int) -> str:
        """The name of a seat's player; of a free seat its number."""
        sitter = self.sitters[seat]
        return f"seat {seat + 1}" if sitter is None else sitter.name


class Listing(Struct, frozen=True):
    """A table as the lobby lists it."""

    number: int
    rules: str
    """The name of the rule set."""
    rules_title: str
    sitters: tuple[Sitter | None, ...]
    playing: bool
    ply: int
    watching: int
    private: bool = False
    """Whether the table has a word."""
    hints: bool = True
    asleep: bool = False
    """Whether the table has no players present."""
    clock: float = 0.0
    rating: str = "rated"
    """As in `Snapshot`."""
    occasion: str = ""
    """The title of what the table was opened for; empty if it is open to all."""
    game_over: bool = False
    """Whether the only game of an occasion is over."""

    @property
    def between(self) -> str:
        """What is before or behind the players here while no game of an occasion goes on, in words."""
        return "game over" if self.game_over else "dealt soon"

    @property
    def state(self) -> str:
        """Whether a game is being played, as programs are told."""
        return "playing" if self.playing else "open"

    @property
    def open_seats(self) -> int:
        """How many seats can be taken: free seats, and between games those of AI players."""
        if self.occasion:
            return 0
        return sum(sitter is None or (not self.playing and sitter.is_ai) for sitter in self.sitters)


class Presence(Struct, frozen=True):
    """A player who is on the server, and where."""

    name: str
    table: int | None = None
    """The number of the table that they are at; None in the lobby."""
    watching: bool = False
    """Whether they have no seat there."""

    @property
    def where(self) -> str:
        """Where they are, in words."""
        if self.table is None:
            return "lobby"
        return f"watching {self.table}" if self.watching else f"table {self.table}"

    def seen_from(self, listed: Collection[int]) -> str:
        """The same for a player who knows of these tables alone; at another one they play alone."""
        return self.where if self.table is None or self.table in listed else "plays alone"


class Subscriber(Protocol):
    """A session that gets a table's updates. None of these calls may wait or raise."""

    def push(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """Show the changed table. ``events`` have happened since the last push, as this subscriber may know them."""

    def recall(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """Show what happened in this game before the subscriber came."""

    def recall_talk(self, said: Sequence[Said]) -> None:
        """Show what was said at the table before the subscriber came."""

    def hear(self, name: str, line: str) -> None:
        """Show what somebody has said."""

    def closed(self, why: str = "the table has closed") -> None:
        """The subscriber is at the table no more; ``why`` is a phrase for the player."""
