"""How a player gets their seat back after they were disconnected: by their key, or as a guest by a resume code.

What they missed while they were away is told in `server/language/event_text.py`.
"""

from typing import Final

from engine.errors import InputError
from server.people.players import Player, come_in_again_text
from server.player.player_session import PlayerSession

NOT_KEPT: Final = "This game is in your terminal alone, and is lost when you quit."


def kept_seat_text(session: PlayerSession) -> str:
    """What becomes of the seat of a player who hangs up."""
    if not session.caller.may_return:
        return NOT_KEPT
    kept = f"Your seat is kept: {come_in_again_text(session.resume_code)}."
    cost = "An AI player plays for you meanwhile; if it makes over a third of your moves, you are last."
    return kept if len(session.table.names()) == 1 else f"{cost} {kept}"


def parting_lines(session: PlayerSession) -> list[str]:
    """The last lines for a player whose seat is kept. They stay on the terminal when the screen is gone."""
    if not session.caller.may_return or session not in session.lobby.visitors.here:
        return []
    has_seat = session.at_table and session.player.id in session.table.names()  # an op may have freed it just now
    gave_way = not session.at_table and bool(session.own_seats)
    if not ((has_seat and (session.in_game or len(session.table.names()) > 1)) or gave_way):
        return []
    end = "" if session.resume_code else "."  # behind a code it would look like a part of it
    return [f"Your seat is kept for a while: {come_in_again_text(session.resume_code)}{end}"]


async def take_seat_back(session: PlayerSession, code: str) -> None:
    """Make this the session of the guest with this resume code. Raises InputError if no seat is kept for them."""
    lobby = session.lobby
    code, player_id = await lobby.guests.find(session.caller, code)
    if player_id == session.player.id:
        raise InputError("bad_request", "that code is for the next time: type the one that the table showed")
    with session.try_secret():
        seats = await lobby.tables.seats_of(player_id)
        name = lobby.kept_name(player_id, seats)
        if session.player.account or not name:
            raise InputError("bad_word", "no seat is kept for that code: check it; the game may have ended")
    if session.at_table and session.in_game and set(session.table.names()) - {session.player.id}:
        raise InputError("bad_request", "you play with others here: type leave first")
    await session.leave_table()
    await session.become(Player(player_id, name), seats, code)
