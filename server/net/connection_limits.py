"""Who may connect, from where and how often. No sockets here: addresses, counts and a clock.

A flood from one place costs that place its next minutes, never longer; a flood from everywhere costs the connections
that have been silent longest. What counts as one place is an IPv4 address or an IPv6 network of 64 bits, which is what
one customer gets; on a private network each machine is its own.
"""

import asyncio
from collections.abc import Callable
from math import ceil

from server.addresses import Address, AddressSet, network_of
from server.limits import (
    ARRIVALS_AT_ONCE,
    ARRIVALS_PER_SECOND,
    PENALTY_FELT,
    PENALTY_MOST,
    PLACES_KNOWN,
    STRANGERS,
    STRANGERS_PER_PLACE,
)
from server.ops.metrics import UNREAD, Metrics, Refusal
from server.rate import Rate


class TurnedAway(Exception):
    """This connection cannot be had now; the message is one line that says why, and how long where that is known."""

    def __init__(self, reason: Refusal, words: str) -> None:
        """``reason`` is for those who count, ``words`` for who is turned away."""
        super().__init__(words)
        self.reason = reason


class Entry:
    """One connection that was let in. A stranger until `know`; `leave` when it is gone."""

    def __init__(
        self,
        connection_limits: "ConnectionLimits",
        address: Address,
        place: "_Place | None",
        cut: Callable[[], None],
        carrier: str,
    ) -> None:
        self.address = address
        self._limits = connection_limits
        self._place = place
        self._cut = cut
        self._was_cut = False
        self.carrier = carrier
        """The name of what carries it."""
        self.known = False
        """Whether it is a stranger's no more."""

    def know(self) -> None:
        """They have logged in, or typed something where there is no login."""
        self.known = True
        self._limits.strangers.pop(self, None)

    def refuse(self, reason: Refusal) -> None:
        """They are not let in after all."""
        self._limits.metrics.refused[reason].inc()

    def blame(self, seconds: float) -> None:
        """Their place has to wait so much longer for the next connection; not for what we have cut off ourselves."""
        if self._place is not None and not self._was_cut:
            self._place.blame(seconds)
            self._limits.metrics.penalties.inc()

    def leave(self) -> None:
        """The connection is gone."""
        self.know()
        self._limits.entries.discard(self)
        if self._place is not None:
            self._place.entries.discard(self)

    def cut_off(self) -> None:
        """Make room: the carrier cuts the connection."""
        self.refuse("made_room")
        self.leave()
        self._was_cut = True
        self._cut()

    @property
    def place(self) -> "_Place | None":
        """Where it comes from; None for a place without limits."""
        return self._place


class _Place:
    """One place that connections come from."""

    def __init__(self) -> None:
        self.entries: set[Entry] = set()
        self.arrivals = Rate(ARRIVALS_AT_ONCE, ARRIVALS_PER_SECOND)
        self._free_at = 0.0

    def blame(self, seconds: float) -> None:
        now = asyncio.get_running_loop().time()
        self._free_at = min(max(self._free_at, now) + seconds, now + PENALTY_MOST)

    def penalty(self) -> float:
        """Seconds that it has to wait; a few are not felt."""
        left = self._free_at - asyncio.get_running_loop().time()
        return left if left > PENALTY_FELT else 0.0

    @property
    def forgettable(self) -> bool:
        """Nothing of it would be missed."""
        return not self.entries and not self.penalty() and self.arrivals.rested


class ConnectionLimits:
    """Every connection of the server, by whichever carrier."""

    def __init__(
        self,
        connections: int,
        per_place: int,
        exempt: AddressSet,
        refusal: Callable[[Address], str] = lambda _: "",
        metrics: Metrics = UNREAD,
    ) -> None:
        """Set the limits.

        Args:
            connections: how many there may be in all.
            per_place: how many from one place.
            exempt: places without a limit of their own.
            refusal: why nobody may come in from there; empty where they may.
            metrics: where those are counted who are turned away.
        """
        self.metrics = metrics
        self._most = connections
        self._per_place = per_place
        self._exempt = exempt
        self._refusal = refusal
        self._places: dict[object, _Place] = {}
        self.entries: set[Entry] = set()
        self.strangers: dict[Entry, None] = {}
        """Who has not logged in yet, the oldest first."""

    def enter(self, address: Address, cut: Callable[[], None], carrier: str = "") -> Entry:
        """Let a connection of this carrier in; ``cut`` cuts it to make room for another. Raises TurnedAway."""
        try:
            return self._enter(address, cut, carrier)
        except TurnedAway as refusal:
            self.metrics.refused[refusal.reason].inc()
            raise

    def _enter(self, address: Address, cut: Callable[[], None], carrier: str) -> Entry:
        if words := self._refusal(address):
            raise TurnedAway("banned", words)
        place = None if address in self._exempt else self._place(address)
        if place is not None:
            self._limit(place)
        if len(self.entries) >= self._most:
            self._make_room()
        entry = Entry(self, address, place, cut, carrier)
        self.entries.add(entry)
        if place is not None:
            place.entries.add(entry)
            self.strangers[entry] = None
            if len(self.strangers) > STRANGERS:
                next(iter(self.strangers)).cut_off()
        return entry

    def _limit(self, place: _Place) -> None:
        """Apply what holds for one place. Raises TurnedAway."""
        if wait := place.penalty():
            raise TurnedAway("penalty", f"too much trouble from your address: come again in {ceil(wait)} seconds")
        if wait := place.arrivals.wait():
            raise TurnedAway("too_fast", f"too many connections from your address: come again in {ceil(wait)} seconds")
        place.arrivals.take()
        strangers = [entry for entry in self.strangers if entry.place is place]
        if len(strangers) >= STRANGERS_PER_PLACE:
            strangers[0].cut_off()
        if len(place.entries) >= self._per_place:
            words = f"there are {self._per_place} connections from your address already: end one of them"
            raise TurnedAway("place_full", words)

    def _make_room(self) -> None:
        oldest = next(iter(self.strangers), None)
        if oldest is None:
            raise TurnedAway("full", "the server is full: come again later")
        oldest.cut_off()

    def _place(self, address: Address) -> _Place:
        name = network_of(address)
        if name not in self._places and len(self._places) >= PLACES_KNOWN:
            self._places = {known: place for known, place in self._places.items() if not place.forgettable}
            if len(self._places) >= PLACES_KNOWN:
                # As many places in trouble at once as can be remembered: the first ones are forgiven.
                del self._places[next(iter(self._places))]
        return self._places.setdefault(name, _Place())
