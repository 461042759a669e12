"""How players are invited to a table, and how they accept and decline."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import pytest

from engine.errors import InputError
from server.joining import JoinLines
from server.limits import INVITATIONS
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.player.player_session import PlayerSession
from server.render.scene import PLAY
from tests.support.at_terminals import flat
from tests.support.each import for_each
from tests.support.emulator import SETTLED, TerminalPlayer, open_lobby, people
from tests.support.features import FEATURES
from tests.support.front_end import Remembering
from tests.support.goldens import play_to_the_end
from tests.support.ops import against
from tests.support.positions import at
from tests.support.tables import put

pytestmark = pytest.mark.virtual_time


async def test_an_invitation_to_another_table_takes_the_place_of_the_one_before() -> None:
    """Once in a minute, so that nobody is invited again and again from table to table."""
    async with host_and_guest() as (_, ana, bo):
        await invited(ana, "bo")
        await ana.type("leave", "new college 2 bo")
        assert ana.session.display.answer.startswith("You invite bo.")
        assert "come to table 2, College" in " ".join(bo.shown.split())
        await ana.type("leave", "new college 2 bo")
        assert ana.session.display.answer == "You have just invited bo: wait a minute."


async def test_the_host_may_invite_a_spectator_to_sit_down() -> None:
    """Until they have a seat; if there is none, a table for all is told."""
    async with people("ana", "bo", "cy") as (ana, bo, cy):
        ana.session.player_session.lobby.join_lines = JoinLines(("cards.example",))
        await ana.type("new seats=2")
        await bo.type("watch 1")
        await ana.type("invite bo")
        assert "Enter joins ana" in bo.shown
        await bo.type("sit 1")
        assert "At this table already: bo." in await ana.type("invite bo")
        await cy.type("watch 1")
        assert "No seat is free: type leave, then new bo cy, which asks bo and cy" in await ana.type("invite cy")


async def test_talk_that_was_proposed_is_said_at_enter_although_an_invitation_has_come() -> None:
    """It is at the prompt; the next Enter takes the invitation."""
    async with host_and_guest() as (lobby, ana, bo):
        cy = await TerminalPlayer(lobby, "cy").arrived()
        await bo.type("that is a fine hat")
        assert "Enter says it to the others" in bo.shown
        await invited(ana, "bo")
        assert "ana: (to you) come to table 1, Quatch: type sit 1" in bo.shown
        await bo.type("")
        assert "bo: that is a fine hat" in cy.shown
        assert bo.session.player_session.place.name == "lobby"
        await bo.type("")
        assert bo.session.player_session.place.name == "table"


@for_each("answer", ["", "yes", "ok coming"])
async def test_a_player_who_waits_alone_for_others_takes_an_invitation_as_in_the_lobby(answer: str) -> None:
    """Before the first deal, which Enter would begin otherwise."""
    async with people("ana", "cy") as (ana, cy):
        ana.lobby.join_lines = JoinLines(("-p 2222 cards.example",))
        await ana.type("new")
        await cy.type("new seats=3")
        await ana.type("invite cy")
        assert "Enter joins ana" in cy.shown
        await cy.type(answer)
        assert cy.session.player_session.table.number == 1


async def test_a_player_beside_whom_another_sits_is_told_to_leave_first() -> None:
    """Who waits for the deal with them is left by no slip."""
    async with people("ana", "bo", "cy") as (ana, bo, cy):
        ana.lobby.join_lines = JoinLines(("-p 2222 cards.example",))
        await ana.type("new")
        await cy.type("new seats=3")
        await bo.type("sit 2")
        await ana.type("invite cy")
        assert "ana invites you" in cy.shown
        assert "ana: (to you) come to table 1, Quatch: type leave, then sit 1" in " ".join(cy.shown.split())
        assert "Type leave, then sit 1." in await cy.type("accept")
        await cy.type("leave", "sit 1")
        assert cy.session.player_session.table.number == 1


TO_OTHERS = "Others can come with: ssh -t -p 2222 cards.example"


@asynccontextmanager
async def host_and_guest(settings: str = "") -> AsyncIterator[tuple[Lobby, TerminalPlayer, TerminalPlayer]]:
    """Ana, who has opened a table with these settings, and bo in the lobby."""
    async with open_lobby() as lobby:
        lobby.join_lines = JoinLines(("-p 2222 cards.example",))
        ana, bo = TerminalPlayer(lobby, "ana", (200, 40)), TerminalPlayer(lobby, "bo", term="dumb")
        await asyncio.sleep(SETTLED)
        await ana.type(f"new {settings}")
        yield lobby, ana, bo


async def invited(player: TerminalPlayer, name: str = "") -> str:
    """What a player is told who invites the player of this name."""
    await player.type(f"invite {name}")
    return player.session.display.answer


async def test_an_invitation_says_what_to_type() -> None:
    """To the invited player wherever they are; the inviter reads the line for players elsewhere."""
    async with host_and_guest("life key=apple") as (_, ana, bo):
        assert await invited(ana, "bo") == f"You invite bo. {TO_OTHERS} sit 1 apple"
        assert "ana: (to you) come to table 1, Life: press Enter or type sit 1 apple" in bo.shown
        assert await invited(ana) == f"{TO_OTHERS} sit 1 apple"
        not_here = await invited(ana, "zoe")
        assert not_here == "'zoe' is not here. They can come with: ssh -t -p 2222 cards.example sit 1 apple"
        await bo.type("sit 1 apple")
        assert bo.session.player_session.place.name == "table"
        assert await invited(ana, "bo") == "At this table already: bo."
        assert await invited(ana, "ana") == "At this table already: ana."


async def test_an_invitation_goes_with_the_player_who_gave_it() -> None:
    """It is offered no more."""
    async with host_and_guest() as (_, ana, bo):
        await ana.type("invite bo")
        assert bo.session.player_session.next_step == "sit 1"
        await ana.go()
        await asyncio.sleep(SETTLED)
        assert "ana has left table 1: press Enter or type tables" in bo.shown


OVER: Final = at("quatch", "hand 7c", "hand 8s", pile="6s")


@for_each("term", ["xterm-256color", "dumb"])
@for_each("where", ["lobby", "old table", "watching"])
async def test_enter_leads_to_no_other_game_when_an_invitation_ends(where: str, term: str) -> None:
    """It watches that table when it has dealt, and sits down there when the game is over; each time a line says so."""
    async with people("ana", "bo", "cy", term=term) as (ana, bo, cy):
        ana.lobby.join_lines = JoinLines(("-p 2222 cards.example",))
        await cy.type("play seats=2", "ready")
        if where == "old table":
            await bo.type("play seats=2", "ready")
            put(bo.session.player_session.table, OVER)
            await bo.type("7")
        if where == "watching":
            await bo.type("watch 1")
        await ana.type("new seats=2", "invite bo")
        session, number = bo.session.player_session, ana.session.player_session.table_number

        def told(news: str, enter: str) -> None:
            shown = flat(bo)
            if where == "lobby" and term != "dumb":
                assert f"{news}. Enter {'sit down at' if enter == 'sit' else 'watch'} table {number} " in shown
            else:
                assert f"{news}: press Enter or type {enter} {number}" in shown
                assert term == "dumb" or f"Enter {'joins' if enter == 'sit' else 'watches'} ana" in shown
            assert session.next_step == f"{enter} {number}"

        await ana.type("start", "ready")
        told(f"Table {number} has dealt without you", "watch")
        put(ana.session.player_session.table, OVER)
        await ana.type("7")
        told(f"Table {number} has a free seat", "sit")
        await ana.type("start")
        told(f"Table {number} has dealt without you", "watch")
        await bo.type("")
        assert (session.table_number, session.is_watching) == (number, True)
        assert session.offer is PLAY


@for_each("term", ["xterm-256color", "dumb"])
@for_each("where", ["lobby", "old table"])
async def test_enter_lists_the_tables_when_an_invitation_is_withdrawn(where: str, term: str) -> None:
    """Once, before it begins a game as ever."""
    async with people("ana", "bo", term=term) as (ana, bo):
        ana.lobby.join_lines = JoinLines(("-p 2222 cards.example",))
        if where == "old table":
            await bo.type("play seats=2", "ready")
            put(bo.session.player_session.table, OVER)
            await bo.type("7")
        await ana.type("new", "invite bo", "leave")
        assert "ana has left table" in flat(bo)
        session = bo.session.player_session
        assert session.next_step == "tables"
        await bo.type("")
        assert not session.in_game
        assert session.next_step == ("play" if where == "lobby" else "start")


async def test_where_no_seat_was_free_enter_takes_one_when_there_is_one() -> None:
    """As the row of hints says beside it; and lists the tables when that one has closed."""
    async with people("ana", "bo") as (ana, bo):
        await ana.type("new seats=2", "start", "ready")
        assert "Enter    watch table 1 until there is a seat" in await bo.type("sit ana")
        put(ana.session.player_session.table, OVER)
        await ana.type("7")
        assert "Table 1 has a free seat. Enter sit down at table 1" in flat(bo)
        bo.session.player_session.lobby_changed((), ())
        await asyncio.sleep(SETTLED)
        assert "Table 1 has closed. Enter list the tables" in flat(bo)


@for_each("term", ["xterm-256color", "dumb"])
async def test_enter_deals_no_other_game_where_the_seat_of_an_invitation_was_taken_meanwhile(term: str) -> None:
    """At the old table, too, it watches then."""
    async with people("ana", "bo", term=term) as (ana, bo):
        await ana.type("new seats=2", "start", "ready")
        await bo.type("play seats=2", "ready")
        put(bo.session.player_session.table, OVER)
        await bo.type("7", "sit 1")
        assert bo.session.player_session.next_step == "watch 1"
        assert term == "dumb" or "Enter: watch 1 " in bo.shown
        await bo.type("start", "ready")
        put(bo.session.player_session.table, OVER)
        await bo.type("7")
        assert bo.session.player_session.next_step == "start"


async def test_who_watches_the_table_of_an_invitation_reads_nothing_when_it_is_dealt() -> None:
    """They see it."""
    async with people("ana", "bo") as (ana, bo):
        ana.lobby.join_lines = JoinLines(("-p 2222 cards.example",))
        await ana.type("new seats=2")
        await bo.type("watch 1")
        await ana.type("invite bo", "start")
        assert "without you" not in bo.shown
        assert bo.session.player_session.offer is PLAY


@pytest.mark.parametrize("ends", ["leave", "quit"])
async def test_an_invitation_that_comes_in_a_game_is_a_hint_as_long_as_it_can_be_accepted(ends: str) -> None:
    """It takes no space from the game, and at its end no Enter leads to a table that is no more."""
    async with people("ana", "bo") as (ana, bo):
        ana.lobby.join_lines = JoinLines(("-p 2222 cards.example",))
        await bo.type("play seats=2", "ready")
        await ana.type("new seats=2", "invite bo")
        assert "   ana invites you   " in bo.shown
        assert "talk ─" not in bo.shown
        await ana.type(ends)
        assert "ana invites you" not in bo.shown
        put(bo.session.player_session.table, at("quatch", "hand 7c", "hand 8s", pile="6s"))
        assert "You win" in await bo.type("7")
        assert bo.session.player_session.next_step == "start"


async def test_a_player_who_is_out_of_a_game_is_told_of_an_invitation_as_one_who_plays() -> None:
    """It can be taken after the game."""
    async with people("ana", "bo", "cy") as (ana, bo, cy):
        ana.lobby.join_lines = JoinLines(("-p 2222 cards.example",))
        await bo.type("new life seats=3")
        await cy.type("sit 1")
        await bo.type("start", "ready")
        await cy.type("ready")
        game = at("life", "hand 7c", "hand 8s 9s", "hand 3h 4h 5h", pile="6s")
        put(bo.session.player_session.table, game)
        await bo.type("7")
        await ana.type("new seats=2", "invite bo")
        assert "ana invites you" in bo.shown


async def test_an_invitation_stays_until_its_giver_was_seen_at_the_table() -> None:
    """From another process it may come before the news of where that player is."""
    async with people("ana", "bo") as (ana, bo):
        session = bo.session.player_session
        session.hear("ana", "(to you) come to table 1, Quatch", "sit 1")
        await asyncio.sleep(SETTLED)
        assert session.next_step == "sit 1"
        await ana.type("new seats=2")
        assert session.next_step == "sit 1"
        await ana.type("leave")
        assert session.next_step == "tables"


@pytest.mark.features("plain_questions")
@for_each(
    "typed",
    [
        "can I play with bo?",
        "play against bo again",
        "invite me bo",
        "I want to play shithead with bo",
        "let's play life with Bo",
    ],
)
async def test_whoever_wants_to_play_with_somebody_opens_a_table_and_invites_them(typed: str) -> None:
    """A question offers it."""
    async with people("ana", "bo", size=(200, 40), features=FEATURES) as (ana, bo):
        ana.lobby.join_lines = JoinLines(("-p 2222 cards.example",))
        await ana.type(typed)
        if typed.endswith("?"):
            assert "New bo: open a table for friends" in ana.session.display.answer
            await ana.type("")
        assert ana.session.display.answer.startswith("You invite bo.")
        assert "Enter    come to table" in bo.shown
        snapshot = ana.session.player_session.snapshot
        assert snapshot is not None
        assert snapshot.rules.name == ("life" if "life" in typed else "quatch")


async def test_enter_deals_at_once_if_who_was_invited_has_a_seat_under_another_name() -> None:
    """Names may be typed in any case."""
    async with host_and_guest("seats=3") as (_, ana, bo):
        await ana.type("invite bo")
        await bo.type("name Bo", "sit 1")
        assert "arranging" in await ana.type("")


async def test_who_answers_an_invitation_by_talk_in_the_lobby_is_told_that_the_inviter_does_not_read_it() -> None:
    """Until they have come to the table."""
    async with host_and_guest() as (_, ana, bo):
        await invited(ana, "bo")
        assert "ana does not read this: tell ana reaches them." in await bo.type("/coming, one sec")
        assert (await bo.type("sit 1", "/here")).count("does not read this") == 1, "as before"
        assert "bo: here" in ana.shown


async def test_enter_asks_before_it_deals_without_a_player_who_was_invited() -> None:
    """It deals at once when they sit, and so does start at any time."""
    async with host_and_guest() as (_, ana, bo):
        await ana.type("invite bo")
        assert "bo may come still: Enter again deals without them." in await ana.type("")
        assert "arranging" not in ana.shown
        await bo.type("sit 1")
        assert "arranging" in await ana.type("")


async def test_a_player_who_arranges_a_game_declines_in_words_and_the_host_waits_no_more() -> None:
    """Enter deals at once then."""
    async with host_and_guest() as (_, ana, bo):
        await bo.type("play")
        await ana.type("invite bo")
        assert "ana reads that you do not come now." in await bo.type("no")
        assert "arranging" in await ana.type("")


@pytest.mark.parametrize("accepted", ["", "yes", "y"])
async def test_enter_and_yes_go_to_the_table_of_an_invitation(accepted: str) -> None:
    """The lobby says so. A game of one's own begins with play, as ever; somebody who is ignored invites in vain."""
    async with host_and_guest("life key=apple") as (lobby, ana, _):
        cy = await TerminalPlayer(lobby, "cy", (100, 40)).arrived()
        assert "Enter    play against AI players" in cy.shown
        await invited(ana, "cy")
        assert "Enter    come to table 1, Life" in cy.shown
        await cy.type(accepted)
        assert cy.session.player_session.table_number == 1
        assert "come to table" not in await cy.type("leave", "ignore ana")
        await asyncio.sleep(1 / INVITATIONS.share.per_second)
        await invited(ana, "cy")
        assert "come to table" not in cy.shown


