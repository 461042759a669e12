"""What tournaments give to the server."""

from typing import Final

from server.commands.nights import NightEvents
from server.commands.registry import declared_in
from server.extension import Feature
from server.lobby.service import Runs
from server.session.bot_requests import BotRequest
from server.tournament import commands
from server.tournament.answers import held_in_night
from server.tournament.bots import TournamentRequest, carried_out
from server.tournament.service import Tournaments

FEATURE: Final = Feature(
    "tournament",
    (
        *declared_in(commands.__name__),
        Runs(Tournaments),
        NightEvents("tournaments", held_in_night),
        BotRequest(TournamentRequest, carried_out),
    ),
)
