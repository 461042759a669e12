"""What is typed at what a player looks at in front of their table, as far as it is the same for all: how they go back.

`at_side_view` declares the commands of one kind of side view, which the feature gives that has it.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from engine.errors import InputError
from server.commands.registry import Answer, Command
from server.number_text import read_number
from server.player.player_session import PlayerSession, SideView

AnySideView = TypeVar("AnySideView", bound=SideView)


def at_side_view(
    kind: type[AnySideView],
    usage: str,
    help_line: str,
    act: Callable[[AnySideView, int], Sequence[str] | None],
    *aliases: str,
    words: str = "",
) -> None:
    """Declare a command of the module in which ``act`` is written; it works at this kind of side view.

    ``act`` takes what the player looks at, and the typed number: 1 if it was left out, 0 for a command without one.
    """
    name, _, argument = usage.partition(" ")

    async def handler(session: PlayerSession, rest: str) -> Answer:
        view, number = session.side_view, read_number(rest)
        if argument == "[N]":
            number = number if rest else 1
        if number is None and argument:
            raise InputError("bad_request", f"type a number behind {name}")
        return Answer((act(view, number or 0) if isinstance(view, kind) else None) or ())

    handler.__doc__, handler.__module__ = help_line, act.__module__
    Command(usage, where={kind.place.name}, read_only=True, aliases=aliases, words=words)(handler)


@Command("leave", where={"record", "exercise"}, goes=True, words="stop, lobby, menu, home, go home, close")
@Command("quit", where={"record", "exercise"}, goes=True, pages=(), aliases=("q",), words="exit, bye")
async def close(session: PlayerSession, _: str) -> Answer:
    """Go back to where you were."""
    session.set_side_view(None)
    return Answer([session.where if session.at_table else "You are in the lobby."])
