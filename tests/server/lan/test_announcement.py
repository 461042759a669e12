"""What servers announce, and what is left of it when anybody may have announced it."""

from ipaddress import IPv4Network

import pytest

from server.lan.announcement import LISTED, Announcement, FoundServer, host_of, read_announcement
from tests.server.lan.machine import KEY

PLAIN = Announcement("Ana's night", "hal", 2222, KEY, "0.1.0", people=2, who=("Ana", "Bo"), rules=("life", "quatch"))


def texts(announcement: Announcement) -> dict[bytes, bytes | None]:
    """As the network brings them."""
    return {key.encode(): value.encode() for key, value in announcement.texts().items()}


def read(announcement: Announcement) -> FoundServer | None:
    """What a guest reads of a server at one address."""
    return read_announcement(announcement.instance, announcement.port, ["192.168.1.23"], texts(announcement))


def test_a_guest_reads_what_a_server_tells() -> None:
    """All of it."""
    assert read(PLAIN) == FoundServer(
        PLAIN.instance, "192.168.1.23", 2222, 2, ("Ana", "Bo"), ("life", "quatch"), "open", "0.1.0", KEY
    )


def test_a_server_keeps_its_name_and_two_servers_differ() -> None:
    """After a crash the next start takes the place of what the network remembers."""
    assert PLAIN.instance == Announcement("Ana's night", "hal", 2222, KEY, "0.2.0", people=7).instance
    assert PLAIN.instance.startswith("Ana's night (")
    others = [Announcement("Ana's night", *rest, KEY, "0.1.0") for rest in (("hal", 2223), ("eve", 2222))]
    instances = {each.instance for each in (PLAIN, *others)}
    assert len(instances) == len({host_of(instance) for instance in instances}) == 3


def test_long_and_odd_texts_of_a_host_fit_into_an_announcement() -> None:
    """A name into 63 bytes and without a dot, each text into 255 bytes, and no letter is cut in two."""
    odd = Announcement("v1.2 \x1b[31m" + "ä" * 90, "hal", 1, KEY, "0.1.0", who=("Ö" * 20,) * 200, rules=("r" * 300,))
    assert len(odd.instance.encode()) <= 63
    assert odd.instance.startswith("v1 2 ää")
    assert all(len(f"{key}={value}".encode()) <= 255 for key, value in odd.texts().items())
    found = read(odd)
    assert found is not None
    assert set(found.who) == {"Ö" * 20}
    assert found.rules == ()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("-oProxyCommand=x", "-oProxyCommand=x"),
        ("\x1b[2Jgone\x07", "gone"),
        ("a\nb", "a b"),
        ("\u202eevil", "evil"),
        ("x" * 500, "x" * 63),
    ],
)
def test_a_name_can_do_nothing_to_a_terminal(name: str, shown: str) -> None:
    """It is text in one line. That it looks like an option does no harm: no command has it."""
    found = read_announcement(name, 22, ["10.0.0.1"], {})
    assert found is not None
    assert found.name == shown


def test_what_makes_no_sense_is_left_out() -> None:
    """A forged or damaged text says nothing; the rest counts."""
    forged = {
        b"people": b"-1e9",
        b"who": b"\x1b]52;c;x\x07" + b"a," * 5000,
        b"rules": None,
        b"st": b"on fire",
        b"key": b"SHA256:short",
        b"v": b"9" * 900,
        b"\xff": b"\xff" * 900,
    }
    found = read_announcement("x", 22, ["10.0.0.1"], forged)
    assert found is not None
    assert (found.people, found.rules, found.state, found.fingerprint) == (0, (), "", "")
    assert len(found.who) <= LISTED
    assert all(name == "a" for name in found.who)
    assert len(found.version) == 20


@pytest.mark.parametrize(
    ("port", "addresses"),
    [
        (0, ["10.0.0.1"]),
        (65536, ["10.0.0.1"]),
        (22, []),
        (22, ["-oProxyCommand=x", "cards.example", "224.0.0.1", "255.255.255.255", "0.0.0.0", "fe80::1"]),  # noqa: S104
    ],
)
def test_a_server_without_a_usable_address_is_none(port: int, addresses: list[str]) -> None:
    """Only an IPv4 address of one machine, and a port, ever reach ssh."""
    assert read_announcement("x", port, addresses, {}) is None


def test_an_address_in_a_network_of_this_machine_is_preferred() -> None:
    """The others may not be reached from here."""
    near = [IPv4Network("10.0.0.0/8")]
    for addresses in (["172.17.0.1", "10.0.0.1"], ["10.0.0.1", "172.17.0.1"]):
        found = read_announcement("x", 22, addresses, {}, near)
        assert found is not None
        assert found.address == "10.0.0.1"
