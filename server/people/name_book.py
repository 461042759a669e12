"""The names that keys have gone by, so that they go by them again and nobody else takes one that looks like it."""

from collections.abc import Iterable

from server.people.names import free_name, skeleton
from server.people.players import Player
from server.people.replicated_texts import BestEffortTexts
from server.storage.table_log import TableLog


class NameBook(BestEffortTexts):
    """All names that are remembered, each with its owner: of those who took it at once, who stands first in the log."""

    def __init__(self, store: TableLog) -> None:
        super().__init__(store, "name")
        self._owners: dict[str, dict[str, None]] = {}
        """By how a name looks all who go by it, in the order in which they took it."""

    def of(self, player_id: str) -> str | None:
        """The name that a player went by last."""
        return self.texts.get(player_id)

    def owner(self, name: str) -> str | None:
        """Whose name this is, or one that looks like it."""
        return next(iter(self._owners.get(skeleton(name), {})), None)

    def free(self, wished: str, taken: Iterable[str], player_id: str) -> str:
        """The name nearest to the one wished for that looks like none taken and like no other owner's."""
        names = set(taken)
        while self.owner(name := free_name(wished, names)) not in {None, player_id}:
            names.add(name)
        return name

    async def remember(self, player: Player) -> None:
        """Have a proven identity go by its name again the next time."""
        if player.identity is not None:
            await self.put(player.id, player.name)

    def _know(self, key: str, text: str | None) -> None:
        if (before := self.texts.get(key)) is not None:
            look = skeleton(before)
            del self._owners[look][key]
            if not self._owners[look]:
                del self._owners[look]
        super()._know(key, text)
        if text is not None:
            self._owners.setdefault(skeleton(text), {})[key] = None
