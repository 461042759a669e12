"""What other processes that have a table loaded tell of it."""

from collections.abc import Callable
from functools import partial

from server.table.table import Table
from server.table.table_events import AIPlayerAdded
from server.table.table_task import TableTask
from server.table.unlogged_news import AIPlayersSet, HostWarned, TableTalk, UnloggedNews


def hear_of(table: Table, news: UnloggedNews) -> None:
    """Show what has happened in another process."""
    task = table.task
    match news:
        case TableTalk(said, to_spectators):
            task.broadcaster.hear(said, to_spectators=to_spectators)
        case HostWarned(warning):
            task.broadcaster.warn_host_here(warning)
        case AIPlayersSet(pace, ai_level):
            task.runtime.pace, task.runtime.ai_level = pace, ai_level
            task.show()
        case event:
            seats = task.state.seats
            # A seat that was taken just now may not be known here yet.
            if isinstance(event, AIPlayerAdded) or (event.seat in range(len(seats)) and seats[event.seat]):
                task.broadcaster.show_here(task.runtime.decision_deadline(task.state), event)


async def note_elsewhere(table: Table, elsewhere: Callable[[], frozenset[str]]) -> None:
    """Note which players are at the table in other processes: ``elsewhere`` returns their ids.

    Raises InputError if the table has closed.
    """
    await table.inbox.ask(partial(_note, table.task, elsewhere), may_refuse=False)


async def _note(task: TableTask, elsewhere: Callable[[], frozenset[str]]) -> None:
    watching = task.broadcaster.watching
    task.note_players(elsewhere())
    if watching != task.broadcaster.watching:
        task.show()
