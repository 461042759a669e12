"""Bans, mutes and names that ops have given, and until when they hold: for a key, a guest, or all at an address."""

import asyncio
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

from engine.errors import InputError
from engine.wording.phrases import quantity
from server.addresses import Address, AddressSet, Network, read_network
from server.ledger import Resource
from server.limits import SANCTIONS
from server.people.names import is_nobodys, skeleton
from server.people.players import Caller, Player, guest_address, guest_id
from server.storage.database import Database, NotSaved
from server.storage.key_value_store import DurableStore
from server.typed_json import Versioned, read_versioned, write_versioned

_UNITS: Final = (("day", 86_400), ("hour", 3600), ("minute", 60))


class Sanction(Versioned, frozen=True):
    """One ban, one mute, or one name that an op has given."""

    target: str
    """A player's id, a network, or the fingerprint of a key that has no account."""
    name: str
    """The player's name at the time, or the new one if it is given by this; empty for an address."""
    until: float | None
    """In seconds since 1970; None for ever."""
    by: str
    """The fingerprint of the op who imposed it."""
    why: str = ""
    """A note for ops."""
    keys: tuple[str, ...] = ()
    """The keys of the player at the time. It holds for them for longer than their account may be kept."""
    of_guest: tuple[str, ...] = ()
    """What else a guest is known by: names, as in `guest_name`, the network if nobody else came from there, and ids."""
    is_kick: bool = False
    """Whether it is the short ban after a kick, which keeps the player from coming back at once."""

    def how_long(self, now: float) -> str:
        """For how long it holds from now on. No time of day: the server does not know the clocks of its players."""
        return "until an op lifts it" if self.until is None else f"for {duration_text(self.until - now)}"

    def denial(self, who: str, now: float) -> str:
        """What is said to a player whom this ban keeps out; ``who``: as in "you are"."""
        if self.is_kick and self.until is not None:
            return f"an op has disconnected you: come in again in {duration_text(self.until - now)}"
        return f"{who} banned from this server {self.how_long(now)}"


def duration_text(seconds: float) -> str:
    """A time in one unit, as in 10 minutes; a moment later it still says so."""
    left = max(1, math.ceil(seconds))
    unit, length = next((one for one in _UNITS if abs(left / one[1] - 1) < 0.01 or left > 1.99 * one[1]), ("second", 1))
    return quantity(round(left / length), unit)


def guest_name(name: str) -> str | None:
    """What a sanction of a guest of this name is also against; None for the name of players without one."""
    look = skeleton(name)
    return None if not look or is_nobodys(look) else f"name:{look}"


def known_as(caller: Caller) -> Iterator[str | None]:
    """What a caller is known by: the key, or of a guest the token and the name."""
    if caller.key is not None:
        yield caller.key
    else:
        yield guest_id(caller.token) if caller.token else None
        yield guest_name(caller.wished_name)


class Sanctions:
    """All bans, all mutes, or all names that ops have given."""

    def __init__(
        self,
        store: Database,
        kind: str,
        spared: AddressSet,
        wall: Callable[[], float],
        most: Resource[int] = SANCTIONS,
        written: Callable[[], object] = lambda: None,
    ) -> None:
        """The addresses in ``spared`` cannot have any.

        ``written`` is called when one was imposed or lifted in this process, so that others read it at once.
        """
        self._spared = spared
        self.changed = asyncio.Event()
        """Set when a sanction was imposed or lifted, in this process or in another."""
        self._written = written
        self._kind = kind
        self._texts = DurableStore(store, kind, most)
        self.wall = wall
        """Returns the time in seconds since 1970."""
        self._by_target: dict[str, Sanction] = {}
        self._by_id: dict[str, list[Sanction]] = {}
        """By target, and by the keys of the player."""
        self._networks: list[tuple[Network, Sanction]] = []

    async def load(self) -> None:
        """Read what this process and others have imposed and lifted. Raises NotSaved."""
        if await self._texts.load():
            self._read()

    def on(self, ids: Iterable[str | None], address: Address | None) -> Sanction | None:
        """A sanction in force against one of these ids or against this address; None if there is none."""
        if not self._by_target:
            return None
        found = [sanction for each in ids if each in self._by_id for sanction in self._by_id[each]]
        if address is not None and address not in self._spared:
            found += [sanction for network, sanction in self._networks if address in network]
        return next(filter(self._in_force, found), None)

    def all(self) -> list[Sanction]:
        """The sanctions in force, the oldest first."""
        return list(filter(self._in_force, self._by_target.values()))

    def expired(self) -> list[Sanction]:
        """The sanctions that are no longer in force, and take room."""
        return [one for one in self._by_target.values() if not self._in_force(one)]

    async def put(self, sanctions: Mapping[str, Sanction | None]) -> None:
        """Keep these by their targets; None lifts one. Raises InputError if that cannot be saved."""
        try:
            for target, sanction in sanctions.items():
                await self._texts.put(target, None if sanction is None else write_versioned(sanction))
        finally:
            # Each put has also read what other processes wrote.
            self._read()
            self._written()

    def _read(self) -> None:
        self._by_target = {target: self._sanction(target, text) for target, text in self._texts.texts.items()}
        self._by_id = {}
        for sanction in self._by_target.values():
            for each in (sanction.target, *sanction.keys, *sanction.of_guest):
                self._by_id.setdefault(each, []).append(sanction)
        targets = [(each, sanction) for sanction in self.all() for each in (sanction.target, *sanction.of_guest)]
        found = [(read_network(each), sanction) for each, sanction in targets]
        self._networks = [(network, sanction) for network, sanction in found if network is not None]
        self.changed.set()

    def _sanction(self, target: str, text: str) -> Sanction:
        """Raises NotSaved if it cannot be read: a server that overlooks a ban must not start."""
        try:
            return read_versioned(text, Sanction)
        except ValueError as error:
            raise NotSaved(f"the {self._kind} of {target}: {error}") from None

    def _in_force(self, sanction: Sanction) -> bool:
        return sanction.until is None or self.wall() < sanction.until


class Imposed:
    """All that ops have imposed on players: bans, mutes and given names."""

    def __init__(
        self, store: Database, spared: AddressSet, wall: Callable[[], float], written: Callable[[], object]
    ) -> None:
        """As `Sanctions`."""
        self.bans = Sanctions(store, "ban", spared, wall, written=written)
        self.mutes = Sanctions(store, "mute", spared, wall, written=written)
        self.given_names = Sanctions(store, "given_name", spared, wall, written=written)
        """The names that ops have given to players, who keep them meanwhile."""
        self.kinds = {"bans": self.bans, "mutes": self.mutes, "given_names": self.given_names}

    async def load(self) -> None:
        """Read what was imposed and lifted since the last time. Raises NotSaved."""
        for sanctions in self.kinds.values():
            await sanctions.load()

    def refuse_if_muted(self, player: Player, caller: Caller) -> None:
        """Raises InputError if a player who comes in so is muted."""
        name = None if player.account else guest_name(player.name)
        if mute := self.mutes.on((player.id, name), guest_address(player, caller)):
            how_long = mute.how_long(self.mutes.wall())
            raise InputError("muted", f"an op has muted you {how_long}")

    def given_name(self, player_id: str, caller: Caller) -> Sanction | None:
        """The name that an op has given to a player who comes in so; None if it is their own."""
        return self.given_names.on(chain((player_id,), known_as(caller)), None)
