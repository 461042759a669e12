"""One player's visit: where they are, what they do there, and what they are told. Knows nothing of terminals.

A visit is a member of the table it is at and a visitor of the lobby; whoever shows it to a person passes ``tell``.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from engine.ai import LEVELS
from engine.errors import InputError
from engine.events import Event
from engine.legality import legal_moves
from engine.moves import Move, PickUp, Play
from engine.rulesets import DEFAULT
from engine.view import View
from server.answers import ANSWERS
from server.clean import clean
from server.commands import Typed
from server.limits import ACTS_AT_ONCE, ACTS_PER_SECOND, TALK_AT_ONCE, TALK_LENGTH, TALK_PER_SECOND
from server.lobby import Lobby
from server.players import Opened, Player
from server.rate import Rate
from server.scene import Scene
from server.table import Table
from server.update import Listing, Update
from server.words import sentence, summons

BIG_PILE: Final = 8
"""Cards in a pile that one is asked about before picking it up while a play exists."""


class Visit:
    """A player in the lobby or at a table."""

    def __init__(
        self,
        lobby: Lobby,
        wished_name: str,
        identity: str | None,
        tell: Callable[[list[str]], None],
        end: Callable[[str], None],
    ) -> None:
        """``identity`` is a proven key's fingerprint, None for a guest; ``tell`` shows lines, ``end`` ends it all."""
        self.lobby = lobby
        player_id = identity or f"guest:{secrets.token_hex(8)}"
        self.player = Player(player_id, lobby.name_for(player_id, wished_name))
        self.scene = Scene(self.player.name, lobby.rulebook)
        self._tell = tell
        self._end = end
        self._table: Table | None = None
        self._asked = ""
        """The costly command that was asked about: typed once more it is meant."""
        self._acts = Rate(ACTS_AT_ONCE, ACTS_PER_SECOND)
        self._talk = Rate(TALK_AT_ONCE, TALK_PER_SECOND)

    async def begin(self) -> None:
        """Come in, and take again the seat that a table has kept."""
        self.lobby.enter(self)
        table = self.lobby.kept_seat(self.player.id)
        if table is not None:
            try:
                await self._enter(table, table.join)
            except InputError as error:
                self._tell([error.message])

    async def finish(self) -> None:
        """Go; a seat in a running game is kept."""
        self.lobby.leave(self)
        await self._leave_table(for_good=False)

    @property
    def view(self) -> View | None:
        """The game as the player knows it; None where they are at none."""
        return self.scene.update.view if self.scene.update else None

    @property
    def ply(self) -> int:
        """Where the game stands as the player sees it."""
        return self.scene.update.ply if self.scene.update else 0

    async def obey(self, meant: Move | Typed, text: str, ply: int) -> list[str]:
        """Carry out what a line meant; the lines of its answer, if any. Raises InputError where it cannot be.

        A move is bound to ``ply``: where the game stood when the line was typed.
        """
        asked, self._asked = self._asked, ""
        if not (isinstance(meant, Typed) and meant.name in ANSWERS):
            # Who changes things without a pause has to wait for their turn.
            await asyncio.sleep(self._acts.take())
        if not isinstance(meant, Typed):
            return await self._move(meant, text, asked, ply)
        if meant.name in ANSWERS:
            self.scene.tables, self.scene.people = self.lobby.tables(), self.lobby.people()
            return ANSWERS[meant.name](self.scene, meant.rest)
        return await ACTS[meant.name](self, meant.rest)

    # What tables and the lobby tell.

    @property
    def at_table(self) -> bool:
        """Whether the player is at a table, else in the lobby."""
        return self._table is not None

    def push(self, update: Update, events: tuple[Event, ...]) -> None:
        """See `update.Member`."""
        if self._table is None:
            return
        before, self.scene.update = self.scene.update, update
        if before and before.view and update.view and before.view.phase != update.view.phase:
            self.scene.answer = ""
        told = [line for event in events if (line := sentence(event, update))]
        self.scene.log.extend(told)
        self._tell([*told, *(summons(update) if _is_new_turn(before, update) else [])])

    def note(self, line: str) -> None:
        """See `update.Member`."""
        if self._table is None:
            return
        self.scene.log.append(line)
        self._tell([line])

    def hear(self, line: str) -> None:
        """See `update.Member`."""
        self.scene.talk.append(line)
        self._tell([line])

    def closed(self) -> None:
        """See `update.Member`."""
        if self._table is None:
            return
        self._table = None
        self.scene.update = None
        self._tell(["The table has closed; you are in the lobby."])

    def lobby_changed(self, tables: tuple[Listing, ...], people: tuple[str, ...]) -> None:
        """See `lobby.Visitor`."""
        self.scene.tables, self.scene.people = tables, people
        self._tell([])

    def taken_over(self) -> None:
        """See `lobby.Visitor`."""
        self._end("You have come in from another terminal; this one is let go.")

    # Moves.

    async def _move(self, move: Move, text: str, asked: str, ply: int) -> list[str]:
        if asked != text and self.view is not None and _is_costly(move, self.view):
            self._asked = text
            return [f"You can play, and the pile would be yours: type {text} again to take it."]
        await self._my_table().move(self, ply, move)
        return []

    # What a player can do besides.

    async def play(self, rest: str) -> list[str]:
        """Sit down with AI players and begin."""
        table = await self._open_table(rest)
        await table.start(self)
        return []

    async def new(self, rest: str) -> list[str]:
        """Open a table for others to join."""
        await self._open_table(rest)
        return ["Your table. Others can sit down now; say start to deal, AI players take the empty seats."]

    async def sit(self, rest: str) -> list[str]:
        """Take a seat, at the table one watches or at the one named."""
        if self._table is not None and not rest:
            await self._table.sit(self, self.player)
        else:
            self._must_be_in_lobby()
            table = self.lobby.table(rest)
            await self._enter(table, table.sit)
        return []

    async def watch(self, rest: str) -> list[str]:
        """Look on at a table."""
        self._must_be_in_lobby()
        table = self.lobby.table(rest)
        await self._enter(table, table.join)
        return []

    async def start(self, _: str) -> list[str]:
        """Deal."""
        await self._my_table().start(self)
        return []

    async def leave(self, _: str) -> list[str]:
        """Go back to the lobby."""
        self._my_table()
        await self._leave_table(for_good=True)
        return ["You are in the lobby."]

    async def say(self, rest: str) -> list[str]:
        """Talk to the table, or to the lobby."""
        text = clean(rest, TALK_LENGTH)
        if not text:
            raise InputError("bad_request", "say what? Type say hello, or /hello")
        if not self._talk.take_if_free():
            raise InputError("too_fast", "you talk too fast: wait a few seconds")
        (self._table or self.lobby).say(f"{self.player.name}: {text}")
        return []

    async def rename(self, rest: str) -> list[str]:
        """Take another name."""
        if self._table is not None:
            raise InputError("bad_request", "names are chosen in the lobby: say leave first")
        if not rest:
            raise InputError("bad_request", f"you are {self.player.name}: say name NAME to change it")
        self.player = replace(self.player, name=self.lobby.free_name(rest, self.player.id))
        self.scene.name = self.player.name
        self.lobby.changed()
        return [f"You are {self.player.name}."]

    async def _open_table(self, rest: str) -> Table:
        self._must_be_in_lobby()
        table = self.lobby.open_table(_opened(rest, self.lobby))
        await self._enter(table, table.sit)
        return table

    async def _enter(self, table: Table, enter: Callable[["Visit", Player], Awaitable[None]]) -> None:
        self.scene.log.clear()
        self.scene.talk.clear()
        self._table = table
        try:
            await enter(self, self.player)
        except InputError:
            self._table = None
            raise

    async def _leave_table(self, *, for_good: bool) -> None:
        table, self._table = self._table, None
        self.scene.update = None
        self.scene.talk.clear()
        if table is not None:
            with suppress(InputError):
                await asyncio.shield(table.leave(self, for_good=for_good))
            self.lobby_changed(self.lobby.tables(), self.lobby.people())

    def _my_table(self) -> Table:
        if self._table is None:
            raise InputError("bad_request", "you are in the lobby: say play, or sit N")
        return self._table

    def _must_be_in_lobby(self) -> None:
        if self._table is not None:
            raise InputError("bad_request", "you are at a table: say leave first")


