"""Several keys, one person: linked by a code typed on the other device, listed, unlinked, and nothing else."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import asyncssh
import pytest

from engine.errors import InputError
from server.config import Config
from server.limits import WRONG_GUESSES
from server.linking import LINK_SECONDS, LINKS_PER_ACCOUNT, Links
from server.lobby.lobby import Lobby
from server.people.accounts import Accounts
from server.storage.database import NotSaved
from server.storage.sqlite_database import MemoryDatabase
from tests.support.clock import StillClock
from tests.support.log_entries import texts_of
from tests.support.people import Person, RunningServer, running_server, said_to

LAPTOP, PHONE, THIRD = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(3))


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server."""
    async with running_server(tmp_path) as running:
        yield running


async def link_code(person: Person) -> str:
    """The link code that a player is told."""
    await said_to(person, "link", "makes another key yours")
    found = re.search(r"type: link (\S+)", person.text)
    assert found
    return found[1]


async def link(server: RunningServer, one: asyncssh.SSHKey, other: asyncssh.SSHKey) -> None:
    """Link the other key to the account of the first one."""
    async with server.person("ana", key=one, term=None) as ana:
        code = await link_code(ana)
        async with server.person("bo", key=other, term=None) as bo:
            await said_to(bo, f"link {code}", "with this key, too: same name, settings, seats and results.")
            await ana.until("You have come in from another terminal")


async def test_two_keys_are_one_person(tmp_path: Path) -> None:
    """Same name, settings and seats with either key, also after a restart. `who` shows the key that was proved."""
    store = MemoryDatabase()
    async with running_server(tmp_path, store, keep_place=60) as server:
        async with server.person("ana", key=LAPTOP, term=None) as ana:
            await said_to(ana, "set cards suits", "Set: cards suits.")
            await said_to(ana, "play", "New game: Quatch")
            code = await link_code(ana)
        async with server.person("bo", key=PHONE, term=None) as bo:
            await said_to(bo, f"link {code}", "You are ana with this key, too")
            await bo.until("Your hand")
            await said_to(bo, "set", "cards suits: ")
            await said_to(bo, "keys", f"{PHONE.get_fingerprint()} (you use this one now)")
            assert LAPTOP.get_fingerprint() in bo.text
        status, told = await server.run("who --json", PHONE)
        assert status == 0
        assert f'"you": {{"name": "ana", "identity": "{PHONE.get_fingerprint()}"}}' in told
    async with running_server(tmp_path, store) as server, server.person("x", key=PHONE, term=None) as again:
        await said_to(again, "where", "Your hand")
        await said_to(again, "who", "1 here: ana (table 1).")


async def test_a_key_that_is_unlinked_is_its_own_again(server: RunningServer) -> None:
    """With the name it had before."""
    async with server.person("bo", key=PHONE, term=None) as bo:
        await said_to(bo, "name bob", "You are bob.")
    await link(server, LAPTOP, PHONE)
    async with server.person("x", key=PHONE, term=None) as ana:
        await said_to(ana, "who", "1 here: ana (lobby).")
        await said_to(ana, f"unlink {PHONE.get_fingerprint()}", "This key is no longer linked: you are bob.")
    async with server.person("x", key=LAPTOP, term=None) as ana:
        await said_to(ana, "keys", "(you use this one now)")
        assert PHONE.get_fingerprint() not in ana.text


async def test_the_first_key_can_be_unlinked_as_any(server: RunningServer) -> None:
    """The key of a stolen laptop is a new player's, and the account goes on with the phone. It can be linked again."""
    await link(server, LAPTOP, PHONE)
    async with server.person("x", key=PHONE, term=None) as ana:
        await said_to(ana, f"unlink {LAPTOP.get_fingerprint()}", "is no longer yours")
        await said_to(ana, f"unlink {PHONE.get_fingerprint()}", "That is your only key")
        async with server.person("x", key=LAPTOP, term=None) as thief:
            await said_to(thief, "who", "ana (lobby), x (lobby)")
            await said_to(thief, f"link {await link_code(ana)}", "You are ana with this key, too")
            await said_to(thief, "keys", LAPTOP.get_fingerprint() + " (you use this one now)")


async def test_an_unlinked_first_key_has_another_account(server: RunningServer) -> None:
    """A thief who links it to an account of their own and unlinks it there does not get the old account."""
    await link(server, LAPTOP, PHONE)
    async with server.person("x", key=PHONE, term=None) as ana:
        await said_to(ana, f"unlink {LAPTOP.get_fingerprint()}", "is no longer yours")
        other = asyncssh.generate_private_key("ssh-ed25519")
        async with server.person("eve", key=other, term=None) as eve:
            code = await link_code(eve)
            async with server.person("x", key=LAPTOP, term=None) as thief:
                await said_to(thief, f"link {code}", "You are eve with this key, too")
        async with server.person("eve", key=other, term=None) as eve:
            await said_to(eve, f"unlink {LAPTOP.get_fingerprint()}", "is no longer yours")
        async with server.person("x", key=LAPTOP, term=None) as thief:
            await said_to(thief, "who", "ana (lobby), x (lobby)")


