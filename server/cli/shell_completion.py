"""`quatch completion`: a script that completes the command line in a shell, made from the parser."""

from pathlib import Path
from typing import Final

import shtab

from engine.rulesets import rulesets
from server.cli.parser import Parser

FOLDERS: Final = frozenset({"data", "to"})
"""The arguments that name a folder; those of the type `Path` name a file."""


def completion_script(parser: Parser, shell: str) -> str:
    """The script for one of the shells in `arguments.SHELLS`."""
    for _, command in parser.sub_commands.values():
        for action in command.arguments:
            if action.dest in FOLDERS:
                action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
            elif action.type is Path or action.dest == "game":
                action.complete = shtab.FILE  # type: ignore[attr-defined]
            elif action.dest == "rules":
                action.choices = list(rulesets())
    return shtab.complete(parser, shell).rstrip()
