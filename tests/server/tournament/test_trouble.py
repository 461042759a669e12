"""What may go wrong in a tournament: kills, clocks that are set, players who go, a full log, errors of the program."""

import asyncio
from dataclasses import replace
from math import inf, isfinite

import pytest
from msgspec import structs
from structlog.testing import capture_logs

from engine.errors import InputError
from server.player.player_session import PlayerSession
from server.storage.sqlite_database import MemoryDatabase
from server.table.table import Director, Table
from server.tournament import events, known
from server.tournament.due import EMPTY_SECONDS
from server.tournament.known import TournamentLog
from server.tournament.rounds import Rounds
from server.tournament.service import NEW_TOURNAMENTS, TOURNAMENTS, tournaments_of
from server.tournament.standings import GAME_SECONDS
from server.tournament.state import EVENTS
from server.typed_json import write_versioned
from tests.server.tournament.chance import TABLE
from tests.server.tournament.evenings import Contestant, contestants, enter, evening, opened, tournament_lobby, until
from tests.support.clock import DAY, Clock
from tests.support.faulty_log import FaultyLog

pytestmark = pytest.mark.virtual_time


async def test_a_name_is_taken_while_its_tournament_is_being_saved() -> None:
    """Nothing is written of the one that comes second."""
    log = FaultyLog()
    log.waits = 1.0
    async with tournament_lobby(log) as lobby:
        answers = await asyncio.gather(
            *(tournaments_of(lobby).open_tournament(opened(lobby, host=host)) for host in ("p0", "p1")),
            return_exceptions=True,
        )
        (its,) = [each for each in answers if isinstance(each, TournamentLog)]
        (refusal,) = [each for each in answers if isinstance(each, InputError)]
        assert "friday goes on already" in refusal.message
        assert [row.key for row in await log.read_texts(events.LIST)] == [its.state.id]


async def test_one_address_does_not_open_all_tournaments() -> None:
    """However soon it closes them again."""
    async with tournament_lobby() as lobby:

        async def open_one(name: str) -> TournamentLog:
            return await tournaments_of(lobby).open_tournament(opened(lobby, name=name, network="203.0.113.9/32"))

        for name in "abcd":
            its = await open_one(name)
            await its.write(events.Closed(at=tournaments_of(lobby).now()))
        await until(lambda: not tournaments_of(lobby).known.names)
        with pytest.raises(InputError, match="many tournaments were opened from your address"):
            await open_one("e")
        await asyncio.sleep(1 / NEW_TOURNAMENTS.share.per_second)
        await open_one("e")


async def test_tournaments_of_those_who_hold_most_give_way() -> None:
    """The emptiest of theirs; ops are refused nothing."""
    async with tournament_lobby() as lobby:
        tournaments = tournaments_of(lobby)

        async def open_one(number: int, network: str, *, by_op: bool = False) -> TournamentLog:
            one = opened(
                lobby,
                name="x" + "".join("acdefghjkm"[int(digit)] for digit in f"{number:03}"),
                host=f"account:{number}",
                network=network,
            )
            return await tournaments.open_tournament(one, by_op=by_op)

        for number in range(TOURNAMENTS.share):
            await open_one(number, f"net {number // 2}")
        with pytest.raises(InputError, match="64 tournaments go on"):
            await open_one(64, "net 0")
        await open_one(64, "net 99")
        assert (len(tournaments.known.running), "xaaa" in tournaments.known.names) == (TOURNAMENTS.share, False)
        await open_one(65, "net 99", by_op=True)
        assert len(tournaments.known.running) == TOURNAMENTS.share + 1


async def test_a_tournament_that_nobody_enters_is_closed() -> None:
    """After half an hour."""
    async with tournament_lobby() as lobby:
        its = await tournaments_of(lobby).open_tournament(opened(lobby))
        await asyncio.sleep(EMPTY_SECONDS - 1)
        assert tournaments_of(lobby).known.names == [its.state.name]
        await asyncio.sleep(2)
        assert tournaments_of(lobby).known.names == []


async def test_one_address_does_not_displace_the_tournaments_of_others() -> None:
    """With too many that are over, the first ones to go are of the address that has opened most of them."""
    async with tournament_lobby() as lobby:
        tournaments_of(lobby).known.kept = 4
        for number, network in enumerate(["home", "mallory", "mallory", "pub", "mallory"]):
            one = opened(lobby, name=f"n{number}", network=network, ended=tournaments_of(lobby).now())
            await lobby.store.put_text(events.LIST, str(number), write_versioned(one))
        await tournaments_of(lobby).open_tournament(opened(lobby))
        left = [row.key for row in await lobby.store.oldest_texts(events.LIST, 9) if len(row.key) == 1]
        assert left == ["0", "3", "4"]


