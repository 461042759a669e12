"""What all servers on one log have in common: what is known of people, limits by address, and drains."""

import asyncio
from ipaddress import ip_address

import pytest
from msgspec import json
from msgspec.structs import replace

from engine.errors import InputError
from server.addresses import Address, AddressSet, read_address
from server.app.app import Penalty
from server.limits import PAGES_KEPT, PENALTY_ABUSE, PENALTY_LONGEST, WRONG_GUESSES, WRONG_GUESSES_AT_TABLE
from server.lobby.lobby import Charged, Lobby
from server.net.connection_limits import ConnectionDenied, ConnectionLimits
from server.people.players import Caller, Player
from server.people.profiles import Profiles
from server.people.settings import Settings
from server.session.exec_commands import answer
from tests.server.cluster.several import peers_of
from tests.support.accounts import keep_account
from tests.support.features import FEATURES
from tests.support.front_end import come_in
from tests.support.nodes import CONFIG, DEAF, lobbies
from tests.support.tables import table_settings
from tests.support.virtual_time import now

pytestmark = pytest.mark.virtual_time


async def test_names_and_settings_are_known_at_every_server() -> None:
    """At once. A name that is taken at one server is taken at all, and a name that was given up is free."""
    vesna = Player("account:vesna", "vesna")
    async with lobbies(DEAF) as (_, (here, there)):
        await here.profiles.claim_name(vesna)
        await here.profiles.remember_settings(vesna, Settings(cards="suits"))
        assert await there.profiles.owner("VESN\u0410") == vesna.id
        assert Settings.from_json((await there.profiles.accounts.account(vesna.id)).settings) == Settings(cards="suits")
        assert await there.names.free("vesna", "account:eve") == "vesna2"
        assert await there.profiles.name_of(vesna.id) == "vesna"
        await there.profiles.claim_name(replace(vesna, name="radko"))
        assert (await here.profiles.owner("vesna"), await here.profiles.owner("radko")) == (None, vesna.id)
        assert await here.profiles.name_of(vesna.id) == "radko"


async def test_every_server_gives_a_name_to_the_same_one_of_two_claimants() -> None:
    """The first one in the log has it, also at a server that starts later, and also after the other has gone."""
    vesna, eve = Player("account:vesna", "vesna"), Player("account:eve", "Vesna")
    async with lobbies(DEAF) as (log, (here, there)):
        assert await here.profiles.claim_name(vesna)
        assert not await there.profiles.claim_name(eve)
        for name in (None, "radko"):
            later = Profiles(log, now, here.ledger)
            assert [await book.owner("vesna") for book in (here.profiles, there.profiles, later)] == [vesna.id] * 3
            assert [await book.name_of(eve.id) for book in (here.profiles, there.profiles, later)] == [name] * 3
            assert await there.names.name_for(eve.id, name or "vesna", {}) == (name or "vesna2")
            assert await there.profiles.claim_name(replace(eve, name="radko"))
        assert await here.profiles.claim_name(replace(vesna, name="mirko"))
        assert [await book.owner("vesna") for book in (here.profiles, there.profiles)] == [None, None]


async def test_two_players_who_come_with_one_name_at_one_moment_get_two() -> None:
    """At two servers: whether they choose it, or sit down with the name that they came with. The second is told."""
    async with lobbies(DEAF) as (_, (here, there)):
        (vesna, told_vesna), (eve, told_eve) = [
            await come_in(where, "mirko", f"SHA256:{name}") for where, name in ((here, "vesna"), (there, "eve"))
        ]
        assert (vesna.player.name, eve.player.name) == ("mirko", "mirko")
        for session in (vesna, eve):
            table = await session.lobby.tables.open_table(table_settings())
            await session.enter(table, table.sit)
        assert (vesna.player.name, eve.player.name) == ("mirko", "mirko2")
        told = "Another player has taken the name mirko just before you: you are mirko2."
        assert [told in each.lines for each in (told_vesna, told_eve)] == [False, True]
        for session in (vesna, eve):
            await session.leave_table()
        await asyncio.gather(here.names.rename(vesna, "radko"), there.names.rename(eve, "Radko"))
        assert sorted((vesna.player.name.lower(), eve.player.name.lower())) == ["radko", "radko2"]


