"""The standings of players, for each proven key and each level of AI player, as the log keeps them.

Every finished game is counted once, in their order; `ratings` says what a game changes.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import structlog
from msgspec import UNSET, json

from server.clean_text import clean
from server.history.ratings import Standing, rated, unrated
from server.records.results import GUEST, are_rated, read_result
from server.storage.table_log import Conflict, FinishedGame, NotSaved, OutcomeUnknown, StandingRow, TableLog
from server.typed_json import read_versioned, write_versioned

PIECE: Final = 50
"""How many games are counted in one transaction."""
UNRATED: Final = ""
"""Instead of the name of a rule set: the standing that counts a player's games that were not rated."""
_AT_ONCE_SECONDS: Final = 0.002
"""How long to count without a pause; the pause is as long."""
_DECODER: Final = json.Decoder(Standing)

log = structlog.get_logger("quatch.standings")


@dataclass(frozen=True, slots=True)
class RatedApart:
    """A name of a feature's own under which games are rated; it has a slash, as in "feature/name"."""

    name: str
    listed: str
    """What those are told who look for the best under it: another command lists them."""

    @property
    def feature(self) -> str:
        """The part of the name before the slash."""
        return self.name.partition("/")[0]


class Standings:
    """The standings that a log keeps. Several processes may count its games: each game is counted once."""

    def __init__(self, games: TableLog) -> None:
        self._log = games
        self._counting = asyncio.Lock()

    async def count_all(self) -> None:
        """Count the games that have finished since, with pauses for other tasks. Raises NotSaved, OutcomeUnknown."""
        while not await self._count_piece():
            pass

    async def count_some(self) -> bool:
        """Count the games that have just finished. Returns whether all are counted; no if that fails."""
        try:
            return await self._count_piece()
        except (NotSaved, OutcomeUnknown):
            return False

    async def top(self, rules: str | None, limit: int) -> list[Standing]:
        """The best under one set of rules, or under all: then a player is listed once for each set. Raises NotSaved.

        What features rate under names of their own, as in "feature/name", is not among these.
        """
        most = limit
        while True:
            rows = await self._log.best(rules, most)
            found = [each for each in _readable(rows) if rules is not None or "/" not in each.rules]
            if len(found) >= limit or len(rows) < most:
                return found[:limit]
            most *= 4

    async def of(self, key: str) -> list[Standing]:
        """A player's standing under each set of rules under which they have played a rated game. Raises NotSaved."""
        every = _readable(await self._log.standings_of(key))
        return [standing for standing in every if standing.rules != UNRATED]

    async def has_finished(self, key: str) -> bool:
        """Whether a player has ever finished a game, rated or not, that is counted. Raises NotSaved."""
        return bool(await self._log.standings_of(key))

    async def _count_piece(self) -> bool:
        """Count some of the games that are not counted yet. Returns whether all are counted."""
        async with self._counting:
            counted = await self._log.counted()
            if not (games := await self._log.games(counted, PIECE)):
                return True
            changed = await self._changed_by(game for _, game in games)
            try:
                await self._log.put_standings(counted, games[-1][0], [*map(_row, changed.values())])
            except Conflict:
                return False  # another process has counted them
            return len(games) < PIECE

    async def _changed_by(self, games: Iterable[FinishedGame]) -> dict[tuple[str, str], Standing]:
        """The standings that these games change, by rules and key; with pauses for other tasks."""
        now = asyncio.get_running_loop().time
        rested = now()
        changed: dict[tuple[str, str], Standing] = {}
        for game in games:
            await self._count(game, changed)
            if now() - rested > _AT_ONCE_SECONDS:
                await asyncio.sleep(_AT_ONCE_SECONDS)
                rested = now()
        return changed

    async def _count(self, game: FinishedGame, changed: dict[tuple[str, str], Standing]) -> None:
        """Count one more game; ``changed`` has the standings that are not saved yet, by rules and key.

        A game that cannot be counted is left out with a line in the log. Raises NotSaved, OutcomeUnknown.
        """
        try:
            result = read_result(game.result)
            rules = game.rules if result.rated_as is UNSET else result.rated_as
            keys = [finish.key for finish in result.finishes]
            rules = rules if are_rated(keys) else UNRATED
            before = {
                key: changed.get((rules, key)) or await self._standing(rules, key) for key in keys if key != GUEST
            }
            after = rated(before, result) if rules else unrated(before, result)
        except (NotSaved, OutcomeUnknown):
            raise
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a game, the next one counts
            log.warning("game not counted", game=game.id, error=str(error))
        else:
            changed |= {(rules, standing.key): standing for standing in after}

    async def _standing(self, rules: str, key: str) -> Standing:
        text = await self._log.standing(rules, key)
        return Standing(key, rules) if text is None else _read_standing(text)


def _row(standing: Standing) -> StandingRow:
    return StandingRow(standing.rules, standing.key, standing.ordinal, write_versioned(standing))


def _read_standing(text: str) -> Standing:
    return read_versioned(text, _DECODER)


def _readable(texts: Sequence[str]) -> list[Standing]:
    """The standings that can be read, as those of a newer version cannot; each other one is a line in the log."""
    found = []
    for text in texts:
        try:
            found.append(_read_standing(text))
        except ValueError as error:
            log.warning("standing left out", standing=clean(text, 200), problem=str(error))
    return found
