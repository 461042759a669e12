"""All boards of one process, from their first byte to their last."""

import asyncio

from engine.errors import InputError
from server.board.feed import BoardFeed
from server.board.session import BoardSession
from server.clean import clean
from server.commands.board import wanted
from server.limits import BOARDS, COMMAND_LENGTH
from server.lobby.lobby import Lobby
from server.terminal.terminal import Terminal

TOO_MANY = f"{BOARDS} boards are open here, which is the most: close one with q."
NO_SCREEN = "A board needs a terminal that shows a screen, and this one says that it is dumb (TERM)."


class Boards:
    """The boards that are open."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._feed = BoardFeed(lobby)
        self._sessions: dict[BoardSession, asyncio.Task[object] | None] = {}

    @property
    def tasks(self) -> list[asyncio.Task[object]]:
        """The tasks in which boards are shown."""
        return [task for task in self._sessions.values() if task is not None]

    async def show(self, terminal: Terminal, command: str) -> int:
        """Show a board, as this command behind `ssh HOST` asks for it; returns the exit status. Raises NotSaved."""
        try:
            table, tournament = await wanted(self._lobby, clean(command, COMMAND_LENGTH).partition(" ")[2])
        except InputError as error:
            terminal.write_lines(error.sentence)
            return 2
        if problem := TOO_MANY if len(self._sessions) >= BOARDS else "" if terminal.knows_screen else NO_SCREEN:
            terminal.write_lines(problem)
            return 1
        session = BoardSession(self._feed, terminal, table, tournament)
        self._sessions[session] = asyncio.current_task()
        try:
            await session.run()
        finally:
            del self._sessions[session]
        return 0

    def end(self, farewell: str) -> None:
        """End all boards with this last line."""
        for session in self._sessions:
            session.ended(farewell)
