"""Guests without a key are known again: in a room by their device and name, and wherever the host says who they are.

In a room, which is a server with `lan`, the resume code of a guest follows from the address and the name with which
they come, and from a secret of the server; so nothing is kept of them, and a restart changes nothing. If a seat or
another place is kept, the guest is asked whether it is theirs, and Enter takes it. Elsewhere a guest types the resume
code.
What it must not know: ssh and terminals. Without it each guest is a new one, unless they type their resume code.
"""

import asyncio
import hmac
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from secrets import token_hex
from typing import Final

import structlog

from engine.errors import InputError
from server.addresses import network_of
from server.bounded_dict import make_room
from server.clean_text import clean
from server.commands.acts import done, op_command, reason_of
from server.commands.finding import HostWords, Understands, spoken
from server.commands.registry import Answer, Context, declared_in
from server.features import Feature
from server.ledger import Resource
from server.lobby.lobby import Lobby, Runs
from server.lobby.peers import Message
from server.lobby.service import Kept, KnownGuests
from server.people.names import is_nobodys, looks, skeleton
from server.people.players import CODE, GUEST_PREFIX, Caller, Player, code_from, guest_id
from server.render.scene import LobbyHint
from server.storage.database import NotSaved, OutcomeUnknown
from server.storage.key_value_store import DurableStore
from server.typed_json import Versioned, read_versioned, write_versioned

MEANT: Final = "guest"
CODES: Final = "guest_codes"
"""The kinds of the texts: whom the host has said that guests are, and what codes in a room follow from."""
MEANT_KEPT: Final = Resource(
    "names-that-were-meant",
    "server",
    500,
    refusal="too many come at once: try again",
    beyond="the oldest is forgotten",
)
"""Guests of whom the host has said who they are; older ones are forgotten."""
GUESTS_TOLD: Final = 500
"""Guests of whom is known that something may be kept for them; older ones are forgotten."""
TAKEN_SECONDS: Final = 5.0
"""How long a code counts as taken by a guest who is just coming in."""

log = structlog.get_logger("quatch.guests")


class GuestSecret(Versioned, frozen=True):
    """What makes the codes of guests in a room hard to guess."""

    secret: str


class MeantGuest(Versioned, frozen=True):
    """The guest whom somebody is, as the host has said."""

    guest: str
    """The id."""


class ComesAgain(Message, frozen=True, tag="guest"):
    """The host has said who this guest is."""

    player: str


def still_here(name: str) -> str:
    """What a guest is asked whose seat may be that of another connection."""
    return f"{name} is connected still. Is that you?"


