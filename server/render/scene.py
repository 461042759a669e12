"""What one player's screen shows, before it is drawn."""

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from msgspec import Struct, field

from server.cells import BOLD, Row, styled, wrap
from server.number_text import read_number
from server.people.players import Player
from server.people.settings import Settings
from server.rulebook import Rulebook
from server.table.snapshot import Listing, Notice, Presence, Snapshot

LINES_KEPT: Final = 60
"""Lines of the log, and of the talk, that a screen may show."""


class Progress(Struct, frozen=True):
    """How far what is in front of the table has come."""

    at: int
    of: int
    viewpoint: str
    """Whose view is shown, in words; empty if it is nobody's."""
    plays: bool = False
    """Whether it goes on by itself."""


class Page(Struct, frozen=True):
    """A longer answer, shown in place of the table until the player has read it."""

    title: str
    lines: tuple[str, ...]
    """As they were told; they are wrapped where they are drawn, since the window may change."""
    at: tuple[int, int] = (0, 0)
    """What is shown first: the number of a line, and of the row in it."""
    from_end: bool = False
    """Whether the last screen is full, and the first one has what is left; of what is read from its end."""
    number_means: str = ""
    """The line that a number typed at the page stands for, with {} for it, or with {name} the first word of a row."""
    enter: str = ""
    """The line that Enter stands for at its end; empty if it only puts the page away."""

    def line_for(self, typed: str) -> str:
        """The line that is meant by what was typed at the page."""
        word = typed.strip().lower()
        is_row = "{name}" in self.number_means and any(row.startswith(f"{word} ") for row in self.lines)
        is_meant = is_row or (self.number_means and read_number(word) is not None)
        return self.number_means.format(word, name=word) if is_meant else typed


class Offer(NamedTuple):
    """What Enter alone, or a yes, does in the lobby; an invitation also after a game, and for spectators."""

    line: str
    """The line that it stands for."""
    what: str
    """What that does, as in "play against AI players"."""
    by: str = ""
    """The player who has invited them; empty if it is no invitation."""
    news: str = ""
    """Why it is offered now, as in "bo invites you"; empty if that needs no words."""


PLAY: Final = Offer("play", "play against AI players")
"""What is offered as long as nothing else is."""


class AfterGame(NamedTuple):
    """What a feature says can be typed after a game: in the row of hints and the lines."""

    key: str
    """A letter that stands for the word."""
    word: str
    to: str
    """What for, as in "to see this game again"."""
    is_for_all: bool = False
    """Whether spectators can type it, too."""
    lists: str = ""
    """Says that it lists the latest games, as in "replay lists the latest"."""
    at_move: str = ""
    """The line that shows a move as a seat saw it, as in "replay {game} {move} {seat}"; empty if there is none."""


class LobbyHint(Struct, frozen=True):
    """What a feature says can be typed in the lobby, in the row of hints; nothing if the text is empty."""

    text: str
    about: str = ""
    """What that is, if it stands among what to do first: "one deal a day, against three hard AI players"."""
    own: Callable[[Any, Player, Collection[int]], "LobbyHint | None"] | None = None
    """What this player, with seats at these tables, reads there; it asks nothing of the log. None if not known."""
    table: int = 0
    """The table of the player to which it leads back, so that the list of tables need not; 0 for none."""


class Teaches(Struct, frozen=True):
    """What a feature says to newcomers: that a word which they can type in the lobby teaches the game."""

    word: str
    how_long: str


class Scene(Struct):
    """Everything that `frame.draw` needs besides the size; composed anew for each frame, and not kept."""

    name: str
    """The player's."""
    rulebook: Rulebook = field(default_factory=Rulebook)
    settings: Settings = field(default_factory=Settings)
    resume_code: str = ""
    """What a guest types to be known again; empty for players with a key."""
    snapshot: Snapshot | None = None
    """The table that the player sees, or what is in front of it; None in the lobby."""
    tables: Sequence[Listing] = ()
    """The tables that the lobby shows, in its order (`language.table_list`)."""
    hints: Sequence[LobbyHint] = ()
    teaches: Teaches | None = None
    after_game: Sequence[AfterGame] = ()
    """What features say can be typed after a game."""
    people: tuple[Presence, ...] = ()
    kept_seats: tuple[int, ...] = ()
    """The tables at which the player has a seat; those that are not in ``tables`` sleep."""
    log: Sequence[str] = ()
    talk: Sequence[str] = ()
    heard_after: str = ""
    """The newest line of the log when somebody was heard last; empty if there was none."""
    drawn: bool = False
    """Whether the player sees a screen; if not, everything is told in lines."""
    alone: bool = False
    """Whether no other player can come: the game is in the terminal alone, without a server."""
    clock_left: int | None = None
    """Seconds left for the present decision; None if there is no clock."""
    news: str = ""
    """What comes at the player's table, or goes on there behind what they look at; see `position_text.news_text`."""
    notice: Notice | None = None
    """What the player reads first."""
    offer: Offer = PLAY
    """What Enter alone does in the lobby; elsewhere an invitation that it takes. What was proposed comes first."""
    invitation: str = ""
    """The news of the offer that can be taken, here or elsewhere; empty if there is none."""
    answer: str = ""
    """The answer to the line typed last, if it has one line."""
    reason: str = ""
    """Why the last move was refused, or the last thing happened that the player did not choose; empty if neither."""
    page: Page | None = None
    progress: Progress | None = None
    """How far what is in front of the table has come."""
    has_signs: bool = False


@lru_cache(64)  # mostly there is none
def answer_rows(answer: str, width: int) -> tuple[Row, ...]:
    """The answer to the line typed last, on as many rows as it takes, at least one."""
    return tuple([styled(BOLD, f" {line}") for line in wrap(answer, width - 1)])