@pytest.mark.parametrize("accepted", ["", "yes", "join"])
async def test_an_invitation_is_accepted_after_a_game_at_another_table(accepted: str) -> None:
    """By yes, and by Enter, as the screen says; without one Enter begins another game."""
    async with host_and_guest("life key=apple") as (lobby, ana, _):
        cy = TerminalPlayer(lobby, "cy", (100, 40))
        await play_to_the_end(cy)
        assert "game over" in cy.shown
        assert "Enter another game" in cy.shown
        await invited(ana, "cy")
        assert "Enter joins ana" in cy.shown
        assert "another game" not in cy.shown
        await cy.type(accepted)
        assert cy.session.player_session.table_number == 1


async def test_plain_lines_say_an_invitation_again_when_the_player_may_go() -> None:
    """At the end of the game during which it came, and in the lobby; the screen shows it then."""
    async with host_and_guest("life key=apple") as (lobby, ana, _):
        cy = TerminalPlayer(lobby, "cy", (100, 40))
        await cy.type("set mode line", "play 3", "ready")
        await invited(ana, "cy")
        table = cy.session.player_session.table
        put(table, at("quatch", "hand 7c", "hand 8s", "hand 9s", pile="6s"))
        for line in ("7", "leave"):
            said = (await cy.type(line)).rpartition(f"> {line}\n")[2]
            assert "ana invites you: press Enter or type sit 1 apple." in said


