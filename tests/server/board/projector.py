"""A screen on the wall of a room, for tests of the big board."""

import asyncio

from server.board.boards import Boards
from server.people.players import Caller
from server.terminal.terminal import Terminal
from tests.support.emulated_screen import shown_by
from tests.support.emulator import EmulatorTransport


class Projector:
    """A screen on the wall with a board."""

    def __init__(
        self,
        boards: Boards,
        size: tuple[int, int] = (80, 24),
        command: str = "board",
        caller: Caller = Caller(),  # noqa: B008 - never changed
    ) -> None:
        self.transport = EmulatorTransport(*size, self._answer)
        self.terminal = Terminal(self.transport, term="xterm-256color", size=size, is_tty=True)
        self.task = asyncio.create_task(boards.show(self.terminal, caller, command))

    def _answer(self, data: bytes) -> None:
        asyncio.get_running_loop().call_soon(self.terminal.feed, data)

    @property
    def shown(self) -> str:
        """The screen as text."""
        return shown_by(self.transport.screen)

    @property
    def sent(self) -> bytes:
        """Every byte that it was sent."""
        return b"".join(self.transport.writes)
