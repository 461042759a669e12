"""Which name each player has: one that looks like no other, here or in the log, and means nothing else."""

from collections.abc import Collection, Mapping
from typing import Final

from engine.ai import LEVELS
from server.lobby.tables import Tables
from server.lobby.visitor import LocalVisitor
from server.lobby.visitors import Visitors
from server.people.names import RESERVED_NAMES, names_near
from server.people.players import Caller, Player
from server.people.profiles import Profiles
from server.process.background_tasks import BackgroundTasks
from server.rulebook import Rulebook

WISHES_KEPT: Final = 1000
"""How many names are kept that players at tables wish for; the oldest are forgotten."""
TRIES: Final = 5
"""How many names a player claims, if others are faster, before they keep one for this session only."""


class Names:
    """The names of the players who are here, and of all who own one or have a seat."""

    def __init__(
        self, visitors: Visitors, tables: Tables, profiles: Profiles, rulebook: Rulebook, background: BackgroundTasks
    ) -> None:
        self.of_commands: Collection[str] = ()
        """Nobody gets such a name anew. What makes a lobby from features sets it."""
        self.wished = dict[str, str]()
        """How players at tables want to be called when they return to the lobby, by their ids."""
        self._visitors, self._tables, self._profiles = visitors, tables, profiles
        self._rulebook, self._background = rulebook, background

    async def name_for(self, player_id: str, wished: str, seats: Mapping[int, str], *, is_theirs: bool = False) -> str:
        """A player's name: that of their seat, or one close to the wished name.

        ``is_theirs``: they own it, so the log need not be asked: nobody else can own it, or take a seat with it.
        """
        if seats:
            return next(iter(seats.values()))
        if is_theirs and self._visitors.names_in_use.is_free(wished, player_id):
            return wished
        return await self.free(wished, player_id)

    async def find_player(self, name: str) -> tuple[Player, Caller | None]:
        """The player of exactly this name, who may be absent, and how they came if that is still known.

        Raises InputError with the names of all who are here if there is none; NotSaved.
        """
        if found := self._visitors.recent_player(name):
            return found
        if owner := await self._profiles.owner_called(name):
            return Player(owner, await self._profiles.name_of(owner) or name), None
        visitor = self._visitors.find(name)
        return visitor.player, visitor.caller

    async def free(self, wished: str, player_id: str) -> str:
        """A name close to the wished one that looks like no other and means nothing else, free as this returns."""
        near = (each for each in names_near(wished, player_id) if not self.means_something(each))
        while True:
            is_free = await self._is_free_in_log(name := next(near), player_id)
            # Without waiting from here on, so that two players who come at once get two names.
            if is_free and self._visitors.names_in_use.is_free(name, player_id):
                return name

    async def claim(self, player: Player) -> bool:
        """Keep a player's name for their next session. Returns False if another player has it, or one like it."""
        if player.account and await self._profiles.name_of(player.account) == player.name:
            return True  # it was theirs first
        return await self._is_free_in_log(player.name, player.id) and await self._profiles.claim_name(player)

    async def rename(self, visitor: LocalVisitor, wished: str) -> None:
        """Change a visitor's name to a free one close to this, for this session and the next."""
        visitor.asks_name = False
        self.wished.pop(visitor.player.id, None)
        visitor.be_called(await self.free(wished, visitor.player.id))
        await self.keep(visitor)

    async def keep(self, visitor: LocalVisitor) -> None:
        """Keep a visitor's name for their next session. If another player was faster, they get one close to it."""
        for _ in range(TRIES):
            if await self.claim(visitor.player):
                return
            visitor.be_called(await self.free(visitor.player.name, visitor.player.id))

    def means_something(self, name: str) -> bool:
        """Whether this is the name of a command, a rule set, a level or the server itself, and nobody gets it anew."""
        return name.lower() in {*self.of_commands, *self._rulebook.names, *LEVELS, *RESERVED_NAMES}

    async def _is_free_in_log(self, name: str, player_id: str) -> bool:
        """Whether no other player owns a name that looks like this one, or has a seat under such a name."""
        return await self._profiles.is_free(name, player_id) and await self._tables.is_free(name, player_id)

    def rename_if_due(self, visitor: LocalVisitor) -> None:
        """Have a player who is at no table renamed if they wish it, or as a guest if another has their name."""
        player = visitor.player
        is_lost = player.account is None and not self._visitors.names_in_use.is_free(player.name, player.id)
        if player.id in self.wished or is_lost:
            self.give_another(visitor)

    def give_another(self, visitor: LocalVisitor) -> None:
        """Give a visitor the name that they wish for in the lobby, or another one since a player keeps theirs."""
        self._background.begin(self._rename(visitor), "giving another name")

    async def _rename(self, visitor: LocalVisitor) -> None:
        wished = self.wished.get(visitor.player.id, visitor.player.name)
        if visitor.table_number is None:
            await self.rename(visitor, wished)
            if (name := visitor.player.name) != wished:
                visitor.hear("server", f"another player has the name {wished}, so you are {name} now")
