"""Which addresses may connect, and how often. No sockets here: addresses, counts and a clock.

A flood from one address costs that address some minutes of waiting, never more. A flood from everywhere costs the
connections that have been silent longest. If all are taken by players, the address that has most gives one to an
address that has none. What counts as one address says `addresses.share_of`.
"""

import asyncio
from collections.abc import Callable
from math import ceil

from engine.wording.phrases import quantity
from server import limits
from server.addresses import Address, AddressSet, share_of
from server.bounded_dict import make_room
from server.fair_queue import AddressGroup, FairQueue
from server.ledger import Rate, RateLimit
from server.process.counters import UNREAD, Counters, Denial


class ConnectionDenied(Exception):
    """This connection is not allowed now. The message is one line: the reason and, if it is known, how long to wait."""


class AdmittedConnection:
    """One open connection. Unauthenticated until `mark_authenticated`; call `release` when it has closed."""

    def __init__(
        self,
        connection_limits: "ConnectionLimits",
        address: Address,
        record: "_AddressRecord | None",
        group: AddressGroup,
        close: Callable[[], None],
        carrier: str,
    ) -> None:
        self.address = address
        self.carrier = carrier
        """The name of what carries it, such as ssh."""
        self.authenticated = False
        self.record = record
        """What is remembered of its address; None for an address without limits of its own."""
        self.group = group
        """Its address in the fair queue; an exempt connection is an address of its own there, since a proxy is many."""
        self._limits = connection_limits
        self._close = close
        self._was_evicted = False

    def mark_authenticated(self) -> None:
        """The client has logged in or, over a carrier without a login, has typed something."""
        self.authenticated = True
        self._limits.unauthenticated.pop(self, None)

    def penalise(self, seconds: float) -> None:
        """Make its address wait so much longer for the next connection, unless we evicted this one ourselves."""
        if self.record is not None and not self._was_evicted:
            self.record.penalise(seconds)
            self._limits.counters.penalties.inc()
            self._limits.penalised(self.address, seconds)

    def release(self) -> None:
        """Count the connection as closed. More than one call does no harm."""
        self.mark_authenticated()
        self._limits.connections.discard(self)
        if self.record is not None:
            self.record.connections.pop(self, None)

    def evict(self) -> None:
        """Close the connection to make room for another."""
        self._limits.counters.refused["made_room"].inc()
        self.release()
        self._was_evicted = True
        self._close()


class _AddressRecord:
    """The connections, the rate and the penalty of one address or network."""

    def __init__(self, group: AddressGroup, rate: RateLimit) -> None:
        self.group = group
        self.connections: dict[AdmittedConnection, None] = {}
        """The oldest first."""
        self.rate = Rate(rate)
        self._free_at = 0.0

    def penalise(self, seconds: float) -> None:
        now = asyncio.get_running_loop().time()
        self._free_at = min(max(self._free_at, now) + seconds, now + limits.PENALTY_LONGEST)

    def penalty(self) -> float:
        """Seconds that the address has to wait; a short penalty counts as none."""
        left = self._free_at - asyncio.get_running_loop().time()
        return left if left > limits.PENALTY_IGNORED else 0.0

    @property
    def forgettable(self) -> bool:
        """Whether a fresh record would say the same."""
        in_use = self.connections or self.penalty() or self.rate.used or self.group.steps or self.group.used.used
        return not in_use


