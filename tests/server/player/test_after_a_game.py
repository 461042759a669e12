"""What players read after a game: who can start the next one, and nothing that is no longer so."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from server.commands.finding import is_heard
from server.commands.games import ResultLine
from server.features import Feature, Features
from server.history.archive import games_of
from server.history.ratings import Standing
from server.joining import JoinLines
from server.limits import AGREEING_SECONDS, DEALS_LEFT
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.player.player_session import PlayerSession
from server.records.results import result_text
from server.storage.database import NotSaved
from server.storage.sqlite_database import MemoryDatabase
from server.table.finished_game import losers
from server.table.unlogged_state import READING_SECONDS
from tests.support.at_terminals import flat
from tests.support.emulator import SETTLED, TerminalPlayer, begin_together, open_lobby, people, sit_together
from tests.support.features import FEATURES
from tests.support.positions import at
from tests.support.tables import put
from tests.support.virtual_time import now

pytestmark = pytest.mark.virtual_time


async def test_the_results_say_who_can_start_the_next_game() -> None:
    """Those with a seat, on the screen and in lines; a player who watches reads it, too."""
    async with open_lobby() as lobby:
        ana, bo, cy = (
            TerminalPlayer(lobby, "ana"),
            TerminalPlayer(lobby, "bo", term="dumb"),
            TerminalPlayer(lobby, "cy"),
        )
        await asyncio.sleep(SETTLED)
        await sit_together(ana, bo)
        await cy.type("watch 1")
        await ana.type("start", "ready")
        await bo.type("ready")
        put(lobby.tables.here[1], at("quatch", "hand 7c", "hand 8s", pile="6s"))
        assert "You or bo can start the next game." in await ana.type("7")
        assert "You or ana can start the next game." in bo.shown
        assert "ana or bo can start the next game." in cy.shown
        assert ana.session.player_session.is_taught, "whoever has played a game is no newcomer in the lobby"
        await ana.type("leave")
        assert "bo can start the next game, with AI players in the free seats." in cy.shown


@pytest.mark.parametrize(("key", "guests"), [(None, "; guests do not count"), ("SHA256:cy", "")])
async def test_who_has_played_beside_a_guest_reads_at_their_rating_that_guests_do_not_count(
    key: str | None, guests: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else there is nothing to say of guests."""

    def tell_rating(account: str, game: str, tell: Callable[[Standing], None]) -> None:
        asyncio.get_running_loop().call_soon(tell, Standing(account, "quatch", game=game, change=-46))

    async with open_lobby() as lobby:
        monkeypatch.setattr(lobby, "tell_rating", tell_rating)
        ana, bo, cy = (
            TerminalPlayer(lobby, name, caller=Caller(name, key))
            for name, key in (("ana", "SHA256:ana"), ("bo", "SHA256:bo"), ("cy", key))
        )
        await asyncio.sleep(SETTLED)
        await ana.type("new seats=3")
        for other in (bo, cy):
            await other.type("sit 1")
        await ana.type("start")
        put(lobby.tables.here[1], at("quatch", "hand 7c", "hand 8s", "hand 9s", pile="6s"))
        await ana.type("7")
        assert f"Your rating: 1000 (-46){guests}." in ana.shown
        await bo.go()
        again = await TerminalPlayer(lobby, "bo", caller=Caller("bo", "SHA256:bo")).arrived()
        assert f"Your rating: 1000 (-46){guests}." in again.shown, "also to who comes back to the result"


