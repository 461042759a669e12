"""What is proposed to a player is done at Enter or yes, and nothing else is done by a guess."""

import asyncio
from typing import Final

import pytest

from engine.ai.verdict import Verdict
from engine.legality import legal_moves
from engine.moves import READY, PickUp, Play
from server.language.position_text import awaited_text
from tests.support.each import for_each
from tests.support.emulator import begin_together, people, sit_together
from tests.support.features import FEATURES
from tests.support.positions import at
from tests.support.tables import put

pytestmark = pytest.mark.virtual_time


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
async def test_what_is_proposed_is_done_at_enter_or_yes(term: str) -> None:
    """Once, with what stood behind the word; a no, and any other line, forgets it."""
    async with people("ana", term=term, features=FEATURES) as (ana,):
        player = ana.session.player_session
        await ana.type("naem Bo")
        assert (player.typed_again.proposed, player.player.name) == ("name Bo", "ana")
        await ana.type("no", "naem Cy", "tables", "yes")
        assert player.player.name == "ana"
        await ana.type("naem Bo", "yes")
        assert player.player.name == "Bo"
        await ana.type("naem Cy", "")
        assert (player.player.name, player.place.name) == ("Cy", "lobby")


async def test_a_name_that_is_misspelt_behind_a_command_is_proposed_as_it_should_be() -> None:
    """Enter carries the line out then; a word like none is answered with all that there are."""
    async with people("ana", features=FEATURES) as (ana,):
        player = ana.session.player_session
        assert "did you mean hard?" in await ana.type("play life level=hrad")
        assert "did you mean life?" in await ana.type("play lief level=hard")
        assert player.typed_again.proposed == "play life level=hard"
        assert "there are quatch, cathedral" in await ana.type("rules chess")
        assert player.typed_again.proposed == ""
        await ana.type("set modw line", "")
        assert player.settings.mode == "line"


async def test_what_a_question_has_behind_a_command_is_proposed_if_the_command_takes_it() -> None:
    """A player who is here, a table that is open to all, settings; no word that Enter would be refused."""
    async with people("ana", "bo", "cy", features=FEATURES) as (ana, bo, cy):
        await bo.type("new seats=2")
        await cy.type("new word=apple")
        for typed, line in (
            ("can I block bo?", "ignore bo"),
            ("may I sit at table 1", "sit 1"),
            ("can I watch next to bo", "watch bo"),
            ("could we play a game of life easy please", "play life easy"),
            ("can I block them?", ""),
            ("how about we ignore again", ""),
            ("may I sit at table 2", ""),
            ("can I watch cy", ""),
        ):
            await ana.type(typed)
            assert ana.session.player_session.typed_again.proposed == line, typed
        await bo.type("start")
        await ana.type("may I sit at table 1")
        assert not ana.session.player_session.typed_again.proposed


@for_each("typed", ["college", "cathedral, please"])
async def test_a_rule_set_is_no_slip_of_another_word_at_a_table(typed: str) -> None:
    """College is near to challenge, another word for the daily deal."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await ana.type("new seats=2")
        await bo.type("sit 1", typed)
        assert bo.session.player_session.typed_again.proposed == f"'{typed}"


async def test_a_name_of_several_words_is_asked_about() -> None:
    """Since the words may be a sentence."""
    async with people("ana", features=FEATURES) as (ana,):
        assert "Press Enter to be called it-day;" in await ana.type("call it a day")
        assert ana.session.player_session.player.name == "ana"
        await ana.type("")
        assert ana.session.player_session.player.name == "it-day"


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
async def test_an_enter_at_once_after_another_one_does_nothing(term: str) -> None:
    """Nobody has read what it would do: a key was held, or pressed once too often."""
    async with people("ana", term=term, features=FEATURES) as (ana,):
        player = ana.session.player_session
        await ana.type("new")
        await ana.send(b"\r" * 9)
        assert player.snapshot is not None
        assert not player.snapshot.playing
        await ana.type("leave", "naem Cy")
        await ana.send(b"\r")
        assert (player.player.name, player.place.name) == ("ana", "lobby")
        await ana.type("")
        assert player.player.name == "Cy"


async def test_an_enter_that_was_for_a_page_deals_no_cards() -> None:
    """It closes the page, and the next one at once does nothing."""
    async with people("ana", features=FEATURES) as (ana,):
        assert "lobby>" not in await ana.type("rules")
        assert "lobby>" in await ana.send(b"\r" * 9)
        assert ana.session.player_session.place.name == "lobby"


async def test_a_cheer_is_said_to_the_others() -> None:
    """Although it begins with a word that means something else elsewhere."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await ana.type("play")
        assert "Enter says it to the others here" in await bo.type("watch 1", "go ana!")
        assert "Only others who watch read this: players hear you after the game." in await bo.type("")


