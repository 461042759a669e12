"""The command line of `quatch`: it finds the sub-command, runs it, and turns what may fail into one line."""

import os
import pkgutil
import sys
from collections.abc import Sequence
from typing import Final

from server.keeper import LINK_VARIABLE
from server.process.standard_streams import drop_standard_output, open_standard_streams

OUTPUT_CLOSED: Final = 141
"""The exit status if nobody reads the output any more, as behind `| head`: that of a program which SIGPIPE ended."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a sub-command and return its exit status.

    0 for success. An error prints one line: 2 for wrong usage; 1 for files, networks, and a record that does not hold.
    If its output is closed it ends without a word, with `OUTPUT_CLOSED`.
    """
    open_standard_streams()
    if LINK_VARIABLE in os.environ:  # a process of a server has its settings from its keeper
        from server.cli.serve import serve_players  # noqa: PLC0415 - it loads faster without the command line

        return serve_players()
    from server.cli.arguments import build_parser  # noqa: PLC0415
    from server.cli.failures import FAILURES, explain  # noqa: PLC0415

    parser = build_parser()
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        (parser.sub_commands[options.command][1] if options.command else parser).error(
            f"unrecognized arguments: {' '.join(unknown)}"
        )
    run = pkgutil.resolve_name(options.run)
    try:
        status: int = run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        drop_standard_output()
        return OUTPUT_CLOSED
    except FAILURES as error:
        problem, status = explain(error)
        print(f"quatch: {problem}", file=sys.stderr)
    return status
