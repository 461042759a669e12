"""Who may connect: counts, rates and penalties, on a clock that jumps."""

import asyncio
from collections.abc import Callable
from ipaddress import ip_address

import pytest

from server.addresses import Address, AddressSet, network_of, read_address
from server.limits import (
    ARRIVALS_AT_ONCE,
    PENALTY_ABUSE,
    PENALTY_MOST,
    PENALTY_UNKNOWN,
    PLACES_KNOWN,
    STRANGERS,
    STRANGERS_PER_PLACE,
)
from server.net.connection_limits import ConnectionLimits, Entry, TurnedAway
from server.ops.metrics import UNREAD, Metrics
from tests.support.virtual_time import in_virtual_time


class Doors:
    """A gate, and who was cut off to make room."""

    def __init__(
        self,
        connections: int = 1000,
        per_place: int = 20,
        exempt: tuple[str, ...] = (),
        refusal: Callable[[Address], str] = lambda _: "",
        metrics: Metrics = UNREAD,
    ) -> None:
        self.connection_limits = ConnectionLimits(connections, per_place, AddressSet(exempt), refusal, metrics)
        self.cut: list[int] = []
        self._count = 0

    def enter(self, address: str = "192.0.2.1") -> Entry:
        """One connection more; they are numbered from 1."""
        self._count += 1
        number = self._count
        return self.connection_limits.enter(ip_address(address), lambda: self.cut.append(number))


def place(number: int) -> str:
    """An address for each number."""
    return f"10.{number // 65536}.{number // 256 % 256}.{number % 256}"


@in_virtual_time
async def test_one_more_stranger_costs_the_oldest() -> None:
    """Newcomers are served though everybody is silent; who has logged in is never cut off."""
    doors = Doors()
    known = doors.enter(place(0))
    known.know()
    for n in range(1, STRANGERS + 11):
        doors.enter(place(n))
    assert doors.cut == list(range(2, 12))
    assert len(doors.connection_limits.strangers) == STRANGERS
    assert known in doors.connection_limits.entries


@in_virtual_time
async def test_one_place_holds_few_strangers() -> None:
    """The eleventh costs that place's own oldest, and nobody else's."""
    doors = Doors()
    doors.enter(place(1))
    for _ in range(STRANGERS_PER_PLACE + 2):
        doors.enter()
    assert doors.cut == [2, 3]


@in_virtual_time
async def test_one_place_has_so_many_connections() -> None:
    """Also when all have logged in; one that ends makes room."""
    doors = Doors(per_place=3)
    entries = [doors.enter() for _ in range(3)]
    for entry in entries:
        entry.know()
    with pytest.raises(TurnedAway, match="there are 3 connections from your address already"):
        doors.enter()
    doors.enter(place(1))
    entries[0].leave()
    doors.enter()
    assert not doors.cut


@in_virtual_time
async def test_a_place_may_connect_so_often_and_is_told_when_again() -> None:
    """A burst, then one every two seconds; waiting as told is enough."""
    doors = Doors()
    for _ in range(ARRIVALS_AT_ONCE):
        doors.enter().leave()
    with pytest.raises(TurnedAway, match="come again in 2 seconds"):
        doors.enter()
    await asyncio.sleep(2)
    doors.enter().leave()
    doors.enter(place(1))


@in_virtual_time
async def test_penalties_add_up_are_told_and_end() -> None:
    """A few are not felt, the worst is over in ten minutes."""
    doors = Doors()
    entry = doors.enter()
    for _ in range(3):
        entry.blame(PENALTY_UNKNOWN)
    doors.enter().leave()
    entry.blame(PENALTY_UNKNOWN)
    with pytest.raises(TurnedAway, match="too much trouble from your address: come again in 20 seconds"):
        doors.enter()
    doors.enter(place(1))
    await asyncio.sleep(20)
    doors.enter().leave()
    for _ in range(1_000):
        entry.blame(PENALTY_ABUSE)
    await asyncio.sleep(PENALTY_MOST)
    doors.enter()


@in_virtual_time
async def test_the_server_is_full_for_those_who_have_logged_in() -> None:
    """Strangers make room, players do not."""
    doors = Doors(connections=5)
    for n in range(4):
        doors.enter(place(n)).know()
    doors.enter(place(5))
    doors.enter(place(6)).know()
    assert doors.cut == [5]
    with pytest.raises(TurnedAway, match="the server is full"):
        doors.enter(place(7))


@in_virtual_time
async def test_a_place_that_is_exempt_has_no_limit_of_its_own() -> None:
    """Only the server's: one's own machine, or a proxy that does not say for whom it speaks."""
    doors = Doors(connections=200, exempt=("192.0.2.0/24",))
    entries = [doors.enter() for _ in range(200)]
    for entry in entries:
        entry.blame(PENALTY_MOST)
    with pytest.raises(TurnedAway, match="full"):
        doors.enter()
    entries[0].leave()
    doors.enter()
    assert not doors.cut


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("2a00:1450:1:2:aaaa::1", "2a00:1450:1:2:bbbb::2", True),
        ("2a00:1450:1:2::1", "2a00:1450:1:3::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", False),
        ("fd00::1", "fd00::2", False),
    ],
)
def test_what_counts_as_one_place(one: str, other: str, *, same: bool) -> None:
    """A customer's IPv6 network is one place; each machine of a private network is its own."""
    assert (network_of(read_address(one)) == network_of(read_address(other))) is same


@in_virtual_time
async def test_only_so_many_places_are_remembered() -> None:
    """Those without faults are forgotten first; a flood of faults from everywhere is bounded, too."""
    doors = Doors()
    for n in range(PLACES_KNOWN + 50):
        entry = doors.enter(place(n))
        entry.leave()
        entry.blame(PENALTY_ABUSE)
    assert len(doors.connection_limits._places) == PLACES_KNOWN
    await asyncio.sleep(PENALTY_MOST)
    doors.enter(place(1 << 20))
    assert len(doors.connection_limits._places) <= 2


@in_virtual_time
async def test_entries_leave_nothing_behind() -> None:
    """However often it is said that one has gone."""
    doors = Doors()
    for _ in range(5):
        entry = doors.enter()
        entry.know()
        entry.leave()
        entry.leave()
    assert not doors.connection_limits.entries
    assert not doors.connection_limits.strangers
