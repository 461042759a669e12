"""When the addresses of a machine have changed, with a clock and addresses of our own."""

from server.lan.interfaces import Interface
from server.lan.local_network import POLL_SECONDS, Change, InterfaceWatch
from tests.server.lan.machine import CABLE, WIFI


class Machine:
    """A machine whose addresses are looked at every ten seconds."""

    def __init__(self, *found: Interface) -> None:
        self.now = 1e9
        self.watch = InterfaceWatch(self.now, found)

    def look(self, *found: Interface, after: float = POLL_SECONDS) -> Change:
        """Look so many seconds later, when it has these."""
        self.now += after
        return self.watch.look(self.now, found)


def test_a_new_address_counts_when_it_has_stayed() -> None:
    """At the second look; then nothing more changes."""
    machine = Machine(WIFI)
    assert machine.look(WIFI) is Change.NONE
    assert machine.look(WIFI, CABLE) is Change.NONE
    assert machine.watch.current == [WIFI]
    assert machine.look(WIFI, CABLE) is Change.ADDRESSES
    assert machine.watch.current == [WIFI, CABLE]
    assert machine.look(WIFI, CABLE) is Change.NONE


def test_an_address_that_flaps_changes_nothing() -> None:
    """Nor does one that is back at the second look."""
    machine = Machine(WIFI)
    for _ in range(20):
        assert machine.look() is Change.NONE
        assert machine.look(WIFI) is Change.NONE
    for _ in range(20):
        assert machine.look(CABLE) is Change.NONE
        assert machine.look(WIFI, CABLE) is Change.NONE
    assert machine.watch.current == [WIFI]


def test_after_a_sleep_the_first_address_counts_at_once() -> None:
    """The network may have forgotten this machine, even if its address is the same."""
    machine = Machine(WIFI)
    assert machine.look(WIFI, after=3600) is Change.WOKE
    assert machine.look(WIFI) is Change.NONE
    assert machine.look(CABLE, after=3600) is Change.WOKE
    assert machine.watch.current == [CABLE]


def test_after_a_sleep_the_network_may_come_late() -> None:
    """A laptop that wakes has no address for a while; that it has slept is not forgotten."""
    machine = Machine(WIFI)
    assert machine.look(after=3600) is Change.NONE
    assert machine.look(WIFI) is Change.WOKE
    assert machine.look(WIFI) is Change.NONE


def test_a_network_that_is_gone_counts_as_gone() -> None:
    """And comes back."""
    machine = Machine(WIFI)
    assert [machine.look(), machine.look(), machine.look()] == [Change.NONE, Change.ADDRESSES, Change.NONE]
    assert machine.watch.current == []
    assert [machine.look(WIFI), machine.look(WIFI)] == [Change.NONE, Change.ADDRESSES]