async def test_an_invitation_to_a_running_game_leads_to_the_spectators() -> None:
    """There is no seat to take; a spectator may invite, too."""
    async with host_and_guest() as (lobby, ana, bo):
        await ana.type("start")
        await bo.type("watch 1")
        cy = await TerminalPlayer(lobby, "cy", (200, 40)).arrived()
        assert await invited(ana, "cy") == f"You invite cy. {TO_OTHERS} watch 1"
        await bo.type("invite cy")
        assert "Enter    come to table 1, Quatch" in cy.shown
        assert cy.session.player_session.next_step == "watch 1"


async def test_to_play_with_somebody_invites_them_to_the_table_between_games() -> None:
    """And several players at once. Who has invited as many as there are seats reads no line for others."""
    async with host_and_guest() as (lobby, ana, bo):
        cy = await TerminalPlayer(lobby, "cy", (200, 40)).arrived()
        await ana.type("play with bo and cy")
        assert ana.session.display.answer == "You invite bo and cy."
        assert "(to you) come to table 1" in bo.shown
        assert "ana invites you." in cy.shown
        await bo.type("sit 1")
        await asyncio.sleep(1 / INVITATIONS.share.per_second)
        assert await invited(ana, "bo cy ana cy") == "You invite cy."
        await ana.type("play with bo")
        assert ana.session.player_session.in_game, "who is named sits here already"


