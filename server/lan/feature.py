"""What the local network gives to the server."""

from typing import Final

from server.extension import Feature
from server.lan.local_network import LocalNetwork
from server.lobby.service import Runs

FEATURE: Final = Feature("lan", (Runs(LocalNetwork),))
