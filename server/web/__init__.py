"""The door for phones: a page that any browser opens, and a web socket to play over.

The page shows what a screen shows and offers as buttons what can be typed. It lays out and composes no sentence: all
that it says comes from `language`, and each button sends a line as if the player had typed it.
What it must not know: how moves and commands work; it sends the lines of a session and shows its scene.
Where to begin: `acceptor.py` is a connection from its first byte, `mode.py` shows a session on a page, `screen.py`
makes values of a scene. `deploy/web/README.md` has the messages, `DECISIONS.md` what was decided and why.
"""

from typing import Any, Final

from server.command_line import CommandLine, FeatureSettings, ListensAt, SubParsers

WEB: Final = "web"
"""Its name as a carrier."""


class WebSettings(FeatureSettings):
    """Where the page is, and whether the way to it is encrypted."""

    web_port: int | None = None
    web_host: tuple[str, ...] = ()
    web_cert: str = ""
    web_key: str = ""

    def problem(self, core: Any) -> str:  # noqa: ANN401 - a `Config`
        """See `FeatureSettings`."""
        if self.web_port is None:
            return ""
        if core.allow_file:
            return "web_port: must be none with an allow_file: players in a browser have no key"
        if bool(self.web_cert) != bool(self.web_key):
            return "web_cert: needs web_key, and web_key needs web_cert"
        if not self.web_cert:
            return ""
        from server.web.tls import context_of  # noqa: PLC0415 - no other command waits for it

        try:
            context_of(self.web_cert, self.web_key)
        except OSError as error:
            return f"web_cert: {self.web_cert} and {self.web_key}: {error.strerror or error}"
        return ""

    def listens_at(self, core: Any) -> ListensAt | None:  # noqa: ANN401 - a `Config`
        """See `FeatureSettings`. Guests come from the network, so it listens where ssh does."""
        if self.web_port is None:
            return None
        link = f"{'https' if self.web_cert else 'http'}://{{host}}:{{port}}/"
        return ListensAt(WEB, self.web_host or core.host, self.web_port, "web_host", "web_port", link=link)


def _add_to(commands: SubParsers) -> None:
    port = "port for the page that browsers open, 0 for any free one (default: no page)"
    commands.choices["serve"].add_argument("--web-port", type=int, help=port)


COMMAND_LINE: Final = CommandLine(
    "server.web.feature:FEATURE",
    WebSettings,
    _add_to,
    attacks="server.web.attacks:ATTACKS",
    attacked_with={"web_port": 0},
)
