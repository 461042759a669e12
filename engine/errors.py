"""What can go wrong with input, and who is to blame.

    ValueError
     +-- InputError          somebody else's data or typing is wrong; ``code`` is one of REFEREE's error codes
          +-- BadMove        the text is no move at all
          +-- BadRules       a rule set or an option that cannot be
          +-- BadPosition    a position that cannot be
          +-- Refused        a well-formed move that the rules do not allow; ``clause`` says which rule

Anything else that escapes the engine is a bug of the engine.
"""


class InputError(ValueError):
    """Data from outside that cannot be used: ``code`` for programs, the message for people.

    A message is a phrase that can stand behind a file's name or a code, "no game is going on", or sentences.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    @property
    def sentence(self) -> str:
        """The message where it stands alone: its first letter large, a full stop behind it.

        What it begins with stays as it is where that is a key or a file, as in "deal.hand: ...", not a word.

        >>> InputError("bad_request", "no game is going on").sentence
        'No game is going on.'
        >>> InputError("bad_option", "seats: 2 to 4, not 9").sentence
        'seats: 2 to 4, not 9.'
        """
        first = self.message.partition(" ")[0]
        is_word = first.rstrip(",?").isalpha()
        said = self.message[:1].upper() + self.message[1:] if is_word else self.message
        return said if said.endswith((".", "?", "!")) else f"{said}."


class BadMove(InputError):
    """The text is not a move."""

    def __init__(self, message: str) -> None:
        super().__init__("bad_move", message)


class BadRules(InputError):
    """A rule set that cannot be; ``problems`` holds a sentence for each fault, naming its key."""

    def __init__(self, problems: list[str], code: str = "bad_option") -> None:
        super().__init__(code, "; ".join(problems))
        self.problems = problems


class BadPosition(InputError):
    """A position that cannot be."""

    def __init__(self, message: str) -> None:
        super().__init__("bad_position", message)


class Refused(InputError):
    """The rules do not allow this move now.

    ``code`` is one of REFEREE's codes, ``clause`` the clause of the rule document that stops it ("D2-16"), or None
    where no document but common sense does (it is not your turn).
    """

    def __init__(self, code: str, clause: str | None, message: str) -> None:
        super().__init__(code, message)
        self.clause = clause
