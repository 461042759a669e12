"""The local network: a server is announced to it, and `quatch find` and `quatch join` find it there.

With the setting `lan` each process watches the addresses of the machine, so that all know what guests type. The first
process announces the server. An announcement contains no keys but the host's fingerprint; with an `allow_file` no names
of players either. What guests read of other servers is cleaned and bounded.
What it must not know: what goes on at tables. What comes from the network may be forged; nothing here trusts it.
Where to begin: `local_network.py` watches the addresses, and keeps the server announced while it serves.
`announcement.py` is what servers announce, and what is left of it at a guest: `announcer.py` sends it, and
`local_servers.py` finds servers by it.
"""

from typing import Final

from server.command_line import CommandLine, FeatureSettings, SubParsers


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


COMMAND_LINE: Final = CommandLine("server.lan.local_network:FEATURE", LanSettings, _add_to)