class ConnectionLimits:
    """All open connections of the server, over all carriers together."""

    def __init__(
        self,
        most: int,
        most_per_address: int,
        exempt: AddressSet,
        denial: Callable[[Address], str] = lambda _: "",
        counters: Counters = UNREAD,
        processes: int = 1,
        *,
        elsewhere: Callable[[Address], int] = lambda _: 0,
        penalised: Callable[[Address, float], None] = lambda *_: None,
    ) -> None:
        """``denial`` says why an address may not connect, and nothing if it may.

        ``processes``: how many accept connections in turn, so that this one has its part of what the server takes.
        ``elsewhere``: how many connections an address has in other processes. ``penalised`` is called when an address
        is to wait so many seconds longer for its next connection.
        """
        self.counters = counters
        self.penalised = penalised
        self._elsewhere = elsewhere
        self._most = most
        self._most_per_address = most_per_address
        self._exempt = exempt
        self._denial = denial
        self._most_unauthenticated = limits.STRANGERS.part(processes)
        # As many guests as may be in from one address may come in together, such as a room behind one router.
        together = max(limits.CONNECTIONS.share.burst, most_per_address)
        burst = max(limits.LEAST_CONNECTION_BURST, together / processes)
        self._rate = RateLimit(burst, limits.CONNECTIONS.share.per_second / processes)
        self._fair_queue = FairQueue()
        self.records: dict[object, _AddressRecord] = {}
        self.connections: set[AdmittedConnection] = set()
        self.unauthenticated: dict[AdmittedConnection, None] = {}
        """Connections that have not logged in yet, the oldest first."""

    def admit(self, address: Address, close: Callable[[], None], carrier: str = "") -> AdmittedConnection:
        """Admit a connection; ``close`` is called to make room for another. Raises ConnectionDenied."""
        if message := self._denial(address):
            raise self._denied("banned", message)
        record = None if address in self._exempt else self._record(address)
        if record is not None:
            self._check(record, self._elsewhere(address))
        if len(self.connections) >= self._most:
            self._giving_way(record).evict()
        group = self._fair_queue.address() if record is None else record.group
        connection = AdmittedConnection(self, address, record, group, close, carrier)
        self.connections.add(connection)
        if record is not None:
            record.connections[connection] = None
            self.unauthenticated[connection] = None
            if len(self.unauthenticated) > self._most_unauthenticated:
                next(iter(self.unauthenticated)).evict()
        return connection

    def _giving_way(self, newcomer: _AddressRecord | None) -> AdmittedConnection:
        """The connection that gives way if all are taken: the oldest without a login.

        If all have logged in, it is the newest of the address that has most, for somebody may play over an older one.
        An address that has one itself gets no other's. Raises ConnectionDenied if none gives way.
        """
        if self.unauthenticated:
            return next(iter(self.unauthenticated))
        most = max((each.connections for each in self.records.values()), key=len, default={})
        if len(most) < 2 or (newcomer is not None and newcomer.connections):
            raise self._denied("full", "the server is full: come again later")
        return next(reversed(most))

    def penalise(self, address: Address, seconds: float) -> None:
        """Have an address wait so much longer for its next connection, as another process has told."""
        if address not in self._exempt:
            self._record(address).penalise(seconds)

    def _check(self, record: _AddressRecord, elsewhere: int) -> None:
        """Apply the limits of one address. Raises ConnectionDenied."""
        if wait := record.penalty():
            raise self._denied(
                "penalty", f"too much trouble from your address: come again in {quantity(ceil(wait), 'second')}"
            )
        if wait := record.rate.wait():
            raise self._denied(
                "too_fast", f"too many connections from your address: come again in {quantity(ceil(wait), 'second')}"
            )
        record.rate.take()
        if len(record.connections) + elsewhere < self._most_per_address:
            return
        silent = next((connection for connection in self.unauthenticated if connection.record is record), None)
        if silent is not None:
            silent.evict()
        else:
            open_now = quantity(self._most_per_address, "connection")
            message = f"your address has {open_now} already, which is the limit: end one of them"
            raise self._denied("place_full", message)

    def _denied(self, reason: Denial, message: str) -> ConnectionDenied:
        self.counters.refused[reason].inc()
        return ConnectionDenied(message)

    def _record(self, address: Address) -> _AddressRecord:
        name = share_of(address)
        if (record := self.records.get(name)) is None:
            make_room(self.records, limits.ADDRESSES_REMEMBERED, lambda record: record.forgettable)
            record = self.records[name] = _AddressRecord(self._fair_queue.address(name), self._rate)
        return record