@for_each("said", ["I was in a game!", "i have a cat", "that was a good one", "show me the way"])
async def test_what_is_proposed_to_be_said_is_said_as_it_was_typed(said: str) -> None:
    """With its small words, capitals and marks."""
    async with people("ana", "bo", features=FEATURES) as (ana, _):
        await ana.type(said)
        assert ana.session.player_session.typed_again.proposed == f"'{said}"


@pytest.mark.features("plain_questions")
async def test_a_misspelt_move_is_named_and_enter_does_not_make_it() -> None:
    """With what can be played."""
    async with people("ana", features=FEATURES) as (ana,):
        await ana.type("play 2", "ready")
        put(ana.lobby.tables.here[1], at("quatch", "hand 7c Kc", "hand 8s 9s", pile="6s"))
        assert "'kxx' is no card. You can play a 7 or a king." in await ana.type("play the kxx")
        for slip, move in (
            ("kign", "king"),
            ("quen", "queen"),
            ("jak", "jack"),
            ("play the sevven", "play the seven"),
            ("thorw teh kign", "throw the king"),
        ):
            assert f"Type {move} if you mean that" in await ana.type(slip)
            assert "You play" not in await ana.type("")


async def test_escape_takes_back_what_enter_would_say() -> None:
    """Its answer goes, too."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        assert "Enter says it" in await ana.type("that was a good one")
        await ana.send(b"\x1b")
        await asyncio.sleep(1)
        await ana.type("")
        assert "that was a good one" not in bo.shown


async def test_what_is_proposed_is_forgotten_when_the_game_is_over() -> None:
    """The screen says what Enter does then."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        player = bo.session.player_session
        await ana.type("play 2", "ready")
        await bo.type("watch 1", "come on ana")
        assert player.typed_again.proposed == "'come on ana"
        await ana.type("leave", "leave")
        assert not player.typed_again.proposed


@pytest.mark.parametrize("no", ["no", "never mind", "cancel"])
async def test_a_no_in_any_words_forgets_what_was_asked(no: str) -> None:
    """And says so."""
    async with people("ana", features=FEATURES) as (ana,):
        await ana.type("naem Cy")
        assert "All right, nothing was changed." in await ana.type(no)
        assert ana.session.player_session.typed_again.proposed == ""


