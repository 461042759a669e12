"""The keeper: the small parent process of a server, which keeps the processes that players are in.

Without it a server is one process (`OneProcess`), which the service manager starts again if it dies, and which
is not renewed while people play.

It opens the listening sockets and starts the server processes, which inherit them and the settings. It starts a process
again that has died, ends one that gives no sign of life, passes signals on, and answers for all of them what features
want it to (`Page`).
At SIGHUP it has the program of that moment read the settings of that moment (`plan.py`). If only such have changed that
are read at each use (`InPlace`), or house rules, its processes take them. If nothing has changed, and `quatch reload`
has asked, that is all. Otherwise it starts a new group of processes.
When the new group is ready, the old one gets SIGUSR2: it accepts nobody any more, and ends each session at a good
moment (`kept_process.py`). If the new group cannot start, the old one goes on.

The keeper may be older than its processes, since it stays when they are renewed. So what both say to each other
(`link.py`) is never changed, only given new fields with defaults.

If the keeper is killed, its processes notice that the link has closed, and stop as at SIGTERM: they close the ports at
once, and end within five seconds.

What it must not know: anything of the game, tables and players. So it stays small, and no fault of the game ends it.
Where to begin: `begin.py`; then `keeper.py`.
"""

from typing import Final

from server.command_line import CommandLine, SubParsers

LINK_VARIABLE: Final = "QUATCH_LINK"
"""The environment variable that makes a `quatch` process one of a server: the file descriptor of its link."""
PLAN_VARIABLE: Final = "QUATCH_PLAN"
"""The environment variable that has `quatch serve` print its plan and do nothing else."""


def _add_to(commands: SubParsers) -> None:
    from pathlib import Path  # noqa: PLC0415 - the first process is started before it is loaded

    about = (
        "Have the running server read its settings again. A clock, ops, house rules and what else it reads at each use "
        "it takes at once, and nobody has to come in again. For other changes, as of the program, new processes take "
        "the port, and games go on in the old ones until they are over. Settings that are wrong "
        "change nothing, with status 1; wrong house rules are told and left out, with status 3. What was given to "
        "quatch serve as an option stays as it is, and so do the data and the database."
    )
    does = "have the running server take new settings, and a new program"
    again = commands.add_parser("reload", help=does, description=about)
    again.add_argument("--data", help="folder of the server's database (default: var)")
    again.add_argument("--config", type=Path, help="the server's file of settings, which may name that folder")
    again.set_defaults(run="server.keeper.reload:reload")


COMMAND_LINE: Final = CommandLine("server.keeper.host_words:FEATURE", part="host", add_to=_add_to)
