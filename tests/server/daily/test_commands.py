"""The daily deal: the same cards for all, one rated try, and nothing of it is told before the day is over."""

import asyncio
import json
from dataclasses import replace

import pytest

from engine.view import View
from server.daily.commands import SHARE, end_line
from server.joining import JoinLines
from server.people.players import Caller
from server.session import exec_commands
from tests.server.daily.quick import dailies_of
from tests.support.asking import asking, meant
from tests.support.at_terminals import asked, flat, lobby_at, person, play
from tests.support.clock import DAY, Clock
from tests.support.emulator import TerminalPlayer
from tests.support.log_entries import finished, grow
from tests.support.virtual_time import in_virtual_time

pytestmark = pytest.mark.usefixtures("quick_deals")


def view_of(here: TerminalPlayer) -> View:
    """The game as a player sees it."""
    view = here.session.player_session.view
    assert view is not None
    return view


@in_virtual_time
async def test_everybody_has_the_same_cards_and_equal_plays_give_equal_games() -> None:
    """A guest, too. From the deal on the records differ in names alone: the second person has that of an AI player."""
    async with lobby_at(Clock()) as lobby:
        records = []
        for name, guest in [("ana", False), ("Fox", False), ("cy", True)]:
            async with person(lobby, name, guest=guest) as here:
                await here.type("daily")
                first = view_of(here)
                moves = await play(here)
                game = await lobby.store.game(here.session.player_session.game)
                assert game is not None
                played = game.record[game.record.index("deck:") :].replace(name, "X").replace("Ada", "Fox")
                records.append((first.hands[0], first.ups, moves, played))
        assert records[0] == records[1] == records[2]


@in_virtual_time
async def test_a_key_has_one_try_a_day_and_a_new_one_the_next() -> None:
    """After the game daily shows the results, also in another session."""
    clock = Clock()
    async with lobby_at(clock) as lobby:
        async with person(lobby, "ana") as ana:
            assert "Daily deal 326" in await ana.type("daily")
            assert "This is your one try." in flat(ana)
            cards = view_of(ana).hands[0]
            await play(ana)
            assert "The daily deal is played once, and cannot be cut." in await ana.type("cut luck")
            await ana.type("leave")
        async with person(lobby, "ana") as ana:
            assert "1 player." in await ana.type("daily")
            assert "ana (you)" in ana.shown
            clock.now += DAY
            assert "Daily deal 327" in await ana.type("q", "daily")
            assert view_of(ana).hands[0] != cards


@in_virtual_time
async def test_leaving_keeps_the_game_until_the_day_ends() -> None:
    """It goes on at the next `daily`, and a player who comes in again is back in it."""
    async with lobby_at(Clock()) as lobby:
        async with person(lobby, "ana") as ana:
            await ana.type("daily")
            await play(ana, 3)
            session = ana.session.player_session
            left = session.snapshot
            assert "Your game is kept until the day ends: daily goes on." in await ana.type("leave")
            assert session.place.name == "lobby"
            await ana.type("daily")
            assert session.snapshot is not None
            assert left is not None
            assert (session.game, session.snapshot.ply) == (left.game, left.ply)
        async with person(lobby, "ana") as ana:
            assert ana.session.player_session.game == left.game


