"""One try a day although several servers share a log, one after the other or at the same time; and what is kept."""

import asyncio
import hashlib
from random import Random

import pytest
from msgspec.structs import replace

from server.daily import choice, deal, service
from server.daily.choice import LEVELS, PAR_LEVEL
from server.daily.commands import MIXED
from server.daily.deal import AI_VERSION, DailyScore, daily_settings, day_at, day_before, percent, play_by_ai, seed_of
from server.daily.results import AIField, DailyRow, DayResults, delete_old_results
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.storage.sqlite_database import MemoryDatabase
from server.table.table import Table
from server.typed_json import write_versioned
from tests.server.daily.quick import dailies_of
from tests.soak import long
from tests.support.at_terminals import asked, flat, lobby_at, person, play
from tests.support.clock import DAY, NOON, Clock
from tests.support.simulated_log import Faults, World
from tests.support.tables import known_seeds
from tests.support.virtual_time import in_virtual_time

pytestmark = pytest.mark.usefixtures("quick_deals")

ANA = Player("account:ana", "ana")
TODAY = "2026-11-22"
CALLER = Caller("ana", "SHA256:ana")


def test_the_same_moves_give_the_same_game_on_every_machine() -> None:
    """What is dealt, and what AI players answer, depends on nothing else; the games of one version are compared.

    If AI players are to play in another way, write the new digest into AI_VERSION.
    """
    deals = [daily_settings(day_at(NOON), seed_of("secret", "2026-11-22", number)) for number in range(3)]
    games = [play_by_ai(deal, level, "test")[0] for deal in deals for level in LEVELS]
    games += [play_by_ai(deal, PAR_LEVEL, "test", decisions=4)[0] for deal in deals[:1]]
    assert hashlib.sha256(" ".join(map(" ".join, games)).encode()).hexdigest()[:8] == AI_VERSION


@pytest.mark.parametrize("decisions", [1, 3])
def test_a_game_of_an_ai_player_is_the_same_in_pieces(decisions: int) -> None:
    """Master plays it a few decisions at a time."""
    settings = daily_settings(day_at(NOON), seed_of("secret", "2026-11-22"))
    whole, moves, score = play_by_ai(settings, "hard", "test"), list[str](), None
    while score is None:
        moves, score = play_by_ai(settings, "hard", "test", moves, decisions)
    assert (moves, score) == whole