async def test_a_guest_sits_down_under_no_name_that_a_player_has_chosen_meanwhile() -> None:
    """At another server, while the guest was in the lobby. The owner of a name has it whatever guests sit under."""
    async with lobbies(DEAF) as (_, (here, there)):
        (guest, _), vesna = await come_in(here, "vesna"), Player("account:vesna", "vesna")
        assert guest.player.name == "vesna"
        assert await there.names.claim(vesna)
        table = await here.tables.open_table(table_settings())
        await guest.enter(table, table.sit)
        assert table.names() == {guest.player.id: "vesna2"}
        assert await here.names.claim(replace(vesna, name="VESNA"))
        assert await there.profiles.name_of(vesna.id) == "VESNA"
        assert not await here.names.claim(replace(vesna, name="vesna2"))


async def test_linking_and_unlinking_a_key_counts_at_every_server() -> None:
    """At once."""
    linking = pytest.importorskip("server.linking", reason="it links them")
    async with lobbies(DEAF, features=FEATURES) as (_, (here, there)):
        for name in ("laptop", "phone"):
            await keep_account(here, Caller(key=f"SHA256:{name}"))
        links = there.service(linking.Links)
        await here.service(linking.Links).link("SHA256:phone", await links.new_code("account:laptop"))
        assert await here.accounts.of("SHA256:phone") == "account:laptop"
        assert await there.accounts.of("SHA256:phone") == "account:laptop"
        await links.unlink("account:laptop", "SHA256:phone")
        assert await here.accounts.of("SHA256:phone") == "account:phone"


KNOWN = 5.0
"""Seconds after which the processes know each other."""
HEARD = 1.0
"""Seconds until a request has arrived, and what was done about it: less than from one beat to the next."""


@pytest.mark.features("moderation")
async def test_the_last_request_counts_wherever_it_was_made() -> None:
    """Also right after the one before it."""
    from server.moderation.running import Draining  # noqa: PLC0415 - it may be left out

    async with lobbies(number=3, features=FEATURES) as (_, (here, there, third)):
        await asyncio.sleep(KNOWN)
        for first, second in ((here, third), (third, there)):
            first.service(Draining).begin(600.0, "")
            await asyncio.sleep(HEARD)
            assert all(each.drain.is_active for each in (here, there, third))
            assert all(each.service(Draining).drains("") for each in (here, there, third))
            second.service(Draining).begin(None, "")
            await asyncio.sleep(HEARD)
            assert not any(each.drain.is_active for each in (here, there, third))
            assert not any(each.service(Draining).drains("") for each in (here, there, third))


@pytest.mark.features("moderation")
async def test_a_drain_reaches_a_process_that_is_not_known_yet() -> None:
    """As a new one, right after a renewal."""
    from server.moderation.running import Draining  # noqa: PLC0415 - it may be left out

    for node in ("", CONFIG.node_name):
        async with lobbies(features=FEATURES) as (_, (here, there)):
            assert not here.peers.others
            here.service(Draining).begin(600.0, node)
            await asyncio.sleep(HEARD)
            assert here.drain.is_active
            assert there.drain.is_active


@pytest.mark.features("moderation")
async def test_a_drain_is_told_as_processes_of_1_0_0_read_and_send_it() -> None:
    """By the names of processes alone."""
    from server.moderation.running import Draining  # noqa: PLC0415 - it may be left out

    async with lobbies(features=FEATURES) as (_, (here, there)):
        await asyncio.sleep(KNOWN)
        hear = there.store.tell_message

        def hear_names_alone(text: str) -> None:
            told = json.decode(text)
            if told["message"]["kind"] == "drain":
                del told["message"]["node"]
            hear(json.encode(told).decode())

        there.store.tell_message = hear_names_alone
        here.service(Draining).begin(600.0, "")
        await asyncio.sleep(HEARD)
        assert there.drain.is_active


@pytest.mark.features("moderation")
async def test_a_process_that_is_renewed_while_it_drains_tells_the_newer_one() -> None:
    """Which began too late to hear of it. A process that does not drain ends no drain of the newer one."""
    from server.moderation.running import Draining  # noqa: PLC0415 - it may be left out

    async with lobbies(features=FEATURES) as (_, (old, new)):
        await old.service(Draining).retire("")
        old.drain.begin(600.0)
        await asyncio.sleep(HEARD)
        assert not new.drain.is_active
        await old.service(Draining).retire("")
        await asyncio.sleep(HEARD)
        assert new.drain.seconds_left == pytest.approx(600.0, abs=2 * HEARD)
        old.drain.cancel()
        await old.service(Draining).retire("")
        await asyncio.sleep(HEARD)
        assert new.drain.is_active


