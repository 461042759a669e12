"""Who is at a table, and how they are told: one that fails is nobody else's trouble."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import structlog

from server.table.snapshot import Subscriber

T = TypeVar("T")

log = structlog.get_logger("quatch.members")


def tell_each(listeners: Iterable[T], call: Callable[[T], None]) -> None:
    """Tell everybody something, whatever goes wrong with any of them."""
    for listener in list(listeners):
        try:
            call(listener)
        except Exception:
            log.exception("somebody could not be told")


class Subscribers:
    """The members of one table, with the ids of their players."""

    def __init__(self) -> None:
        self._ids: dict[Subscriber, str] = {}

    def __bool__(self) -> bool:
        return bool(self._ids)

    def add(self, subscriber: Subscriber, player_id: str) -> None:
        """Somebody is here."""
        self._ids[subscriber] = player_id

    def remove(self, subscriber: Subscriber) -> str | None:
        """Somebody goes; the id of their player, None where they were not here."""
        return self._ids.pop(subscriber, None)

    def id_of(self, subscriber: Subscriber) -> str | None:
        """The id of a member's player, None where they are not here."""
        return self._ids.get(subscriber)

    def present(self, player_id: str) -> bool:
        """Whether this player is here, from whatever terminal."""
        return player_id in self._ids.values()

    def ids(self) -> list[str]:
        """The ids of all who are here."""
        return list(self._ids.values())

    def tell(self, call: Callable[[Subscriber], None]) -> None:
        """Tell every member something."""
        tell_each(self._ids, call)
