"""Bans and mutes, and until when they hold. Each is against a key, or against every player at an address."""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from engine.errors import InputError
from server.addresses import Address, AddressSet, Network, read_network
from server.limits import SANCTIONS
from server.people.names import skeleton
from server.storage.database import Database, NotSaved
from server.storage.key_value_store import DurableStore
from server.typed_json import Versioned, read_versioned, write_versioned

_DURATION: Final = re.compile(r"([0-9]{1,4})([smhdw])")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_FOR_EVER: Final = ("", "for ever", "forever")


class Sanction(Versioned, frozen=True):
    """One ban, or one mute."""

    target: str
    """A key's fingerprint, a network, or a guest's id."""
    name: str
    """The player's name at the time; empty for an address."""
    until: float | None
    """In seconds since 1970; None for ever."""
    by: str
    """The fingerprint of the op who imposed it."""

    @property
    def how_long(self) -> str:
        """How long it lasts."""
        if self.until is None:
            return "until an op lifts it"
        return f"until {datetime.fromtimestamp(self.until, UTC):%Y-%m-%d %H:%M} UTC"

    @property
    def whom(self) -> str:
        """Whom it is against."""
        return f"{self.name} ({self.target})" if self.name else self.target


class Sanctions:
    """All bans, or all mutes."""

    def __init__(
        self,
        store: Database,
        kind: str,
        spared: AddressSet,
        wall: Callable[[], float],
        most: int = SANCTIONS,
        written: Callable[[], object] = lambda: None,
    ) -> None:
        """The addresses in ``spared`` cannot have any; ``wall`` returns the time in seconds since 1970.

        ``written`` is called when one was imposed or lifted in this process, so that others read it at once.
        """
        self._spared = spared
        self.changed = asyncio.Event()
        """Set when a sanction was imposed or lifted, in this process or in another."""
        self._written = written
        self._kind = kind
        self._texts = DurableStore(store, kind, most)
        self._wall = wall
        self._by_target: dict[str, Sanction] = {}
        self._networks: list[tuple[Network, Sanction]] = []

    async def load(self) -> None:
        """Read what this process and others have imposed and lifted. Raises NotSaved."""
        if await self._texts.load():
            self._read()

    def on(self, ids: Iterable[str | None], address: Address | None) -> Sanction | None:
        """A sanction in force against one of these ids or against this address; None if there is none."""
        found = [self._by_target[target] for target in ids if target in self._by_target]
        if address is not None and address not in self._spared:
            found += [sanction for network, sanction in self._networks if address in network]
        return next(filter(self._in_force, found), None)

    def all(self) -> list[Sanction]:
        """The sanctions in force, the oldest first."""
        return list(filter(self._in_force, self._by_target.values()))

    async def impose(self, target: str, name: str, seconds: float | None, by: str) -> Sanction:
        """Impose one for so many seconds from now, or for ever (None). Raises InputError if it cannot be saved."""
        sanction = Sanction(target, name, None if seconds is None else self._wall() + seconds, by)
        expired = {old.target: None for old in self._by_target.values() if not self._in_force(old)}
        await self._put({**expired, target: write_versioned(sanction)})
        return sanction

    async def lift(self, text: str) -> list[Sanction]:
        """Lift every sanction against this target or name. Raises InputError if that cannot be saved."""
        targets = {text, str(read_network(text))}
        look = skeleton(text)
        found = [one for one in self.all() if one.target in targets or (one.name and skeleton(one.name) == look)]
        await self._put({sanction.target: None for sanction in found})
        return found

    async def _put(self, texts: Mapping[str, str | None]) -> None:
        try:
            for target, text in texts.items():
                await self._texts.put(target, text)
        finally:
            # Each put has also read what other processes wrote.
            self._read()
            self._written()

    def _read(self) -> None:
        self._by_target = {target: self._sanction(target, text) for target, text in self._texts.texts.items()}
        found = [(read_network(sanction.target), sanction) for sanction in self.all()]
        self._networks = [(network, sanction) for network, sanction in found if network is not None]
        self.changed.set()

    def _sanction(self, target: str, text: str) -> Sanction:
        """Raises NotSaved if it cannot be read: a server that overlooks a ban must not start."""
        try:
            return read_versioned(text, Sanction)
        except ValueError as error:
            raise NotSaved(f"the {self._kind} of {target}: {error}") from None

    def _in_force(self, sanction: Sanction) -> bool:
        return sanction.until is None or self._wall() < sanction.until


def read_duration(text: str) -> float | None:
    """The seconds in ``30m``, ``2h`` or ``7d``; None for ``for ever`` or no text. Raises InputError."""
    if text in _FOR_EVER:
        return None
    found = _DURATION.fullmatch(text)
    if found is None or not int(found[1]):
        raise InputError("bad_request", f"how long is {text[:20]!r}? Type 30m, 2h, 7d, or for ever")
    return float(int(found[1]) * _SECONDS[found[2]])
