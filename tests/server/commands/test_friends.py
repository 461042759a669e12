"""What friends and guests meet who play together: who deals, how they come, whom they hear."""

import asyncio

import pytest

from engine.wording.phrases import sentence_case
from server.joining import JoinLines
from server.people.players import Caller
from tests.support.at_terminals import flat
from tests.support.emulator import TerminalPlayer, begin_together, open_lobby, people, sit_together
from tests.support.features import FEATURES
from tests.support.positions import at
from tests.support.tables import put

pytestmark = pytest.mark.virtual_time


def one_line(said: str) -> str:
    """What was said, not wrapped."""
    return " ".join(said.split())


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
async def test_enter_of_a_guest_deals_to_nobody_who_waits_for_a_friend(term: str) -> None:
    """The host's does, and start of every player; where no seat is free nobody is waited for."""
    async with people("ana", "bo", term=term) as (ana, bo):
        await sit_together(ana, bo, seats=3)
        assert "The host may wait for others: start deals" in await bo.type("")
        snapshot = bo.session.player_session.snapshot
        assert snapshot is not None
        assert not snapshot.playing
        assert "Enter deals" not in bo.shown
        await bo.type("start")
        assert ana.session.player_session.in_game
    async with people("ana", "bo", term=term) as (ana, bo):
        await ana.type("new seats=2")
        await bo.type("sit 1", "")
        assert ana.session.player_session.in_game


async def test_an_invited_player_comes_and_declines_in_their_words() -> None:
    """Also after a game."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        ana.lobby.join_lines = JoinLines(("cards.example",))
        await ana.type("new seats=3")
        await bo.type("play")
        await ana.type("invite bo")
        await bo.type("leave", "leave", "join")
        assert bo.session.player_session.table_number == 1
    for no in ("maybe later", "not now"):
        async with people("ana", "bo") as (ana, bo):
            ana.lobby.join_lines = JoinLines(("cards.example",))
            await ana.type("new seats=3", "invite bo")
            assert "ana reads that you do not come now." in await bo.type(no)


async def test_who_talks_to_nobody_reads_so() -> None:
    """Neither in the lobby nor at a table is a line said to others if none are there, or on the whole server."""
    async with people("ana", features=FEATURES) as (ana,):
        await ana.type("play", "ready")
        assert "Nobody else is here to read it now: hint proposes a move" in await ana.type("fine")
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        alone = "Nobody else is here to read it now; tell NAME reaches a player elsewhere."
        await bo.type("new seats=3")
        assert alone in " ".join((await bo.type("ok no problem ana, come when you can")).split())
        assert alone in " ".join((await ana.type("/anybody there?")).split())
        assert "Enter says it to the others" not in await ana.type("well then let us see about that")
        await ana.type("sit 1")
        assert "Nobody else" not in await ana.type("/here I am")
        assert "Enter says it to the others" in await ana.type("well then let us see about that")


async def test_two_who_meet_read_how_to_play_at_once_while_no_card_is_played() -> None:
    """The first may leave for a new table without cost, and the second comes by Enter."""
    async with people("ana", "bo") as (ana, bo):
        await ana.type("meet")
        assert "ana reads how to leave for a new table with you at once." in " ".join((await bo.type("meet")).split())
        assert ana.session.player_session.talk.lines[-1].endswith(
            "No card is played: type leave, then new bo, and we play now"
        )
        await ana.type("leave", "new bo")
        await bo.type("")
        numbers = {each.session.player_session.table_number for each in (ana, bo)}
        assert numbers == {2}


async def test_who_was_removed_from_a_table_meets_people_elsewhere() -> None:
    """And reads no promise of a seat there."""
    async with people("ana", "bo") as (ana, bo):
        await sit_together(ana, bo, seats=3)
        await ana.type("remove bo", "remove bo")
        for line in ("leave", "meet", "leave", "leave"):
            await bo.type(line)
            assert "will see that you wait" not in bo.shown
        await ana.type("start", "ready")
        assert "will see that you wait" not in await bo.type("meet")
        assert bo.session.player_session.table_number not in {1, None}


@pytest.mark.features("plain_questions")
@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
async def test_friends_are_answered_in_plain_words(term: str) -> None:
    """Also who types what only ops may do, and who names a table by its player."""
    async with people("ana", "bo", term=term, features=FEATURES) as (ana, bo):
        await ana.type("new seats=3")
        for typed, said in (
            ("how do my friends get here?", "Type invite to see what they type"),
            ("reseat bo2 as bo", "that is for the person who runs the server"),
            ("can we play in teams", "There are no teams"),
            ("mute bo", "You hear no more from bo;"),
            ("unblock bo", "You hear bo again."),
        ):
            assert said in " ".join((await ana.type(typed)).split()), typed
        await bo.type("sit at anas table")
        assert bo.session.player_session.table_number == 1
        await bo.type("leave", "meet somebody")
        assert bo.session.player_session.table_number == 1


@pytest.mark.features("plain_questions", "returning_guests")
async def test_a_guest_reads_how_to_come_back_with_the_code() -> None:
    """Before the connection is lost their own code, afterwards the one that they were shown."""
    async with open_lobby(features=FEATURES) as lobby:
        bo = await TerminalPlayer(lobby, "bo", caller=Caller("bo")).arrived()
        code = bo.session.player_session.resume_code
        said = await bo.type("play", "how do i come back if i lose the connection")
        assert f"resume {code} takes it back" in " ".join(said.split())
        await bo.type("leave", "leave")
        for typed in ("how do i get my seat back", "i lost my connection", "i got disconnected"):
            assert "your seat is kept: resume and the code that you were shown" in " ".join(
                (await bo.type(typed)).split()
            )


@pytest.mark.features("plain_questions")
async def test_people_who_want_to_end_a_game_read_that_it_waits_if_all_quit() -> None:
    """And it does so; nothing that they say before ends it or moves. A player alone reads what quit and leave do."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await begin_together(ana, bo)
        before = ana.session.player_session.snapshot
        assert before is not None
        said = "stop, cancel, abort, end the game, let's stop, "
        said += "can we call off this game?, let's call it a draw, offer draw"
        for typed in said.split(", "):
            await ana.type(typed)
            assert "If bo and you quit, it waits until one of you is back;" in flat(ana), typed
        await ana.type("quit", "quit")
        await bo.type("quit", "quit")
        await asyncio.sleep(3600)
        again = await TerminalPlayer(ana.lobby, "ana").arrived()
        after = again.session.player_session.snapshot
        assert after is not None
        assert (after.game, after.ply, after.playing) == (before.game, before.ply, True)


