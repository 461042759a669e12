"""The names of proven keys, so that their owners have them again and no other player takes one that looks like it.

A name is let go when its owner has never finished a game and has not come for a while. So the log also keeps the day on
which each owner came last, as texts of the kind `seen`. They are read in the order in which they were written, so this
process need not know them.
"""

import asyncio
from collections.abc import Callable, Container, Iterable
from math import inf
from typing import Final

import structlog
from msgspec import json

from server.limits import NAMES
from server.people.names import is_nobodys, looks
from server.people.players import Player
from server.storage.key_value_store import BestEffortStore
from server.storage.table_log import NotSaved, OutcomeUnknown, TableLog
from server.typed_json import Versioned, read_versioned, write_versioned

_AT_ONCE: Final = 500
"""The names that one round of upkeep looks at."""
_CROWDED: Final = NAMES * 9 // 10
"""With more names than this, room is made for new ones."""
_DAY_SECONDS: Final = 86400.0
_SEEN: Final = "seen"

log = structlog.get_logger("quatch.names")


class _Seen(Versioned, frozen=True):
    """When a player came last: days since 1970, in UTC."""

    day: int


_DECODER: Final = json.Decoder(_Seen)


class NameBook(BestEffortStore):
    """All remembered names with their owners. If two took a name at once, the first in the log owns it."""

    def __init__(self, store: TableLog, wall: Callable[[], float], keep_days: float) -> None:
        """``wall`` returns the time in seconds since 1970; ``keep_days`` is the setting `keep_name`."""
        super().__init__(store, "name", NAMES)
        self._wall = wall
        self._keep_days = keep_days
        self._owners: dict[str, str] = {}
        """By look: the id of the player who took such a name first."""
        self._later: dict[str, dict[str, None]] = {}
        """By look, only if there are any: the players who took such a name later, in that order."""
        self._came: dict[str, bool] = {}
        """The players who have come on `_came_on`, and whether the log knows."""
        self._came_on = self._today

    def of(self, player_id: str) -> str | None:
        """The name that a player had last."""
        return self.texts.get(player_id)

    def owner(self, name: str) -> str | None:
        """The owner of this name, or of one that looks like it."""
        return next(filter(None, map(self._owners.get, looks(name))), None)

    def is_free(self, name: str, player_id: str) -> bool:
        """Whether no other player owns this name, or one that looks like it."""
        return all(self._owners.get(look, player_id) == player_id for look in looks(name))

    async def remember(self, player: Player) -> None:
        """Keep the name of an account for its next session, if there is room and the name can be owned."""
        if player.account is None:
            return
        if any(map(is_nobodys, looks(player.name))):
            await self.put(player.id, None)
        elif player.id in self.texts or len(self.texts) < NAMES:
            await self.put(player.id, player.name)
            self.note_visit(player.id)

    # How long names are kept.

    def note_visit(self, player_id: str) -> None:
        """Note that a player has come; `write_visits` tells the log."""
        if self._came_on != self._today:
            self._came = {}
            self._came_on = self._today
        if player_id in self.texts:
            self._came.setdefault(player_id, False)

    async def write_visits(self) -> None:
        """Tell the log who has come today. Names of the last release, which wrote no days, count from today on."""
        if not await self._store.oldest_texts(_SEEN, 1):
            await self._note_today(self.texts)
        unwritten = [player_id for player_id, is_written in self._came.items() if not is_written]
        self._came.update(dict.fromkeys(unwritten, True))
        await self._note_today(unwritten)

    async def outdated(self) -> list[str]:
        """The next players whose names are let go unless they have finished a game, those seen longest ago first.

        If the book is nearly full, these are all players who were last seen before today. Raises NotSaved.
        """
        last_day = self._today - (0 if len(self.texts) > _CROWDED else self._keep_days)
        oldest = await self._store.oldest_texts(_SEEN, _AT_ONCE)
        return [row.key for row in oldest if row.text is not None and _day(row.text) < last_day]

    async def let_go(self, players: Iterable[str], finished: Container[str]) -> None:
        """Let the names of these players go, except of those who have finished a game: they count as seen today."""
        staying, gone = list[str](), list[str]()
        for player_id in players:
            (staying if player_id in finished and player_id in self.texts else gone).append(player_id)
        await self._note_today(staying)
        await asyncio.gather(*(self.put(player_id, None) for player_id in gone))
        await self._write_seen(gone, None)

    async def _note_today(self, players: Iterable[str]) -> None:
        await self._write_seen(players, write_versioned(_Seen(day=self._today)).decode())

    async def _write_seen(self, players: Iterable[str], text: str | None) -> None:
        writes = (self._store.put_text(_SEEN, player_id, text) for player_id in players)
        for outcome in await asyncio.gather(*writes, return_exceptions=True):
            if isinstance(outcome, NotSaved | OutcomeUnknown):
                log.warning("visit not saved", problem=str(outcome))
            elif outcome is not None:
                raise outcome

    @property
    def _today(self) -> int:
        return int(self._wall() // _DAY_SECONDS)

    # The index of looks.

    def _know(self, key: str, text: str | None) -> None:
        if (before := self.texts.get(key)) is not None:
            for look in looks(before):
                self._disown(look, key)
        super()._know(key, text)
        for look in () if text is None else looks(text):
            # The last release also kept names that cannot be owned.
            if not is_nobodys(look) and self._owners.setdefault(look, key) != key:
                self._later.setdefault(look, {})[key] = None

    def _disown(self, look: str, key: str) -> None:
        later = self._later.get(look, {})
        if self._owners.get(look) == key:
            del self._owners[look]
            if later:
                self._owners[look] = next(iter(later))
        later.pop(self._owners.get(look, ""), None)
        later.pop(key, None)
        if not later:
            self._later.pop(look, None)


def _day(text: str) -> float:
    """The day in a text, which is never over if a newer version has written it."""
    try:
        return read_versioned(text, _DECODER).day
    except ValueError:
        return inf
