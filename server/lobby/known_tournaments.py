"""Which tournaments there are: those that go on, and those that are over, as the log lists them."""

from collections.abc import Callable
from typing import Final

import structlog

from engine.errors import InputError
from server.lobby.even_clock import EvenClock
from server.lobby.tournament_log import TournamentLog
from server.people.names import skeleton
from server.storage.key_value_store import KeyValueStore
from server.storage.table_log import TableLog
from server.tournament.events import LIST, OVER, Event, Opened, read_opened
from server.tournament.state import Tournament

READ: Final = 64
"""How many tournaments that are over are kept in memory after somebody has asked for them."""

log = structlog.get_logger("quatch.tournaments")


class KnownTournaments:
    """The tournaments of one server, by their names."""

    def __init__(self, store: TableLog, clock: EvenClock, happened: Callable[[Tournament, Event], None]) -> None:
        """``clock`` will not lie behind the log of any tournament that goes on.

        ``happened`` is called for each event of one that goes on, with the tournament after it.
        """
        self._store = store
        self._clock = clock
        self._happened = happened
        self._listed = KeyValueStore(store, LIST)
        self._over = KeyValueStore(store, OVER)
        self._running: dict[str, TournamentLog] = {}
        self._read: dict[str, TournamentLog] = {}
        """Some of those that are over."""

    @property
    def names(self) -> list[str]:
        """What the tournaments that go on are called, as far as is known. Asks nothing of the log."""
        return [its.state.name for its in self._running.values()]

    @property
    def running(self) -> list[TournamentLog]:
        """The tournaments that go on, as far as is known, the oldest first. Asks nothing of the log."""
        return [*self._running.values()]

    async def going_on(self) -> list[Tournament]:
        """The tournaments that are not over, the oldest first. Raises NotSaved."""
        await self._read_list()
        return [its.state for its in self._running.values()]

    async def find(self, name: str) -> TournamentLog:
        """The tournament of this name, or which begins so; the last one if several are over. Raises InputError."""
        await self._read_list()
        wanted = skeleton(name)
        if not wanted and len(self._running) == 1:
            return next(iter(self._running.values()))
        named = [each for each in self._running.values() if skeleton(each.state.name) == wanted]
        named = named or [each for each in self._running.values() if skeleton(each.state.name).startswith(wanted)]
        if len(named) == 1:
            return named[0]
        names = ", ".join(each.state.name for each in named or self._running.values())
        if named:
            raise InputError("bad_request", f"which tournament: {names}?")
        if not wanted and not names:
            raise InputError("no_such_tournament", "no tournament goes on")
        if wanted and (found := await self._find_over(wanted)) is not None:
            return found
        there = f"there {'is' if len(self._running) == 1 else 'are'} {names}" if names else "none goes on"
        raise InputError("no_such_tournament", f"no tournament is called {name[:24]!r}: {there}")

    async def _find_over(self, wanted: str) -> TournamentLog | None:
        for tournament, text in reversed(self._listed.texts.items()):
            opened = _opened(tournament, text)
            if opened is not None and skeleton(opened.name) == wanted:
                return await self.over(tournament, opened)
        return None

    async def ended_between(self, begins: float, ends: float, most: int) -> list[Tournament]:
        """The last tournaments that ended in this time (seconds since 1970), the first one first. Raises NotSaved."""
        await self._read_list()
        ended = sorted((float(text), tournament) for tournament, text in self._over.texts.items())
        chosen = [(at, tournament) for at, tournament in ended if begins <= at < ends]
        found = list[Tournament]()
        for _, tournament in chosen[-most:]:
            if (opened := _opened(tournament, self._listed.texts.get(tournament, ""))) is not None:
                found.append((await self.over(tournament, opened)).state)
        return found

    def opener_of(self, tournament: str) -> str:
        """What a tournament counts for; nothing if this program cannot read it. Asks nothing of the log."""
        opened = _opened(tournament, self._listed.texts[tournament])
        return "" if opened is None else opened.opener

    async def over(self, tournament: str, opened: Opened) -> TournamentLog:
        """A tournament that is over. Raises NotSaved."""
        its = self._read.pop(tournament, None) or TournamentLog(self._store, tournament, opened)
        await its.read()
        self._read[tournament] = its
        while len(self._read) > READ:
            del self._read[next(iter(self._read))]
        return its

    async def _read_list(self) -> None:
        """Read which tournaments there are, and how those that go on stand. Raises NotSaved."""
        await self._over.load()
        await self._listed.load()
        for tournament in self._running.keys() - (self._listed.texts.keys() - self._over.texts.keys()):
            await self._running.pop(tournament).read()  # how it ended
        for tournament, text in self._listed.texts.items():
            if tournament in self._over.texts or tournament in self._running:
                continue
            if (opened := _opened(tournament, text)) is not None:
                its = TournamentLog(self._store, tournament, opened)
                await its.read()
                its.happened = self._happened
                self._clock.not_before(its.state.last_at)
                self._running[tournament] = its
        for its in list(self._running.values()):
            await its.read()


def _opened(tournament: str, text: str) -> Opened | None:
    """What a tournament was opened for; None if this program cannot read it, which is logged."""
    try:
        return read_opened(text)
    except ValueError as error:
        log.warning("tournament cannot be read", tournament=tournament, problem=str(error))
        return None
