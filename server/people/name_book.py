"""The names of proven keys, so that their owners have them again and no other player takes one that looks like it."""

from collections.abc import Iterable

from server.people.names import free_name, skeleton
from server.people.players import Player
from server.people.shared_texts import BestEffortTexts
from server.storage.table_log import TableLog


class NameBook(BestEffortTexts):
    """All remembered names with their owners. If two took a name at once, the first in the log owns it."""

    def __init__(self, store: TableLog) -> None:
        super().__init__(store, "name")
        self._owners: dict[str, dict[str, None]] = {}
        """By skeleton: the players with such a name, in the order in which they took it."""

    def of(self, player_id: str) -> str | None:
        """The name that a player had last."""
        return self.texts.get(player_id)

    def owner(self, name: str) -> str | None:
        """The owner of this name, or of one that looks like it."""
        return next(iter(self._owners.get(skeleton(name), {})), None)

    def free(self, wished: str, taken: Iterable[str], player_id: str) -> str:
        """The closest name to the wished one that looks like no taken name and like no other owner's."""
        names = set(taken)
        while self.owner(name := free_name(wished, names)) not in {None, player_id}:
            names.add(name)
        return name

    async def remember(self, player: Player) -> None:
        """Keep a proven identity's name for its next session."""
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