class GuestsInRoom(KnownGuests):
    """The guests of this server."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._secret = ""
        self._meant = DurableStore(lobby.store, MEANT, MEANT_KEPT)
        """A `MeantGuest` for each guest of whom the host has said who they are, by the id with which they came."""
        self._taken: dict[str, float] = {}
        """The ids of guests who are just coming in, and until when each is taken, by the clock of the event loop."""
        self._told: dict[str, tuple[str, Mapping[int, str]]] = {}
        """By the ids of guests: whom they may be, as they were told, and the names on the seats of that one."""
        lobby.peers.on(ComesAgain, lambda _, told: self._bring_back(told.player))

    async def come(self, caller: Caller, code: str) -> tuple[str, str]:
        """A guest in a room has the code of their device and name, unless another has it, or something is kept."""
        if not caller.token and (own := await self._code_of(caller)):
            player_id, now = await self._whom(own), asyncio.get_running_loop().time()
            self._taken = {each: until for each, until in self._taken.items() if now < until}
            if player_id not in self._taken and not self._is_here(player_id) and not await self._name_kept(player_id):
                self._taken[player_id] = now + TAKEN_SECONDS
                return own, player_id
        return code, await self._whom(code)

    async def kept_for(self, caller: Caller, player_id: str) -> Kept | None:
        """In a room what is kept for the device and name; else what may be another's, so the code is needed."""
        if own := await self._code_of(caller):
            known = await self._whom(own)
            if known != player_id and (name := await self._name_kept(known)):
                if self._is_here(known):
                    return Kept(name, f"{still_here(name)} Type resume {name} when that has ended.")
                return Kept(name, f"{name}'s seat is waiting: is it you? Press Enter.", by_enter=True)
        else:
            for guest in self._guests_gone(caller):
                if name := await self._name_kept(guest.id):
                    return await self._by_code(player_id, guest.id, name)
        given = self._lobby.imposed.given_name(player_id, caller)
        with suppress(InputError, NotSaved):
            found = await self.find_kept(given.name if given else caller.wished_name)
            if found != player_id and (its_name := await self._name_kept(found)):
                return await self._by_code(player_id, found, its_name)
        return None

    async def _by_code(self, player_id: str, found: str, name: str) -> Kept:
        """Note that this guest may be the one who was found, and is told so. Returns what is kept for that one."""
        make_room(self._told, GUESTS_TOLD)
        self._told[player_id] = found, await self._lobby.tables.seats_of(found)
        who = still_here(name) if self._is_here(found) else f"Were you {name}?"
        return Kept(name, f"{who} Type resume and the code that you were shown.")

    def may_resume(self, player_id: str) -> str:
        """The name of what is kept still and may be this guest's, who was told so; empty if nothing is."""
        found, seats = self._told.get(player_id, ("", {}))
        name = self._lobby.kept_name(found, self._lobby.tables.seats_now(found, seats)) if found else ""
        if not name:
            self._told.pop(player_id, None)
        return name

    def _guests_gone(self, caller: Caller) -> Iterator[Player]:
        """The guests who have left lately and came from this caller's address with the same wished name."""
        wished = skeleton(caller.wished_name)
        for player, came, look in reversed(self._lobby.visitors.gone):
            is_alike = look == wished and came.address == caller.address
            if is_alike and player.kind == "person" and player.account is None and not self._is_here(player.id):
                yield player

    async def find(self, caller: Caller, typed: str) -> tuple[str, str]:
        """In a room the name suffices, while nobody else has the seat."""
        if own := await self._code_of(caller):
            player_id = await self._whom(own)
            name = await self._name_kept(player_id)
            if name and skeleton(name) == skeleton(typed):
                if self._is_here(player_id):
                    way = f"wait a minute, or ask the person who runs the server to type reseat NAME as {name}"
                    raise InputError("bad_request", f"{name} is still connected: {way}", name=name)
                return own, player_id
        return typed, await self._whom(typed)

    async def say_who(self, player_id: str, guest: str) -> None:
        """Have a guest be this other one from now on. Raises InputError if that cannot be saved."""
        for old in [*self._meant.texts][: 1 - MEANT_KEPT.share]:
            await self._meant.put(old, None)
        await self._meant.put(player_id, write_versioned(MeantGuest(guest)))
        self._bring_back(player_id)
        self._lobby.peers.tell(ComesAgain(player_id))

    async def find_kept(self, name: str) -> str:
        """The id of the guest who has something here under this name. Raises InputError if there is none, NotSaved."""
        look, seated = skeleton(name), await self._lobby.store.seat_named(sorted(looks(name)), "")
        found = {seated} if seated else set[str]()
        for service in self._lobby.services:
            found.update(each for each, its_name in service.kept_names().items() if skeleton(its_name) == look)
        guests = [each for each in found if each.startswith(GUEST_PREFIX)]
        if not guests:
            why = f"{name} has a key, and comes back by it" if found else f"nothing is kept for {name}"
            raise InputError("bad_request", why)
        return guests[0]

    def _bring_back(self, player_id: str) -> None:
        for visitor in self._lobby.visitors.here:
            if visitor.player.id == player_id:
                self._background.begin(visitor.come_in_again(), "bringing a guest back")

    def _is_here(self, player_id: str) -> bool:
        return any(visitor.player.id == player_id for visitor in self._lobby.visitors.came)

    async def _name_kept(self, player_id: str) -> str:
        """The name under which a seat, or something else, is kept for a guest; empty if nothing is."""
        return self._lobby.kept_name(player_id, await self._lobby.tables.seats_of(player_id))

    async def _whom(self, code: str) -> str:
        """The id of the guest whom a code stands for."""
        player_id = guest_id(code)
        with suppress(NotSaved, ValueError):
            await self._meant.load()
            if text := self._meant.texts.get(player_id):
                return read_versioned(text, MeantGuest).guest
        return player_id

    async def _code_of(self, caller: Caller) -> str:
        """The code of a guest's device and name in a room; empty elsewhere, and if they tell nobody apart."""
        address, look, shared = caller.address, skeleton(caller.wished_name), self._lobby.shared
        if not look or is_nobodys(look) or address is None or address in self._lobby.spared or address not in shared:
            return ""
        try:
            secret = self._secret = self._secret or await self._read_secret()
        except (NotSaved, OutcomeUnknown, ValueError) as error:
            log.warning("guests not known again", problem=str(error))
            return ""
        return code_from(hmac.digest(secret.encode(), f"{network_of(address)} {look}".encode(), "sha256"))

    async def _read_secret(self) -> str:
        """The secret, which all processes share. Raises NotSaved, OutcomeUnknown, ValueError."""
        store = self._lobby.store
        if not await store.count_texts(CODES):
            await store.put_text(CODES, token_hex(8), write_versioned(GuestSecret(token_hex(32))))
        (oldest,) = await store.oldest_texts(CODES, 1)
        return read_versioned(oldest.text or "", GuestSecret).secret


@op_command("reseat NAME as NAME", details=("For a guest without a key who has come back as somebody else.",))
async def reseat(context: Context, rest: str) -> Answer:
    """Give a guest back what is kept for them."""
    typed, why = reason_of(rest)
    now, _, before = (clean(each) for each in typed.partition(" as "))
    if not before:
        raise InputError("bad_request", "which guest, as whom? Type reseat anna2 as anna")
    visitor, guests = context.lobby.visitors.find(now), context.lobby.service(GuestsInRoom)
    if not visitor.player.id.startswith(GUEST_PREFIX):
        raise InputError("bad_request", f"{now} has a key, and is known by it")
    if visitor.table_number:
        raise InputError("bad_request", f"{now} is at a table: {now} has to type leave first")
    await guests.say_who(visitor.player.id, await guests.find_kept(before))
    return await done(context, f"{now} is {before} again.", "reseat", now, after=before, why=why)


def _hint(lobby: Lobby, player: Player, _: Collection[int]) -> LobbyHint | None:
    """How a guest takes what may be kept for them, as long as it is."""
    name = lobby.service(GuestsInRoom).may_resume(player.id)
    return LobbyHint("resume", f"and the code that you were shown, if you are {name}") if name else None


IN_THEIR_WORDS: Final = HostWords(
    r"(\S+ (is|was) (really|actually)|give .*seat back)",
    lambda _, rest: f"Type reseat NAME as {rest.partition(' ')[0] or 'NAME'}: give a guest back what is kept for them.",
)
CODE_ALONE: Final = Understands(lambda line, _: f"resume {said}" if re.fullmatch(CODE, said := spoken(line)) else "")
"""A guest who types the code that they were shown wants what it gives back."""
FEATURE: Final = Feature(
    "returning_guests",
    (*declared_in(__name__), Runs(GuestsInRoom), MEANT_KEPT, IN_THEIR_WORDS, CODE_ALONE, LobbyHint("", own=_hint)),
)