async def test_guests_have_nothing_to_link(server: RunningServer) -> None:
    """They are told so in one line, whatever they type."""
    async with server.person("ana", term=None) as guest:
        for line in ("link", "link abcd-efgh", "keys", "unlink SHA256:x"):
            await said_to(guest, line, "You came in without an ssh key")


async def test_a_seat_must_be_left_before_linking(server: RunningServer) -> None:
    """A player is at one table only: during a game the code is refused, and it is still good afterwards."""
    async with server.person("ana", key=LAPTOP, term=None) as ana, server.person("bo", key=PHONE, term=None) as bo:
        code = await link_code(ana)
        await said_to(bo, "play", "New game: Quatch")
        await said_to(bo, f"link {code}", "You are at table 1: type leave first")
        await said_to(bo, "leave", "You are in the lobby.")
        await said_to(ana, f"link {code}", "This key is yours already")
        await said_to(bo, f"link {code}", "You are ana with this key, too")


async def test_link_codes_cannot_be_guessed_at_will(server: RunningServer) -> None:
    """A few wrong ones, then one has to wait; the right one, too."""
    async with server.person("ana", key=LAPTOP, term=None) as ana, server.person("eve", key=PHONE, term=None) as eve:
        code = await link_code(ana)
        for n in range(int(WRONG_GUESSES.share.burst)):
            await said_to(eve, f"link abcd-efg{n}", "That code links nothing")
        await said_to(eve, f"link {code}", "There were too many wrong words or codes: wait a minute")


@pytest.fixture
def clock() -> StillClock:
    """The clock of the accounts."""
    return StillClock()


@pytest.fixture
async def store() -> MemoryDatabase:
    """A log with two accounts, `a` and `c`, of the keys A and C."""
    log = MemoryDatabase()
    for key in "AC":
        await Accounts(log).add_account(key.lower(), key, 0)
    return log


@pytest.fixture
def links(store: MemoryDatabase, clock: StillClock) -> Links:
    """Links with a clock of their own."""
    return Links(Lobby(Config(), store, wall=clock))


async def test_a_code_holds_once_and_not_for_long(links: Links, clock: StillClock) -> None:
    """And the newest of an account alone."""
    first, code = await links.new_code("a"), await links.new_code("a")
    with pytest.raises(InputError, match="that code links nothing"):
        await links.link("B", first)
    assert await links.link("B", code.upper()) == "a"
    with pytest.raises(InputError, match="that code links nothing"):
        await links.link("C", code)
    late = await links.new_code("a")
    clock.now += LINK_SECONDS + 1
    with pytest.raises(InputError, match="that code links nothing"):
        await links.link("C", late)
    assert [*await links.accounts.keys_of("a")] == ["A", "B"]


async def test_links_make_no_chains(links: Links) -> None:
    """A key is one account's; an account with several keys is no key of another."""
    await links.link("B", await links.new_code("a"))
    with pytest.raises(InputError, match="linked already: type unlink B first"):
        await links.link("B", await links.new_code("c"))
    with pytest.raises(InputError, match="other keys are linked to this one"):
        await links.link("A", await links.new_code("c"))
    for n in range(LINKS_PER_ACCOUNT.share - 2):
        await links.link(f"D{n}", await links.new_code("a"))
    with pytest.raises(InputError, match="8 keys are linked already"):
        await links.new_code("a")
    with pytest.raises(InputError, match="no key of yours"):
        await links.unlink("a", "C")


async def test_no_key_is_linked_while_links_cannot_be_read(links: Links, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that other keys are linked to would belong to two accounts, and an account could have too many keys."""
    await links.link("B", await links.new_code("a"))
    code = await links.new_code("c")

    async def unreadable(*_: object) -> dict[str, str]:
        raise NotSaved("the disk does not answer")

    monkeypatch.setattr(Accounts, "keys_of", unreadable)
    with pytest.raises(NotSaved):
        await links.link("A", code)
    with pytest.raises(NotSaved):
        await links.new_code("a")
    assert await links.accounts.of("A") == "a"


async def test_links_are_kept_and_codes_forgotten(store: MemoryDatabase, links: Links) -> None:
    """The log holds no code, only its hash, and none that was used."""
    code = await links.new_code("a")
    assert code not in str(await texts_of(store, "link"))
    await links.link("B", code)
    assert not await texts_of(store, "link")
    again = Accounts(store)
    assert [await again.of(key) for key in ("A", "B", "C", "D", None)] == ["a", "a", "c", None, None]
