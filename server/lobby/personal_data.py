"""What is kept of players besides their accounts and games, as the feature that keeps it tells of it and deletes it."""

import re
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from msgspec import Struct

from server.config import Config
from server.lobby.lobby import Lobby
from server.people.players import FORMER


class Person(NamedTuple):
    """An account, and what it is known by."""

    account: str
    names: frozenset[str]
    """Empty if the account has gone already."""
    keys: tuple[str, ...]
    """The fingerprints of its keys."""

    def taken_out_of(self, text: str) -> str:
        """A text with `FORMER` in place of the names, where they are words, and of the keys and the account."""
        words = [rf"(?<!\w){re.escape(name)}(?!\w)" for name in self.names]
        return re.sub("|".join([*words, *map(re.escape, (*self.keys, self.account))]), FORMER, text)


async def _nothing(*_: object) -> None:
    """Nothing is kept."""


class PersonalData(Struct, frozen=True, kw_only=True):
    """What a feature keeps of players; each function takes the lobby first, and raises NotSaved, OutcomeUnknown."""

    name: str
    """What it is called in an export."""
    told: Callable[[Config], str]
    """A line of the page `privacy`: what is kept, and for how long."""
    read: Callable[[Lobby, Person], Awaitable[object]] = _nothing
    """Returns what is kept of a person, to be written as JSON; None for nothing."""
    forget: Callable[[Lobby, Person], Awaitable[None]] = _nothing
    """Deletes it, or takes the person out of it. It may be called twice."""
    forget_addresses: Callable[[Lobby, float], Awaitable[None]] = _nothing
    """Deletes addresses from before this time, in seconds since 1970."""
