"""The settings of the local network, its option of `quatch serve`, and `quatch find` and `quatch join`."""

from dataclasses import dataclass
from typing import Final

from server.command_line import CommandLine, FeatureSettings, SubParsers


@dataclass(frozen=True, slots=True)
class LanSettings(FeatureSettings):
    """Whether and how the server is announced."""

    lan: bool = False
    lan_name: str = ""
    lan_interfaces: tuple[str, ...] = ()


def _add_to(commands: SubParsers) -> None:
    announce = "announce it on the local network, and show a QR code"
    commands.choices["serve"].add_argument("--lan", action="store_const", const=True, help=announce)
    find = commands.add_parser("find", help="list the servers of the local network, with who is there")
    find.add_argument("--json", action="store_true", help="one JSON object")
    find.set_defaults(run="server.lan.local_servers:find")
    join = commands.add_parser("join", help="go to a server of the local network, with this machine's ssh")
    join.add_argument("name", nargs="?", metavar="NAME", help="the beginning of its name (default: the only one)")
    join.set_defaults(run="server.lan.local_servers:join")


COMMAND_LINE: Final = CommandLine(LanSettings, _add_to)
