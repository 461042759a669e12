"""Who the player of a session is, and what is kept of them: name, settings, seats.

All of it is read when the player comes in, so that nothing waits for the log when a screen is drawn. What changes is
changed here first: a player has one session at a time, and only their own session changes their name and settings.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import structs

from server.lobby.lobby import Lobby
from server.people.names import NAMELESS
from server.people.own_level import OwnLevel
from server.people.players import Caller, Kind, Player, guest_id, new_code
from server.people.settings import Settings

NAME_TRIES: Final = 5
"""How many names a player claims, if others are faster, before they keep one for this session only."""


class Identity:
    """The player of one session."""

    def __init__(self, lobby: Lobby, caller: Caller, kind: Kind) -> None:
        """A guest until `identify`."""
        self.lobby = lobby
        self.caller = caller
        self._kind: Kind = kind
        self._resume_code = new_code()
        """What a guest types to be known again."""
        self.player = Player(guest_id(self._resume_code), caller.wished_name or NAMELESS, kind)
        self.settings = Settings()
        self.seats_read: Mapping[int, str] = {}
        """The names on the player's seats, by table. They are read again when the player returns to the lobby, and when
        one of these tables is unloaded, or changes while it is unwatched or not loaded (`Lobby.seats_changed`)."""
        self.keys_listed: Sequence[str] = ()
        """The player's keys as the player has seen them last."""

    async def identify(self) -> None:
        """Find out who the player is. They come in at once then, while the name is still free. Raises NotSaved."""
        self.player = await self._find_player()

    async def rename(self, wished: str) -> None:
        """Change the player's name to a free one close to this, for this session and the next."""
        self._be_called(await self.lobby.free_name(wished, self.player.id))
        await self.claim_name()

    async def claim_name(self) -> None:
        """Keep the player's name for their next session. If another player was faster, they get one close to it."""
        for _ in range(NAME_TRIES):
            if await self.lobby.claim_name(self.player, self.caller):
                return
            self._be_called(await self.lobby.free_name(self.player.name, self.player.id))

    async def change_setting(self, key: str, value: str) -> None:
        """Change a setting, for this session and the next. Raises InputError if there is no such setting or value."""
        self.settings = self.settings.changed(key, value)
        await self.lobby.profiles.remember_settings(self.player, self.settings, self.caller)

    def keep_own_level(self, level: OwnLevel) -> None:
        """Have this level of AI players be the player's own, for this session and, soon, the next."""
        if level != self.settings.own_level:
            self.settings = structs.replace(self.settings, own_level=level)
            self.lobby.keep_settings(self.player, self.settings, self.caller)

    @property
    def own_seats(self) -> dict[int, str]:
        """The names on the player's seats, by table. Asks nothing of the log."""
        return self.lobby.tables.seats_now(self.player.id, self.seats_read)

    @property
    def resume_code(self) -> str:
        """What a guest types to be known again; empty for players with a key."""
        return "" if self.player.account or not self.caller.may_return else self._resume_code

    async def _find_player(self) -> Player:
        """The player that the key stands for, whose settings and seats are read, too. Raises NotSaved."""
        account = await self.lobby.accounts.of(self.caller.key)
        player = Player(account or guest_id(self._resume_code), "", self._kind)
        self.settings = await self.lobby.profiles.settings_of(player)
        # A guest's code is new, so no seat is kept for it.
        self.seats_read = await self.lobby.tables.seats_of(account) if account else {}
        name = await self.lobby.name_for(player.id, self.caller.wished_name, self.seats_read)
        return structs.replace(player, name=name)

    def _be_called(self, name: str) -> None:
        """Have this name, at once, so that no other player gets it meanwhile."""
        self.player = structs.replace(self.player, name=name)
