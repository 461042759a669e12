"""What the console gives to the server."""

from typing import Final

from server.commands.registry import ADMIN
from server.console.consoles import Consoles, show_console
from server.extension import Feature
from server.lobby.service import Runs
from server.session.exec_commands import OwnScreen

FEATURE: Final = Feature("console", (Runs(Consoles), OwnScreen(ADMIN, show_console, for_ops=True)))
