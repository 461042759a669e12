"""The errors that wrong input causes.

    ValueError
     +-- InputError          the input is wrong; ``code`` is one of the error codes of `engine/protocol/README.md`
          +-- NoSuch         nothing has this name
          +-- BadMove        the text is not a move
          +-- BadRules       a rule set or an option is invalid
          +-- BadPosition    a position is invalid
          +-- Refused        the rules do not allow this move now; ``clause`` says which rule forbids it

Any other exception that leaves the engine is a bug of the engine.
"""

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Final

NEAR: Final = 0.75
"""How like a word must be to one that is known, so that this one is proposed: one letter of four may be wrong."""


def nearest(word: str, names: Iterable[str]) -> str:
    """The name that was probably meant by a word; empty if it is like none."""
    return next(iter(get_close_matches(word.lower(), list(names), 1, NEAR)), "")


class InputError(ValueError):
    """Input that cannot be used: ``code`` is for programs, ``message`` is for people.

    A message is a phrase that can follow a file name or a code ("no game is going on"), or whole sentences.
    ``retry_s``: after so many seconds the same input may be accepted; None if that is not known. ``name``: that of the
    player with whom the message begins, if it does.
    """

    def __init__(self, code: str, message: str, retry_s: float | None = None, *, name: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retry_s = retry_s
        self._name = name

    @property
    def sentence(self) -> str:
        """The message as a sentence: with a capital letter and a full stop.

        A key, a file or a player's name at the beginning keeps its case, as in "deal.hand: ...".

        >>> InputError("bad_request", "no game is going on").sentence
        'No game is going on.'
        >>> InputError("bad_option", "seats: 2 to 4, not 9").sentence
        'seats: 2 to 4, not 9.'
        >>> InputError("bad_request", "bo has to enter", name="bo").sentence
        'bo has to enter.'
        """
        first = self.message.partition(" ")[0]
        is_word = first.rstrip(",?").isalpha() and first != self._name
        said = self.message[:1].upper() + self.message[1:] if is_word else self.message
        return said if said.endswith((".", "?", "!")) else f"{said}."


class NoSuch(InputError):
    """Nothing has this name: the message says what it is nearly, or else names all that there is."""

    def __init__(self, code: str, what: str, name: str, names: Collection[str], also: Collection[str] = ()) -> None:
        """``also``: names that may be meant, too, and are not listed."""
        self.name = name
        self.meant = nearest(name, [*names, *also])
        """The name that was probably meant; empty if it is like none."""
        instead = f"did you mean {self.meant}?" if self.meant else f"there are {', '.join(names)}"
        super().__init__(code, f"no {what} {name[:40]!r}: {instead}")


class BadMove(InputError):
    """The text is not a move."""

    def __init__(self, message: str) -> None:
        super().__init__("bad_move", message)


class BadRules(InputError):
    """A rule set is invalid; ``problems`` has one sentence for each fault, which names the key."""

    def __init__(self, problems: list[str], code: str = "bad_option") -> None:
        super().__init__(code, "; ".join(problems))
        self.problems = problems


class BadPosition(InputError):
    """A position is invalid."""

    def __init__(self, message: str) -> None:
        super().__init__("bad_position", message)


class Refused(InputError):
    """The rules do not allow this move now.

    ``clause`` names the rule that forbids it ("D2-16", explained in `engine/rulesets/README.md`), or is None if no
    rule text says it ("it is not your turn").
    """

    def __init__(self, code: str, clause: str | None, message: str) -> None:
        super().__init__(code, message)
        self.clause = clause