@for_each(
    ("key", "line"),
    [
        ("$(reboot)", "sit 1 '$(reboot)'"),
        ("a;b", "sit 1 'a;b'"),
        ("it's", """sit 1 'it'"'"'s'"""),
        ("-oX", "sit 1 -oX"),
    ],
)
async def test_the_line_to_pass_on_is_safe_in_a_shell(key: str, line: str) -> None:
    """Whatever word a player has chosen for a table; inside it is typed as it is."""
    async with host_and_guest(f"key={key}") as (_, ana, bo):
        assert await invited(ana, "bo") == f"You invite bo. {TO_OTHERS} {line}"
        assert f"type sit 1 {key}\n" in bo.shown


async def test_a_line_to_pass_on_that_is_pasted_inside_takes_the_seat() -> None:
    """With the word of a private table."""
    async with host_and_guest("word=apple") as (_, ana, bo):
        line = (await invited(ana)).partition("with: ")[2]
        assert "ssh -t" in line
        await bo.type(line)
        assert bo.session.player_session.table_number == 1


async def test_a_player_is_not_invited_again_and_again() -> None:
    """Not within a minute; and all invitations count as talk."""
    async with host_and_guest() as (lobby, ana, bo):
        await invited(ana, "bo")
        for _ in range(3):
            assert await invited(ana, "bo") == "You have just invited bo: wait a minute."
        await asyncio.sleep(1 / INVITATIONS.share.per_second)
        assert (await invited(ana, "BO")).startswith("You invite bo.")
        assert bo.shown.count("(to you)") == 2
        await asyncio.sleep(1 / INVITATIONS.share.per_second)
        with suppress(InputError):
            while True:
                ana.session.player_session.take_turn_to_talk()
        assert await invited(ana, "bo") == "You talk too fast: wait a few seconds."
        assert lobby.visitors.named("bo") is bo.session.player_session


