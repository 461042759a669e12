"""How a table is opened for friends, how spectators come, and how its host removes a player."""

import asyncio

import pytest

from server.joining import JoinLines
from tests.support.at_terminals import flat
from tests.support.each import for_each
from tests.support.emulator import SETTLED, TerminalPlayer, people, sit_together
from tests.support.features import FEATURES
from tests.support.occasions import exam_settings
from tests.support.positions import at
from tests.support.tables import put

pytestmark = pytest.mark.virtual_time


async def test_a_private_table_has_a_word_under_several_names() -> None:
    """The README speaks of a word; level=auto is what the table has anyway."""
    async with people("ana", "bo") as (ana, bo):
        assert "Private: others type sit 1 apple" in await ana.type("new seats=2 word=apple level=auto")
        assert "AI players here are easy." in ana.shown
        await ana.type("start")
        assert "type its word, too, as in sit 1 WORD or watch 1 WORD" in " ".join((await bo.type("watch 1")).split())
        await bo.type("sit 1")
        assert bo.session.player_session.next_step == "play"
        assert "type watch 1 and its word to look on" in " ".join(bo.shown.split())
        await bo.type("watch 1 apple")
        assert bo.session.player_session.place.name == "watching"


async def test_a_table_is_private_by_its_word() -> None:
    """Who asks for a private table reads so; a rule set may be named as the other settings are."""
    async with people("ana") as (ana,):
        session = ana.session.player_session
        assert "new word=apple opens one" in await ana.type("new private")
        assert session.place.name == "lobby"
        await ana.type("new private word=apple rules=life seats=2")
        assert session.snapshot is not None
        snapshot = session.snapshot
        assert (snapshot.word, snapshot.rules.name, len(snapshot.sitters)) == ("apple", "life", 2)


async def test_back_leads_to_the_lobby_while_no_game_goes_on() -> None:
    """In a game it only takes one's own seat back."""
    async with people("ana") as (ana,):
        assert "You play your own cards already" in await ana.type("play", "back")
        await ana.type("leave", "leave", "new")
        assert "You are in the lobby." in await ana.type("back")


async def test_the_only_table_is_watched_and_sit_down_takes_a_seat() -> None:
    """It need not be named."""
    async with people("ana", "bo") as (ana, bo):
        await ana.type("new seats=2")
        await bo.type("watch")
        assert bo.session.player_session.place.name == "watching"
        await bo.type("sit down")
        assert bo.session.player_session.place.name == "table"


@pytest.mark.features("plain_questions")
async def test_a_player_who_wants_more_seats_is_told_how_friends_come_along() -> None:
    """And whether they are still there."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await sit_together(ana, bo)
        said = "A table keeps its seats: type leave, then new 4 bo, a table for four, which asks bo to come along."
        assert said in " ".join((await ana.type("4 players")).split())
        await ana.type("start", "ready")
        await bo.go()
        assert "bo is disconnected; their seat is kept." in await ana.type("where is bo")
        again = TerminalPlayer(ana.lobby, "bo")
        await asyncio.sleep(SETTLED)
        assert "bo is back" in ana.shown
        assert ana.session.display.answer == ""
        await again.go()


@for_each("typed", ["start it", "play it already", "deal it", "go already", "Start it up", "start again"])
async def test_words_that_describe_no_table_keep_no_table_from_being_dealt(typed: str) -> None:
    """They are no rule set, level or number of seats."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await ana.type("new seats=2")
        await bo.type("sit 1", typed)
        assert ana.session.player_session.in_game


