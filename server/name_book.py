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
        self._looks: dict[str, str] = {}
        """How the name of each owner looks."""

    async def load(self) -> None:
        """Read what this process and others have written since. Raises NotSaved."""
        for player_id, name in (await self._names.load()).items():
            self._own(player_id, name)

    def of(self, player_id: str) -> str | None:
        """The name that a player went by last."""
        return self._names.texts.get(player_id)

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
        self._own(player.id, player.name)
        if forgotten := await self._names.put(player.id, player.name):
            self._own(forgotten, None)

    def _own(self, player_id: str, name: str | None) -> None:
        """This is the player's name, and no other any more."""
        before = self._looks.pop(player_id, "")
        if self._owners.get(before) == player_id:
            del self._owners[before]
        if name is not None:
            self._looks[player_id] = look = skeleton(name)
            self._owners[look] = player_id
