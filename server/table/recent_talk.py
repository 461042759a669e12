"""What was said lately at one table, or in the lobby, for players who come later. It is never written to disk."""

import asyncio
from collections.abc import Iterable
from math import inf
from typing import Final

from msgspec import Struct, field

from server.addresses import Address
from server.limits import TALK_KEPT, TALK_KEPT_SECONDS

EARLIER: Final = f"Said in the last {TALK_KEPT_SECONDS // 60} minutes:"
"""Stands before talk that a player has not heard themselves."""
SAME_SECONDS: Final = 5.0
"""Two processes have heard the same line at times that differ by less."""


def _now() -> float:
    return asyncio.get_running_loop().time()


class Said(Struct, frozen=True):
    """What a player has said to everybody around them."""

    name: str
    line: str
    player_id: str = ""
    """Empty for what the host of the server announces."""
    address: Address | None = None
    """Where a guest comes from: a mute may be against the address. None for all others."""
    at: float = field(default_factory=_now)
    """The event loop's time."""
    to_spectators: bool = False
    """Whether no player in a seat may hear it."""


class RecentTalk:
    """The latest talk: so many lines, of so many minutes (`limits`)."""

    def __init__(self) -> None:
        self._said: list[Said] = []

    def add(self, said: Said) -> None:
        """Keep what was just said."""
        self._said = [*self._said, said][-TALK_KEPT:]

    def add_earlier(self, kept: Iterable[Said]) -> None:
        """Keep talk that another process has heard (its `kept`), except what was heard here as well."""
        known = self._said
        new = [each for each in kept if not any(_is_same(each, said) for said in known)]
        self._said = sorted([*known, *new], key=lambda each: each.at)[-TALK_KEPT:]

    def forget(self, player_id: str) -> None:
        """Keep nothing of what this player has said."""
        self._said = [each for each in self._said if each.player_id != player_id]

    def kept(self) -> list[Said]:
        """All recent talk, the latest last."""
        earliest = _now() - TALK_KEPT_SECONDS
        return [each for each in self._said if each.at > earliest]

    def heard(self, *, by_spectator: bool, after: float = -inf) -> list[Said]:
        """What a player who comes now is told, the latest last: what was said after this time."""
        return [said for said in self.kept() if said.at > after and (by_spectator or not said.to_spectators)]


def _is_same(one: Said, other: Said) -> bool:
    """Whether two processes have heard the same."""
    return (one.name, one.line) == (other.name, other.line) and abs(one.at - other.at) < SAME_SECONDS
