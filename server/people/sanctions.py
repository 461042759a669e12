"""Bans and mutes: against whom, and until when. By key, or by address for all who come from there; kept in the log."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Final

from engine.errors import InputError
from server.addresses import Address, AddressSet, Network, read_network
from server.limits import SANCTIONS
from server.people.names import skeleton
from server.people.replicated_texts import DurableTexts
from server.storage.table_log import TableLog

_DURATION: Final = re.compile(r"([0-9]{1,4})([smhdw])")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_FOR_EVER: Final = ("", "for ever", "forever")


@dataclass(frozen=True, slots=True)
class Sanction:
    """One ban, or one mute."""

    target: str
    """A key's fingerprint, a network, or a guest's id."""
    name: str
    """What they were called; empty for an address."""
    until: float | None
    """In seconds since 1970; None for ever."""
    by: str
    """The fingerprint of the op who said so."""

    @property
    def words(self) -> str:
        """How long it lasts."""
        return (
            "for ever" if self.until is None else f"until {datetime.fromtimestamp(self.until, UTC):%Y-%m-%d %H:%M} UTC"
        )

    @property
    def whom(self) -> str:
        """Against whom it is."""
        return f"{self.name} ({self.target})" if self.name else self.target


class Sanctions:
    """All bans, or all mutes."""

    def __init__(self, store: TableLog, kind: str, spared: AddressSet, wall: Callable[[], float]) -> None:
        """No address in ``spared`` ever has one; ``wall`` tells the time in seconds since 1970."""
        self.spared = spared
        self.changed: Callable[[], None] = lambda: None
        """Called when there are others than before, said here or in another process."""
        self._kept = DurableTexts(store, kind, SANCTIONS)
        self._wall = wall
        self._by_target: dict[str, Sanction] = {}
        self._networks: list[tuple[Network, Sanction]] = []

    async def load(self) -> None:
        """Read what this process and others have said. Raises NotSaved."""
        if await self._kept.load():
            self._read()

    def on(self, ids: Iterable[str | None], address: Address | None) -> Sanction | None:
        """What is in force against one of these ids, or against where they come from."""
        found = [self._by_target[target] for target in ids if target in self._by_target]
        if address is not None and address not in self.spared:
            found += [sanction for network, sanction in self._networks if address in network]
        return next(filter(self._in_force, found), None)

    def all(self) -> list[Sanction]:
        """Those in force, the oldest first."""
        return list(filter(self._in_force, self._by_target.values()))

    async def impose(self, target: str, name: str, seconds: float | None, by: str) -> Sanction:
        """Say so for so many seconds from now, None for ever. Raises InputError where it cannot be kept."""
        sanction = Sanction(target, name, None if seconds is None else self._wall() + seconds, by)
        over = {old.target: None for old in self._by_target.values() if not self._in_force(old)}
        await self._put({**over, target: json.dumps({"v": 1, **asdict(sanction)})})
        return sanction

    async def lift(self, text: str) -> list[Sanction]:
        """Take back whatever is in force against this target or name. Raises InputError where that cannot be kept."""
        targets = {text, str(read_network(text))}
        look = skeleton(text)
        found = [one for one in self.all() if one.target in targets or (one.name and skeleton(one.name) == look)]
        await self._put({sanction.target: None for sanction in found})
        return found

    async def _put(self, texts: Mapping[str, str | None]) -> None:
        try:
            for target, text in texts.items():
                await self._kept.put(target, text)
        finally:
            # Also what others have said is known by each that was put.
            self._read()

    def _read(self) -> None:
        self._by_target = {target: _sanction(text) for target, text in self._kept.texts.items()}
        found = [(read_network(sanction.target), sanction) for sanction in self.all()]
        self._networks = [(network, sanction) for network, sanction in found if network is not None]
        self.changed()

    def _in_force(self, sanction: Sanction) -> bool:
        return sanction.until is None or self._wall() < sanction.until


def _sanction(text: str) -> Sanction:
    fields = json.loads(text)
    return Sanction(fields["target"], fields["name"], fields["until"], fields["by"])


def read_duration(text: str) -> float | None:
    """Seconds from ``30m``, ``2h``, ``7d``; None for ``for ever`` or nothing. Raises InputError."""
    if text in _FOR_EVER:
        return None
    found = _DURATION.fullmatch(text)
    if found is None or not int(found[1]):
        raise InputError("bad_request", f"how long is {text[:20]!r}? Say 30m, 2h, 7d, or for ever")
    return float(int(found[1]) * _SECONDS[found[2]])
