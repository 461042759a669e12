"""The finished games of a server, each read once, in the order in which they ended."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from engine.errors import InputError
from server.records.results import Result, read_result
from server.storage.database import Database, FinishedGame

READ: Final = "games-read"
"""The kind of the texts that hold, for each reader, the number of the last game that it has read."""
PIECE: Final = 50
"""After so many games others have their turn, and the log notes how far the reader has come."""

log = structlog.get_logger("quatch.finished_games")


class FinishedGames:
    """The finished games that one reader has not read yet. All processes read them, each those that others have not.

    After a crash, or if two processes read at the same moment, a game is read again.
    """

    def __init__(self, store: Database, reader: str, read: Callable[[FinishedGame, Result], Awaitable[None]]) -> None:
        """``reader`` names what reads; ``read`` takes a game and its result."""
        self._store = store
        self._reader = reader
        self._read = read
        self._last = 0
        """The number of the last game that is read, as far as is known here."""
        self._reading = asyncio.Lock()

    async def read_on(self) -> None:
        """Read the games that have ended since. Raises NotSaved, OutcomeUnknown."""
        async with self._reading:
            while games := await self._store.games(self._last, PIECE):
                if (elsewhere := int(await self._store.text(READ, self._reader) or 0)) > self._last:
                    self._last = elsewhere
                    continue
                for _, game in games:
                    await self._read_game(game)
                self._last = games[-1][0]
                await self._store.put_text(READ, self._reader, str(self._last))
                await asyncio.sleep(0)

    async def _read_game(self, game: FinishedGame) -> None:
        try:
            result = read_result(game.result)
        except InputError as error:
            log.warning("game left out", reader=self._reader, game=game.id, problem=str(error))
        else:
            await self._read(game, result)