@pytest.mark.features("plain_questions")
async def test_only_words_that_describe_another_table_are_answered_with_the_line_for_it() -> None:
    """It names those who sit here, so that nobody is left behind; other words read what deals."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):

        async def told(line: str) -> str:
            await ana.type(line)
            return " ".join(ana.session.display.answer.split())

        await ana.type("new seats=2")
        assert await told("start life 2") == "A table keeps its rules and seats: type leave, then play life 2."
        await bo.type("sit 1")
        along = "type leave, then new {} bo, which asks bo to come along."
        assert await told("start life 4") == f"A table keeps its rules and seats: {along.format('life 4')}"
        for typed, name in (
            ("play college", "college"),
            ("change rules to college", "college"),
            ("lets play cathedral", "cathedral"),
            ("can we play college next", "college"),
        ):
            said = (await told(typed)).replace(" and seats", "")
            assert said == f"A table keeps its rules: {along.format(name)}"
        assert "new college bo" in await told("other rules")
        assert "start deals" in await told("start fireworks")
        await ana.type("start")
        assert ana.session.player_session.in_game
        assert await told("start it") != "", "nor is anybody told to leave a game"
        assert "leave" not in await told("start it")


async def test_others_read_that_a_player_has_gone_to_the_lobby_although_the_seat_is_kept() -> None:
    """As in a game that others wait for: the connection is not lost."""
    async with people("ana", "bo") as (ana, bo):
        players = [person.session.player_session.player for person in (ana, bo)]
        tables = bo.session.player_session.lobby.tables
        table = await tables.open_table(exam_settings(*players, others_wait=True))
        await table.director.prepare(60)
        await bo.type("sit 1")
        assert "Your exam is kept." in await ana.type("sit 1", "leave")
        assert "ana goes to the lobby." in bo.shown
        await ana.type("sit 1")
        await table.director.deal()
        await ana.type("leave")
        assert "ana goes to the lobby: in 10 seconds an AI player plays for them" in bo.shown


async def test_a_spectator_goes_straight_to_another_table() -> None:
    """To watch it or to sit there; at their own table they are told what they can do."""
    async with people("ana", "bo", "cy") as (ana, bo, cy):
        await ana.type("play seats=2")
        await bo.type("new seats=2")
        assert "You watch table 1." in await cy.type("watch 1", "watch ana")
        await cy.type("join the next game")
        shown = " ".join(cy.shown.split())
        assert "Table 1 has no free seat in this game: when it is over, sit takes an AI player's." in shown
        await cy.type("watch 2")
        session = cy.session.player_session
        assert (session.place.name, session.table.number) == ("watching", 2)
        await cy.type("leave", "watch 1", "sit 2")
        assert (session.place.name, session.table.number) == ("table", 2)
        await cy.type("watch 1")
        assert session.table.number == 2, "a player with a seat leaves it first"


async def test_the_host_removes_by_name() -> None:
    """No screen numbers the seats while a game goes on, or when it is over."""
    async with people("ana", "bo") as (ana, bo):
        await sit_together(ana, bo, seats=3)
        assert "Fox leaves." in await ana.type("add another player", "remove Fox")
        assert "Type remove 2 for seat 2" in await ana.type("remove zoe")
        assert "Remove which player?" in await ana.type("remove 1")
        await ana.type("start", "remove BO")
        asked = (
            "You would be last in this game, and bo could never sit here again: if you mean that, type remove BO again."
        )
        assert asked in " ".join(ana.shown.split())
        assert "Only the host of the table" in await bo.type("add")
        assert "You remove bo and are last in this game" in await ana.type("remove BO")
        assert bo.session.player_session.place.name == "watching"
        assert "ana has removed you from this table. An AI player plays on" in flat(bo)
        assert "Only the host of the table" not in bo.shown, "the answer was to a player with a seat"


async def test_a_player_is_removed_for_good_and_not_by_a_slip() -> None:
    """The host is asked between games, too. Neither a hint nor an invitation offers the player a seat again."""
    async with people("ana", "bo") as (ana, bo):
        ana.session.player_session.lobby.join_lines = JoinLines(("cards.example",))
        await sit_together(ana, bo)
        assert "bo could never sit here again: if you mean that, type remove bo again." in await ana.type("remove bo")
        assert bo.session.player_session.place.name == "table"
        await ana.type("remove bo")
        assert "ana has removed you from this table: you cannot sit here again." in bo.shown
        assert "\n help   leave   / talks" in bo.shown
        assert "You have removed bo for good: bo can play with you at another table alone." in await ana.type(
            "invite bo"
        )
        assert "The host of table 1 does not want you to sit there." in await bo.type("sit")


async def test_a_name_without_letters_and_digits_is_refused() -> None:
    """And does not make the player a guest."""
    async with people("ana") as (ana,):
        assert "',' makes no name: use letters and digits." in await ana.type("name ,")
        assert ana.session.player_session.player.name == "ana"


@pytest.mark.features("plain_questions")
@pytest.mark.parametrize("typed", ["sit with ana", "join ana's table", "I want to sit next to ana"])
async def test_a_player_sits_down_with_another_by_name(typed: str) -> None:
    """At the table where the other is."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await ana.type("new seats=3")
        await bo.type(typed)
        assert bo.session.player_session.place.name == "table"
        assert "asks all here for another one" in " ".join((await bo.type("ask ana for a rematch")).split())
        assert "sits at this table" in await bo.type("where did ana go?")


