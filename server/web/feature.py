"""What the page for browsers gives to the server."""

from typing import Final

from server.app.app import Carrier
from server.commands.registry import declared_in
from server.config import Config
from server.features import Feature
from server.lobby.lobby import Runs
from server.net.listener import Acceptor
from server.process.counters import Counters
from server.session.display import OwnMode
from server.terminal.terminal import Welcome
from server.web import WEB
from server.web.mode import WebMode, WebTerminal
from server.web.other_device import CODES, OtherDevices


def _acceptor(config: Config, welcome: Welcome, counters: Counters) -> Acceptor:
    from server.web.acceptor import WebAcceptor  # noqa: PLC0415 - a server without a page need not wait for `websockets`

    return WebAcceptor(config, welcome, counters)


FEATURE: Final = Feature(
    "web",
    (
        *declared_in("server.web.other_device"),
        Runs(OtherDevices),
        CODES,
        Carrier(WEB, _acceptor),
        OwnMode(WebTerminal, WebMode),
    ),
)
