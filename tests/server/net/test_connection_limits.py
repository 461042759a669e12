"""Limits on connections: counts, rates and penalties, on a clock that jumps."""

import asyncio

import pytest

from server.addresses import SHARES, read_address, share_of
from server.limits import (
    ADDRESSES_REMEMBERED,
    CONNECTIONS,
    LEAST_CONNECTION_BURST,
    PENALTY_ABUSE,
    PENALTY_LONGEST,
    PENALTY_NO_LOGIN,
    STRANGERS,
)
from server.net.connection_limits import ConnectionDenied
from tests.support.each import for_each
from tests.support.limits import Limits, nth_address

pytestmark = pytest.mark.virtual_time


async def test_one_more_unauthenticated_connection_evicts_the_oldest() -> None:
    """Newcomers are served though all others are silent; a connection that has logged in is never evicted."""
    limits = Limits()
    known = limits.admit(nth_address(0))
    known.mark_authenticated()
    for n in range(1, STRANGERS.share + 11):
        limits.admit(nth_address(n))
    assert limits.cut == list(range(2, 12))
    assert len(limits.connection_limits.unauthenticated) == STRANGERS.share
    assert known in limits.connection_limits.connections


async def test_of_several_processes_each_takes_its_part() -> None:
    """All together take as many connections without a login, and as many a second from one address, as one would."""
    limits, address = Limits(processes=4), nth_address(0)
    for n in range(1, STRANGERS.share):
        limits.admit(nth_address(n))
    assert len(limits.connection_limits.unauthenticated) == STRANGERS.share / 4
    for _ in range(int(max(CONNECTIONS.share.burst / 4, LEAST_CONNECTION_BURST))):
        limits.admit(address).release()
    with pytest.raises(ConnectionDenied, match="too many connections from your address: come again in 8 seconds"):
        limits.admit(address)


async def test_connections_without_a_login_make_room_for_others_from_their_address() -> None:
    """One more than an address may have closes the oldest of them, and none from another address."""
    limits = Limits(per_address=10)
    limits.admit(nth_address(1))
    for _ in range(12):
        limits.admit()
    assert limits.cut == [2, 3]


async def test_a_room_behind_one_router_comes_in_together() -> None:
    """As many as may be in from one address, though none has logged in yet when the last one connects."""
    limits = Limits(per_address=40)
    for _ in range(40):
        limits.admit()
    assert not limits.cut


async def test_one_address_has_so_many_connections() -> None:
    """Also if all have logged in. A connection that ends makes room."""
    limits = Limits(per_address=3)
    entries = [limits.admit() for _ in range(3)]
    for entry in entries:
        entry.mark_authenticated()
    with pytest.raises(ConnectionDenied, match="your address has 3 connections already, which is the limit"):
        limits.admit()
    limits.admit(nth_address(1))
    entries[0].release()
    limits.admit()
    assert not limits.cut


async def test_an_address_may_connect_so_often_and_is_told_when_again() -> None:
    """A burst, then one every two seconds; waiting as told is enough."""
    limits = Limits()
    for _ in range(int(CONNECTIONS.share.burst)):
        limits.admit().release()
    with pytest.raises(ConnectionDenied, match="come again in 2 seconds"):
        limits.admit()
    await asyncio.sleep(2)
    limits.admit().release()
    limits.admit(nth_address(1))


async def test_penalties_add_up_are_told_and_end() -> None:
    """A few are not felt, the worst is over in ten minutes."""
    limits = Limits()
    entry = limits.admit()
    for _ in range(3):
        entry.penalise(PENALTY_NO_LOGIN)
    limits.admit().release()
    entry.penalise(PENALTY_NO_LOGIN)
    with pytest.raises(ConnectionDenied, match="too much trouble from your address: come again in 20 seconds"):
        limits.admit()
    limits.admit(nth_address(1))
    await asyncio.sleep(20)
    limits.admit().release()
    for _ in range(1_000):
        entry.penalise(PENALTY_ABUSE)
    await asyncio.sleep(PENALTY_LONGEST)
    limits.admit()


