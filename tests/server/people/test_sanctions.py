"""Bans and mutes by themselves: what is typed, what they are against, how long they last, and that they are kept."""

from ipaddress import ip_address
from pathlib import Path

import pytest

from engine.errors import InputError
from server.addresses import AddressSet, read_network
from server.people.sanctions import Sanctions, read_duration
from server.storage.database import NotSaved
from server.storage.memory_database import MemoryDatabase
from server.storage.sqlite_database import SqliteDatabase
from tests.support.clock import StillClock
from tests.support.log_entries import texts_of


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [("30m", 1800), ("2h", 7200), ("7d", 604_800), ("1w", 604_800), ("45s", 45), ("", None), ("for ever", None)],
)
def test_a_duration_is_read(typed: str, seconds: float | None) -> None:
    """Nothing is for ever."""
    assert read_duration(typed) == seconds


@pytest.mark.parametrize("typed", ["0m", "m", "5", "-5m", "99999h", "2h30m", "for a while", "٣m"])
def test_a_duration_that_is_none_says_what_one_is(typed: str) -> None:
    """In one line."""
    with pytest.raises(InputError, match="Type 30m, 2h, 7d, or for ever"):
        read_duration(typed)


@pytest.mark.parametrize(
    ("typed", "network"),
    [
        ("192.0.2.7", "192.0.2.7/32"),
        ("192.0.2.7/24", "192.0.2.0/24"),
        ("2a02:db8:1:2:3::4", "2a02:db8:1:2::/64"),
        ("2a02:db8:1:2:3::4/128", "2a02:db8:1:2:3::4/128"),
        ("fd00::7", "fd00::7/128"),
        ("ana", "None"),
        ("10", "None"),
    ],
)
def test_an_address_stands_for_its_place(typed: str, network: str) -> None:
    """Of IPv6 a customer's 64 bits, on a private network one machine."""
    assert str(read_network(typed)) == network


def sanctions(
    store: MemoryDatabase | SqliteDatabase,
    spared: tuple[str, ...] = (),
    clock: StillClock | None = None,
    most: int = 100,
) -> Sanctions:
    """Bans with a clock of their own."""
    return Sanctions(store, "ban", AddressSet(spared), clock or StillClock(), most)


async def test_sanctions_are_against_their_key_or_address_only() -> None:
    """Until their time is up, and never against a spared address."""
    clock = StillClock()
    bans = sanctions(MemoryDatabase(), ("192.0.2.1",), clock)
    await bans.impose("SHA256:eve", "eve", 60, "SHA256:op")
    await bans.impose("192.0.2.0/24", "", None, "SHA256:op")
    assert bans.on(("SHA256:eve",), None)
    assert not bans.on(("SHA256:ana", None), ip_address("198.51.100.1"))
    assert bans.on((), ip_address("192.0.2.200"))
    assert not bans.on((), ip_address("192.0.2.1"))
    clock.now += 61
    assert not bans.on(("SHA256:eve",), None)
    assert [ban.target for ban in bans.all()] == ["192.0.2.0/24"]
    assert await bans.lift("eve") == []
    assert [ban.target for ban in await bans.lift("192.0.2.0/24")] == ["192.0.2.0/24"]
    assert not bans.on((), ip_address("192.0.2.200"))


async def test_they_last_and_others_hear_of_them(tmp_path: Path) -> None:
    """In the file, and in another process that shares it as soon as it looks."""
    mine, theirs = SqliteDatabase(tmp_path / "log"), SqliteDatabase(tmp_path / "log")
    await mine.open()
    await theirs.open()
    here, there = sanctions(mine), sanctions(theirs)
    await here.impose("SHA256:eve", "eve", 60, "SHA256:op")
    await there.load()
    assert there.changed.is_set()
    there.changed.clear()
    await there.load()
    assert not there.changed.is_set()
    assert there.on(("SHA256:eve",), None) == here.on(("SHA256:eve",), None)
    await there.lift("Eve")
    await here.load()
    assert not here.all()
    await mine.close()
    await theirs.close()


async def test_what_is_over_makes_room() -> None:
    """Their number is limited. One that cannot be kept is refused."""
    store, clock = MemoryDatabase(), StillClock()
    bans = sanctions(store, clock=clock, most=3)
    for n in range(3):
        await bans.impose(f"SHA256:{n}", "", 60, "SHA256:op")
    with pytest.raises(InputError, match="take some of them back first"):
        await bans.impose("SHA256:eve", "", 60, "SHA256:op")
    clock.now += 61
    await bans.impose("SHA256:eve", "", 60, "SHA256:op")
    assert list(await texts_of(store, "ban")) == ["SHA256:eve"]


async def test_a_ban_that_is_not_saved_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The op is told."""
    store = MemoryDatabase()
    bans = sanctions(store)

    async def full(*_: object) -> None:
        raise NotSaved("the disk is full")

    monkeypatch.setattr(store, "put_text", full)
    with pytest.raises(InputError, match="the disk is full"):
        await bans.impose("SHA256:eve", "", None, "SHA256:op")
    assert not bans.on(("SHA256:eve",), None)


async def test_what_others_have_said_is_in_force_though_ones_own_word_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read on the way; nothing else tells of it later."""
    store = MemoryDatabase()
    here, there = sanctions(store), sanctions(store)
    for name in ("ana", "bo"):
        await here.impose(f"SHA256:{name}", "troll", 60, "SHA256:op")
    await there.impose("SHA256:eve", "eve", 60, "SHA256:op")
    keep = store.put_text

    async def fill(kind: str, key: str, value: str | None) -> None:
        if key == "SHA256:bo":
            raise NotSaved("the disk is full")
        await keep(kind, key, value)

    monkeypatch.setattr(store, "put_text", fill)
    with pytest.raises(InputError, match="the disk is full"):
        await here.lift("troll")
    assert {one.target for one in here.all()} == {"SHA256:bo", "SHA256:eve"}


async def test_only_what_was_named_is_taken_back() -> None:
    """A ban by address has no name, and no word is one."""
    bans = sanctions(MemoryDatabase())
    await bans.impose("192.0.2.7/32", "", None, "SHA256:op")
    await bans.impose("SHA256:eve", "eve", None, "SHA256:op")
    assert await bans.lift("?") == []
    assert [one.name for one in await bans.lift("Eve")] == ["eve"]
    assert [one.target for one in bans.all()] == ["192.0.2.7/32"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"v": 2, "target": "SHA256:ana"}', "written by a newer version of this program"),
        (
            '{"v": 1, "target": "SHA256:ana", "name": "ana", "until": "noon", "by": ""}',
            "until: expected a number or null",
        ),
        ('{"v": 1, "target": "SHA256:ana", "name": "ana", "until": null}', "by: is missing"),
        ("x", "JSON is malformed"),
    ],
)
async def test_a_ban_that_cannot_be_read_stops_the_start(text: str, told: str) -> None:
    """In one line that says which it is: a ban must not be lifted by a mistake."""
    store = MemoryDatabase()
    await store.put_text("ban", "SHA256:ana", text)
    with pytest.raises(NotSaved, match=f"^the ban of SHA256:ana: {told}"):
        await sanctions(store).load()
