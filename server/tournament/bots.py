"""Tournaments for bots: a bot enters, leaves and is told the standings; its tables come by themselves."""

from typing import Literal

from msgspec import Struct

from server.clean_text import clean
from server.player.player_session import PlayerSession
from server.session.bot_messages import Message
from server.session.bot_requests import Request
from server.tournament.due import next_round
from server.tournament.service import tournaments_of
from server.tournament.text import name_of
from server.tournament.verbs import VERBS


class TournamentRequest(Request, frozen=True, tag="tournament"):
    """Enter a tournament, leave it, or ask how it stands."""

    name: str = ""
    """The tournament's name; empty for the only one that goes on."""
    do: Literal["join", "leave", "standings"] = "standings"


class Place(Struct, frozen=True):
    """A player in the standings of a tournament."""

    name: str
    points: int
    place: int
    """1 is best, equal places are shared; 0 if the player is not listed yet."""


class TournamentMessage(Message, frozen=True, tag="tournament"):
    """How a tournament stands."""

    name: str
    format: str
    state: str
    """``open`` before it begins, ``playing``, or ``over``."""
    round: int
    rounds: int
    entered: bool
    """Whether the bot plays the next round."""
    table: int | None
    """The table at which it plays now."""
    next_s: float | None
    """In how many seconds the next round is called; None if that is not known."""
    standings: list[Place]


async def carried_out(session: PlayerSession, request: TournamentRequest) -> TournamentMessage:
    """Carry out a bot's request. Returns how the tournament stands then. Raises InputError."""
    name, tournaments = clean(request.name), tournaments_of(session.lobby)
    if request.do != "standings":
        await VERBS[request.do].handler(session, name)
    state = (await tournaments.known.find(name)).state
    when, soon = next_round(state, tournaments.wall(), tournaments.present())
    rows = [Place(name_of(state, row.player), row.points, row.place) for row in state.standings]
    busy = state.busy.get(session.player.id)
    return TournamentMessage(
        state.name,
        state.opened.format,
        state.phase,
        len(state.rounds),
        state.round_count if state.is_swiss else 0,
        session.player.id in state.playing,
        busy[1].board.table if busy else None,
        None if soon is None else round(max(0.0, when - tournaments.now()), 1),
        rows,
    )
