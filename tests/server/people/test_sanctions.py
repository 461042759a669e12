"""Bans and mutes by themselves: what they are against, how long they last, and that they are kept."""

from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path

import pytest

from engine.errors import InputError
from server.addresses import AddressSet, read_network
from server.limits import SANCTIONS
from server.people.sanctions import Sanctions
from server.storage.database import NotSaved
from server.storage.sqlite_database import MemoryDatabase, SqliteDatabase
from tests.support.clock import StillClock
from tests.support.each import for_each
from tests.support.ops import against


@for_each(
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
    return Sanctions(store, "ban", AddressSet(spared), clock or StillClock(), replace(SANCTIONS, share=most))


async def test_sanctions_are_against_their_key_or_address_only() -> None:
    """Until their time is up, and never against a spared address."""
    clock = StillClock()
    bans = sanctions(MemoryDatabase(), ("192.0.2.1",), clock)
    await bans.put(against("SHA256:eve", clock.now + 60) | against("192.0.2.0/24"))
    assert bans.on(("SHA256:eve",), None)
    assert not bans.on(("SHA256:ana", None), ip_address("198.51.100.1"))
    assert bans.on((), ip_address("192.0.2.200"))
    assert not bans.on((), ip_address("192.0.2.1"))
    clock.now += 61
    assert not bans.on(("SHA256:eve",), None)
    assert [ban.target for ban in bans.all()] == ["192.0.2.0/24"]
    await bans.put({"192.0.2.0/24": None})
    assert not bans.on((), ip_address("192.0.2.200"))


async def test_they_last_and_others_hear_of_them(tmp_path: Path) -> None:
    """In the file, and in another process that shares it as soon as it looks."""
    mine, theirs = SqliteDatabase(tmp_path / "log"), SqliteDatabase(tmp_path / "log")
    await mine.open()
    await theirs.open()
    here, there = sanctions(mine), sanctions(theirs)
    await here.put(against("SHA256:eve"))
    await there.load()
    assert there.changed.is_set()
    there.changed.clear()
    await there.load()
    assert not there.changed.is_set()
    assert there.on(("SHA256:eve",), None) == here.on(("SHA256:eve",), None)
    await there.put({"SHA256:eve": None})
    await here.load()
    assert not here.all()
    await mine.close()
    await theirs.close()


async def test_a_ban_that_is_not_saved_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The op is told."""
    store = MemoryDatabase()
    bans = sanctions(store)

    async def full(*_: object) -> None:
        raise NotSaved("the disk is full")

    monkeypatch.setattr(store, "put_text", full)
    with pytest.raises(InputError, match="the disk is full"):
        await bans.put(against("SHA256:eve"))
    assert not bans.on(("SHA256:eve",), None)


@for_each(
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
