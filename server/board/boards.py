"""All boards of one process, from their first byte to their last."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from engine.errors import InputError
from server.addresses import Address, network_of
from server.board.commands import NAME, wanted
from server.board.feed import BoardFeed
from server.board.session import BoardSession
from server.clean_text import clean
from server.commands.registry import declared_in
from server.extension import Feature
from server.limits import COMMAND_LENGTH
from server.lobby.lobby import Lobby
from server.lobby.service import Runs, Service
from server.people.players import Caller
from server.session.exec_commands import OwnScreen
from server.terminal.terminal import Terminal

BOARDS: Final = 64
BOARDS_PER_ADDRESS: Final = 8
"""Boards that one process shows, in all and for one address. Each is also a connection like any other."""
TOO_MANY = f"{BOARDS} boards are open here, which is the most: close one with q."
TOO_MANY_FROM_HERE = f"{BOARDS_PER_ADDRESS} boards are open from your address, which is the most: close one with q."
KICKED = "An op has closed this board."
NO_SCREEN = "A board needs a terminal that shows a screen, and this one says that it is dumb (TERM)."


class Boards(Service):
    """The boards that are open."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._feed = BoardFeed(lobby)
        self._sessions: dict[BoardSession, _Opened] = {}

    @property
    def tasks(self) -> list[asyncio.Task[object]]:
        """The tasks in which boards are shown."""
        return [opened.task for opened in self._sessions.values() if opened.task is not None]

    async def retire(self, farewell: str) -> None:
        """See `Service.retire`."""
        self.end(farewell)

    async def show(self, terminal: Terminal, command: str, caller: Caller) -> int:
        """Show a board, as this command behind `ssh HOST` asks for it; returns the exit status. Raises NotSaved."""
        try:
            table, competition = await wanted(self._lobby, clean(command, COMMAND_LENGTH).partition(" ")[2])
        except InputError as error:
            terminal.write_lines(error.sentence)
            return 2
        if problem := self._too_many(caller) or ("" if terminal.knows_screen else NO_SCREEN):
            terminal.write_lines(problem)
            return 1
        session = BoardSession(self._feed, terminal, table, competition)
        self._sessions[session] = _Opened(asyncio.current_task(), caller)
        try:
            await session.run()
        finally:
            del self._sessions[session]
        return 0

    async def send_away_denied(self, denial: Callable[[Caller], Awaitable[str]]) -> None:
        """End the boards of those who may not log in any more. ``denial`` says why, or nothing if they may."""
        for session, opened in list(self._sessions.items()):
            if farewell := await denial(opened.caller):
                session.ended(farewell)

    def end(self, farewell: str) -> None:
        """End all boards with this last line."""
        for session in self._sessions:
            session.ended(farewell)

    def send_away(self, key: str | None, address: Address | None) -> None:
        """End the boards that were opened with this key, or without a key from this address."""
        for session, opened in self._sessions.items():
            is_same = opened.caller.key == key if key else opened.caller.address == address
            is_known = key is not None or (address is not None and address not in self._lobby.spared)
            if is_known and is_same and (opened.caller.key is None) == (key is None):
                session.ended(KICKED)

    def _too_many(self, caller: Caller) -> str:
        """Why no more boards can be opened; empty if they can."""
        if len(self._sessions) >= BOARDS:
            return TOO_MANY
        if caller.address is None or caller.address in self._lobby.spared:
            return ""
        own = network_of(caller.address)
        others = (opened.caller.address for opened in self._sessions.values())
        same = sum(address is not None and network_of(address) == own for address in others)
        return TOO_MANY_FROM_HERE if same >= BOARDS_PER_ADDRESS else ""


async def show_board(lobby: Lobby, terminal: Terminal, caller: Caller, command: str) -> int:
    """See `OwnScreen.show`."""
    return await lobby.service(Boards).show(terminal, command, caller)


class _Opened(NamedTuple):
    """How a board was opened."""

    task: asyncio.Task[object] | None
    """The one in which it is shown."""
    caller: Caller


FEATURE: Final = Feature("board", (*declared_in("server.board.commands"), Runs(Boards), OwnScreen(NAME, show_board)))
