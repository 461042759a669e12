"""Tournaments for bots: a bot enters, leaves and is told the standings; its tables come by themselves."""

from server.clean_text import clean
from server.commands.tournament_verbs import VERBS
from server.language.tournament_text import name_of
from server.player.player_session import PlayerSession
from server.session.bot_messages import Place, Tournament
from server.session.bot_requests import Tournament as Asked
from server.tournament.due import next_round


async def carried_out(session: PlayerSession, request: Asked) -> Tournament:
    """Carry out a bot's request. Returns how the tournament stands then. Raises InputError."""
    name = clean(request.name)
    if request.do != "standings":
        await VERBS[request.do].handler(session, name)
    state = (await session.lobby.tournaments.find(name)).state
    player, tournaments = session.player.id, session.lobby.tournaments
    when, soon = next_round(state, tournaments.wall(), tournaments.present())
    rows = [Place(name_of(state, row.player), row.points, row.place) for row in state.standings]
    busy = state.busy.get(player)
    return Tournament(
        state.name,
        state.opened.format,
        state.phase,
        len(state.rounds),
        state.round_count if state.is_swiss else 0,
        player in state.playing,
        busy[1].board.table if busy else None,
        None if soon is None else round(max(0.0, when - tournaments.now()), 1),
        rows,
    )
