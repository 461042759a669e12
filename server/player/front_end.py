"""The front end of a player session, as the session knows it."""

from collections.abc import Sequence

from engine.errors import InputError
from engine.events import Event
from server.table.snapshot import Snapshot


class FrontEnd:
    """Shows a player session to its player, and neither waits nor raises an error; this one shows nothing."""

    is_drawn = False
    """Whether the player sees a screen; if not, everything is told in lines."""
    is_busy = False
    """Whether a request of a program is being carried out: it may begin a game."""

    @property
    def said_before(self) -> Sequence[str]:
        """What the player had been told when they typed the present line, since the line before."""
        return ()

    @property
    def has_signs(self) -> bool:
        """Whether the player's terminal shows suit signs."""
        return False

    @property
    def can_answer(self) -> bool:
        """Whether there is a person who can answer a question."""
        return False

    @property
    def is_reading(self) -> bool:
        """Whether the player reads a page on the screen."""
        return False

    @property
    def screen_notes(self) -> Sequence[str]:
        """Why the player sees no screen; empty if they see one, or want none."""
        return ()

    def updated(self, before: Snapshot | None, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """The table has changed. ``before`` is its last snapshot, None if this is the first."""

    def told(self, lines: list[str]) -> None:
        """Lines for the player; an empty list if something has changed that only a screen shows."""

    def refused(self, error: InputError) -> None:
        """The player has come in, and cannot take the seat again that a table has kept, or what else is kept."""
        self.told([error.sentence])

    def called(self) -> None:
        """Have the player notice that something waits for them."""

    def answered(self, asked: str, lines: list[str], *, number_means: str = "") -> None:
        """The answer to a command that took its time; ``asked`` is the command, ``number_means`` as for a `Page`."""

    def progressed(self, line: str, *, instead_of: str) -> None:
        """How far a slow command has come; a screen that shows something newer than ``instead_of`` keeps it."""

    def table_closed(self, why: str) -> None:
        """The player is in the lobby again, since their table has closed or sleeps: ``why`` is a phrase for them."""

    def ended(self, farewell: str) -> None:
        """The session ends; ``farewell`` says why."""
