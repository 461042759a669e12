"""What is known of people is the same at every server that shares the log: names, settings, linked keys."""

import asyncio

import pytest
from msgspec.structs import replace

from server.people.players import Caller, Player
from server.people.profiles import Profiles
from server.people.settings import Settings
from server.player.player_session import PlayerSession
from tests.support.front_end import Remembering
from tests.support.nodes import CONFIG, DEAF, lobbies, now
from tests.support.tables import table_settings

pytestmark = pytest.mark.virtual_time


async def test_names_and_settings_are_known_at_every_server() -> None:
    """At once. A name that is taken at one server is taken at all, and a name that was given up is free."""
    vesna = Player("SHA256:vesna", "vesna")
    async with lobbies(DEAF) as (_, (here, there)):
        await here.profiles.claim_name(vesna)
        await here.profiles.remember_settings(vesna, Settings(cards="suits"))
        assert await there.profiles.owner("VESN\u0410") == vesna.id
        assert Settings.from_json((await there.store.account(vesna.id)).settings) == Settings(cards="suits")
        assert await there.free_name("vesna", "SHA256:eve") == "vesna2"
        assert await there.profiles.name_of(vesna.id) == "vesna"
        await there.profiles.claim_name(replace(vesna, name="radko"))
        assert (await here.profiles.owner("vesna"), await here.profiles.owner("radko")) == (None, vesna.id)
        assert await here.profiles.name_of(vesna.id) == "radko"


async def test_every_server_gives_a_name_to_the_same_one_of_two_claimants() -> None:
    """The first one in the log has it, also at a server that starts later, and also after the other has gone."""
    vesna, eve = Player("SHA256:vesna", "vesna"), Player("SHA256:eve", "Vesna")
    async with lobbies(DEAF) as (log, (here, there)):
        assert await here.profiles.claim_name(vesna)
        assert not await there.profiles.claim_name(eve)
        for name in (None, "radko"):
            later = Profiles(log, now, CONFIG.keep_name, here.new_accounts)
            assert [await book.owner("vesna") for book in (here.profiles, there.profiles, later)] == [vesna.id] * 3
            assert [await book.name_of(eve.id) for book in (here.profiles, there.profiles, later)] == [name] * 3
            assert await there.name_for(eve.id, name or "vesna", {}) == (name or "vesna2")
            assert await there.profiles.claim_name(replace(eve, name="radko"))
        assert await here.profiles.claim_name(replace(vesna, name="mirko"))
        assert [await book.owner("vesna") for book in (here.profiles, there.profiles)] == [None, None]


async def test_two_players_who_come_with_one_name_at_one_moment_get_two() -> None:
    """At two servers: whether they choose it, or sit down with the name that they came with. The second is told."""
    async with lobbies(DEAF) as (_, (here, there)):
        front_ends = Remembering(), Remembering()
        vesna, eve = (
            PlayerSession(where, Caller("mirko", f"SHA256:{name}"), front_end)
            for where, name, front_end in zip((here, there), ("vesna", "eve"), front_ends, strict=True)
        )
        for session in (vesna, eve):
            await session.identify()
            await session.begin()
        assert (vesna.player.name, eve.player.name) == ("mirko", "mirko")
        for session in (vesna, eve):
            await session.sit_at_new(await session.lobby.tables.open_table(table_settings()), "")
        assert (vesna.player.name, eve.player.name) == ("mirko", "mirko2")
        told = "Another player has taken the name mirko just before you: you are mirko2."
        assert [told in front_end.lines for front_end in front_ends] == [False, True]
        for session in (vesna, eve):
            await session.leave_table(for_good=True)
        await asyncio.gather(vesna.rename("radko"), eve.rename("Radko"))
        assert sorted((vesna.player.name.lower(), eve.player.name.lower())) == ["radko", "radko2"]


async def test_a_guest_sits_down_under_no_name_that_a_player_has_chosen_meanwhile() -> None:
    """At another server, while the guest was in the lobby. The owner of a name has it whatever guests sit under."""
    async with lobbies(DEAF) as (_, (here, there)):
        guest, vesna = PlayerSession(here, Caller("vesna"), Remembering()), Player("SHA256:vesna", "vesna")
        await guest.identify()
        await guest.begin()
        assert guest.player.name == "vesna"
        assert await there.claim_name(vesna)
        table = await here.tables.open_table(table_settings())
        await guest.sit_at_new(table, "")
        assert table.names() == {guest.player.id: "vesna2"}
        assert await here.claim_name(replace(vesna, name="VESNA"))
        assert await there.profiles.name_of(vesna.id) == "VESNA"
        assert not await here.claim_name(replace(vesna, name="vesna2"))


async def test_linking_and_unlinking_a_key_counts_at_every_server() -> None:
    """At once."""
    async with lobbies(DEAF) as (_, (here, there)):
        await here.accounts.link("phone", await there.accounts.new_code("laptop"))
        assert await here.accounts.of("phone") == "laptop"
        assert await there.accounts.of("phone") == "laptop"
        await there.accounts.unlink("laptop", "phone")
        assert await here.accounts.of("phone") == "phone"