async def test_everybody_goes_at_once_and_comes_back() -> None:
    """The round is played without them; the next one waits for the first who comes, and calls all."""
    async with evening(4, plays=False) as (lobby, its, people):
        await until(lambda: people[0].session.in_game)
        for each in people:
            await each.go()
        await until(lambda: its.state.rounds[0].is_over)
        await asyncio.sleep(600)
        assert len(its.state.rounds) == 1
        await contestants(lobby, 4)
        await until(lambda: its.state.phase == "over")
        assert sum(its.state.points().values()) == 3 * 24


async def test_a_clock_that_is_set_ends_no_game() -> None:
    """Neither forward nor back by an hour."""
    clock = Clock()
    async with evening(3, plays=False, clock=clock) as (_, its, people):
        await until(lambda: people[0].session.in_game)
        clock.now += 3600
        await asyncio.sleep(30)
        assert not its.state.rounds[0].is_over
        clock.now -= 7200
        for each in people:
            each.plays = True
            each.updated(None, each.updates[-1][1], ())
        await until(lambda: its.state.phase == "over", 900)


async def test_a_game_that_lasts_too_long_is_ended_by_the_clock() -> None:
    """Not by players who take their time."""
    slow = structs.replace(TABLE, clock=GAME_SECONDS)
    async with evening(3, plays=False, rounds=1, table=slow) as (lobby, its, _):
        await until(lambda: bool(its.state.rounds))
        await asyncio.sleep(its.state.running[0].ends_at - tournaments_of(lobby).now() - 1)
        assert not its.state.rounds[0].is_over
        await asyncio.sleep(3)
        assert its.state.phase == "over"


async def test_a_player_whom_an_op_removes_is_last() -> None:
    """Before the deal, or during the game; an AI player plays on with the cards, and its points are nobody's."""
    async with evening(4, rounds=1, plays=False) as (_, its, people):
        await until(lambda: people[0].session.at_table)
        table = people[0].session.table
        await table.expel("account:p1", by="")
        await until(lambda: people[0].session.in_game)
        await table.expel("account:p2", by="")
        for each in (people[0], people[3]):
            each.plays = True
            each.updated(None, each.updates[-1][1], ())
        await until(lambda: its.state.phase == "over")
        points = its.state.points()
        assert points["account:p1"] == points["account:p2"] == 2
        assert sum(points.values()) == 24
        assert [entrant.absences for entrant in its.state.entrants.values()] == [0, 1, 1, 0]


async def test_a_full_log_still_takes_the_results_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the tournament ends."""
    async with evening(3, rounds=1) as (lobby, its, _):
        await until(lambda: bool(its.state.rounds))
        monkeypatch.setattr(known, "EVENTS", replace(EVENTS, share=1))
        with pytest.raises(InputError, match="so it can only end"):
            await its.write(events.Held(at=tournaments_of(lobby).now()))
        await until(lambda: its.state.phase == "over")


@pytest.mark.parametrize("trouble", ["fails", "takes for ever"])
async def test_trouble_in_one_tournament_does_not_hold_up_others(monkeypatch: pytest.MonkeyPatch, trouble: str) -> None:
    """Whatever is wrong with it."""
    async with evening(1, name="bad", start="full", places=1) as (lobby, bad, first):
        look_after = Rounds.look_after

        async def fails(self: Rounds, its: TournamentLog) -> None:
            if its.state.name == "bad" and its.state.running:
                await asyncio.sleep(0.0 if trouble == "fails" else 1e6)
                raise KeyError("bad")
            await look_after(self, its)

        monkeypatch.setattr(Rounds, "look_after", fails)
        await until(lambda: bool(bad.state.rounds))
        good = await tournaments_of(lobby).open_tournament(opened(lobby, name="good", host="h", rounds=1, start="now"))
        await enter(good, lobby, *first)
        await until(lambda: good.state.phase == "over")
        assert bad.state.phase == "playing"


@pytest.mark.parametrize("trouble", ["fails", "is slow"])
async def test_trouble_at_one_table_does_not_hold_up_others(monkeypatch: pytest.MonkeyPatch, trouble: str) -> None:
    """Those of the same round, whose cards are dealt at their time."""
    async with evening(8) as (lobby, its, _):
        await until(lambda: bool(its.state.rounds))
        (first, second), deal = its.state.rounds[0].boards, Director.deal

        async def fails(self: Director) -> None:
            if self is lobby.tables.here[first.table].director:
                await asyncio.sleep(0.0 if trouble == "fails" else 30.0)
                raise InputError("not_saved", "not now")
            await deal(self)

        monkeypatch.setattr(Director, "deal", fails)
        deals_at = first.deals_at
        await until(lambda: tournaments_of(lobby).now() > deals_at + 1.0)
        assert not lobby.tables.here[first.table].director.is_dealt
        assert lobby.tables.here[second.table].director.is_dealt


async def test_trouble_that_comes_again_is_logged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as it lasts it is logged once."""
    async with evening(3) as (_, its, __):
        await until(lambda: bool(its.state.rounds))
        troubled, look_after = False, Rounds.look_after

        async def fails(self: Rounds, its: TournamentLog) -> None:
            if troubled:
                raise KeyError("trouble")
            await look_after(self, its)

        monkeypatch.setattr(Rounds, "look_after", fails)
        with capture_logs() as logs:
            for _ in range(2):
                troubled = True
                await asyncio.sleep(2)
                troubled = False
                await asyncio.sleep(2)
        assert [each["event"] for each in logs].count("tournament: went wrong") == 2


