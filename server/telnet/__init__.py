"""Telnet: plain text over the network, so that every player is a guest.

It is off by default, listens on this machine only unless told otherwise, and its parser is bounded.
What it must not know: tables, players and what is shown; it carries bytes as ssh does.
Where to begin: `acceptor.py` is a connection from its first byte; `protocol.py` tells commands from text,
and agrees with the client on what it can.
"""

from typing import Any, Final

from server.command_line import CommandLine, FeatureSettings, ListensAt, SubParsers


class TelnetSettings(FeatureSettings):
    """Where telnet listens."""

    telnet_port: int | None = None
    telnet_host: tuple[str, ...] = ()

    def problem(self, core: Any) -> str:  # noqa: ANN401 - a `Config`
        """See `FeatureSettings`."""
        if core.allow_file and self.telnet_port is not None:
            return "telnet_port: must be none with an allow_file: telnet players have no key"
        return ""

    def listens_at(self, core: Any) -> ListensAt | None:  # noqa: ANN401 - a `Config`
        """See `FeatureSettings`. Telnet is not encrypted, so it leaves this machine only if the host says so."""
        if self.telnet_port is None:
            return None
        if self.telnet_host:
            return ListensAt("telnet", self.telnet_host, self.telnet_port, "telnet_host", "telnet_port")
        addresses = ("127.0.0.1",) if core.host == type(core)().host else core.host
        return ListensAt("telnet", addresses, self.telnet_port, "host", "telnet_port")


def _add_to(commands: SubParsers) -> None:
    port = "port for telnet, 0 for any free one (default: no telnet)"
    commands.choices["serve"].add_argument("--telnet-port", type=int, help=port)


COMMAND_LINE: Final = CommandLine(
    "server.telnet.acceptor:FEATURE",
    TelnetSettings,
    _add_to,
    attacks="server.telnet.attacks:ATTACKS",
    attacked_with={"telnet_port": 0},
)