@in_virtual_time
@pytest.mark.parametrize("guest", [False, True])
async def test_a_player_who_comes_back_reads_what_the_game_is_and_how_to_leave_it(guest: bool) -> None:  # noqa: FBT001
    """Then the lobby names the word that goes on with it, and not the number of its table; to guests, too."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana", guest=guest) as ana:
        await ana.type("daily")
        code = ana.session.player_session.resume_code
        await ana.go()
        async with person(lobby, "ana", guest=guest) as again:
            await again.type(f"resume {code}" if guest else "")
            said = "This is the daily deal: leave goes to the lobby. Your game is kept "
            assert any(line.startswith(said) for line in again.session.player_session.feed.log)
            await again.type("leave")
            assert "begun; type daily to go on" in again.shown
            assert "sit 1" not in again.shown


@in_virtual_time
async def test_an_unfinished_game_ends_with_its_day_and_counts_as_last() -> None:
    """Also while its player sits at it: they are told why. The one who left it, too, finds it among the results."""
    clock = Clock()
    async with lobby_at(clock) as lobby, person(lobby, "ana") as ana:
        async with person(lobby, "bo") as bo:
            await bo.type("daily")
            await play(bo, 2)
        assert [(await asked(lobby, "daily", name))["begun"] for name in ("ana", "bo")] == [False, True]
        await ana.type("daily")
        clock.now += dailies_of(lobby).today.ends - clock() - 10
        await play(ana, 2)
        await asyncio.sleep(20)
        assert "The day of this deal is over" in flat(ana)
        assert ana.session.player_session.place.name == "lobby"
        await ana.type("", "", "")
        told = await asked(lobby, "daily yesterday")
        assert {(row["name"], row["margin"]) for row in told["results"]} == {("ana", -99), ("bo", -99)}


@pytest.mark.features("replay")
@in_virtual_time
async def test_a_guest_plays_unrated_and_is_told_so() -> None:
    """Their game is in no list."""
    async with lobby_at(Clock()) as lobby, person(lobby, "bo", guest=True) as bo:
        await bo.type("daily")
        assert "You are a guest, so it is not rated." in flat(bo)
        await play(bo)
        assert "v replay" in bo.shown
        await bo.type("v")
        assert bo.session.player_session.place.name == "replay"
        await bo.type("leave", "daily")
        assert "You are a guest: this counts for nobody." in flat(bo)
        assert "daily share" not in flat(bo), "they have nothing to share"
        assert "0 players" in bo.shown
        await bo.type("q", "daily share")
        assert "There is nothing to share: the results of guests are not kept" in flat(bo)


@in_virtual_time
async def test_share_means_the_result_of_the_deal() -> None:
    """While it is played, where it is over, and in the lobby, where it opens no table for others then."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        lobby.join_lines = JoinLines(("example.org",))
        await ana.type("daily", "share")
        assert "finish today's deal, then daily share makes a text of your result." in flat(ana)
        await play(ana)
        session = ana.session.player_session
        assert SHARE in await end_line(session, session.game)
        for place in ("table", "lobby"):
            assert "Quatch, the daily card game, 2026-11-22" in await ana.type("share")
            assert session.place.name == place
            await ana.type("q", "leave")


