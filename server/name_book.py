"""The names that keys have gone by, so that they go by them again and nobody else takes one that looks like it."""

from collections.abc import Iterable

from server.names import free_name, skeleton
from server.players import Player
from server.remembered import Remembered
from server.store import TableLog


class NameBook:
    """All names that are remembered, each with its owner."""

    def __init__(self, store: TableLog) -> None:
        self._names = Remembered(store, "name")
        self._owners: dict[str, str] = {}
        """By how a name looks."""

    async def load(self) -> None:
        """Read what the log has kept. Raises NotSaved."""
        self._owners = {skeleton(name): player_id for player_id, name in (await self._names.load()).items()}

    def of(self, player_id: str) -> str | None:
        """The name that a player went by last."""
        return self._names.of(player_id)

    def owner(self, name: str) -> str | None:
        """Whose name this is, or one that looks like it."""
        return self._owners.get(skeleton(name))

    def free(self, wished: str, taken: Iterable[str], player_id: str) -> str:
        """The name nearest to the one wished for that looks like none taken and like no other owner's."""
        names = set(taken)
        while self._owners.get(skeleton(name := free_name(wished, names)), player_id) != player_id:
            names.add(name)
        return name

    async def remember(self, player: Player) -> None:
        """Have a proven identity go by its name again the next time."""
        if player.identity is None:
            return
        self._owners.pop(skeleton(self.of(player.id) or ""), None)
        self._owners[skeleton(player.name)] = player.id
        if forgotten := await self._names.put(player.id, player.name):
            self._owners = {look: owner for look, owner in self._owners.items() if owner != forgotten}
