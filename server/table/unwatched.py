"""Unwatched tables: this process has no player, spectator or board there, so it skims them and makes no moves there.

A player who comes to an unwatched table, or asks for it by its number, waits until it has read on.
"""

from functools import partial

from server.storage.table_log import TableChange
from server.table.table import Table
from server.table.table_task import TableTask


def is_watched(table: Table) -> bool:
    """Whether a player, a spectator or a board in this process sees each move, or this process may have to act.

    It may have to act if no player is present in any process, and in a game for whose end others wait: it needs none.
    """
    runtime = table.runtime
    has_company = bool(runtime.here or table.task.broadcaster.observers)
    return has_company or runtime.asleep or runtime.closes_at is not None or table.task.state.others_wait


def is_known(table: Table, change: TableChange) -> bool:
    """Whether a table has read or written what this change tells of, as it has written most that is told of it."""
    is_awake = change.due is None and table.runtime.closes_at is None
    return is_awake and change.head in table.task.journal.recent_heads


async def skim(table: Table) -> None:
    """Have the lobby list what other processes have written, without making moves. Raises InputError as `catch_up`."""
    await table.inbox.ask(partial(_skim, table.task), may_refuse=False)


async def read_on(table: Table) -> None:
    """Have a table read what other processes have written, if it can. Raises InputError if the table is closed."""
    await table.inbox.ask(table.task.read_on, may_refuse=False)


async def _skim(task: TableTask) -> None:
    if await task.journal.skim():
        task.show_change()
        task.listing_changed()
    else:
        await task.catch_up()
