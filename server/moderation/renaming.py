"""Giving players other names, also those who are connected to another process."""

from typing import Final

from engine.errors import InputError
from server.clean_text import clean_name
from server.commands.acts import acts_as, done, op_command, reason_of
from server.commands.registry import Answer, Context
from server.lobby.lobby import Lobby
from server.lobby.peers import Message
from server.lobby.service import Service
from server.moderation.sanctions import impose, lift
from server.people.players import Player
from server.people.resume_codes import GUEST
from server.people.sanctions import Sanction, guest_name

HELD_SECONDS: Final = 86400.0
"""How long a player keeps a name that an op has chosen."""


class IsRenamed(Message, frozen=True, tag="rename"):
    """An op has chosen a name for a player."""

    player: str
    name: str


class Renaming(Service):
    """Renames players."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        lobby.peers.on(IsRenamed, lambda _, told: self._rename_here(told.player, told.name))

    async def rename(self, before: str, wished: str, by: str, why: str) -> str:
        """Give the player of this name a free one close to the wished one, for a day at least, and return it.

        Raises InputError if nobody has the first name, or its player is at a table.
        """
        lobby, visitor = self._lobby, self._lobby.visitors.named(before)
        if visitor is not None and visitor.at_table:
            raise InputError("bad_request", f"{before} is at a table, where names stay: kick {before} first")
        owner = await lobby.profiles.owner(before) if visitor is None else None
        player_id = owner or lobby.visitors.find(before).player.id
        name = await lobby.free_name(wished, player_id)
        await lobby.claim_name(Player(player_id, name))
        of_guest = {each for old in await lift(lobby.given_names, before) for each in (old.target, *old.of_guest)}
        if player_id.startswith(GUEST) and (look := guest_name(before)):
            of_guest.add(look)
        of_guest.discard(player_id)
        given = Sanction(player_id, name, None, by, why, of_guest=tuple(sorted(of_guest)))
        await impose(lobby.given_names, HELD_SECONDS, given)
        self._rename_here(player_id, name)
        lobby.peers.tell(IsRenamed(player_id, name))
        return name

    def _rename_here(self, player_id: str, name: str) -> None:
        for visitor in self._lobby.visitors.here:
            if visitor.player.id == player_id:
                visitor.hear("server", f"an op has given you the name {name}")
                self._background.begin(visitor.rename(name), "giving the name that an op has chosen")


@op_command(
    "relabel NAME as NAME",
    details=(
        "They cannot change it for a day; a guest who comes again under the name before is given it, too.",
        "A player at a table keeps the name there: kick NAME, then relabel NAME if they have a key.",
    ),
)
async def relabel(context: Context, rest: str) -> Answer:
    """Give a player another name."""
    typed, why = reason_of(rest)
    before, _, wished = map(str.strip, typed.partition(" as "))
    if not clean_name(wished):
        raise InputError("bad_request", "which player, and how are they to be called? Type relabel NAME as NAME")
    after = await context.lobby.service(Renaming).rename(before, wished, acts_as(context), why)
    return await done(context, f"{before} is {after} from now on.", "relabel", before, after=after, why=why)
