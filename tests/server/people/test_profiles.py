"""What is kept of accounts: names and settings, how long, and what they cost when there are very many."""

import asyncio
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from server.addresses import Address, AddressSet, read_address
from server.config import Config
from server.ledger import Ledger
from server.limits import NEW_ACCOUNTS
from server.lobby.lobby import Lobby
from server.people.accounts import Accounts
from server.people.players import Caller, Player
from server.people.profiles import Profiles
from server.storage.database import NotSaved
from server.storage.sqlite_database import MemoryDatabase
from tests.support.accounts import kept, key_of, profiles_on, settings_of
from tests.support.clock import StillClock
from tests.support.log_entries import texts_of
from tests.support.people import running_server
from tests.support.tables import known_seeds
from tests.support.virtual_time import in_virtual_time


async def test_no_player_owns_the_default_name() -> None:
    """Nor one that looks like it."""
    book = profiles_on(MemoryDatabase(), StillClock())
    for number, name in enumerate(("guest", "GUEST2", "gu\u0435st3")):
        assert await book.claim_name(Player(f"account:{number}", name))
        assert await book.name_of(f"account:{number}") is None
        assert await book.is_free(name, "guest:new")


async def test_a_key_has_one_account() -> None:
    """Its id is random, and others who ask at the same time find the same one. A guest has none."""
    log = MemoryDatabase()
    ana, bo = Caller("ana", "SHA256:ana"), Caller("bo", "SHA256:bo")
    book, other = profiles_on(log, StillClock()), profiles_on(log, StillClock())
    assert (await book.account_of(Caller("ana"))).id == ""
    found = await asyncio.gather(*(each.account_of(ana) for each in (book, other, book)))
    assert len({account.id for account in found}) == await Accounts(log).count_accounts() == 1
    assert re.fullmatch(r"account:[0-9a-f]{16}", found[0].id)
    assert (await other.account_of(bo)).id != found[0].id


@in_virtual_time
async def test_the_keys_of_one_address_fill_no_book() -> None:
    """Past a number new ones are guests for a while; those that are kept, and other addresses, lose nothing."""
    log = MemoryDatabase()
    book = profiles_on(log, StillClock())
    flood, neighbour, spared = (read_address(f"{net}.7") for net in ("10.0.0", "10.0.1", "192.0.2"))

    async def account(name: str, address: Address | None) -> str:
        return (await book.account_of(Caller(key=f"SHA256:{name}", address=address))).id

    first = [await account(f"flood{number}", flood) for number in range(int(NEW_ACCOUNTS.share.burst) + 5)]
    assert len(await kept(log)) == NEW_ACCOUNTS.share.burst
    assert await account("flood3", flood) == first[3]
    assert not await account("late", flood)
    assert await account("ana", neighbour)
    assert await account("bo", spared)
    await asyncio.sleep(1 / NEW_ACCOUNTS.share.per_second)
    assert await account("late", flood)


async def test_what_a_newer_release_has_written_stays() -> None:
    """Settings that are unknown here, and whole texts of a newer form."""
    log, ana = MemoryDatabase(), key_of("ana")
    book = profiles_on(log, StillClock())
    await Accounts(log).keep_account(ana.id, 1, settings='{"v":1,"sound":"on"}')
    await book.remember_settings(ana, (await settings_of(log, ana)).changed("cards", "suits"))
    assert (await Accounts(log).account(ana.id)).settings == '{"v":1,"cards":"suits","sound":"on"}'
    newer = '{"v":2,"cards":["dice"]}'
    await Accounts(log).keep_account(ana.id, 1, settings=newer)
    await book.remember_settings(ana, (await settings_of(log, ana)).changed("cards", "suits"))
    assert (await Accounts(log).account(ana.id)).settings == newer


async def test_no_text_of_a_feature_is_kept_without_its_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be kept for ever."""
    log, clock = MemoryDatabase(), StillClock()
    book = Profiles(log, clock, Ledger((), AddressSet([]), AddressSet([])), ["habits"])
    ana = key_of("ana")

    async def fails(*_: object) -> None:
        raise NotSaved("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(book.accounts, "keep_account", fails)
        assert not await book.keep_text("habits", ana, "{}")
        assert not await texts_of(log, "habits")
    assert await book.keep_text("habits", ana, "{}")
    assert await texts_of(log, "habits") == {ana.id: "{}"}


async def test_a_name_that_many_wish_for_is_found_in_a_few_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many have a name with a number behind it."""
    log, asked = MemoryDatabase(), 0

    async def owners(looks: Iterable[str]) -> list[str]:
        nonlocal asked
        asked += 1
        (look,) = looks
        return ["account:other"] if len(look) < len("pablo") + 5 else []

    lobby = Lobby(Config(), log, new_seed=known_seeds())
    monkeypatch.setattr(lobby.profiles.accounts, "name_owners", owners)
    for player in range(200):
        await lobby.names.name_for(f"guest:{player}", "pablo", {})
    assert asked < 200 * 30


async def test_a_crowd_of_look_alikes_does_not_change_what_a_guest_is_called(tmp_path: Path) -> None:
    """A player without a name is a guest, whatever others have taken before, and each has a name of their own."""
    log = MemoryDatabase()
    for number in range(3_200):
        name = "guest" if number == 0 else f"gue\u0455t{number}"
        await Accounts(log).keep_account(f"account:{number}", 1, name=name)
    async with (
        running_server(tmp_path, log) as server,
        server.person("guest", term=None) as one,
        server.person("guest", term=None) as other,
    ):
        await one.until("Type tables")
        await other.until("Type tables")
        assert set(server.app.lobby.visitors.names()) == {"guest", "guest2"}