@for_each("typed", ["new", "new life", "new life word=apple", "new seats=3 level=easy"])
async def test_at_a_table_where_others_are_a_new_one_is_told_the_way(typed: str) -> None:
    """However much is typed behind it."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await sit_together(ana, bo, seats=3)
        assert "type leave first" in await bo.type(typed)


@pytest.mark.parametrize("typed", ["sit 1", "join ana"])
async def test_a_player_who_is_refused_elsewhere_keeps_the_old_seat(typed: str) -> None:
    """Also at a private table, to which they could not come back without its word."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await ana.type("new seats=2", "start", "ready")
        await bo.type("new seats=2 word=apple", "start", "ready")
        session = bo.session.player_session
        table = session.table
        put(table, at("quatch", "hand 7c", "hand 8s", pile="6s"))
        await bo.type("7")
        assert session.may_go
        assert "Table 1 has no free seat" in " ".join((await bo.type(typed)).split())
        assert (session.place.name, session.table.number) == ("table", 2)


async def test_the_row_of_hints_says_what_enter_does_with_what_stands_in_the_line() -> None:
    """What was proposed, before the deal; in the lobby, too."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        assert "Enter    say it to the others" in await ana.type("bo please wait a moment")
        await sit_together(bo, ana, seats=3)
        assert "Enter deals" in bo.shown
        shown = await bo.type("ana please wait a moment")
        assert "Enter says it   " in shown
        assert "Enter deals" not in shown
        assert "Enter: invite   " in await bo.type("can we invite")


async def test_people_who_want_to_meet_come_to_one_table() -> None:
    """The first plays AI players meanwhile; the next watches until a seat is free; who comes then sits at once."""
    async with people("ana", "bo", "cy") as (ana, bo, cy):
        assert "arranging" in await ana.type("meet")
        assert "Others who type meet come to this table." in ana.shown
        await ana.type("ready")
        assert "ana will see that you wait: after this game Enter takes a seat." in await bo.type("meet")
        playing = ana.session.player_session
        assert playing.talk.lines[-1] == "bo: (to you) I wait for the next game here"
        seats = ("hand 7c", "hand 8s", "hand 9s")
        put(playing.table, at("quatch", *seats, pile="6s"))
        await ana.type("7")
        await bo.type("")
        assert "You sit with ana and bo: Enter deals." in await cy.type("meet")
        for person in (cy, ana, bo):
            await person.type("")
        assert "arranging" in cy.shown


async def test_where_a_table_is_full_enter_watches_and_takes_a_seat_after_the_game() -> None:
    """Each time the screen says so before. At the own turn Enter alone never moves."""
    async with people("ana", "bo") as (ana, bo):
        await ana.type("new life seats=2", "start", "ready")
        assert "Enter    watch table 1 until there is a seat" in await bo.type("sit 1")
        await bo.type("")
        place = bo.session.player_session
        assert place.place.name == "watching"
        table = place.table
        put(table, at("life", "hand 7c", "hand 8s", pile="6s"))
        await ana.type("")
        assert table.playing
        await ana.type("7")
        assert "Enter sits down" in bo.shown
        await bo.type("")
        assert place.place.name == "table"


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
async def test_a_player_reads_before_the_first_card_whether_the_game_is_rated(term: str) -> None:
    """The first row says so throughout the game, in plain lines a sentence."""
    async with people("ana", term=term) as (ana,):
        shown = await ana.type("play")
        assert ("The next game is rated." in shown) == (term == "dumb")
        if term != "dumb":
            assert shown.split("\n")[0].rstrip().endswith(" rated")
            assert (await ana.type("ready")).split("\n")[0].rstrip().endswith(" rated")


@for_each("typed", ["meet blah", "watch 99", "decline", "new", "i want to meet people", "play life"])
async def test_a_command_of_the_lobby_takes_nobody_from_a_table(typed: str) -> None:
    """Also if nobody else is there."""
    async with people("ana", features=FEATURES) as (ana,):
        await ana.type("new", typed, "yes")
        assert ana.session.player_session.at_table


async def test_a_page_of_the_table_says_at_which_move_it_was_taken() -> None:
    """It stands still while the game goes on."""
    async with people("ana") as (ana,):
        await ana.type("play", "ready")
        ply = ana.session.player_session.snapshot
        assert ply is not None
        assert f"where, at move {ply.ply}" in await ana.type("where")