@pytest.mark.parametrize("seed", range(9)[1 :: long(8, 1)])
def test_of_two_tries_at_the_same_time_the_first_in_the_log_counts(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two servers share a log: both lead the player to one table, and the other table closes."""
    monkeypatch.setattr(choice, "new_seed", known_seeds())

    @in_virtual_time
    async def test() -> None:
        clock, world = Clock(), World(seed, Faults(latency=1.0))
        async with lobby_at(clock, world.node("0")) as here, lobby_at(clock, world.node("1")) as there:
            late = Random(seed).uniform(0, 3)

            async def come(lobby: Lobby, after: float) -> Table:
                await asyncio.sleep(after)
                return await dailies_of(lobby).table_of(CALLER, ANA)

            tables = await asyncio.gather(come(here, 0), come(there, late))
            assert tables[0].number == tables[1].number
            await asyncio.sleep(300)
            assert [*here.tables.here] in ([], [tables[0].number])
            assert dailies_of(here).today == dailies_of(there).today
            assert await dailies_of(here).deals.seed("2026-11-22") == await dailies_of(there).deals.seed("2026-11-22")

    test()


def test_a_server_in_another_time_zone_gives_no_second_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its day has the same cards and ends at another time, but the player's game is the one that has begun."""

    @in_virtual_time
    async def test() -> None:
        async with lobby_at(Clock()) as lobby:
            begun = await dailies_of(lobby).table_of(CALLER, ANA)
            monkeypatch.setattr(service, "day_at", lambda now: replace(day_at(now), ends=day_at(now).ends + 3600))
            assert await dailies_of(lobby).table_of(CALLER, ANA) is begun

    test()


@in_virtual_time
async def test_a_played_deal_is_played_at_every_server() -> None:
    """The other server answers with the results, and opens no table."""
    clock, world = Clock(), World(1)
    async with lobby_at(clock, world.node("0")) as here, lobby_at(clock, world.node("1")) as there:
        async with person(here, "ana") as ana:
            await ana.type("daily")
            await play(ana)
        await asyncio.sleep(60)
        async with person(there, "ana") as ana:
            assert "1 player." in await ana.type("daily")
            assert ana.session.player_session.place.name == "lobby"


@in_virtual_time
async def test_a_game_goes_on_at_the_next_start_of_the_server() -> None:
    """At the same move with the same cards, and to the same end as without."""
    ends = []
    for stops in ([], [0, 4]):
        store, made, game = MemoryDatabase(), list[str](), None
        for moves in (*stops, 1000):
            async with lobby_at(Clock(), store) as lobby, person(lobby, "ana") as ana:
                await ana.type("daily")
                assert ana.session.player_session.game == game or game is None
                game = ana.session.player_session.game
                made += await play(ana, moves)
        ends.append((made, game))
    assert ends[0] == ends[1]


@in_virtual_time
async def test_results_are_deleted_after_some_days() -> None:
    """Those of today and the day before are there."""
    log, today = MemoryDatabase(), day_at(NOON).date
    row = write_versioned(DailyRow(name="ana", score=DailyScore(1, 9, 20), game="G", ai_version=AI_VERSION))
    for days in range(9):
        await log.put_text(f"daily {day_before(today, days)}", "account:ana", row)
        await log.put_text("daily", day_before(today, days), "{}")
    await delete_old_results(log, today)
    left = [days for days in range(9) if await log.oldest_texts(f"daily {day_before(today, days)}", 1)]
    assert left == [*range(7)]
    assert len(await log.oldest_texts("daily", 99)) == 8


@in_virtual_time
async def test_a_result_that_cannot_be_read_hides_no_other() -> None:
    """As one of a newer version."""
    log = MemoryDatabase()
    await log.put_text("daily 2026-11-22", "account:ana", '{"v":2}')
    row = DailyRow(name="bo", score=DailyScore(1, 9, 20), game="G", ai_version=AI_VERSION)
    await log.put_text("daily 2026-11-22", "account:bo", write_versioned(row))
    results = DayResults(log, "2026-11-22")
    await results.read()
    assert results.best(9) == ["account:bo"]
    assert results.percent_of(row, "account:bo") is None


@in_virtual_time
async def test_only_games_with_equal_ai_players_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """After an update with others they play the deal anew."""
    log, bad, good = MemoryDatabase(), DailyScore(4, -9, 20), DailyScore(1, 9, 20)
    await log.put_text("daily", f"{TODAY} before", write_versioned(AIField(par=bad, games=(bad,))))
    row = DailyRow(name="ana", score=good, game="G", ai_version="before")
    await log.put_text(f"daily {TODAY}", "account:ana", write_versioned(row))
    async with lobby_at(Clock(), log) as lobby:
        results = await dailies_of(lobby).results(TODAY)
        assert results.percent_of(row, "account:ana") == 100
        assert results.par("account:ana") == bad
        await asyncio.sleep(1)
        assert [*(await dailies_of(lobby).results(TODAY)).fields] == ["before", AI_VERSION]
    for module in (choice, service, deal):
        monkeypatch.setattr(module, "AI_VERSION", "others")
    async with lobby_at(Clock(), log) as lobby, person(lobby, "bo") as bo:
        await bo.type("daily")
        await play(bo)
        await bo.type("daily")
        assert MIXED in flat(bo)
        results = await dailies_of(lobby).results(TODAY)
        assert [*results.fields] == ["before", AI_VERSION, "others"]
        row = results.by_account["account:bo"]
        field = sorted(game.order for game in results.fields["others"].games)
        assert results.percent_of(row, "account:bo") == percent(row.score.order, [], field, None)
        assert results.percent_of(results.by_account["account:ana"], "account:ana") == 100
        assert results.par("account:bo") == results.fields["others"].par
        told = await asked(lobby, "daily", "bo")
        assert {each["name"]: each["ai_version"] for each in told["results"]} == {"ana": "before", "bo": "others"}


@in_virtual_time
async def test_a_daily_deal_displaces_no_table_and_none_displaces_it() -> None:
    """A player who opens many tables keeps their daily game."""
    clock = Clock()
    async with lobby_at(clock) as lobby, person(lobby, "ana") as ana:
        await ana.type("daily")
        game = ana.session.player_session.game
        await ana.type("leave")
        for _ in range(9):
            await ana.type("new", "leave")
            await asyncio.sleep(30)
        await ana.type("daily")
        assert ana.session.player_session.game == game
        clock.now += DAY
