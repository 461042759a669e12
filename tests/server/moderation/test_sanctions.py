"""Imposing and lifting bans: what is typed, that there is room, and that what is not saved is none."""

from dataclasses import replace

import pytest

from engine.errors import InputError
from server.addresses import AddressSet
from server.limits import SANCTIONS
from server.moderation.moderation import impose, lift, read_duration
from server.people.sanctions import Sanction, Sanctions
from server.storage.database import NotSaved
from server.storage.sqlite_database import MemoryDatabase
from tests.support.clock import StillClock
from tests.support.each import for_each
from tests.support.log_entries import texts_of


def bans(store: MemoryDatabase) -> Sanctions:
    """The bans of a log."""
    return Sanctions(store, "ban", AddressSet(()), StillClock())


@for_each(
    ("typed", "seconds"),
    [
        ("30m", 1800),
        ("for 30m", 1800),
        ("2h", 7200),
        ("7d", 604_800),
        ("1w", 604_800),
        ("45s", 45),
        ("2 hours", 7200),
        ("for 30 min", 1800),
        ("for ten minutes", 600),
        ("for an hour", 3600),
        ("half an hour", 1800),
        ("", None),
        ("for ever", None),
    ],
)
def test_a_duration_is_read(typed: str, seconds: float | None) -> None:
    """Nothing is for ever."""
    assert read_duration(typed) == seconds


@for_each("typed", ["0m", "m", "5", "-5m", "99999h", "2h30m", "for a while", "2 months", "5 dins", "1 mays", "٣m"])
def test_a_duration_that_is_none_says_what_one_is(typed: str) -> None:
    """In one line."""
    with pytest.raises(InputError, match="Type 30m, 2h, 7d, or for ever"):
        read_duration(typed)


async def test_what_is_over_makes_room() -> None:
    """Their number is limited. One that cannot be kept is refused."""
    store, clock = MemoryDatabase(), StillClock()
    banned = Sanctions(store, "ban", AddressSet(()), clock, replace(SANCTIONS, share=3))
    for n in range(3):
        await impose(banned, 60, Sanction(f"SHA256:{n}", "", None, "SHA256:op"))
    with pytest.raises(InputError, match="there are 3 of them already"):
        await impose(banned, 60, Sanction("SHA256:eve", "", None, "SHA256:op"))
    clock.now += 61
    await impose(banned, 60, Sanction("SHA256:eve", "", None, "SHA256:op"))
    assert list(await texts_of(store, "ban")) == ["SHA256:eve"]


async def test_what_others_have_said_is_in_force_though_ones_own_word_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read on the way; nothing else tells of it later."""
    store = MemoryDatabase()
    here, there = bans(store), bans(store)
    for name in ("ana", "bo"):
        await impose(here, 60, Sanction(f"SHA256:{name}", "troll", None, "SHA256:op"))
    await impose(there, 60, Sanction("SHA256:eve", "eve", None, "SHA256:op"))
    keep = store.put_text

    async def fill(kind: str, key: str, value: str | None) -> None:
        if key == "SHA256:bo":
            raise NotSaved("the disk is full")
        await keep(kind, key, value)

    monkeypatch.setattr(store, "put_text", fill)
    with pytest.raises(InputError, match="the disk is full"):
        await lift(here, "troll")
    assert {one.target for one in here.all()} == {"SHA256:bo", "SHA256:eve"}


async def test_only_what_was_named_is_taken_back() -> None:
    """A ban by address has no name, and no word is one."""
    banned = bans(MemoryDatabase())
    await impose(banned, None, Sanction("192.0.2.7/32", "", None, "SHA256:op"))
    await impose(banned, None, Sanction("SHA256:eve", "eve", None, "SHA256:op"))
    assert await lift(banned, "?") == []
    assert [one.name for one in await lift(banned, "Eve")] == ["eve"]
    assert [one.target for one in banned.all()] == ["192.0.2.7/32"]
