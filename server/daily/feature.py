"""What the daily deal gives to the server."""

from typing import Final

from server.commands.registry import declared_in
from server.daily import commands
from server.daily.deal import RATED_AS
from server.daily.results import STREAK
from server.daily.service import Dailies
from server.extension import Feature
from server.history.ratings import RatedApart
from server.lobby.service import Runs
from server.people.profiles import AccountText
from server.render.lobby_frame import LobbyHint

FEATURE: Final = Feature(
    "daily",
    (
        *declared_in(commands.__name__),
        Runs(Dailies),
        LobbyHint("daily"),
        AccountText(STREAK),
        RatedApart(RATED_AS, "daily top lists the best of the daily deals"),
    ),
)