@pytest.mark.features("plain_questions")
async def test_exit_leaves_the_table_first() -> None:
    """Where no seat is lost by it; in the lobby it ends the session."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await ana.type("new")
        await bo.type("play", "ready")
        for player, typed in ((ana, "exit"), (ana, "watch 2"), (ana, "exit")):
            await player.type(typed)
        assert ana.session.player_session.place.name == "lobby"
        await ana.type("exit")
        assert ana.session.player_session not in ana.lobby.visitors.here


async def test_exit_in_a_game_of_ones_own_asks_and_hangs_up_and_the_seat_is_kept() -> None:
    """As quit does: leave would give up a rated game."""
    async with people("ana", features=FEATURES) as (ana,):
        player = ana.session.player_session
        assert "Your seat is" in await ana.type("play", "ready", "exit")
        await ana.type("exit")
        assert player not in ana.lobby.visitors.here
        assert await ana.lobby.tables.seats_of(player.player.id)


async def test_a_move_ends_what_was_proposed() -> None:
    """Enter at the end of the game does not go back to it."""
    async with people("ana", features=FEATURES) as (ana,):
        player = ana.session.player_session
        await ana.type("play", "ready")
        assert "Did you mean name Cy? Enter does it" in await ana.type("naem Cy")
        view = player.view
        assert view is not None
        await ana.type(str(legal_moves(view, 0)[0]))
        assert not player.typed_again.proposed


@for_each("term", ["xterm-256color", "dumb"])
@for_each("said", ["start", "I'm ready", "keep them", "no swap", "I like my cards"])
async def test_a_player_who_has_arranged_says_so_in_any_words(term: str, said: str) -> None:
    """The game begins; then a line that means nothing is answered with what can be played, too."""
    async with people("ana", term=term, features=FEATURES) as (ana,):
        player = ana.session.player_session
        await ana.type("play seats=2")
        assert player.snapshot is not None
        assert [*player.snapshot.legal] == [READY]
        await ana.type(said)
        assert {*map(type, player.snapshot.legal)} & {Play, PickUp}
        answer = " ".join((await ana.type("xyzzy")).split())
        assert answer.rindex(" ".join(awaited_text(player.snapshot))) > answer.index("Unknown command 'xyzzy'")


@pytest.mark.features("plain_questions")
@for_each("said", ["ok", "fine"])
async def test_a_player_who_agrees_while_they_arrange_reads_what_ends_that(said: str) -> None:
    """It may be for a hint, and what is proposed there is something else."""
    async with people("ana", features=FEATURES) as (ana,):
        player = ana.session.player_session
        await ana.type("play seats=2", said)
        assert ana.session.display.answer.startswith("ready ends your arranging")
        assert player.view is not None
        assert player.view.phase == "arrange"


TOLD: Final = {
    "/nick Eva": "name Eva",
    "/join #5": "sit N",
    "/join 2": "sit 2",
    "/Part": "leave",
    "/leave": "leave",
    "/quit": "quit",
    "/exit": "quit",
    "/kick bo": "remove bo",
    "/mute bo": "ignore bo",
    "/ignore bo please": "ignore bo please",
    "/invite bo": "invite bo",
    "/rules": "rules",
    "/forget really": "forget really",
}
"""What is behind a slash a command, and is typed here without one."""
SAID: Final = (
    *("part of me says yes", "names are funny", "rules are clear", "leave me alone", "join us", "quit it"),
    *("tell me about it", "who are you", "again?", "list of cards", "cut it out", "help me", "watch out"),
)
"""What is said with a slash before it, although a command begins so."""
PRIVATE: Final = (
    *("/msg", "/w", "/Tell", "/pm", "/whisper", "/dm", "/message", "/private", "/r", "/reply", "/ tell", "/@", "@"),
    *("tell", "reply"),
)
"""What stands before a name and words for that player alone."""


@pytest.mark.parametrize("place", ["lobby", "table"])
async def test_a_command_of_chats_is_not_said_to_others(place: str) -> None:
    """What only asks or addresses somebody is done; of what would change something the player is told."""
    async with people("ana", "bo", term="dumb", features=FEATURES) as (ana, bo):
        if place == "table":
            await sit_together(ana, bo)
        player, talk = ana.session.player_session, bo.session.player_session.talk
        for line, ours in TOLD.items():
            assert f"Here that is {ours}, without a slash." in await ana.type(line)
            await ana.type("yes")
            assert (player.player.name, player.place.name) == ("ana", place)
        await ana.type("/help", "/?", "/WHO", "/list", "/msg cy hi")
        assert not talk.lines


@pytest.mark.parametrize("typed", PRIVATE)
async def test_what_is_for_one_player_alone_is_said_to_nobody_else(typed: str) -> None:
    """Not even if nobody has that name."""
    async with people("ana", "bo", "cy", term="dumb", features=FEATURES) as (ana, bo, cy):
        await sit_together(ana, bo, cy)
        between = "" if typed.endswith("@") else " "
        await ana.type(f"{typed}{between}bo: a secret", f"{typed}{between}bso a secret")
        assert bo.session.player_session.talk.lines == ["ana: (to you) a secret"]
        assert not cy.session.player_session.talk.lines
        assert not ana.session.player_session.typed_again.proposed


@pytest.mark.parametrize("place", ["lobby", "table"])
async def test_all_else_with_a_slash_is_said(place: str) -> None:
    """At a table and in the lobby, in its own words; with an apostrophe everything is."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        if place == "table":
            await sit_together(ana, bo)
        typed = {f"/{each}": each for each in SAID} | {f"'{each}": each for each in ("quit", "who", "/me")}
        for line, said in {**typed, "/me waves": "waves"}.items():
            await asyncio.sleep(60)  # talk is limited
            await ana.type(line)
            assert bo.session.player_session.talk.lines[-1] == f"ana: {said}"
            assert (ana.session.player_session.place.name, ana.session.player_session.typed_again.asked) == (place, "")


async def test_a_new_game_is_not_proposed_during_a_game() -> None:
    """Again may be said of anything."""
    async with people("ana", features=FEATURES) as (ana,):
        await ana.type("play 2", "ready", "count the flowers again")
        assert ana.session.player_session.typed_again.proposed != "start"


@pytest.mark.features("plain_questions")
@pytest.mark.parametrize(
    ("pace", "typed", "said"),
    [
        ("10", "its too fast", "AI players wait 10 seconds before each move already; no pace is slower."),
        ("4", "its too fast", "Type set pace 6:"),
        ("0", "hurry up", "AI players move at once already; no pace is faster."),
    ],
)
async def test_another_pace_is_proposed_than_the_player_has(pace: str, typed: str, said: str) -> None:
    """A slower or a faster one, if there is one."""
    async with people("ana", features=FEATURES) as (ana,):
        assert f"Set: pace {pace}." in await ana.type(f"set pace {pace}")
        assert said in await ana.type(typed)