async def test_a_server_full_of_players_refuses_the_next() -> None:
    """Strangers make room, players do not."""
    limits = Limits(connections=5)
    for n in range(4):
        limits.admit(nth_address(n)).mark_authenticated()
    limits.admit(nth_address(5))
    limits.admit(nth_address(6)).mark_authenticated()
    assert limits.cut == [5]
    with pytest.raises(ConnectionDenied, match="the server is full"):
        limits.admit(nth_address(7))


async def test_of_a_server_full_of_players_the_address_with_most_gives_one_to_a_newcomer() -> None:
    """Its newest one, not to an address that has some, and never the only one of an address."""
    limits = Limits(connections=4)
    for n in (1, 1, 1, 2):
        limits.admit(nth_address(n)).mark_authenticated()
    for n in (1, 2):
        with pytest.raises(ConnectionDenied, match="the server is full"):
            limits.admit(nth_address(n))
    for n in (3, 4):
        limits.admit(nth_address(n)).mark_authenticated()
    assert limits.cut == [3, 2]
    with pytest.raises(ConnectionDenied, match="the server is full"):
        limits.admit(nth_address(5))


async def test_an_address_that_is_exempt_has_no_limit_of_its_own() -> None:
    """Only the limit of the whole server holds for this machine and for a proxy without headers."""
    limits = Limits(connections=200, exempt=("192.0.2.0/24",))
    entries = [limits.admit() for _ in range(200)]
    for entry in entries:
        entry.penalise(PENALTY_LONGEST)
    with pytest.raises(ConnectionDenied, match="full"):
        limits.admit()
    entries[0].release()
    limits.admit()
    assert not limits.cut


async def test_each_exempt_connection_has_a_share_of_its_own() -> None:
    """Behind a proxy without headers come many addresses; connections from one other address share its time."""
    limits = Limits(exempt=("192.0.2.0/24",))
    one, other = limits.admit(), limits.admit()
    assert one.group is not other.group
    assert limits.admit(nth_address(1)).group is limits.admit(nth_address(1)).group


@for_each(
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
def test_what_counts_as_one_address(one: str, other: str, *, same: bool) -> None:
    """A customer's IPv6 network counts as one address; each machine of a private network has its own."""
    assert (share_of(read_address(one)) == share_of(read_address(other))) is same


def test_a_wide_network_has_four_shares_however_many_addresses_it_has() -> None:
    """Many customers have a /56 or a /48, and with it 256 or 65,536 networks of 64 bits."""
    for width in (256, 65_536):
        assert (
            len({share_of(read_address(f"2a00:1450:1:{n:x}::1")) for n in range(0, width, (width >> 8) | 1)}) == SHARES
        )
    assert share_of(read_address("2a00:1450:1::1")) != share_of(read_address("2a00:1450:2::1"))


async def test_only_so_many_addresses_are_remembered() -> None:
    """Those without faults are forgotten first; a flood of faults from everywhere is bounded, too."""
    limits = Limits()
    for n in range(ADDRESSES_REMEMBERED + 50):
        entry = limits.admit(nth_address(n))
        entry.release()
        entry.penalise(PENALTY_ABUSE)
    assert len(limits.connection_limits.records) == ADDRESSES_REMEMBERED
    await asyncio.sleep(PENALTY_LONGEST)
    limits.admit(nth_address(1 << 20))
    assert len(limits.connection_limits.records) <= 2


async def test_entries_leave_nothing_behind() -> None:
    """However often it is said that one has gone."""
    limits = Limits()
    for _ in range(5):
        entry = limits.admit()
        entry.mark_authenticated()
        entry.release()
        entry.release()
    assert not limits.connection_limits.connections
    assert not limits.connection_limits.unauthenticated
