"""The command line of `quatch`: it finds the sub-command, runs it, and turns what may fail into one line."""

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final, TypeAlias

from server.features import BEGINS, FEATURES
from server.process.standard_streams import drop_standard_output, open_standard_streams

if TYPE_CHECKING:
    from server.config import Config

Keep: TypeAlias = Callable[[Callable[[], "Config"]], int | None]
"""Runs a server with settings that it has read; None if it is not to do so. Returns the exit status."""
Run: TypeAlias = Callable[[Sequence[str] | None, Keep | None], int]
"""`run`, as what keeps the processes of a server gets it."""
OUTPUT_CLOSED: Final = 141
"""The exit status if nobody reads the output any more, as behind `| head`: that of a program which SIGPIPE ended."""

INTERRUPTED: Final = 130
"""The exit status after Ctrl-C: that of a program which SIGINT ended."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a sub-command and return its exit status.

    0 for success. An error prints one line: 2 for wrong usage; 1 for files, networks, and a record that does not hold.
    If its output is closed it ends without a word, with `OUTPUT_CLOSED`; at Ctrl-C with one line, and `INTERRUPTED`.
    """
    open_standard_streams()
    try:
        if BEGINS in FEATURES:
            return int(import_module(f"server.{BEGINS}.begin").begin(arguments, run))
        return run(arguments)
    except KeyboardInterrupt:
        print("quatch: interrupted", file=sys.stderr)
        return INTERRUPTED


def run(arguments: Sequence[str] | None, keep: Keep | None = None) -> int:
    """Run a sub-command; ``keep`` runs a server, if it is that."""
    import pkgutil  # noqa: PLC0415 - the processes of a server need none of this

    from server.cli.arguments import build_parser  # noqa: PLC0415
    from server.cli.failures import FAILURES, explain  # noqa: PLC0415

    parser = build_parser()
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        (parser.sub_commands[options.command][1] if options.command else parser).error(
            f"unrecognized arguments: {' '.join(unknown)}"
        )
    options.run_server = keep
    run_command = pkgutil.resolve_name(options.run)
    try:
        status: int = run_command(options)
        sys.stdout.flush()
    except BrokenPipeError:
        drop_standard_output()
        return OUTPUT_CLOSED
    except FAILURES as error:
        problem, status = explain(error)
        print(f"quatch: {problem}", file=sys.stderr)
    return status
