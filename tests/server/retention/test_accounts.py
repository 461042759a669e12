"""How long accounts are kept: their names and settings."""

import asyncio

from msgspec.structs import replace

from server.addresses import AddressSet
from server.ledger import Ledger
from server.people.players import Caller, Player
from server.people.profiles import Profiles
from server.people.settings import Settings
from server.records.results import GUEST, Finish, Result
from server.retention import ACCOUNTS_SECONDS, LASTING_GAMES, OutdatedAccounts, keeps_name
from server.storage.database import EMPTY, FinishedGame
from server.storage.sqlite_database import MemoryDatabase
from server.typed_json import write_versioned
from tests.support.accounts import kept, key_of, profiles_on, settings_of
from tests.support.clock import StillClock
from tests.support.emulator import open_lobby
from tests.support.features import FEATURES
from tests.support.front_end import come_in
from tests.support.log_entries import entry
from tests.support.standings import ANA, BO, CY, HARD, counted, result
from tests.support.virtual_time import in_virtual_time

DAY = 86400.0
KEEP_DAYS = 90.0
BY_ANA = Result((Finish("account:ana", "ana", 1), Finish("ai:easy", "Fox", 2)), drawn=False, plies=9)


async def delete_what_is_due(book: Profiles, *finished: str) -> None:
    """What the server does now and then."""
    outdated = OutdatedAccounts(book, KEEP_DAYS)
    await outdated.delete(await outdated.next(), set(finished))


async def test_a_name_is_deleted_if_its_owner_never_finished_a_game_and_does_not_come() -> None:
    """Every visit counts. A player who has finished a game keeps the name."""
    log, clock = MemoryDatabase(), StillClock()
    book = profiles_on(log, clock)
    ana, bo, cy = map(key_of, ("ana", "bo", "cy"))
    for player in (ana, bo, cy):
        await book.claim_name(player)
    await delete_what_is_due(book)
    clock.now += 60 * DAY
    await book.note_visit(bo)
    await delete_what_is_due(book, cy.id)
    clock.now += 31 * DAY
    await delete_what_is_due(book, cy.id)
    again = profiles_on(log, clock)
    for each in (book, again):
        assert [await each.name_of(player.id) for player in (ana, bo, cy)] == [None, "bo", "cy"]
        assert await each.is_free("ana", "account:eve")
        assert not await each.is_free("b\u043e", "account:eve")
    assert await kept(log) == {bo.id, cy.id}
    clock.now += 60 * DAY
    await delete_what_is_due(book, cy.id)
    assert [await book.name_of(player.id) for player in (bo, cy)] == [None, "cy"]


async def test_a_full_book_makes_room_and_never_grows() -> None:
    """Names of players who never finished a game go first, those seen longest ago before others."""
    log, clock = MemoryDatabase(), StillClock()
    book = profiles_on(log, clock, most=10)
    accounts = [(await book.account_of(Caller(key=f"SHA256:{number}"))).id for number in range(20)]
    assert [bool(account) for account in accounts] == [True] * 10 + [False] * 10
    await delete_what_is_due(book)
    assert await kept(log) == set(accounts[:10])
    clock.now += DAY
    await delete_what_is_due(book, accounts[0])
    assert await kept(log) == {accounts[0]}
    assert await kept(log) != {(await book.account_of(Caller(key="SHA256:1"))).id}
    late = (await book.account_of(Caller(key="SHA256:19"))).id
    await book.claim_name(Player(late, "late"))
    assert await book.name_of(late) == "late"


async def test_settings_are_kept_as_long_as_the_name() -> None:
    """However many other players change theirs; a player who has finished a game keeps both."""
    log, clock = MemoryDatabase(), StillClock()
    book = profiles_on(log, clock)
    ana, bo = key_of("ana"), key_of("bo")
    chosen = Settings(cards="suits")
    for player in (ana, bo):
        await book.remember_settings(player, chosen)
    await book.remember_settings(Player("guest:1", "guest"), chosen)
    clock.now += (KEEP_DAYS + 1) * DAY
    await delete_what_is_due(book, ana.id)
    assert [await settings_of(log, player) for player in (ana, bo)] == [chosen, Settings()]
    assert await kept(log) == {ana.id}


async def test_a_player_who_comes_while_old_accounts_are_looked_through_loses_nothing() -> None:
    """Also if they had not come yet when it was found out who stays."""
    log, clock, ana = MemoryDatabase(), StillClock(), key_of("ana")
    book = Profiles(log, clock, Ledger((), AddressSet([]), AddressSet([])), ["habits"])
    await book.claim_name(ana)
    await book.keep_text("habits", ana, "{}")
    clock.now += (KEEP_DAYS + 1) * DAY
    outdated = await OutdatedAccounts(book, KEEP_DAYS).next()
    await book.note_visit(ana)
    await OutdatedAccounts(book, KEEP_DAYS).delete(outdated, set())
    assert (await book.name_of(ana.id), await book.text_of("habits", ana)) == ("ana", "{}")


@in_virtual_time
async def test_a_server_lets_old_names_go_by_itself() -> None:
    """Once all finished games are counted; the name of a player who has finished one stays."""
    log, clock = MemoryDatabase(), StillClock()
    game = FinishedGame("g1", "quatch", clock(), write_versioned(BY_ANA), "")
    await log.append(EMPTY, entry(1, 1), game)
    async with open_lobby(log, features=FEATURES, wall=clock) as lobby:
        for player in map(key_of, ("ana", "bo")):
            await lobby.profiles.claim_name(player)
        await asyncio.sleep(ACCOUNTS_SECONDS * 1.1)
        clock.now += (KEEP_DAYS + 1) * DAY
        await asyncio.sleep(ACCOUNTS_SECONDS * 1.1)
    assert await kept(log) == {"account:ana"}


@in_virtual_time
async def test_the_name_of_a_player_who_is_here_stays() -> None:
    """However long they have been connected: a visit is noted when a player comes."""
    log, clock = MemoryDatabase(), StillClock()
    async with open_lobby(log, features=FEATURES, wall=clock) as lobby:
        session, _ = await come_in(lobby, "ana", "SHA256:ana")
        await lobby.names.rename(session, "ana")
        clock.now += (KEEP_DAYS + 1) * DAY
        await asyncio.sleep(ACCOUNTS_SECONDS * 1.1)
        assert await lobby.profiles.name_of("account:ana") == "ana"
        await session.finish()
        clock.now += (KEEP_DAYS + 1) * DAY
        await asyncio.sleep(ACCOUNTS_SECONDS * 1.1)
        assert await lobby.profiles.name_of("account:ana") is None


async def test_a_name_is_kept_for_a_rated_game_or_for_some_others() -> None:
    """One by changed rules, or with guests alone, is not enough; in a crowd it takes as many rated ones."""
    dee, eve = "account:dee", "account:eve"
    played = await counted(
        replace(result((ANA, 1), (BO, 2)), rated_as=""), result((CY, 1), (GUEST, 2)), result((GUEST, 1), (HARD, 2))
    )
    assert await played.top() == await played.standings.of(ANA) == []
    for _ in range(LASTING_GAMES - 1):
        await played.finish(result((CY, 1), (GUEST, 2)), "quatch")
        await played.finish(result((dee, 1), (HARD, 2)), "quatch")
    await played.finish(result((dee, 1), (eve, 2)), "quatch")
    await played.standings.count_all()
    for is_crowded, expected in ((False, [False, False, True, True, True]), (True, [False, False, False, True, False])):
        found = [await keeps_name(played.standings, each, is_crowded=is_crowded) for each in (ANA, BO, CY, dee, eve)]
        assert found == expected
