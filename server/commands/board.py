"""The big board: `ssh -t HOST board` opens it, and here is what can be typed behind it."""

from typing import Final

from engine.errors import InputError
from server.commands.registry import Answer, Command
from server.lobby.lobby import Lobby
from server.numbers import read_number
from server.player.player_session import PlayerSession

NAME: Final = "board"
HELP_BOARD: Final = (
    "It is a picture for a projector or a spare screen: the tables as spectators see them, who is here, how to join.",
    "It turns its pages by itself, to where something happens; q closes it. Its size is that of the window: large",
    "letters show one thing at a time, small ones everything at once.",
    "board table N        keeps to one table",
)


@Command(
    "board [table N]",
    pages=(),
    in_full=True,
    read_only=True,
    ssh="board",
    details=HELP_BOARD,
)
async def board(session: PlayerSession, rest: str) -> Answer:
    """Tell how to show the tables on a projector."""
    table_wanted(session.lobby, rest)
    if not session.lobby.ssh_address:
        raise InputError("bad_request", "a board is shown by a server: this game has none")
    command = " ".join(filter(None, (NAME, rest)))
    return Answer([f"On the screen of the room, type in a shell: ssh -t {session.lobby.ssh_address} {command}"])


def table_wanted(lobby: Lobby, rest: str) -> int | None:
    """The table that a board is to keep to, from the text behind `board`; None for all tables.

    Raises InputError if that is none of the tables that anybody may watch.
    """
    if not rest:
        return None
    *words, last = rest.lower().split()
    number = read_number(last)
    if number is None or words not in ([], ["table"]):
        raise InputError("bad_request", "type board, or board table N to keep to one table")
    tables = [each.number for each in lobby.tables.listings() if not (each.private or each.asleep)]
    if number not in tables:
        here = f"tables to show: {', '.join(map(str, tables))}" if tables else "at no table is a player now"
        raise InputError("bad_request", f"there is no table {number} to show; {here}")
    return number
