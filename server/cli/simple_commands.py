"""The sub-commands ``rules``, ``verify``, ``settings``, ``completion``, ``help`` and ``referee``."""

import argparse
import sys
from importlib.resources import files
from pathlib import Path
from typing import Final

import shtab

import server
from engine.errors import BadRules
from engine.protocol.referee import answer_line
from engine.rulesets import rulesets
from server.cli.arguments import Parser, build_parser
from server.command_line import print_lines
from server.rulebook import ENDING, Rulebook, read_rules_file, sheet

FOLDERS: Final = frozenset({"data", "to"})
"""The arguments that name a folder; those of the type `Path` name a file."""


def rules(options: argparse.Namespace) -> int:
    """Print all rule sets by name, or the sheet of one; the problems of a file are printed one a line."""
    name = options.rules
    if name is None:
        print("\n".join(Rulebook().listed()))
        return 0
    try:
        found = read_rules_file(Path(name)) if name.endswith(ENDING) else Rulebook().find(name)
    except BadRules as error:
        print("\n".join(error.problems), file=sys.stderr)
        return 2
    print("\n".join(sheet(found)))
    return 0


def verify_record(options: argparse.Namespace) -> int:
    """Verify a finished game. Raises BadRecord if it does not hold."""
    from server.history.archive import record_text  # noqa: PLC0415 - the other commands need no log
    from server.records.record_reader import verify  # noqa: PLC0415

    print("\n".join(verify(record_text(options.game, options.data))))
    return 0


def settings(_: argparse.Namespace) -> int:
    """Print a file with every setting."""
    print(files(server).joinpath("quatch.toml").read_text("utf-8"), end="")
    return 0


def completion(options: argparse.Namespace) -> int:
    """Print the script that completes the command line in a shell."""
    print(completion_script(build_parser(), options.shell))
    return 0


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


def show_help(options: argparse.Namespace) -> int:
    """Print the help of the program, or of a sub-command."""
    parser = build_parser()
    shown = parser if options.command is None else parser.sub_commands[options.command][1]
    shown.print_help()
    return 0


def referee(_: argparse.Namespace) -> int:
    """Answer each request of standard input (engine/protocol/README.md)."""
    return print_lines(answer for line in sys.stdin.buffer if (answer := answer_line(line)) is not None)
