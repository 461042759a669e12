"""The setting of the console, and its option of `quatch serve`."""

from dataclasses import dataclass
from typing import Final

from server.command_line import CommandLine, FeatureSettings, SubParsers


@dataclass(frozen=True, slots=True)
class ConsoleSettings(FeatureSettings):
    """Whether a server shows a console where it was started."""

    console: bool = True


def _add_to(commands: SubParsers) -> None:
    show = "show a live console on a terminal (default: yes)"
    commands.choices["serve"].add_argument("--console", choices=("no", "yes"), help=show)


COMMAND_LINE: Final = CommandLine(ConsoleSettings, _add_to)
