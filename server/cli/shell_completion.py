"""`quatch completion`: a script that completes the command line in a shell, made from the parser."""

from pathlib import Path
from typing import Final

from engine.rulesets import rulesets
from server.cli.parser import Parser

SHELLS: Final = ("bash", "zsh", "fish")
HOW_TO_COMPLETE: Final = (
    "write it to ~/.local/share/bash-completion/completions/quatch for bash, to ~/.config/fish/completions/quatch.fish "
    "for fish, and for zsh to a file _quatch in a folder of fpath"
)
FOLDERS: Final = frozenset({"data", "to"})
"""The arguments that name a folder; those of the type `Path` name a file."""


def completion_script(parser: Parser, shell: str) -> str:
    """The script for one of the `SHELLS`."""
    import shtab  # noqa: PLC0415 - no other sub-command needs it

    for _, command in parser.sub_commands.values():
        for action in command.arguments:
            if action.dest in FOLDERS:
                action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
            elif action.type is Path or action.dest == "game":
                action.complete = shtab.FILE  # type: ignore[attr-defined]
            elif action.dest == "rules":
                action.choices = list(rulesets())
    return shtab.complete(parser, shell).rstrip()
