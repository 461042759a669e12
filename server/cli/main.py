"""The command line of `quatch`: it finds the sub-command, runs it, and turns what may fail into one line."""

import os
import pkgutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from server.keeper import LINK_VARIABLE, PLAN_VARIABLE
from server.process import gc_tuning
from server.process.standard_streams import drop_standard_output, open_standard_streams

if TYPE_CHECKING:
    from server.keeper.spawn import Spawned

OUTPUT_CLOSED: Final = 141
"""The exit status if nobody reads the output any more, as behind `| head`: that of a program which SIGPIPE ended."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a sub-command and return its exit status.

    0 for success. An error prints one line: 2 for wrong usage; 1 for files, networks, and a record that does not hold.
    If its output is closed it ends without a word, with `OUTPUT_CLOSED`.
    """
    open_standard_streams()
    if LINK_VARIABLE in os.environ:  # a process of a server has its settings from its keeper
        gc_tuning.pause_until_started()
        from server.cli.serve import serve_players  # noqa: PLC0415 - it loads faster without the command line

        return serve_players()
    if arguments is None and sys.argv[1:2] == ["serve"] and PLAN_VARIABLE not in os.environ:
        from server.keeper.spawn import first_process  # noqa: PLC0415

        with first_process() as loaded:  # while it loads, this process reads the command line and the settings
            return _run(None, loaded)
    return _run(arguments, None)


def _run(arguments: Sequence[str] | None, loaded: "Spawned | None") -> int:
    from server.cli.arguments import build_parser  # noqa: PLC0415 - the processes of a server need neither
    from server.cli.failures import FAILURES, explain  # noqa: PLC0415

    parser = build_parser()
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        (parser.sub_commands[options.command][1] if options.command else parser).error(
            f"unrecognized arguments: {' '.join(unknown)}"
        )
    options.loaded = loaded
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
