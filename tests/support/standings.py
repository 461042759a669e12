"""Games that have been finished, and the standings that come of them."""

import itertools

from server.history.ratings import Standing, Standings
from server.records.results import Finish, Result, ai_key
from server.storage.database import EMPTY, FinishedGame, LogEntry
from server.storage.sqlite_database import MemoryDatabase
from server.typed_json import write_versioned

ANA, BO, CY = "account:ana", "account:bo", "account:cy"
HARD, EASY = ai_key("hard"), ai_key("easy")


def result(*finishes: tuple[str, int], drawn: bool = False) -> Result:
    """The result of a game with these keys and ranks."""
    return Result(tuple(Finish(key, key[-3:], rank) for key, rank in finishes), drawn, 50)


class Played:
    """A log in which games have been finished, and its standings."""

    def __init__(self) -> None:
        self.log = MemoryDatabase()
        self.standings = Standings(self.log)
        self._tables = itertools.count(1)

    async def finish(self, text: str | Result, rules: str = "life", at: float = 0.0) -> None:
        """Have one more game finished, at this time in seconds since 1970."""
        table = next(self._tables)
        result_text = text if isinstance(text, str) else write_versioned(text)
        game = FinishedGame(f"game{table}", rules, at, result_text, "")
        await self.log.append(EMPTY, LogEntry(table, 1, b"", 0.0, b""), game)

    async def count(self, *results: Result, rules: str = "life") -> None:
        """Have these games finished and counted."""
        for each in results:
            await self.finish(each, rules)
        await self.standings.count_all()

    async def top(self, rules: str | None = None) -> list[Standing]:
        """The best."""
        return await self.standings.top(rules, 99)

    async def only(self, key: str) -> Standing:
        """The one standing of a player who knows only one set of rules."""
        (standing,) = await self.standings.of(key)
        return standing


async def counted(*results: Result) -> Played:
    """The standings after these games."""
    played = Played()
    await played.count(*results)
    return played
