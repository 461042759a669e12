"""Requests to a table that are decided on its newest state, whatever other processes have written meanwhile.

A process may be behind the log of a table for a moment. What it then refuses, another process might allow, and what it
writes is refused by the log. So the table reads on, and the request is carried out again. A move is made only if the
decision is still pending for which its player chose it (`moves`).
"""

import functools
from collections.abc import Awaitable, Callable
from typing import Final, ParamSpec, Protocol, TypeVar

from engine.errors import InputError
from server.table.inbox import Inbox, Method, request
from server.table.journal import Journal

ATTEMPTS: Final = 5
"""How often a request is tried while other processes write first."""
FAILURES: Final = frozenset({"not_saved", "unknown", "closed", "too_fast"})
"""The codes of errors that do not depend on what other processes have written."""


class ReadsOn(Protocol):
    """What writes to the log of a table, and may be behind it."""

    journal: Journal

    async def read_on(self) -> None:
        """Read what other processes have written, if the log can be read now."""


class HasTask(Protocol):
    """A table."""

    inbox: Inbox

    @property
    def task(self) -> ReadsOn:
        """Its task."""


P = ParamSpec("P")
Owner = TypeVar("Owner", bound=HasTask)


async def try_again(table: ReadsOn, act: Callable[[], Awaitable[None]]) -> None:
    """Do this, and again if it is refused and the log has gone on. Raises InputError as it does in the end."""
    for _ in range(ATTEMPTS - 1):
        head = table.journal.head
        try:
            await act()
        except InputError as error:
            if error.code in FAILURES:
                raise
            if table.journal.head == head:
                await table.read_on()
            if table.journal.head == head:
                raise
        else:
            return
    await act()


def retried(method: Method[Owner, P]) -> Method[Owner, P]:
    """Make a method a request (`inbox.request`) that is tried again as `try_again` says."""

    @request()
    @functools.wraps(method)
    async def carry_out(owner: Owner, /, *args: P.args, **kwargs: P.kwargs) -> None:
        await try_again(owner.task, functools.partial(method, owner, *args, **kwargs))

    return carry_out