ACTS: Final[Mapping[str, Callable[[Visit, str], Awaitable[list[str]]]]] = MappingProxyType(
    {
        "play": Visit.play,
        "new": Visit.new,
        "sit": Visit.sit,
        "watch": Visit.watch,
        "start": Visit.start,
        "leave": Visit.leave,
        "say": Visit.say,
        "name": Visit.rename,
    }
)
"""By the name of the command."""


def _opened(rest: str, lobby: Lobby) -> Opened:
    """The table that ``[RULES] [seats=N] [level=L]`` asks for. Raises InputError."""
    rules, seats, level = lobby.rulebook.find(DEFAULT), 0, lobby.config.level
    for word in rest.split():
        key, equals, value = word.partition("=")
        if not equals:
            rules = lobby.rulebook.find(word)
        elif key == "seats" and value.isascii() and value.isdigit():
            seats = int(value[:4])
        elif key == "level" and value in LEVELS:
            level = value
        else:
            raise InputError("bad_request", f"{word!r}: say seats=N or level={' or level='.join(LEVELS)}")
    return Opened(rules.name, dict(rules.options), seats or rules.seats_max, level, rules.title)


def _is_costly(move: Move, view: View) -> bool:
    """Whether a move takes a big pile although a play exists: the slip that hurts most."""
    if not isinstance(move, PickUp) or len(view.pile) < BIG_PILE or view.seat is None:
        return False
    legal = legal_moves(view, view.seat)
    return move in legal and any(isinstance(other, Play) for other in legal)


def _is_new_turn(before: Update | None, update: Update) -> bool:
    """Whether there is something to decide that there was not before."""
    if not update.my_turn or update.view is None:
        return False
    if before is None or before.view is None or before.view.phase != update.view.phase:
        return True
    return update.view.phase == "play" and before.ply != update.ply