@in_virtual_time
async def test_nobody_else_gets_near_the_table() -> None:
    """It is in no list, and takes no spectator, no second player and no invitation."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "bo") as bo:
        await ana.type("daily")
        lobby.join_lines = JoinLines(("example.org",))
        for line in ("watch 1", "sit 1"):
            assert "Table 1 has a daily deal, which each player plays alone." in await bo.type(line)
            assert bo.session.player_session.place.name == "lobby"
        assert "0 tables." in await bo.type("tables")
        assert "No table '7' is open now: none is open to all; new opens one." in await bo.type("sit 7")
        assert (await asked(lobby, "tables", "bo"))["tables"] == []
        assert "The daily deal is played alone." in await ana.type("invite bo")
        for line in ("hint", "odds"):
            assert "plays without hints" in await ana.type(line)


@pytest.mark.features("replay", "review")
@in_virtual_time
async def test_nothing_of_a_finished_game_is_told_to_others_before_the_day_is_over() -> None:
    """Neither in a session nor over ssh; its player may see it again. Then all may."""
    clock = Clock()
    async with lobby_at(clock) as lobby, person(lobby, "ana") as ana, person(lobby, "bo") as bo:
        await ana.type("daily")
        await play(ana)
        game = ana.session.player_session.game
        await ana.type("leave")
        doors = [f"replay {game}", f"replay {game} 3", f"review {game}", f"verify {game}", f"replay {game} --cast"]
        for door in doors:
            status, (said,) = await exec_commands.answer(door, lobby, Caller("bo", "SHA256:bo"))
            assert (status != 0, "its cards are secret until 05:00" in said) == (True, True), door
        assert game not in json.dumps(await asked(lobby, "replay", "bo"))
        assert game in json.dumps(await asked(lobby, "replay", "ana"))
        await bo.type("replay")
        assert "The games so far have today's daily deal" in flat(bo)
        assert (await asked(lobby, "daily", "bo"))["results"] == []
        assert (await asked(lobby, "daily top", "bo"))["results"] == []
        for line in (f"replay {game}", f"review {game}"):
            await bo.type(line)
            assert "its cards are secret until 05:00" in flat(bo)
        await ana.type(f"replay {game}")
        assert ana.session.player_session.place.name == "replay"
        clock.now += DAY
        for door in (f"replay {game}", f"verify {game}"):
            assert (await exec_commands.answer(door, lobby, Caller("bo", "SHA256:bo")))[0] == 0, door
        assert game in json.dumps(await asked(lobby, "replay", "bo"))


@pytest.mark.features("replay")
@in_virtual_time
async def test_a_guest_who_leaves_their_game_shows_its_cards_to_nobody() -> None:
    """It is abandoned, and counts for nobody, but has the cards that others still play."""
    clock = Clock()
    async with lobby_at(clock) as lobby:
        async with person(lobby, "cy", guest=True) as cy:
            await cy.type("daily")
            game = cy.session.player_session.game
            await cy.type("leave")
        await asyncio.sleep(1000)
        assert not lobby.tables.here
        assert (await asked(lobby, "replay", "bo"))["games"] == []
        status, (said,) = await exec_commands.answer(f"replay {game}", lobby, Caller("bo", "SHA256:bo"))
        assert (status, "its cards are secret until 05:00" in said) == (2, True)
        clock.now += DAY
        assert game in json.dumps(await asked(lobby, "replay", "bo"))


@in_virtual_time
async def test_the_seed_is_committed_to_and_told_the_next_day() -> None:
    """The commitment is the same before and after, and fits the seed."""
    clock = Clock()
    async with lobby_at(clock) as lobby:
        before = await asked(lobby, "daily")
        assert (before["date"], before["rules"], before["seed"], before["played"]) == (
            "2026-11-22",
            "quatch",
            None,
            False,
        )
        clock.now += DAY
        after = await asked(lobby, "daily yesterday")
        assert (after["date"], after["commitment"]) == ("2026-11-22", before["commitment"])
        assert len(after["seed"]) == 64


@in_virtual_time
async def test_games_that_others_may_see_are_listed_behind_many_that_are_secret() -> None:
    """On a day on which many play the daily deal."""
    latest_read = pytest.importorskip("server.replay.commands", reason="it lists them").LATEST_READ
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        await lobby.store.delete(99, await grow(lobby.store, 99, 1), finished("g1"))
        await ana.type("daily")
        await play(ana)
        ((_, secret),) = [each for each in await lobby.store.games() if each[1].id != "g1"]
        for number in range(latest_read[0]):
            table = 1000 + number
            await lobby.store.delete(table, await grow(lobby.store, table, 1), replace(secret, id=f"s{number}"))
        listed = (await asked(lobby, "replay", "bo"))["games"]
        assert [game["game"] for game in listed] == ["g1"]


@in_virtual_time
async def test_a_daily_deal_changes_no_own_level() -> None:
    """Whom a player meets is decided by the games that they play without a level."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        before = ana.session.player_session.settings
        await ana.type("daily")
        await play(ana)
        assert ana.session.player_session.settings == before


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("daily tomorrow", "Type daily, or daily and one of top, yesterday, share or again, not 'tomorrow'."),
        ("dail", "Unknown command 'dail'."),
        ("daily share", "There is nothing to share yet: finish today's deal, then"),
        pytest.param(
            *("top daily", "Daily top lists the best of the daily deals."), marks=pytest.mark.features("rankings")
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(line: str, said: str) -> None:
    """A slip of the key does not begin the one try of the day."""

    @in_virtual_time
    async def test() -> None:
        async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
            await ana.type(line)
            assert said in flat(ana)

    test()


@pytest.mark.parametrize("typed", ["today", "challenge"])
def test_natural_words_lead_to_it(typed: str) -> None:
    """Those of other servers."""
    assert meant(typed, asking("lobby")) == "daily"
