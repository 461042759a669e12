"""The settings of players with an account, which the server remembers for their next session."""

from server.limits import SETTINGS
from server.people.players import Player
from server.people.settings import Settings
from server.storage.key_value_store import BestEffortStore
from server.storage.table_log import TableLog


class SettingsBook(BestEffortStore):
    """All remembered settings, as JSON by account."""

    def __init__(self, store: TableLog) -> None:
        super().__init__(store, "settings", SETTINGS)

    def of(self, player: Player) -> Settings:
        """A player's settings; the defaults for a newcomer or a guest."""
        return Settings.from_json(self.texts.get(player.id, "{}"))

    async def remember(self, player: Player, settings: Settings) -> None:
        """Keep the settings of a player with an account."""
        if player.account is not None:
            await self.put(player.id, settings.to_json())