async def test_mutes_and_ignored_players() -> None:
    """A muted player invites nobody, and reads the line all the same; an ignored one is not heard."""
    async with host_and_guest() as (lobby, ana, bo):
        await bo.type("ignore ana")
        await invited(ana, "bo")
        assert "(to you)" not in bo.shown
        await bo.type("ignore ana", "ignore ana")
        await asyncio.sleep(1 / INVITATIONS.share.per_second)
        await lobby.imposed.mutes.put(against("account:ana"))
        assert "has muted you" in await invited(ana, "bo")
        assert await invited(ana) == f"{TO_OTHERS} sit 1"
        assert "(to you)" not in bo.shown


async def test_an_ignored_player_takes_no_seat_beside_the_other() -> None:
    """Not as a spectator, nor with meet, nor while the other is away; they do once the other hears them again."""
    refused = "Somebody there wants no seat beside you: new opens a table of your own."
    async with host_and_guest() as (_, ana, bo):
        await ana.type("ignore bo")
        assert refused in " ".join((await bo.type("sit 1")).split())
        assert refused in " ".join((await bo.type("watch 1", "sit 1")).split())
        await bo.type("leave", "meet")
        assert bo.session.player_session.table_number != 1
        await bo.type("leave", "leave")
        await ana.go()
        assert refused in " ".join((await bo.type("sit 1")).split())
    async with host_and_guest() as (_, ana, bo):
        await ana.type("ignore bo", "ignore bo", "ignore bo")
        await bo.type("sit 1")
        assert bo.session.player_session.table_number == 1


