"""The big board: `ssh -t HOST board` opens it, and here is what can be typed behind it."""

from typing import Final

from engine.errors import InputError
from server.commands.registry import Answer, Command
from server.lobby.competitions import Competitions, Held
from server.lobby.lobby import Lobby
from server.number_text import read_number
from server.player.player_session import PlayerSession

NAME: Final = "board"
HELP_BOARD: Final = (
    "It is a picture for a projector or a spare screen: the tables as spectators see them, who is here, how to join.",
    "It turns its pages by itself, to where something happens; q closes it.",
    "Its size is that of the window: large letters show one thing at a time, small ones everything at once.",
    "board table N        keeps to one table",
    "board tournament     keeps to a tournament: its standings, its tables, its calls; name one if there are several",
)


@Command(
    "board [table N|tournament NAME]",
    pages=(),
    in_full=True,
    read_only=True,
    ssh="own screen",
    details=HELP_BOARD,
)
async def board(session: PlayerSession, rest: str) -> Answer:
    """Show the tables on a projector."""
    await wanted(session.lobby, rest)
    if not session.lobby.ssh_address:
        raise InputError("bad_request", "a board is shown by a server: this game has none")
    command = " ".join(filter(None, (NAME, rest)))
    return Answer([f"On the screen of the room, type in a shell: ssh -t {session.lobby.ssh_address} {command}"])


async def wanted(lobby: Lobby, rest: str) -> tuple[int | None, Held | None]:
    """The table or the competition that a board is to keep to, from the text behind `board`.

    Raises InputError if there is no such table that anybody may watch, or no such competition.
    """
    what, _, which = rest.strip().partition(" ")
    if not what:
        return None, None
    for holder in lobby.services_like(Competitions):
        if what.lower() == holder.word:
            return None, await holder.find(which.strip())
    return _table(lobby, which if what.lower() == "table" else rest), None


def _table(lobby: Lobby, text: str) -> int:
    number = read_number(text.strip())
    if number is None:
        raise InputError("bad_request", "type board, board table N, or board tournament NAME")
    tables = [each.number for each in lobby.tables.listings() if not (each.private or each.asleep)]
    if number not in tables:
        here = f"tables to show: {', '.join(map(str, tables))}" if tables else "at no table is a player now"
        raise InputError("bad_request", f"there is no table {number} to show; {here}")
    return number