async def test_a_player_is_told_that_they_cannot_join_themselves_or_those_beside_them() -> None:
    """In place of an invitation; at their own table, where they are."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        assert "That is you: sit N takes a seat" in await ana.type("join ana")
        await ana.type("new seats=2")
        await bo.type("join ana")
        assert bo.session.player_session.table_number == 1
        for each in (ana, bo):
            assert "You are at table 1." in await each.type("join ana")


@pytest.mark.features("plain_questions")
async def test_a_player_is_told_whether_the_next_game_begins_by_itself() -> None:
    """After a game it does not, alone."""
    async with people("ana", features=FEATURES) as (ana,):
        await ana.type("new seats=2")
        assert "No: it begins if somebody at the table types start." in await ana.type(
            "will the next game start by itself"
        )


async def test_talk_that_begins_with_a_card_is_proposed_to_be_said() -> None:
    """In a game with others; a card that is mistyped is explained, and so is all of it to a player alone."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await ana.type("new seats=2")
        await bo.type("sit 1", "start")
        for typed in ("7 lol", "8 was a good one", "ace nice"):
            assert "Enter says it to the others" in await ana.type(typed)
        await ana.type("")
        assert "ana: ace nice" in bo.shown
        assert "'h' is not a card" in await ana.type("7 h")
        await ana.type("leave", "leave", "play")
        assert "'lol' is not a card" in await ana.type("7 lol")


@for_each("said", ["nice evening to you", "wow"])
@for_each("answer", ["yes", ""])
async def test_a_line_for_others_is_said_at_yes_as_at_enter(said: str, answer: str) -> None:
    """In its own words."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        assert "Enter says it" in await ana.type(said)
        await ana.type(answer)
        assert f"ana: {said}" in bo.shown


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
async def test_an_enter_that_came_too_soon_says_what_the_next_one_does(term: str) -> None:
    """In the lobby, before the deal, and for what was proposed."""
    async with people("ana", "bo", term=term) as (ana, _):
        for typed, said in (
            ("who", "Enter again does it: play."),
            ("good evening friends", "Enter again says it."),
            ("new seats=3", "Enter again does it: start."),
        ):
            await ana.type(typed)
            await ana.send(b"\r\r")
            assert said in ana.shown, typed
        assert not ana.session.player_session.in_game
        await ana.type("")
        assert ana.session.player_session.in_game


async def test_an_enter_for_an_answer_that_is_awaited_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would show whose turn it is, in the place of the hint."""
    found = asyncio.Event()
    async with people("ana", features=FEATURES) as (ana,):
        pool = ana.lobby.ai_pool
        search = pool.finish

        async def finish(verdict: Verdict, *, in_background: bool) -> Verdict:
            await found.wait()
            return await search(verdict, in_background=in_background)

        monkeypatch.setattr(pool, "finish", finish)
        await ana.type("play", "ready")
        while not (ana.session.player_session.snapshot and ana.session.awaits_line):
            await asyncio.sleep(1)
        await ana.send(b"hint\r")
        await asyncio.sleep(2)
        await ana.send(b"\r")
        found.set()
        await asyncio.sleep(1)
        snapshot = ana.session.player_session.snapshot
        assert ana.session.display.answer not in {"", *awaited_text(snapshot)}


@pytest.mark.parametrize("typed", ["redy", "im redy"])
async def test_a_misspelt_ready_is_known_while_cards_are_arranged(typed: str) -> None:
    """As a misspelt command is."""
    async with people("ana", features=FEATURES) as (ana,):
        assert "Did you mean ready?" in await ana.type("play", typed)
        await ana.type("yes")
        snapshot = ana.session.player_session.snapshot
        assert snapshot is not None
        assert READY not in snapshot.legal


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
async def test_talk_that_was_proposed_is_said_at_enter_also_when_the_turn_has_come(term: str) -> None:
    """It is no move; a player who was asked to press Enter thinks that it is said."""
    async with people("ana", "bo", term=term, features=FEATURES) as (ana, bo):
        await begin_together(ana, bo)
        put(ana.lobby.tables.here[1], at("quatch", "hand 7c 8c", "hand 8s 9s", pile="6s"))
        assert "Enter says it to the others" in await bo.type("that was a quick one")
        await ana.type("7")
        assert bo.session.player_session.snapshot is not None
        assert bo.session.player_session.snapshot.my_turn
        await bo.type("")
        assert "that was a quick one" in ana.shown
        await bo.type("never so quick", "8", "")
        assert "never so quick" not in ana.shown