async def test_who_cannot_be_invited() -> None:
    """A bot reads nothing; to a game in one's own terminal nobody can come."""
    async with host_and_guest() as (lobby, ana, bo):
        robo = PlayerSession(lobby, Caller("robo"), Remembering(), "bot")
        await robo.identify()
        await robo.begin()
        assert await invited(ana, "robo") == "A bot like robo reads no invitations."
        assert "'zoe' is not here" in await bo.type("invite zoe")
        lobby.join_lines = JoinLines()
        assert await invited(ana, "bo") == "Nobody else can come to this table: it is in your terminal alone."


@for_each(
    "said",
    ["accept", "i accept", "accept the invitation", "come", "join", "ok", "sure", "yes"],
)
async def test_an_invitation_is_accepted_in_words(said: str) -> None:
    """Not only by the line that it names."""
    async with host_and_guest("key=apple") as (_, ana, bo):
        await ana.type("invite bo")
        await bo.type(said)
        assert bo.session.player_session.table_number == 1


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
async def test_an_enter_that_was_on_its_way_takes_no_invitation(term: str) -> None:
    """It was pressed for what Enter did before; a player who has read of the invitation takes it."""
    async with people("ana", "bo", term=term) as (ana, bo):
        ana.lobby.join_lines = JoinLines(("-p 2222 cards.example",))
        await ana.type("new", "invite bo")
        await bo.send(b"\r")
        assert bo.session.player_session.place.name == "lobby"
        await bo.type("")
        assert bo.session.player_session.table_number == 1


async def test_a_page_tells_of_an_invitation() -> None:
    """It stands beside the title until the invitation ends; Enter turns the page as before."""
    async with people("ana", "bo") as (ana, bo):
        ana.lobby.join_lines = JoinLines(("-p 2222 cards.example",))
        await bo.type("help")
        await ana.type("new", "invite bo")
        assert bo.shown.startswith(" help   ana invites you\n")
        assert "Enter goes" in bo.shown
        await ana.type("leave")
        assert "ana invites you" not in bo.shown


async def test_an_invitation_that_has_been_answered_is_shown_no_more() -> None:
    """Neither in the talk of the lobby nor anywhere else on the screen."""
    async with people("ana", "bo") as (ana, bo):
        ana.lobby.join_lines = JoinLines(("-p 2222 cards.example",))
        await ana.type("new", "invite bo")
        assert " ana invites you." in bo.shown
        assert "come to" not in (await bo.type("decline", "who")).replace("decline", "")
        assert "ana invites" not in await bo.type("q")


async def test_a_player_who_accepts_in_a_game_reads_how_they_come() -> None:
    """Something was asked, though it has to wait."""
    async with people("ana", "bo") as (ana, bo):
        ana.lobby.join_lines = JoinLines(("-p 2222 cards.example",))
        await bo.type("play seats=2", "ready")
        await ana.type("new", "invite bo")
        assert "After this game type sit 2." in await bo.type("accept")


@pytest.mark.parametrize("said", ["no", "decline"])
async def test_an_invitation_is_declined_in_words(said: str) -> None:
    """The other player reads it once, and Enter leads there no more."""
    async with host_and_guest() as (_, ana, bo):
        await ana.type("invite bo")
        assert "ana reads that you do not come now." in await bo.type(said)
        assert "bo: (to you) not now, thanks" in ana.shown
        assert "Nobody has invited you just now." in await bo.type("decline")
        assert bo.session.player_session.offer.line == "play"
