"""What each `quatch` process does first: it is the keeper of a server, one of its processes, or another program.

It imports next to nothing, so that the first process loads while its keeper still reads the settings.
"""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from server.keeper import LINK_VARIABLE, PLAN_VARIABLE
from server.keeper.spawn import Program
from server.process import gc_tuning

if TYPE_CHECKING:
    from server.cli.main import Run
    from server.config import Config


def begin(arguments: Sequence[str] | None, run: "Run") -> int:
    """Be what this process is to be. Returns the exit status."""
    if LINK_VARIABLE in os.environ:
        return be_a_process()
    if os.environ.pop(PLAN_VARIABLE, ""):
        from server.keeper.plan import print_plan  # noqa: PLC0415 - see above

        return run(arguments, print_plan)
    with closing(Program()) as program:
        if arguments is None and sys.argv[1:2] == ["serve"]:
            program.load()  # meanwhile this process reads the command line and the settings
        return run(arguments, partial(keep, program))


def keep(program: Program, settings: "Callable[[], Config]") -> int | None:
    """Keep the processes of a server; None if this feature is left out."""
    from pathlib import Path  # noqa: PLC0415 - see above

    from server.app.main_process import run_main_process  # noqa: PLC0415
    from server.features import is_left_out  # noqa: PLC0415
    from server.keeper.keeper import Keeper  # noqa: PLC0415
    from server.keeper.plan import plan_of  # noqa: PLC0415
    from server.keeper.reload import Reachable  # noqa: PLC0415

    config = settings()
    if is_left_out("keeper", config.without):
        program.close()
        return None
    reachable = Reachable(Path(config.data))
    return run_main_process(config, lambda stop: Keeper(program, plan_of(config), stop, reachable))


def be_a_process() -> int:
    """Be one process of a server until it is told to stop."""
    gc_tuning.pause_until_started()
    import asyncio  # noqa: PLC0415
    import socket  # noqa: PLC0415

    from server.cli.serve import without_unused_libraries  # noqa: PLC0415

    # A terminal sends it to all processes: the keeper decides what it means.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    link = socket.socket(fileno=int(os.environ.pop(LINK_VARIABLE)))
    with without_unused_libraries():
        from server.keeper.kept_process import serve_players  # noqa: PLC0415

    return asyncio.run(serve_players(link))
