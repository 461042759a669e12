"""What the lists of players have in common."""

from typing import Final

from server.cells import pad
from server.limits import NAME_LENGTH

GUESTS_NOT_LISTED: Final = "Guests are not listed; with an ssh key you would be."
_YOU: Final = " (you)"


def name_cell(name: str, *, you: bool) -> str:
    """A name as a column, all of one width; ``you``: it is that of the player who reads the list."""
    return pad(name + (_YOU if you else ""), NAME_LENGTH + len(_YOU))