@pytest.mark.parametrize(("games", "means"), [(1, ", your strength; all begin at 1000"), (2, "")])
async def test_the_first_rating_says_what_it_means(games: int, means: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Later ones are known."""

    def tell_rating(account: str, game: str, tell: Callable[[Standing], None]) -> None:
        asyncio.get_running_loop().call_soon(tell, Standing(account, "quatch", games=games, game=game, change=86))

    async with open_lobby() as lobby:
        monkeypatch.setattr(lobby, "tell_rating", tell_rating)
        ana = await TerminalPlayer(lobby, "ana", caller=Caller("ana", "SHA256:ana")).arrived()
        await ana.type("play 2")
        put(lobby.tables.here[1], at("quatch", "hand 7c", "hand 8s", pile="6s"))
        await ana.type("7")
        assert f"Your rating: 1000 (+86){means}." in ana.shown
        assert "Your rating" not in await ana.type("help")
        assert f"Your rating: 1000 (+86){means}." in await ana.type(""), "still after a page"


@pytest.mark.parametrize("late", [0.0, SETTLED * 2])
async def test_who_presses_enter_as_the_game_ends_reads_their_rating(
    late: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is known by then or not."""

    def tell_rating(account: str, game: str, tell: Callable[[Standing], None]) -> None:
        asyncio.get_running_loop().call_later(late, tell, Standing(account, "quatch", games=2, game=game, change=86))

    async with open_lobby() as lobby:
        monkeypatch.setattr(lobby, "tell_rating", tell_rating)
        ana = await TerminalPlayer(lobby, "ana", caller=Caller("ana", "SHA256:ana")).arrived()
        await ana.type("play 2")
        put(lobby.tables.here[1], at("quatch", "hand 7c", "hand 8s", pile="6s"))
        await ana.send(b"7\r")
        await ana.send(b"\r")
        await asyncio.sleep(SETTLED * 2)
        assert "Your rating: 1000 (+86)." in ana.shown


@asynccontextmanager
async def two_who_play(new: str, pace: float = 0) -> AsyncIterator[tuple[Lobby, TerminalPlayer, TerminalPlayer]]:
    """A lobby, and two people who have begun a game at the table that the line opens."""
    async with open_lobby(pace=pace) as lobby:
        ana, bo = TerminalPlayer(lobby, "ana"), TerminalPlayer(lobby, "bo")
        await asyncio.sleep(SETTLED)
        await ana.type(new)
        await bo.type("sit 1")
        await ana.type("start", "ready")
        await bo.type("ready")
        yield lobby, ana, bo


async def test_the_result_shows_the_last_moves_to_who_stays_and_to_who_comes_back() -> None:
    """Alike: who has won stands above them."""
    async with people("ana", "bo") as (ana, bo):
        await begin_together(ana, bo)
        put(ana.lobby.tables.here[1], at("quatch", "hand 7c 9c", "hand 8s 9s", pile="6s"))
        await ana.type("7")
        await bo.type("8")
        await ana.type("9")
        assert ana.session.player_session.feed.log[-3:] == ["bo plays an 8.", "bo has one card left.", "You play a 9."]
        assert "bo plays an 8." in ana.shown
        await bo.type("leave", "watch 1")
        log = bo.session.player_session.feed.log
        assert log[-4:] == ["bo plays an 8.", "bo has one card left.", "ana plays a 9.", "bo leaves."]


async def test_the_log_of_a_new_game_begins_anew() -> None:
    """The last move of the old one, which the page of results shows, is not in it."""
    async with two_who_play("new seats=2") as (lobby, ana, bo):
        put(lobby.tables.here[1], at("quatch", "hand 7c", "hand 8s 9s", pile="6s"))
        await ana.type("7")
        assert "You play a 7." in ana.session.player_session.feed.log
        await ana.type("start")
        await bo.type("start")
        assert ana.session.player_session.in_game
        assert "You play a 7." not in ana.session.player_session.feed.log


@pytest.mark.features("plain_questions")
@pytest.mark.parametrize("said", ["yes, let's go", "yes lets play", "sure", "ok go"])
async def test_a_player_answers_in_words_who_is_asked_for_another_game(said: str) -> None:
    """With more words than no, too, and not with an exclamation; to wait it is told what refuses."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await begin_together(ana, bo)
        put(ana.lobby.tables.here[1], at("quatch", "hand 7c", "hand 8s 9s", pile="6s"))
        await ana.type("7", "start")
        told = " ".join((await bo.type("wait a minute")).split())
        assert re.search(r"Type no to refuse the next game, which is dealt in \d+ seconds otherwise\.", told)
        assert "Enter says it" in await bo.type("no way, that was lucky")
        for refused in ("no, let's play life instead", "nah"):
            await bo.type(refused)
            assert "bo does not want another game now." in ana.shown
            await ana.type("start")
        await bo.type(said)
        assert bo.session.player_session.in_game


@pytest.mark.parametrize("go", ["leave", "quit"])
async def test_a_player_who_is_out_has_their_place_whatever_they_do_then(go: str) -> None:
    """The game is played to its end as soon as AI players alone hold cards, also if nobody is there."""
    async with two_who_play("new life seats=3", pace=1.0) as (lobby, ana, bo):
        seats = ("hand 7c", "hand 8s 9s", "hand 3h 4h 5h")
        table = lobby.tables.here[1]
        put(table, at("life", *seats, pile="6s"))
        await ana.type("7")
        assert ("You are in the lobby. Your first place counts." in await ana.type(go)) == (go == "leave")
        assert "Out: ana first." in await bo.type("results"), "the AI player in the seat was never out"
        await bo.type("")
        assert "You would be last, and your rating would fall: type leave to go" in await bo.type("leave")
        await bo.type("leave")
        result = table.journal.state.result
        assert result is not None
        assert result_text(result).startswith("ana first, then Fox, then bo (left); by the cards ")


async def test_a_player_who_left_after_going_out_is_named_in_the_game_and_has_no_seat() -> None:
    """They are not away, hear nothing and cannot be removed; the lists of tables have the AI player in the seat."""
    async with two_who_play("new life seats=3", pace=1.0) as (lobby, ana, bo):
        seats = ("hand 7c", "hand 8s 9s", "hand 3h 4h 5h")
        put(lobby.tables.here[1], at("life", *seats, pile="6s"))
        await ana.type("7", "leave")
        assert re.search(r"^ +ana +hand  0 .*  out first *$", bo.shown, re.MULTILINE)
        assert " *Owl bo *Fox " in ana.shown, "the lobby lists the seats"
        assert "Seats: Owl (AI player, easy), bo, " in " ".join((await ana.type("tables")).split())
        assert "Remove which player?" in await bo.type("remove ana")
        assert not is_heard(bo.session.player_session)


async def test_whoever_all_others_have_left_is_told_that_they_have_won_and_loses_nothing_by_leaving() -> None:
    """Those who watch read it, too. The game is among those of both, and the other one has lost it."""
    async with open_lobby(wall=now, pace=5) as lobby:
        ana, bo, cy = (TerminalPlayer(lobby, name) for name in ("ana", "bo", "cy"))
        await asyncio.sleep(SETTLED)
        await begin_together(ana, bo)
        await cy.type("watch 1")
        await bo.type("leave", "leave")
        ways = "Type leave to end the game, or play on."
        assert f"You have won: all others have left. {ways}" in flat(ana)
        assert "ana has won: all others have left." in flat(cy)
        await cy.type("leave")
        assert "You are in the lobby. You have won: all others have left." in await ana.type("leave")
        await asyncio.sleep(60)
        for each in (ana, bo):
            (own,) = await games_of(lobby.store, each.session.player_session.player.account or "", 9)
            assert [finish.rank for finish in own.result.finishes] == [1, 2]
            assert result_text(own.result) == "ana won against Fox (played for bo) (left)"


async def test_all_read_when_a_game_is_rated_no_more_and_why_and_whoever_wins_it_reads_it_again() -> None:
    """As one who was away at the deal makes the first move of their own after an AI player has arranged."""
    async with two_who_play("new seats=2") as (lobby, ana, bo):
        put(lobby.tables.here[1], at("quatch", "hand 7c", "hand 8s 9s", pile="6s"))
        await ana.type("7")
        await bo.go()
        await asyncio.sleep(lobby.config.grace)
        await ana.type("start", "ready")
        late = await TerminalPlayer(lobby, "bo").arrived()
        told = "game is not rated: bo was not there for the whole game."
        put(lobby.tables.here[1], at("quatch", "hand 7c", "hand 8s 9s", pile="6s", to_move=1))
        assert told not in flat(ana)
        await late.type("8")
        assert f"This {told}" in ana.session.player_session.feed.log
        await ana.type("p")
        assert "You win!" in await late.type("9")
        assert f"The {told}" in flat(ana)
        assert f"The {told}" in flat(late)


@pytest.mark.parametrize("said", ["oops im slow", "/sorry", "hand"])
async def test_a_player_who_says_anything_is_back(said: str) -> None:
    """After a time-out; a player who talks of leaving is not."""
    async with two_who_play("new seats=2 clock=9", pace=5) as (lobby, ana, _):
        table = lobby.tables.here[1]
        put(table, at("quatch", "hand 7c 7s 9s", "hand 8s 9h Ts Js", pile="6s"))
        await asyncio.sleep(10)
        await ana.type("leave")
        assert table.journal.state.sitting(0).away
        await ana.type(said)
        assert not table.journal.state.sitting(0).away


async def test_a_player_is_told_why_cards_that_an_ai_player_has_shed_do_not_win() -> None:
    """It counts as leaving."""
    async with two_who_play("new seats=2 clock=9", pace=5) as (lobby, ana, bo):
        put(lobby.tables.here[1], at("quatch", "hand 7c", "hand 8s 9h Ts Js", pile="6s"))
        await asyncio.sleep(10)
        said = " ".join(re.sub(r"\W{2,}", " ", ana.shown).split())
        assert "bo wins ana was away at the end which counts as leaving Your cards are out but you are last" in said
        assert "You win: ana was away at the end" in bo.shown


async def test_leaving_before_a_card_is_played_costs_nothing() -> None:
    """It is not asked first, and the game counts for those who stay."""
    async with two_who_play("new seats=3", pace=1.0) as (lobby, ana, bo):
        await ana.type("leave", "leave", "new seats=3")
        await bo.type("leave", "leave", "sit 2")
        await ana.type("start")
        assert "so the game does not count for you" in await ana.type("leave")
        table = lobby.tables.here[2]
        put(table, at("quatch", "hand 9c", "hand 8s", "hand 3h", pile="6s", to_move=1))
        await bo.type("8")
        assert table.journal.state.result is not None
        assert [finish.why for finish in table.journal.state.result.finishes] == ["absent", "", ""]


async def test_nobody_leaves_one_deal_after_the_other_until_a_good_one_comes() -> None:
    """After three rated games a day that is asked first, and counts; games that are not rated can be left at will."""
    async with two_who_play("new seats=3", pace=1.0) as (lobby, ana, _):

        async def typed(*lines: str) -> str:
            return " ".join((await ana.type(*lines)).split())

        await ana.type("leave", "leave")
        for rules in ("pickup.by_choice=true", "", "", ""):
            said = await typed(f"play seats=2 {rules}", "leave")
            assert "does not count for you." in said
            assert ("That holds for 3 rated games a day." in said) == (not rules)
        await ana.type("play seats=2 pickup.by_choice=true", "leave", "play seats=2")
        assert "only 3 rated games a day like this. You would be last, and your rating would" in await typed("leave")
        table = lobby.tables.here[max(lobby.tables.here)]
        assert "does not count" not in await typed("leave")
        assert 0 in losers(table.journal.state)


@pytest.mark.features("plain_questions")
async def test_who_asks_what_leaving_costs_reads_what_leave_asks() -> None:
    """And loses nothing by the question."""
    async with people("ana", features=FEATURES) as (ana,):
        costs = "You would be last, and your rating would fall: type leave to go all the same, or quit to keep your"
        await ana.type("play seats=2")
        assert "Nothing gets lost" in " ".join((await ana.type("what happens if I leave")).split())
        await ana.type("", "ready")
        for typed in ("what happens if I leave", "what if i leave the game now?", "leave"):
            assert costs in " ".join((await ana.type(typed)).split()), typed
        assert ana.session.player_session.in_game


async def test_a_deal_that_is_not_left_since_nothing_can_be_saved_is_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The seat is kept then. When it can be saved it is counted once."""
    store = MemoryDatabase()

    async def fails(*_: object, **__: object) -> None:
        raise NotSaved("the disk is full")

    async with open_lobby(store, pace=1.0) as lobby:
        ana = await TerminalPlayer(lobby, "ana").arrived()
        await ana.type("play seats=2")
        with monkeypatch.context() as patch:
            patch.setattr(store, "append", fails)
            await ana.type("leave")
        assert not lobby.ledger.used(DEALS_LEFT)
        await ana.type("sit 1", "leave")
        assert [round(used, 3) for used in lobby.ledger.used(DEALS_LEFT).values()] == [1.0]


async def test_another_game_begins_when_all_people_agree_or_a_little_later() -> None:
    """A player who reads is waited for longer, and keeps the page; bots and AI players are not asked."""
    async with two_who_play("new seats=3") as (lobby, ana, bo):
        table = lobby.tables.here[1]

        async def end_game() -> None:
            game = at("quatch", "hand 7c", "hand 8s", "hand 9s 9h", pile="6s")
            put(table, game)
            assert "You win!" in await ana.type("7")

        await end_game()
        await bo.type("help")
        told = "It begins when all agree or, with AI players for the rest, in 10 seconds unless one is reading."
        assert told in " ".join((await ana.type("")).split())
        assert "dealt in 1:00" in bo.shown
        assert "bo is reading: the next game waits for the answer, 60 seconds at most." in ana.shown
        await asyncio.sleep(READING_SECONDS - 1)
        assert "game over" in ana.shown
        await asyncio.sleep(1)
        assert "arranging" in ana.shown
        assert "Enter goes" in bo.shown
        await bo.type("", "ready")
        await ana.type("ready")
        await end_game()
        await ana.type("")
        await bo.type("help", "")
        assert "waits for the answer" in ana.shown, "who begins to read after the question is waited for, too"
        assert "dealt in 1:00" in bo.shown
        assert "ana wants another game" in bo.shown
        assert "game over" in ana.shown
        assert "another game begins when all agree" in ana.shown
        assert "Enter agrees to another game" in bo.shown
        await bo.type("ready")
        assert "arranging" in ana.shown


async def test_another_game_counts_for_no_player_who_has_not_agreed() -> None:
    """An AI player plays for them, as for players who are away at the deal; Enter alone takes the seat back."""
    async with two_who_play("new seats=2") as (lobby, ana, bo):
        table = lobby.tables.here[1]
        put(table, at("quatch", "hand 7c", "hand 8s", pile="6s"))
        await ana.type("7", "again")
        await asyncio.sleep(AGREEING_SECONDS)
        assert "(away)" in ana.shown
        assert "AWAY" in bo.shown
        assert "Enter takes your seat back" in bo.shown
        await ana.type("ready")
        assert table.journal.state.stand_ins == {1}
        assert losers(table.journal.state).isdisjoint({1})
        assert "AWAY" not in await bo.type("")
        assert "You are back." in bo.shown


@pytest.mark.parametrize("said", ["no", "not now", "decline", "stop"])
async def test_a_player_who_wants_no_other_game_says_no(said: str) -> None:
    """Both read it, and no game begins until somebody asks for one again."""
    async with two_who_play("new seats=3") as (lobby, ana, bo):
        game = at("quatch", "hand 7c", "hand 8s", "hand 9s 9h", pile="6s")
        put(lobby.tables.here[1], game)
        await ana.type("7", "again")
        assert "no refuses" in bo.shown
        await bo.type(said)
        assert "bo does not want another game now." in ana.shown
        assert "You do not want another game now." in bo.shown
        await asyncio.sleep(2 * AGREEING_SECONDS)
        assert "Enter another game" in ana.shown


@pytest.mark.parametrize("said", ["", "yes", "sure", "no"])
@pytest.mark.parametrize("is_newer", [True, False])
async def test_another_game_is_answered_before_an_invitation(said: str, *, is_newer: bool) -> None:
    """Whichever came first; the invitation can be taken afterwards."""
    async with two_who_play("new seats=2") as (lobby, ana, bo):
        dan = await TerminalPlayer(lobby, "dan").arrived()
        lobby.join_lines = JoinLines(("cards.example",))
        put(lobby.tables.here[1], at("quatch", "hand 7c", "hand 8s", pile="6s"))
        await ana.type("7")
        asking = [(ana, "again"), (dan, "new seats=2 bo")]
        for player, line in asking if is_newer else reversed(asking):
            await player.type(line)
        assert "Enter agrees to another game" in bo.shown
        assert "dan invites you" in bo.shown
        await bo.type(said)
        assert ("bo does not want another game now." in ana.shown) == (said == "no")
        assert ("arranging" in ana.shown) == (said != "no")
        assert "not now" not in dan.shown
        if said == "no":
            await bo.type("yes")
            assert bo.session.player_session.table_number == 2


async def test_another_game_is_refused_although_something_else_was_proposed_before() -> None:
    """The no is for what was asked last."""
    async with two_who_play("new seats=2") as (lobby, ana, bo):
        put(lobby.tables.here[1], at("quatch", "hand 7c", "hand 8s", pile="6s"))
        await ana.type("7")
        assert "Enter says it" in await bo.type("shall we go on now")
        await ana.type("again")
        await bo.type("no")
        assert "bo does not want another game now." in ana.shown


@pytest.mark.parametrize("go", ["leave", "quit"])
async def test_another_game_that_waits_for_a_player_who_goes_does_not_begin_without_asking(go: str) -> None:
    """The player who is left may not want to play with AI players alone, also if the seat of the other is kept."""
    async with two_who_play("new seats=3") as (lobby, ana, bo):
        game = at("quatch", "hand 7c", "hand 8s", "hand 9s 9h", pile="6s")
        put(lobby.tables.here[1], game)
        await ana.type("7", "again")
        await bo.type(go)
        assert "Enter another game" in ana.shown
        await asyncio.sleep(2 * AGREEING_SECONDS)
        assert "Enter another game" in ana.shown
        await ana.type("")
        assert "arranging" in ana.shown


async def test_another_game_does_not_begin_for_the_only_player_who_kept_a_seat() -> None:
    """A player who has agreed, and then watches, does not play it."""
    async with two_who_play("new seats=3") as (lobby, ana, bo):
        cy = await TerminalPlayer(lobby, "cy").arrived()
        game = at("quatch", "hand 7c", "hand 8s", "hand 9s 9h", pile="6s")
        put(lobby.tables.here[1], game)
        await ana.type("7")
        await cy.type("sit 1")
        await ana.type("again")
        await bo.type("again", "leave", "watch 1")
        assert "another game begins when all agree" in ana.shown
        await cy.type("leave")
        await asyncio.sleep(2 * AGREEING_SECONDS)
        assert "Enter another game" in ana.shown


async def test_what_a_feature_finds_out_about_a_game_stands_beside_its_rating() -> None:
    """As long as the player has not gone on, and for players of the game alone; also if another feature fails."""

    async def found(session: PlayerSession, game: str) -> str:
        return f"Your costliest move was in {game}." if session.game == game else ""

    async def cannot_look(*_: object) -> str:
        raise NotSaved("the database is away")

    features = Features((Feature("costly", (ResultLine(cannot_look), ResultLine(found))),))
    async with people("ana", "bo", features=features) as (ana, bo):
        await ana.type("play seats=2", "ready")
        await bo.type("watch 1")
        table = ana.lobby.tables.here[1]
        put(table, at("quatch", "hand 7c", "hand 8s", pile="6s"))
        told = f"Your costliest move was in {table.journal.state.game_id}."
        assert told in await ana.type("7")
        assert told not in bo.shown
        assert told not in await ana.type("")


async def test_a_server_that_stops_waits_for_those_who_read_a_result() -> None:
    """They have a minute from the end of their game, unless all leave before."""
    async with two_who_play("new seats=2") as (lobby, ana, bo):
        table = lobby.tables.here[1]
        put(table, at("quatch", "hand 7c", "hand 8s", pile="6s"))
        await ana.type("7")
        await asyncio.sleep(READING_SECONDS - 1)
        assert lobby.tables.in_use()
        await asyncio.sleep(1)
        assert not lobby.tables.in_use()
        await ana.type("start")
        await bo.type("start")
        put(table, at("quatch", "hand 7c", "hand 8s", pile="6s"))
        await ana.type("7", "leave")
        assert lobby.tables.in_use(), "the other one reads"
        await bo.type("leave")
        assert not lobby.tables.in_use()
