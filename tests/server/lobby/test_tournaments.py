"""Tournaments on a server: rounds are called, dealt and counted, also without players, and no kill loses anything."""

import asyncio
from functools import partial

import pytest

from engine.errors import InputError
from engine.moves import PickUp
from server.lobby import tournament_log
from server.lobby.lobby import Lobby
from server.lobby.rounds import Rounds
from server.lobby.tournament_log import TournamentLog
from server.records.results import read_result
from server.storage.memory_log import MemoryLog
from server.tournament import events
from server.tournament.scoring import table_scores
from server.tournament.state import PlayedRound
from tests.support.dailies import Clock
from tests.support.nodes import lobbies
from tests.support.tournaments import Contestant, is_over, opened, pair_at_once, tournament_lobby, until
from tests.support.virtual_time import in_virtual_time


@pytest.fixture(autouse=True)
def pairs_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairings need no thread."""
    pair_at_once(monkeypatch)


async def enter(its: TournamentLog, lobby: Lobby, *people: Contestant) -> None:
    """Players enter a tournament."""
    for each in people:
        player = each.session.player
        await its.write(events.Entered(at=lobby.tournaments.now(), by=player.id, player=player))


async def started(lobby: Lobby, count: int, **settings: object) -> tuple[TournamentLog, list[Contestant]]:
    """A tournament that so many players have entered, and that has been started."""
    its = await lobby.tournaments.open_tournament(opened(lobby, **settings))
    people = [Contestant(lobby, f"p{number}") for number in range(count)]
    for each in people:
        await each.come()
    await enter(its, lobby, *people)
    if its.state.opened.start == "host":
        await its.write(events.Started(at=lobby.tournaments.now(), by="SHA256:p0"))
    return its, people


async def points_by_records(lobby: Lobby, its: TournamentLog) -> dict[str, int]:
    """The points of all entrants, from the finished games alone."""
    found = dict.fromkeys(its.state.entrants, 0)
    for played in its.state.rounds:
        for board in played.boards:
            game = await lobby.store.game(board.board.game)
            assert game is not None
            result = read_result(game.result).tournament
            assert result
            for player, points in zip(board.board.seats, table_scores(result.ranks), strict=True):
                if player:
                    found[player] += points
    return found


@in_virtual_time
async def test_a_swiss_is_played_to_its_end() -> None:
    """All are called and brought to their tables, also from another one; the records give the same points."""
    async with tournament_lobby() as lobby:
        its, people = await started(lobby, 5)
        await until(lambda: its.state.phase == "over")
        assert [len(played.boards) for played in its.state.rounds] == [2, 2, 2]
        assert its.state.points() == await points_by_records(lobby, its)
        assert all(each.calls == 3 for each in people)
        assert not any(entrant.absences for entrant in its.state.entrants.values())
        assert await lobby.tournaments.going_on() == []
        found = await lobby.tournaments.find("friday")
        assert found.state.standings() == its.state.standings()
        for each in people:
            await each.go()


@in_virtual_time
async def test_absent_players_have_their_seats_and_lose() -> None:
    """AI players play for them; after two such games they are paused. The round does not wait for them."""
    async with tournament_lobby() as lobby:
        its, people = await started(lobby, 4)
        await people[3].go()
        await until(lambda: its.state.phase == "over")
        assert its.state.entrants["SHA256:p3"].status == "paused"
        assert its.state.points()["SHA256:p3"] == 0
        assert [len(played.boards[0].people) for played in its.state.rounds] == [4, 4, 3]
        for each in people[:3]:
            await each.go()


@in_virtual_time
async def test_a_server_that_is_killed_at_any_time_loses_nothing() -> None:
    """Servers run one after the other on one log; each is cut off at another moment. Every player is called again."""
    store, clock = MemoryLog(), Clock()
    kills = [1.0, 3.5, 16.0, 17.0, 20.0, 36.5, 55.0]
    tournament = ""
    for seconds in [*kills, 3600.0]:
        async with tournament_lobby(store, clock) as lobby:
            people = [Contestant(lobby, f"p{number}") for number in range(5)]
            for each in people:
                await each.come()
            if not tournament:
                its = await lobby.tournaments.open_tournament(opened(lobby))
                tournament = its.state.id
                await enter(its, lobby, *people)
                await its.write(events.Started(at=lobby.tournaments.now(), by="SHA256:p0"))
            its = await lobby.tournaments.find("friday")
            try:
                await until(partial(is_over, its), seconds)
            except TimeoutError:
                continue
            assert [played.number for played in its.state.rounds] == [1, 2, 3]
            assert its.state.points() == await points_by_records(lobby, its)
            return
    pytest.fail("the tournament did not end")


@in_virtual_time
async def test_two_servers_on_one_log_publish_once() -> None:
    """And their players sit at the same tables."""
    async with lobbies() as (_, (one, two)):
        its, people = await started(one, 3, start="time", starts_at=10.0)
        far = [Contestant(two, f"far{number}") for number in range(2)]
        for each in far:
            await each.come()
        await until(lambda: "friday" in two.tournaments.names)
        there = await two.tournaments.find("friday")
        await enter(there, two, *far)
        await until(lambda: its.state.phase == "over")
        assert [len(played.boards) for played in its.state.rounds] == [2, 2, 2]
        assert its.state.points() == await points_by_records(one, its)
        assert (await two.tournaments.find("friday")).state.rounds == its.state.rounds
        assert not any(entrant.absences for entrant in its.state.entrants.values())
        for each in [*people, *far]:
            await each.go()


@in_virtual_time
async def test_an_open_night_calls_those_who_wait() -> None:
    """Four at once if nobody plays; a player who has gone is not called, and one alone gets AI players in the end."""
    async with tournament_lobby() as lobby:
        its, people = await started(lobby, 5, format="open", start="host", rounds=0)
        await until(lambda: len(its.state.rounds) == 1)
        assert sorted(len(board.people) for board in its.state.rounds[0].boards) == [2, 3]
        for each in people[1:]:
            await each.go()
        before = len(its.state.rounds)
        await until(lambda: len(its.state.rounds) > before and its.state.rounds[-1].is_over)
        assert its.state.rounds[-1].boards[0].people == ("SHA256:p0",)
        await its.write(events.Closed(at=lobby.tournaments.now()))
        await until(lambda: its.state.phase == "over")
        await people[0].go()


@in_virtual_time
async def test_a_paused_tournament_rests() -> None:
    """No move is possible, no clock runs; it goes on as it was."""
    async with tournament_lobby() as lobby:
        its, people = await started(lobby, 3)
        for each in people:
            each.plays = False
        await until(lambda: people[0].session.in_game)
        await its.write(events.Paused(at=lobby.tournaments.now(), by="SHA256:p0"))
        await asyncio.sleep(300)
        assert not its.state.rounds[0].is_over
        with pytest.raises(InputError, match="the tournament is paused"):
            await people[0].session.table.move(people[0].session, 0, PickUp())
        await its.write(events.Resumed(at=lobby.tournaments.now(), by="SHA256:p0"))
        await until(lambda: its.state.phase == "over")
        for each in people:
            await each.go()


@in_virtual_time
async def test_limits_on_opening() -> None:
    """Of one player, and of the server; a name is taken as long as its tournament goes on."""
    async with tournament_lobby() as lobby:
        await lobby.tournaments.open_tournament(opened(lobby))
        with pytest.raises(InputError, match="friday goes on already"):
            await lobby.tournaments.open_tournament(opened(lobby, name="Friday"))
        await lobby.tournaments.open_tournament(opened(lobby, name="saturday"))
        with pytest.raises(InputError, match="you hold 2 tournaments"):
            await lobby.tournaments.open_tournament(opened(lobby, name="sunday"))


@in_virtual_time
async def test_everybody_goes_at_once_and_comes_back() -> None:
    """The round is played without them; the next one waits for the first who comes, and calls all."""
    async with tournament_lobby() as lobby:
        its, people = await started(lobby, 4)
        for each in people:
            each.plays = False
        await until(lambda: people[0].session.in_game)
        for each in people:
            await each.go()
        await until(lambda: its.state.rounds[0].is_over)
        await asyncio.sleep(600)
        assert len(its.state.rounds) == 1
        back = [Contestant(lobby, f"p{number}") for number in range(4)]
        for each in back:
            await each.come()
        await until(lambda: its.state.phase == "over")
        assert sum(its.state.points().values()) == 3 * 24
        for each in back:
            await each.go()


@in_virtual_time
async def test_a_clock_that_is_set_ends_no_game() -> None:
    """Neither forward nor back by an hour."""
    clock = Clock()
    async with tournament_lobby(clock=clock) as lobby:
        its, people = await started(lobby, 3)
        for each in people:
            each.plays = False
        await until(lambda: people[0].session.in_game)
        clock.now += 3600
        await asyncio.sleep(30)
        assert not its.state.rounds[0].is_over
        clock.now -= 7200
        for each in people:
            each.plays = True
            each.updated(None, each.updates[-1][1], ())
        await until(lambda: its.state.phase == "over", 900)
        for each in people:
            await each.go()


@in_virtual_time
async def test_a_swiss_beside_an_open_night() -> None:
    """Those who play in the swiss are not called away, and the others go on."""
    async with tournament_lobby() as lobby:
        night, people = await started(lobby, 6, name="night", format="open", rounds=0, start="now")
        swiss = await lobby.tournaments.open_tournament(opened(lobby, host="SHA256:p1"))
        await enter(swiss, lobby, *people[:3])
        await swiss.write(events.Started(at=lobby.tournaments.now()))
        began = lobby.tournaments.now()
        await until(lambda: swiss.state.phase == "over")
        later = [played for played in night.state.rounds if played.at > began]
        assert later
        ids = {each.session.player.id for each in people[:3]}
        called = {player for played in later for board in played.boards for player in board.people}
        assert called.isdisjoint(ids)
        for each in people:
            await each.go()


@in_virtual_time
async def test_a_player_whom_an_op_removes_is_last() -> None:
    """Before the deal, or during the game; an AI player plays on with the cards, and its points are nobody's."""
    async with tournament_lobby() as lobby:
        its, people = await started(lobby, 4, rounds=1)
        for each in people:
            each.plays = False
        await until(lambda: people[0].session.at_table)
        table = people[0].session.table
        await table.expel("SHA256:p1", by="")
        await until(lambda: people[0].session.in_game)
        await table.expel("SHA256:p2", by="")
        for each in (people[0], people[3]):
            each.plays = True
            each.updated(None, each.updates[-1][1], ())
        await until(lambda: its.state.phase == "over")
        points = its.state.points()
        assert points["SHA256:p1"] == points["SHA256:p2"] == 2
        assert sum(points.values()) == 24
        assert [entrant.absences for entrant in its.state.entrants.values()] == [0, 1, 1, 0]
        for each in people:
            await each.go()


