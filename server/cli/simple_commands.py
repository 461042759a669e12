"""The sub-commands ``rules``, ``verify``, ``settings``, ``help`` and ``referee``."""

import argparse
import shutil
import sys
from importlib.resources import files
from pathlib import Path

import server
from engine.errors import BadRules
from engine.protocol.referee import answer_line
from server.cells import wrap
from server.cli.arguments import build_parser
from server.command_line import print_lines
from server.rulebook import ENDING, Rulebook, read_rules_file, sheet


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
    lines = sheet(found)
    if sys.stdout.isatty():
        lines = [row for line in lines for row in wrap(line, shutil.get_terminal_size().columns)]
    print("\n".join(lines))
    return 0


def verify_record(options: argparse.Namespace) -> int:
    """Verify a finished game. Raises BadRecord if it does not hold."""
    from server.history.archive import record_text  # noqa: PLC0415 - the other commands need no log
    from server.records.record_reader import verify  # noqa: PLC0415

    print("\n".join(verify(record_text(options.game, options.data, options.config))))
    return 0


def settings(_: argparse.Namespace) -> int:
    """Print a file with every setting."""
    print(files(server).joinpath("quatch.toml").read_text("utf-8"), end="")
    return 0


def show_help(options: argparse.Namespace) -> int:
    """Print the help of the program, or of a sub-command."""
    parser = build_parser()
    shown = parser if options.command is None else parser.sub_commands[options.command][1]
    shown.print_help()
    return 0


def referee(_: argparse.Namespace) -> int:
    """Answer each request of standard input (engine/protocol/README.md)."""
    return print_lines(answer for line in sys.stdin.buffer if (answer := answer_line(line)) is not None)
