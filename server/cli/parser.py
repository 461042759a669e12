"""The parser of the command line: it says in one line what is wrong, and lists what it takes."""

import argparse
from collections.abc import Sequence
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """A parser of the command line or, since argparse makes these of the same class, of a sub-command."""

    def error(self, message: str) -> NoReturn:
        """Print one line, and exit with status 2."""
        self.exit(2, f"{self.prog}: {message}; try {self.prog} --help\n")

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