@pytest.mark.features("moderation")
async def test_a_node_of_which_one_process_goes_on_is_not_said_to_stop() -> None:
    """So an op sees that a process has missed the message."""
    from server.moderation.running import Draining  # noqa: PLC0415 - it may be left out

    async with lobbies(features=FEATURES) as (_, (here, there)):
        await asyncio.sleep(KNOWN)
        here.drain.begin(600.0, is_part=False)
        await asyncio.sleep(HEARD)
        for each in (here, there):
            assert each.service(Draining).drains("")
            assert "stops" not in str(await answer("admin nodes", each, Caller(runs_server=True)))
        there.service(Draining).begin(600.0, "")
        await asyncio.sleep(HEARD)
        for each in (here, there):
            assert "stops in 10 min at the latest" in str(await answer("admin nodes", each, Caller(runs_server=True)))


EVE = ip_address("192.0.2.7")
ANA = ip_address("192.0.2.8")
SOON = 2.0


def limits_of(lobby: Lobby) -> ConnectionLimits:
    """Connection limits that a process shares with others, as `App` has them; three connections for an address."""
    peers = peers_of(lobby)

    def penalised(address: Address, seconds: float) -> None:
        peers.tell(Penalty(str(address), seconds))

    limits = ConnectionLimits(100, 3, AddressSet([]), elsewhere=peers.sessions_from, penalised=penalised)
    peers.on(Penalty, lambda _, told: limits.penalise(read_address(told.address), told.seconds))
    return limits


async def test_an_address_has_as_many_connections_in_all_processes_as_in_one() -> None:
    """Sessions that end, or whose process ends, count no more."""
    async with lobbies(number=3) as (_, (here, there, third)):
        limits = limits_of(here)
        await asyncio.sleep(SOON)
        sessions = [await come_in(where, f"eve{number}") for number, where in enumerate((there, there, third))]
        await asyncio.sleep(SOON)
        with pytest.raises(ConnectionDenied, match="your address has 3 connections already"):
            limits.admit(EVE, lambda: None)
        limits.admit(ANA, lambda: None)
        await sessions[0][0].finish()
        await asyncio.sleep(SOON)
        limits.admit(EVE, lambda: None).mark_authenticated()
        with pytest.raises(ConnectionDenied):
            limits.admit(EVE, lambda: None)
        await third.close()
        await asyncio.sleep(SOON)
        limits.admit(EVE, lambda: None)


async def test_a_penalty_holds_in_all_processes() -> None:
    """What a stranger writes into the channel penalises for no longer than a process would."""
    async with lobbies() as (_, (here, there)):
        limits, others = limits_of(here), limits_of(there)
        await asyncio.sleep(SOON)
        limits.admit(EVE, lambda: None).penalise(PENALTY_ABUSE)
        await asyncio.sleep(SOON)
        with pytest.raises(ConnectionDenied, match="too much trouble from your address"):
            others.admit(EVE, lambda: None)
        others.admit(ANA, lambda: None)
        for penalty in (Penalty(str(ANA), 1e9), Penalty(str(ANA), -1e9), Penalty("nowhere", 60.0)):
            there.peers.tell(penalty)
        await asyncio.sleep(PENALTY_LONGEST + SOON)
        limits.admit(ANA, lambda: None)


async def test_wrong_secrets_count_in_all_processes() -> None:
    """For the address, and for the table of the word."""
    async with lobbies() as (_, (here, there)):
        await asyncio.sleep(SOON)
        own = ((WRONG_GUESSES, Caller("eve", None, EVE)),)
        at_table = (WRONG_GUESSES_AT_TABLE, "table 1")
        for _ in range(int(WRONG_GUESSES.share.burst)):
            with pytest.raises(InputError, match="wrong"), here.ledger.attempt(*own, at_table):
                raise InputError("bad_word", "wrong")
        await asyncio.sleep(SOON)
        with pytest.raises(InputError, match="too many wrong words"), there.ledger.attempt(*own):
            pass
        with there.ledger.attempt((WRONG_GUESSES, Caller("ana", None, ANA)), at_table):
            pass


async def test_what_was_used_already_counts_in_all_processes() -> None:
    """Also beyond the share, but not with a number below nothing."""
    async with lobbies() as (_, (here, there)):
        await asyncio.sleep(SOON)
        here.ledger.charge_used(PAGES_KEPT, "eve", PAGES_KEPT.share.burst + 2)
        here.peers.tell(Charged(PAGES_KEPT.name, "eve", -1e6))
        await asyncio.sleep(SOON)
        with pytest.raises(InputError) as refused:
            there.ledger.charge(PAGES_KEPT, "eve")
        assert refused.value.retry_s == pytest.approx(3 / PAGES_KEPT.share.per_second, abs=3 * SOON)
