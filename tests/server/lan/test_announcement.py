"""What servers announce, and what is left of it when anybody may have announced it."""

from ipaddress import IPv4Network

from msgspec.structs import asdict

from server.lan.announcement import LISTED, Announcement, FoundServer, host_of, name_of, read_announcement
from tests.server.lan.machine import KEY
from tests.support.each import for_each

NEAR = [IPv4Network("192.168.1.0/24"), IPv4Network("10.0.0.0/8")]
KEYS: dict[bytes, bytes | None] = {b"key": KEY.encode()}
PLAIN = Announcement("Ana's night (1a2b)", 2222, KEY, "0.1.0", people=2, who=("Ana", "Bo"), rules=("life", "quatch"))


def texts(announcement: Announcement) -> dict[bytes, bytes | None]:
    """As the network brings them."""
    return {key.encode(): value.encode() for key, value in announcement.texts().items()}


def read(announcement: Announcement) -> FoundServer | None:
    """What a guest reads of a server at one address."""
    return read_announcement(announcement.name, announcement.port, ["192.168.1.23"], texts(announcement), NEAR)


def test_a_guest_reads_what_a_server_tells() -> None:
    """All of it."""
    assert read(PLAIN) == FoundServer(**asdict(PLAIN), address="192.168.1.23")


def test_a_server_keeps_its_name_and_two_servers_differ() -> None:
    """After a crash the next start takes the place of what the network remembers."""
    names = [name_of("Ana's night", KEY, *rest) for rest in (("hal", 2222), ("hal", 2223), ("eve", 2222))]
    assert names[0] == "Ana's night (e68b)"
    assert len({*names}) == len({*map(host_of, names)}) == 3


def test_long_and_odd_texts_of_a_host_fit_into_an_announcement() -> None:
    """A name into 63 bytes and without a dot, each text into 255 bytes, and no letter is cut in two."""
    name = name_of("v1.2 \x1b[31m" + "ä" * 90, KEY, "hal", 1)
    odd = Announcement(name, 1, KEY, "0.1.0", who=("Ö" * 20,) * 200, rules=("r" * 300,))
    assert len(name.encode()) <= 63
    assert name.startswith("v1 2 ää")
    assert all(len(f"{key}={value}".encode()) <= 255 for key, value in odd.texts().items())
    found = read(odd)
    assert found is not None
    assert set(found.who) == {"Ö" * 20}
    assert found.rules == ()


@for_each(
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
    found = read_announcement(name, 2222, ["10.0.0.1"], KEYS, NEAR)
    assert found is not None
    assert found.name == shown


def test_what_makes_no_sense_is_left_out() -> None:
    """A forged or damaged text says nothing; the rest counts."""
    forged = {
        b"people": b"-1e9",
        b"who": b"\x1b]52;c;x\x07" + b"a," * 5000,
        b"rules": None,
        b"st": b"on fire",
        **KEYS,
        b"v": b"9" * 900,
        b"\xff": b"\xff" * 900,
    }
    found = read_announcement("x", 2222, ["10.0.0.1"], forged, NEAR)
    assert found is not None
    assert (found.people, found.rules, found.state) == (0, (), "")
    assert len(found.who) <= LISTED
    assert all(name == "a" for name in found.who)
    assert len(found.version) == 20


@for_each(
    ("port", "addresses", "key"),
    [
        (0, ["10.0.0.1"], KEY),
        (65536, ["10.0.0.1"], KEY),
        (22, ["10.0.0.1"], KEY),
        (2222, [], KEY),
        (2222, ["-oProxyCommand=x", "cards.example", "224.0.0.1", "255.255.255.255", "0.0.0.0", "fe80::1"], KEY),  # noqa: S104
        (2222, ["198.51.100.7", "127.0.0.1", "192.168.2.1"], KEY),
        (2222, ["10.0.0.1"], "SHA256:short"),
    ],
)
def test_a_server_that_a_guest_could_not_mean_is_none(port: int, addresses: list[str], key: str) -> None:
    """Only an address of one machine in this network, a port that is not that of ssh, and a key ever reach ssh."""
    assert read_announcement("x", port, addresses, {b"key": key.encode()}, NEAR) is None


def test_an_address_in_another_network_is_passed_over() -> None:
    """It cannot be reached from here, or is somebody else's."""
    for addresses in (["172.17.0.1", "10.0.0.1"], ["10.0.0.1", "172.17.0.1"]):
        found = read_announcement("x", 2222, addresses, KEYS, NEAR)
        assert found is not None
        assert found.address == "10.0.0.1"