@in_virtual_time
async def test_a_full_log_still_takes_the_results_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the tournament ends."""
    async with tournament_lobby() as lobby:
        its, people = await started(lobby, 3, rounds=1)
        await until(lambda: bool(its.state.rounds))
        monkeypatch.setattr(tournament_log, "MOST_EVENTS", 1)
        with pytest.raises(InputError, match="so it can only end"):
            await its.write(events.Held(at=lobby.tournaments.now()))
        await until(lambda: its.state.phase == "over")
        for each in people:
            await each.go()


@in_virtual_time
async def test_a_tournament_that_fails_does_not_keep_others_from_going_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is wrong with it."""
    async with tournament_lobby() as lobby:
        bad, first = await started(lobby, 1, name="bad", start="full", places=1)
        look_after = Rounds.look_after

        async def fails(self: Rounds, its: TournamentLog, played: PlayedRound) -> None:
            if its.state.name == "bad":
                raise KeyError("bad")
            await look_after(self, its, played)

        monkeypatch.setattr(Rounds, "look_after", fails)
        await until(lambda: bool(bad.state.rounds))
        good = await lobby.tournaments.open_tournament(opened(lobby, name="good", host="h", rounds=1, start="now"))
        await enter(good, lobby, *first)
        await until(lambda: good.state.phase == "over")
        assert bad.state.phase == "playing"
        await first[0].go()


@in_virtual_time
async def test_after_a_pause_the_call_counts_down_to_the_deal() -> None:
    """The players at the table see how long it really takes."""
    async with tournament_lobby() as lobby:
        its, people = await started(lobby, 3)
        await until(lambda: people[0].session.at_table)
        table = people[0].session.table
        await its.write(events.Paused(at=lobby.tournaments.now()))
        await asyncio.sleep(60)
        await its.write(events.Resumed(at=lobby.tournaments.now()))
        await asyncio.sleep(1)
        deals_at = asyncio.get_running_loop().time() + its.state.rounds[0].deals_at - lobby.tournaments.now()
        assert table.runtime.deals_at == pytest.approx(deals_at)
        await until(lambda: its.state.phase == "over")
        for each in people:
            await each.go()
