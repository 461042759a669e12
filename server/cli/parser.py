"""The parser of the command line: it says in one line what is wrong, and lists what it takes."""

import argparse
import re
from collections.abc import Sequence
from typing import Final, NoReturn

_NO_NUMBER: Final = re.compile(r"argument (\S+): invalid (int|float) value: (.*)")
"""What argparse says of a text in place of a number."""
_NUMBERS: Final = {"int": "a whole number", "float": "a number"}
_AS_INSIDE: Final = re.compile(r"unrecognized arguments: (seats|level|seed)=(\S+).*")
"""Options as they are typed on the server, where `play` has them, too."""


class Parser(argparse.ArgumentParser):
    """A parser of the command line or, since argparse makes these of the same class, of a sub-command."""

    def error(self, message: str) -> NoReturn:
        """Print one line, and exit with status 2."""
        message = _NO_NUMBER.sub(lambda found: f"{found[1]}: {_NUMBERS[found[2]]}, not {found[3]}", message)
        message = _AS_INSIDE.sub(r"no option \1=\2: did you mean --\1 \2?", message)
        end = "" if message.endswith("?") else ";"
        self.exit(2, f"{self.prog}: {message}{end} try {self.prog} --help\n")

    @property
    def arguments(self) -> Sequence[argparse.Action]:
        """Its positional arguments and its options."""
        return self._actions

    @property
    def sub_commands(self) -> dict[str, tuple[str, "Parser"]]:
        """The sub-commands by name: the line of help and the parser of each."""
        # argparse has no public way to list them.
        (commands,) = (action for action in self._actions if isinstance(action, argparse._SubParsersAction))  # noqa: SLF001
        lines = {each.dest: each.help or "" for each in commands._get_subactions()}  # noqa: SLF001
        return {name: (lines[name], parser) for name, parser in commands.choices.items()}
