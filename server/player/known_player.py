"""Who a player is: how they are called, what they have chosen, which seats are kept for them.

It is read when they come in, so that no screen waits for the log, and changed here first: they have one session.
"""

from collections.abc import Collection, Mapping

from server.lobby.lobby import Lobby
from server.people.names import NAMELESS
from server.people.players import Caller, Kind, Player
from server.people.resume_codes import guest_id, new_code
from server.people.settings import Settings


class KnownPlayer:
    """A player, as far as they are known."""

    def __init__(self, lobby: Lobby, caller: Caller, kind: Kind) -> None:
        """A guest until `identify`."""
        self.lobby, self.caller = lobby, caller
        self._resume_code = caller.token or new_code()
        self.player = Player(guest_id(self._resume_code), caller.wished_name or NAMELESS, kind)
        self.settings = Settings()
        self.seats_read: Mapping[int, str] = {}
        """The names on the player's seats, by table. They are read again when the player returns to the lobby, and when
        one of these tables is unloaded, or gets other players elsewhere (`Lobby.seats_changed`)."""
        self.asks_name = False
        """Whether a guest, or a player with a new key, is asked how they want to be called, until they have a name."""
        self.name_in_lobby = ""
        """See `LocalVisitor`."""

    async def identify(self) -> None:
        """Find out who the player is. They come in at once then, while the name is still free. Raises NotSaved."""
        self.player = await self._find_player()

    async def change_setting(self, key: str, value: str) -> None:
        """Change a setting, for this session and the next. Raises InputError if there is no such setting or value."""
        self.settings = self.settings.changed(key, value)
        await self.lobby.profiles.remember_settings(self.player, self.settings)

    @property
    def own_seats(self) -> dict[int, str]:
        """The names on the player's seats, by table. Asks nothing of the log."""
        return self.lobby.tables.seats_now(self.player.id, self.seats_read)

    @property
    def resume_code(self) -> str:
        """What a guest types to be known again; empty for players with a key, and for guests with a token."""
        is_typed = not self.caller.token and self.caller.may_return and not self.player.account
        return self._resume_code if is_typed else ""

    @property
    def token(self) -> str:
        """What the guest's program shows the next time, as in `Caller`; empty if it keeps none."""
        return self._resume_code if self.caller.token else ""

    async def _find_player(self) -> Player:
        """The player that the key stands for, whose settings and seats are read, too. Raises NotSaved."""
        account = await self.lobby.profiles.account_of(self.caller)
        kept = Settings.from_json(account.settings)
        self.settings = kept.ignoring({*kept.ignored, *self.settings.ignored})  # also whom they ignored as a guest
        self.asks_name = not (account.name or self.caller.token or self.caller.is_alone)
        player_id, new = account.id, self.player.id
        if not player_id:
            self._resume_code, player_id = await self.lobby.guests.come(self.caller, self._resume_code)
        # A guest's code is new, so no seat is kept for it.
        self.seats_read = await self.lobby.tables.seats_of(player_id) if player_id != new or self.caller.token else {}
        given = self.lobby.imposed.given_name(player_id, self.caller)
        wished = given.name if given else account.name or self.caller.wished_name
        name = await self.lobby.names.name_for(player_id, wished, self.seats_read, is_theirs=bool(account.name))
        return Player(player_id, name, self.player.kind)

    def ignores(self, name: str) -> bool:
        """Whether the player wants to hear nothing from somebody with this name."""
        return self.settings.ignores(name)

    async def read_settings(self) -> None:
        """Read again what the player has chosen: it was changed outside this session. Raises NotSaved."""
        self.settings = Settings.from_json((await self.lobby.accounts.account(self.player.id)).settings)

    async def is_ignored(self, names: Collection[str]) -> bool:
        """Whether a player with one of these names ignores this one. Guests of other processes are not known to."""
        those_here = [each.settings for each in self.lobby.visitors.here if each.player.name in names]
        kept = [await self.lobby.profiles.settings_of(each) for each in names]
        return any(each.ignores(self.player.name) for each in (*those_here, *kept))
