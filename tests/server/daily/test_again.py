"""A daily deal that is played again: only by who knows it, as often as they like, and it counts for nothing."""

import asyncio

import pytest

from server.daily.deal import RATED_AS
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.session import exec_commands
from tests.server.daily.quick import dailies_of
from tests.support.at_terminals import asked, flat, lobby_at, person, play
from tests.support.clock import DAY, Clock
from tests.support.emulator import TerminalPlayer

pytestmark = [pytest.mark.virtual_time, pytest.mark.usefixtures("quick_deals")]

REFUSAL = "Type daily to play today's deal first; daily again yesterday deals that of the day before."


def cards_of(here: TerminalPlayer) -> tuple[object, ...]:
    """The player's cards, hidden ones by their number."""
    view = here.session.player_session.view
    assert view is not None
    return view.hands[0], view.ups, view.downs


async def counted(lobby: Lobby, name: str = "ana") -> tuple[object, ...]:
    """All that is told of a player's games with daily deals."""
    told = [await asked(lobby, line, name) for line in ("daily", "daily top", "daily yesterday")]
    standings = await lobby.standings.top(RATED_AS, 9)
    streak = await lobby.store.text("daily-streak", f"account:{name}")
    return [(each["results"], each["played"], each["days_in_a_row"]) for each in told], standings, streak


async def test_nobody_scouts_a_deal_by_playing_it_again() -> None:
    """Neither before the one try nor during it, in no terminal; a guest neither. No table is opened."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "bo", guest=True) as bo:
        for here in (ana, bo):
            await here.type("daily again")
            assert REFUSAL in flat(here)
        await ana.type("daily")
        await play(ana, 2)
        game = ana.session.player_session.game
        await ana.type("daily again")
        assert REFUSAL in flat(ana)
        assert ana.session.player_session.game == game
        status, (said,) = await exec_commands.answer("daily again", lobby, Caller("ana", "SHA256:ana"))
        assert (status, said) == (2, REFUSAL)
        await ana.type("leave", "daily again")
        assert REFUSAL in flat(ana)
        assert [*lobby.tables.here] == [1]


async def test_it_has_the_same_cards_and_answers_and_counts_for_nothing() -> None:
    """From the screen of the results on, as often as one likes; then `daily` tells how it went, for this player."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        await ana.type("daily")
        before = cards_of(ana)
        moves = await play(ana)
        assert "daily again same cards" in ana.shown
        after = await counted(lobby)
        games = {ana.session.player_session.game}
        for _ in range(2):
            assert "Daily deal 326 again" in await ana.type("daily again")
            assert "The same cards from the beginning. This game does not" in flat(ana)
            assert cards_of(ana) == before
            assert await play(ana) == moves
            assert "daily again same cards" in flat(ana)
            games.add(ana.session.player_session.game)
            await lobby.standings.count_all()
            assert await counted(lobby) == after
        assert len(games) == 3
        assert "1 player." in await ana.type("daily")
        assert "Again, which does not count:" in flat(ana)
        score = (await asked(lobby, "daily"))["results"][0]["score"]
        assert flat(ana).count(f"score {score}") == 2, "it is not compared with the player's own game"
        said = await exec_commands.answer("daily again", lobby, Caller("ana", "SHA256:ana"))
        assert said == (2, ["To play it again you need a terminal: ssh -t HOST daily again."])


@pytest.mark.features("replay", "review")
async def test_of_a_game_played_again_nothing_is_told_to_others_before_the_day_is_over() -> None:
    """Neither its table nor its record; its player may see it again."""
    clock = Clock()
    async with lobby_at(clock) as lobby, person(lobby, "ana") as ana, person(lobby, "bo") as bo:
        await ana.type("daily")
        await play(ana)
        await ana.type("daily again")
        number = ana.session.player_session.table.number
        for line in (f"watch {number}", f"sit {number}"):
            await bo.type(line)
            assert "which each player plays alone" in flat(bo)
        assert (await asked(lobby, "tables", "bo"))["tables"] == []
        await play(ana)
        game = ana.session.player_session.game
        for door in (f"replay {game}", f"review {game}", f"verify {game}"):
            status, (said,) = await exec_commands.answer(door, lobby, Caller("bo", "SHA256:bo"))
            assert (status != 0, "its cards are secret until 05:00" in said) == (True, True), door
        await ana.type("leave", f"replay {game}")
        assert ana.session.player_session.place.name == "replay"
        assert game not in str(await asked(lobby, "replay", "bo"))
        clock.now += DAY
        assert game in str(await asked(lobby, "replay", "bo"))


async def test_everybody_may_play_the_deal_of_the_day_before_again() -> None:
    """Also who did not play it, and guests. Today's try stays as it is, and no end of a day ends the game."""
    clock = Clock()
    async with lobby_at(clock) as lobby:
        async with person(lobby, "ana") as ana:
            await ana.type("daily")
            cards = cards_of(ana)
            await play(ana)
        clock.now += DAY
        before = await counted(lobby, "bo")
        async with person(lobby, "cy", guest=True) as cy:
            await cy.type("daily again yesterday")
            assert cards_of(cy) == cards
        async with person(lobby, "bo") as bo:
            assert "Daily deal 326 again" in await bo.type("daily again yesterday")
            assert cards_of(bo) == cards
            await bo.type("daily")
            assert "type leave first" in flat(bo)
            await play(bo, 2)
            clock.now += dailies_of(lobby).today.ends - clock() + 10
            await play(bo)
            assert "daily again same cards" in flat(bo)
            await bo.type("daily again")
            assert cards_of(bo) == cards, "it is the deal in front of them"
            clock.now -= DAY
            await bo.type("leave", "daily again")
            assert REFUSAL in flat(bo)
        await lobby.standings.count_all()
        assert await counted(lobby, "bo") == before


async def test_it_begins_anew_at_any_move_and_leaving_gives_it_up() -> None:
    """No seat is kept for a game that counts for nothing, unless the connection is lost."""
    async with lobby_at(Clock()) as lobby:
        async with person(lobby, "ana") as ana:
            await ana.type("daily")
            cards = cards_of(ana)
            await play(ana)
            await ana.type("leave", "daily again")
            await play(ana, 3)
            first = ana.session.player_session.game
            await ana.type("daily again")
            assert cards_of(ana) == cards
            assert ana.session.player_session.game != first
            await play(ana, 2)
            await ana.type("leave")
            assert "You are in the lobby. Your game is given up: it did not count." in flat(ana)
            assert await lobby.tables.seats_of("account:ana") == {}
            await asyncio.sleep(60)
            assert not lobby.tables.here
            assert len(await lobby.store.latest(9)) == 1, "no record is kept of what was given up"
            await ana.type("daily again")
            await play(ana, 2)
            game = ana.session.player_session.game
        async with person(lobby, "ana") as ana:
            assert ana.session.player_session.game == game
            await play(ana)
        assert (await asked(lobby, "daily"))["results"][0]["you"]


async def test_after_a_daily_deal_another_game_is_one_with_the_same_cards_and_play_one_with_others() -> None:
    """A player who comes back reads how it ended, too."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        await ana.type("daily")
        await play(ana)
        assert "leave" in ana.shown.splitlines()[-2]
        assert "the game." in await ana.type("set mode line")
        await ana.type("set mode screen")
        for said in ("again", "another game"):
            assert "Daily deal 326 again" in await ana.type(said)
            await play(ana)
        assert "Daily deal" not in await ana.type("play")
        assert ana.session.player_session.in_game
