"""`quatch serve`: it starts the first process of the server, and then it is the keeper.

It imports next to nothing itself, so that this process can load while the keeper does.
"""

import argparse
import os
import sys

from server.keeper import PLAN_VARIABLE
from server.keeper.spawn import spawn


def start(options: argparse.Namespace) -> int:
    """Run the server. Raises ConfigError and the other `FAILURES`."""
    # What is started later has the program and the settings of then.
    command = [sys.executable, *sys.orig_argv[1:]]
    is_asked_for_plan = bool(os.environ.pop(PLAN_VARIABLE, ""))
    loaded = None if is_asked_for_plan else spawn(command)
    try:
        from server.cli.serve import print_plan, read_plan  # noqa: PLC0415
        from server.keeper.keeper import run_keeper  # noqa: PLC0415

        return print_plan(options) if loaded is None else run_keeper(command, read_plan(options), loaded)
    finally:
        if loaded is not None:
            loaded.process.kill()  # if it still waits for its welcome
            loaded.process.wait()
            loaded.link.close()
