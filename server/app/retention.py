"""Deletes finished games that are older than the host wants to keep them (`keep_games`)."""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from server.storage.table_log import TableLog

DAY: Final = 86_400.0
DELETE_SECONDS: Final = 600.0
"""How often old games are deleted."""
AT_ONCE: Final = 100
"""Games deleted in one transaction, so that moves hardly wait for it."""
PAUSE: Final = 0.1
"""Seconds between two of them."""

log = structlog.get_logger("quatch.retention")


async def delete_old_games(store: TableLog, days: float, wall: Callable[[], float]) -> None:
    """Delete games that ended more than so many days ago, a few at a time, except those that no rating contains yet.

    Raises NotSaved, OutcomeUnknown.
    """
    before, deleted = wall() - days * DAY, 0
    while found := await store.delete_games(before, await store.counted(), AT_ONCE):
        deleted += found
        await asyncio.sleep(PAUSE)
    if deleted:
        log.info("old games deleted", games=deleted)
