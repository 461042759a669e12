"""The host's console: the server at a glance, and a prompt for the commands of ops.

It is the full screen of `session/screen_mode.py` with another picture, and takes the commands of `ssh HOST admin`. An
op opens one by `ssh -t HOST admin`. At the terminal of the server it is there from the beginning: of several processes
the first one shows it; after a renewal or a kill that of the next one waits until the terminal is free.
What it must not know: hands and hidden cards, since a host may play as well. It shows what the lobby lists.
Where to begin: `consoles.py` is one console, and all of a process, also the one at the terminal of the server;
`overview.py` collects what a console shows, and `frame.py` draws it.
"""

from typing import Final

from server.command_line import CommandLine, FeatureSettings, SubParsers


class ConsoleSettings(FeatureSettings):
    """Whether a server shows a console where it was started."""

    console: bool = True


def _add_to(commands: SubParsers) -> None:
    show = "show a live console on a terminal (default: yes)"
    commands.choices["serve"].add_argument("--console", choices=("no", "yes"), help=show)


COMMAND_LINE: Final = CommandLine(
    "server.console.consoles:FEATURE", ConsoleSettings, _add_to, own_terminal="server.console.own_terminal"
)
