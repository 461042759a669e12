"""How a table falls asleep in the log, is woken, and closes.

A player who comes wakes the table in the log first, here or in another process. A table closes only while the log says
that it is asleep and due, so a player who returns at that moment is faster. A player may have come to another process
just before the table fell asleep: that process has `WAKING_SECONDS` to wake it, however late all of this was written.
"""

from collections.abc import Awaitable, Callable

from server.config import Config
from server.storage.database import Conflict
from server.table.deadlines import WAKING_SECONDS, kept_seconds
from server.table.journal import Journal, stale
from server.table.unlogged_state import UnloggedState


class Sleep:
    """What the log says about the sleep of one table; `runtime` knows it, too. The table alone uses this."""

    def __init__(self, journal: Journal, runtime: UnloggedState, config: Config, now: Callable[[], float]) -> None:
        """``now`` returns the event loop's time."""
        self._journal = journal
        self._runtime = runtime
        self._config = config
        self._now = now

    async def begin(self, *, within: float | None = None) -> None:
        """Note that the table is empty and when it closes: when it is due, or ``within`` so many seconds.

        Raises InputError.
        """
        if within is not None:
            closes_at = self._now() + within
        else:
            closes_at = max(self._now(), self._runtime.empty_since + self._kept_seconds)
            if self._runtime.ends_at is not None:
                closes_at = min(closes_at, self._runtime.ends_at)
        await self._write(self._journal.put_to_sleep(closes_at - self._now()))
        self._note_closing(closes_at)

    async def end(self) -> None:
        """Note that somebody comes. Raises InputError, with "closed" if the table has closed."""
        if self._runtime.closes_at is not None:
            await self._journal.wake()
        self._wake()

    async def close(self) -> None:
        """Close a table that is due; a running game is kept as one that came to no end. Raises InputError."""
        await self._write(self._journal.close())

    async def follow(self, due: float | None) -> None:
        """Note when the table is due by the log; None if somebody has woken it. Wakes it if somebody is here."""
        if due is None:
            self._wake()
            return
        self._note_closing(self._now() + self._journal.seconds_until(due))
        if self._runtime.here:
            await self.end()

    async def _write(self, writing: Awaitable[None]) -> None:
        """Write to the log. Raises InputError if somebody came in another process, or if nothing can be saved."""
        try:
            await writing
        except Conflict:
            self._wake()
            await self._journal.catch_up()
            raise stale() from None

    @property
    def _kept_seconds(self) -> float:
        return kept_seconds(self._journal.state, self._config)

    def _note_closing(self, closes_at: float) -> None:
        """Note when the table closes; a little later if other processes would have no time to wake it."""
        waking = min(WAKING_SECONDS, self._kept_seconds)
        self._runtime.closes_at = max(closes_at, self._now() + waking)

    def _wake(self) -> None:
        self._runtime.closes_at = None
        self._runtime.empty_since = self._runtime.needless_since = self._now()