async def test_ignore_alone_lists_who_is_ignored() -> None:
    """Also a player who has gone meanwhile."""
    async with people("ana", "bo", "cy", features=FEATURES) as (ana, bo, _):
        assert "You hear everybody: ignore NAME stops hearing a player." in await ana.type("ignore")
        await ana.type("ignore bo", "ignore cy")
        await bo.go()
        assert "You hear nothing from bo and cy: ignore NAME has you hear them again." in await ana.type("ignore")


async def test_ignoring_twice_asks_before_the_other_is_heard_again() -> None:
    """By any word for it."""
    async with people("ana", "bo") as (ana, _):
        await ana.type("ignore bo")
        assert "You hear nothing from bo already: type ignore bo again to hear them." in await ana.type("block bo")
        assert "You hear bo again." in await ana.type("ignore bo")


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
async def test_what_is_said_to_others_keeps_its_please(term: str) -> None:
    """What is asked for does without."""
    async with people("ana", "bo", term=term) as (ana, bo):
        for typed, said in (
            ("tell bo wait please", "(to you) wait please"),
            ("please tell bo hurry, pls", "(to you) hurry, pls"),
            ("tell bo please hurry please", "(to you) please hurry please"),
            ("say where are you please", "where are you please"),
            ("/ come here please", "come here please"),
        ):
            await ana.type(typed)
            assert f"ana: {said}" in flat(bo), typed
        assert "You are Anna" in await ana.type("name Anna please")


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
@pytest.mark.parametrize("word", ["reply", "/r", "/reply", "Reply"])
async def test_a_reply_goes_to_who_spoke_to_the_player_last(word: str, term: str) -> None:
    """Unless it names a player, as tell does; also one who has gone, so that no other reads it."""
    async with people("ana", "bo", "cy", term=term) as (ana, bo, cy):
        assert "No player here is called 'yes'" in one_line(await bo.type(f"{word} yes"))
        await cy.type("tell bo hello")
        await ana.type("tell bo shall we play?")
        await bo.type(f"{word} yes, in a minute")
        assert "bo: (to you) yes, in a minute" in flat(ana)
        await bo.type(f"{word} cy hello yourself")
        assert "bo: (to you) hello yourself" in flat(cy)
        await cy.go()
        assert "No player here is called 'cy'" in one_line(await bo.type(f"{word} cy are you there"))


async def test_who_plays_with_others_is_not_told_to_leave_in_the_middle_of_a_game() -> None:
    """They would be last in it; before a card is played it costs nothing."""
    async with people("ana", "bo", "cy", "dan", features=FEATURES) as (ana, bo, cy, dan):
        ana.lobby.join_lines = JoinLines(("cards.example",))
        await sit_together(ana, bo)
        await dan.type("new seats=3")
        await cy.type("watch 1")
        await ana.type("start")
        for ready, leave in (("", "type leave"), ("ready", "when this game is over type leave")):
            await ana.type(ready)
            await bo.type(ready)
            for typed, way in (
                ("invite cy", f"No seat is free: {leave}, then new bo cy, which asks bo and cy to come along."),
                ("start life", f"The game is going on. {sentence_case(leave)}, then new life bo"),
                ("let's play life", f"A table keeps its rules: {leave}, then new life bo"),
                ("sit 2", "After this game type sit 2."),
            ):
                await ana.type(typed)
                assert way in one_line(ana.session.display.answer), typed


async def test_a_new_table_for_players_here_is_no_talk() -> None:
    """It is typed where the player has just read it, and must be left first."""
    async with people("ana", "bo", "cy") as (ana, bo, _):
        await sit_together(ana, bo)
        assert "New works in the lobby: type leave first." in await ana.type("new bo cy")
        assert "Enter says it to the others" in await ana.type("new idea bo cy")


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
async def test_who_wants_another_game_already_is_not_asked_to_agree(term: str) -> None:
    """When a third player wants it, too."""
    async with people("ana", "bo", "cy", term=term) as (ana, bo, cy):
        await sit_together(ana, bo, cy)
        await ana.type("start")
        put(ana.session.player_session.table, at("quatch", "hand 7c", "hand 8s", "hand 9s", pile="6s"))
        await ana.type("7", "again")
        await bo.type("start")
        for each, is_asked in ((ana, False), (bo, False), (cy, True)):
            told = next(line for line in reversed(each.session.player_session.feed.log) if "another game. It" in line)
            assert told.endswith("start agrees, no refuses.") == is_asked
