"""Decides when the addresses of this machine have changed: cables, Wi-Fi, and a laptop that has slept. Pure."""

from collections.abc import Sequence
from enum import Enum
from typing import Final

from server.joining.interfaces import Interface

POLL_SECONDS: Final = 10.0
"""How often to look."""
WAKE_SECONDS: Final = 30.0
"""With so long between two looks the machine has slept."""


class Change(Enum):
    """What a look has found."""

    NONE = "none"
    ADDRESSES = "addresses"
    """There are other addresses than before."""
    WOKE = "woke"
    """The machine has slept: others may have forgotten it, even if its addresses are the same."""


class InterfaceWatch:
    """Compares what is found at each look. An address that comes and goes changes nothing before it stays for two."""

    def __init__(self, now: float, found: Sequence[Interface]) -> None:
        """``now``: the time on the wall, since other clocks stand still while a machine sleeps."""
        self.current = list(found)
        """The addresses that count."""
        self._last = self.current
        self._at = now
        self._slept = False

    def look(self, now: float, found: Sequence[Interface]) -> Change:
        """Note what there is now."""
        before, self._last = self._last, list(found)
        self._slept |= now - self._at > WAKE_SECONDS
        self._at = now
        if self._slept and self._last:  # right after a sleep there is often no network yet
            self._slept = False
            self.current = self._last
            return Change.WOKE
        if self._last == before != self.current:
            self.current = self._last
            return Change.ADDRESSES
        return Change.NONE
