"""While you wait in a tournament: when the next table comes, a quick game that gives way, and the call."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf

import pytest
from msgspec.structs import replace

from server.joining import JoinLines
from server.lobby.lobby import Lobby
from server.people.players import Player
from server.player.table_feed import STEP
from server.tournament.events import Left
from server.tournament.service import first_notice, tournaments_of
from server.tournament.standings import CALL_SECONDS
from server.tournament.state import Opened, Tournament
from server.tournament.text import UNTIL_CALLED, event_text
from tests.server.tournament.chance import TABLE, entered, finished, fold, published
from tests.server.tournament.evenings import contestants, enter, opened, tournament_lobby, until
from tests.support.emulator import SETTLED, TerminalPlayer

pytestmark = pytest.mark.virtual_time
OPENED = Opened("friday", "open", "account:p0", "p0", 0.0, "seed", TABLE)
CALLED = 60.0
"""With three players an open night calls tables after so many seconds."""


@asynccontextmanager
async def open_night(lobby: Lobby, *terms: str) -> AsyncIterator[list[TerminalPlayer]]:
    """An open night that has just begun, with a player at each of these terminals, and one more."""
    people = [TerminalPlayer(lobby, f"p{number}", term=term) for number, term in enumerate(terms)]
    await asyncio.sleep(SETTLED)
    await people[0].type("tournament new friday start=now")
    for player in people:
        await player.type("tournament join")
    await asyncio.sleep(SETTLED)
    try:
        yield people
    finally:
        for player in people:
            await player.go()


async def test_the_lobby_counts_down_to_the_next_table_and_then_leads_there() -> None:
    """No wait is unexplained, and nobody has to find their table. What was answered in the lobby stays there."""
    async with tournament_lobby() as lobby, open_night(lobby, *["xterm-256color"] * 3) as (ana, *_):
        assert "friday: the next tables are called in 0:5" in ana.shown
        assert "Meanwhile: Enter for a quick game" in ana.shown
        await asyncio.sleep(20)
        assert "friday: the next tables are called in 0:3" in ana.shown
        await asyncio.sleep(CALLED - 20)
        assert "dealt in 0:15" in ana.shown
        assert "You are in friday" not in ana.shown
        await asyncio.sleep(CALL_SECONDS)
        assert "YOUR TURN" in ana.shown


async def test_the_lobby_tells_newcomers_of_a_tournament_that_takes_players() -> None:
    """And what to type, on a screen and in lines; not those who are in it, until they have left."""
    async with tournament_lobby() as lobby, open_night(lobby, "xterm-256color") as (ana,):
        told = "friday, an open night: type tournament join to play in it."
        for term in ("xterm-256color", "dumb"):
            newcomer = TerminalPlayer(lobby, "newcomer", term=term)
            await asyncio.sleep(1)
            assert told in newcomer.shown
            await newcomer.go()
        assert told not in ana.shown
        await ana.type("tournament leave")
        await asyncio.sleep(1)
        assert told in ana.shown


async def test_a_quick_game_gives_way_to_the_round_and_the_player_is_asked_once() -> None:
    """It waits for them; the screen counts down, and takes them away only when their cards are dealt."""
    async with tournament_lobby() as lobby, open_night(lobby, *["xterm-256color"] * 3) as (ana, bo, _):
        await ana.type("play seats=2")
        asked = " ".join(ana.shown.split())
        assert "A game that you begin now gives way to it" in asked
        assert "Type play seats=2 again to begin." in asked
        assert "Table 1 " in await ana.type("play seats=2")
        assert "Enter for a quick game, watch 1, " in bo.shown
        assert "Table 2 " in await ana.type("leave", "leave", "play seats=2")
        await asyncio.sleep(CALLED)
        assert "Table 2 " in ana.shown
        assert "table 3 in 0:1" in ana.shown
        await asyncio.sleep(CALL_SECONDS)
        assert ana.session.player_session.table.number == 3
        assert set(ana.session.player_session.own_seats) == {2, 3}


async def test_a_table_that_is_opened_for_an_invitation_is_asked_about_too() -> None:
    """It is not there before the answer."""
    async with tournament_lobby() as lobby, open_night(lobby, *["xterm-256color"] * 3) as (ana, *_):
        lobby.join_lines = JoinLines(("cards.example",))
        await ana.type("invite")
        assert "A game that you begin now gives way to it" in " ".join(ana.shown.split())
        assert not ana.session.player_session.at_table


async def test_a_player_may_go_to_their_own_table_without_a_question() -> None:
    """They were called there."""
    async with tournament_lobby() as lobby, open_night(lobby, *["xterm-256color"] * 3) as (ana, *_):
        await ana.type("play seats=2", "play seats=2")
        await asyncio.sleep(CALLED)
        await ana.type("leave", "leave")
        await ana.type("sit 2")
        assert ana.session.player_session.table.number == 2
        assert "gives way" not in ana.shown


async def test_players_are_told_after_each_game_when_the_next_tables_come() -> None:
    """Once, and not at every second."""
    async with tournament_lobby() as lobby:
        its = await tournaments_of(lobby).open_tournament(opened(lobby, format="open", start="now"))
        people = await contestants(lobby, 3)
        await enter(its, lobby, *people)
        await until(lambda: len(its.state.rounds) == 2)
        for each in people:
            (said,) = [line for line in each.lines if "The next tables are called" in line]
            assert said.startswith("server: friday, round 1: ")
            assert said.endswith(" points. The next tables are called in 1:00.")


async def test_a_server_that_stops_promises_no_table() -> None:
    """Neither in the lobby nor to those who enter."""
    async with tournament_lobby() as lobby, open_night(lobby, "xterm-256color") as (ana,):
        assert "Meanwhile: " in ana.shown
        lobby.drain.begin(3600)
        await asyncio.sleep(2)
        assert "Meanwhile: " not in ana.shown
        await ana.type("tournament leave")
        await asyncio.sleep(2)
        assert "friday" not in ana.shown.split("You have left friday")[0]
        await ana.type("tournament join")
        assert "The server stops soon, so no new games begin: come again later." in ana.shown


ENTERED = entered(Player("p1", "p1"), Player("p2", "p2"))


def told(state: Tournament, next_at: float = inf, now: float = 0.0, step: float = 1) -> str:
    """What an entrant reads first."""
    notice = first_notice([(state, next_at)], "p1", now, step)
    return notice.text if notice else ""


def test_players_who_want_less_motion_see_steps_of_five_seconds() -> None:
    """The screen changes less often."""
    state = fold("id", OPENED, ENTERED)
    shown = dict.fromkeys(told(state, 60.0, now, STEP) for now in range(11))
    assert [*shown] == [f"friday: the next tables are called in {left}." for left in ("1:00", "0:55", "0:50")]


def test_what_is_not_known_is_said_as_it_is() -> None:
    """Nobody is told a time that is only a guess."""
    state = fold("id", OPENED, ENTERED)
    swiss = fold("id", replace(OPENED, format="swiss", rounds=2), [*ENTERED, published(1, ("p2", ""))])
    assert told(state) == "friday: open night, quatch, 2 players; it begins when p0 starts it."
    assert told(replace(state, held_at=1.0), 5.0) == "friday: the next round waits for the host."
    assert told(replace(state, paused_at=1.0), 5.0) == "friday is paused by its host."
    assert told(swiss) == "friday: the next round comes after 1 more game."
    last = replace(swiss, opened=replace(swiss.opened, rounds=1))
    assert told(last) == "friday: the result comes after 1 more game."


def test_what_stands_behind_the_result_of_a_game() -> None:
    """When the next table comes, or that no game begins any more; for those who have left nothing."""
    end = finished(1, 0, 1, 2)
    left = Left(at=15.0, by="p2", player="p2")
    state = fold("id", OPENED, [*ENTERED, published(1, ("p1", "p2")), left, end])
    result = "friday, round 1: p1 10, p2 2 points."
    assert event_text(state, end, "p1", "No new games begin.") == f"{result} No new games begin."
    assert event_text(state, end, "p1") == f"{result} {UNTIL_CALLED}"
    assert event_text(state, end, "p2") == result
