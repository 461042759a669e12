"""`quatch doctor`: whether this machine is fit for an evening, one line for each thing that a host would look at.

What it must not know: what goes on at tables. It changes nothing that the server keeps.
Where to begin: `CHECKS` in `checks.py`.
"""

from typing import Final

from server.command_line import CommandLine, SubParsers


def _add_to(commands: SubParsers) -> None:
    does = "check this machine before guests come: address, port, disk, clock; its options are those of serve"
    serve = commands.choices["serve"]
    doctor = commands.add_parser("doctor", help=does, parents=[serve], conflict_handler="resolve")
    doctor.set_defaults(run="server.doctor.checks:doctor")


COMMAND_LINE: Final = CommandLine(add_to=_add_to, part="host")