async def test_what_another_process_has_noted_before_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    """All processes see that a game has ended, and one of them writes it."""
    write = TournamentLog.write

    async def after_another(self: TournamentLog, event: events.Event) -> None:
        if isinstance(event, events.Finished):
            await write(TournamentLog(store, self.state.id, self.state.opened), event)
        await write(self, event)

    monkeypatch.setattr(TournamentLog, "write", after_another)
    store = MemoryDatabase()
    with capture_logs() as logs:
        async with evening(3, rounds=1, store=store) as (_, its, __):
            await until(lambda: its.state.phase == "over")
    assert "tournament: not done now" not in {each["event"] for each in logs}


async def test_two_open_nights_do_not_call_the_same_players_at_once() -> None:
    """They go on beside each other, but nobody has two tables."""
    async with evening(4, name="first", format="open", rounds=0, start="now") as (lobby, first, people):
        second = await tournaments_of(lobby).open_tournament(
            opened(lobby, name="second", host="account:p1", format="open", rounds=0, start="now")
        )
        await enter(second, lobby, *people)
        for _ in range(120):
            await asyncio.sleep(0.5)
            assert first.state.busy.keys().isdisjoint(second.state.busy)
        assert first.state.rounds


async def test_a_server_that_drains_leaves_rounds_to_others() -> None:
    """It writes nothing that would have them wait for it, and tells nobody when the next table comes."""
    async with evening(3) as (lobby, its, _):
        assert isfinite(tournaments_of(lobby).next_round(its.state)[0])
        lobby.drain.begin(3600)
        before = its.state.events
        await asyncio.sleep(60)
        assert its.state.events == before
        assert tournaments_of(lobby).next_round(its.state)[0] == inf, "nobody waits for it here"
        assert "No new games begin" in tournaments_of(lobby).soon(its.state)
        lobby.drain.cancel()
        await until(lambda: bool(its.state.rounds))


@pytest.mark.parametrize("days", [-3, 3])
async def test_a_clock_that_is_set_between_two_starts_holds_up_no_round(days: int) -> None:
    """By days, as on a machine without a battery for its clock."""
    store = MemoryDatabase()
    async with evening(3, rounds=1, store=store) as (lobby, its, people):
        await until(lambda: bool(its.state.rounds))
        for each in people:
            await each.go()
    clock = Clock(Clock().now + days * DAY)
    async with tournament_lobby(store, clock) as lobby:
        its = await tournaments_of(lobby).known.find("friday")
        await until(lambda: its.state.phase == "over", 900)


@pytest.mark.parametrize("people_only", [True, False])
async def test_a_bot_with_the_key_of_an_entrant_does_not_play_among_people_only(*, people_only: bool) -> None:
    """An AI player does, until the entrant comes in a terminal. In other tournaments the bot has the seat."""
    async with evening(3, people_only=people_only) as (lobby, its, people):
        await people[0].go()
        bot = Contestant(lobby, "p0", kind="bot")
        bot.plays = False
        await bot.come()
        await until(lambda: people[1].session.at_table)
        table = people[1].session.table
        await asyncio.sleep(20)
        assert bot.session.at_table != people_only
        if people_only:
            with pytest.raises(InputError, match="for people only"):
                await table.come(bot.session, bot.session.player)
        await bot.go()
        again = Contestant(lobby, "p0")
        await again.come()
        assert again.session.table is table
        await until(lambda: its.state.phase == "over")


async def test_a_player_who_cannot_be_brought_to_their_table_at_once_comes_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such as while the database is away."""
    async with evening(1, rounds=1) as (_, __, (player,)):
        player.plays, tries = False, list[Table]()

        async def refuse_twice(table: Table, to: str) -> None:
            tries.append(table)
            if len(tries) <= 2:
                raise InputError("not_saved", "not now")
            await PlayerSession.be_brought_to(player.session, table, to)

        monkeypatch.setattr(player.session, "be_brought_to", refuse_twice)
        await until(lambda: player.session.at_table, 30)
        await asyncio.sleep(5)
        assert len(tries) == 3
