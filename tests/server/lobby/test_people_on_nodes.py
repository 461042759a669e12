"""What is known of people is the same at every server that shares the log: names, settings, linked keys."""

from msgspec.structs import replace

from server.people.players import Player
from server.people.profiles import Profiles
from server.people.settings import Settings
from tests.support.nodes import CONFIG, DEAF, lobbies, now
from tests.support.virtual_time import in_virtual_time


@in_virtual_time
async def test_names_and_settings_are_known_at_every_server() -> None:
    """At once. A name that is taken at one server is taken at all, and a name that was given up is free."""
    vesna = Player("SHA256:vesna", "vesna")
    async with lobbies(DEAF) as (_, (here, there)):
        await here.profiles.remember_name(vesna)
        await here.profiles.remember_settings(vesna, Settings(cards="suits"))
        assert there.profiles.owner("VESN\u0410") == vesna.id
        assert there.profiles.settings_of(vesna) == Settings(cards="suits")
        assert there.free_name("vesna", "SHA256:eve") == "vesna2"
        assert there.name_for(vesna.id, "somebody") == "vesna"
        await there.profiles.remember_name(replace(vesna, name="radko"))
        assert (here.profiles.owner("vesna"), here.profiles.owner("radko")) == (None, vesna.id)
        assert here.name_for(vesna.id, "vesna") == "radko"


@in_virtual_time
async def test_every_server_gives_a_name_to_the_same_one_of_two_claimants() -> None:
    """The first one in the log has it, also at a server that starts later, and also after the other has gone."""
    vesna, eve = Player("SHA256:vesna", "vesna"), Player("SHA256:eve", "Vesna")
    async with lobbies(DEAF) as (log, (here, there)):
        await here.profiles.remember_name(vesna)
        await there.profiles.remember_name(eve)
        for name in ("Vesna", "radko"):
            later = Profiles(log, now, CONFIG.keep_name)
            await later.index_names()
            assert [book.owner("vesna") for book in (here.profiles, there.profiles, later)] == [vesna.id] * 3
            assert [book.name_of(eve.id) for book in (here.profiles, there.profiles, later)] == [name] * 3
            assert there.name_for(eve.id, "eve") == ("Vesna2" if name == "Vesna" else "radko")
            await there.profiles.remember_name(replace(eve, name="radko"))
        await here.profiles.remember_name(replace(vesna, name="mirko"))
        assert [book.owner("vesna") for book in (here.profiles, there.profiles)] == [None, None]


@in_virtual_time
async def test_linking_and_unlinking_a_key_counts_at_every_server() -> None:
    """At once."""
    async with lobbies(DEAF) as (_, (here, there)):
        await here.accounts.link("phone", await there.accounts.new_code("laptop"))
        assert here.accounts.of("phone") == "laptop"
        assert there.accounts.of("phone") == "laptop"
        await there.accounts.unlink("laptop", "phone")
        assert here.accounts.of("phone") == "phone"
