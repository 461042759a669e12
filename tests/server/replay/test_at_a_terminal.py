"""Replays at a person's terminal: keys, playing by itself, what happens at the table meanwhile, and hanging up."""

import asyncio
import re

import pytest

from server.commands.completion import moves_to_type
from server.joining import JoinLines
from server.people.players import Caller
from server.records.record_reader import read_record
from server.replay.on_command_line import OnlyReplay
from server.replay.playback import Playback
from server.replay.view import ReplayView
from tests.server.replay.replays import GAME, LENGTH, answer, at_a_replay, hints, progress
from tests.support.each import for_each
from tests.support.emulated_screen import suggested_by
from tests.support.emulator import SETTLED, TerminalPlayer, open_lobby, people, sit_together
from tests.support.features import FEATURES
from tests.support.goldens import play_to_the_end
from tests.support.keys import DOWN, END, ESC, HOME, LEFT, RIGHT, UP
from tests.support.positions import at
from tests.support.recorded import GOLDEN
from tests.support.tables import put

pytestmark = pytest.mark.virtual_time


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
async def test_the_log_has_no_hole_after_a_replay(term: str) -> None:
    """What happened at the table while the replay was open is in the log."""
    async with at_a_replay(term) as (lobby, ana):
        bo = TerminalPlayer(lobby, "bo")
        await bo.type("sit 1")
        await ana.type("leave")
        assert "bo sits down." in ana.session.player_session.feed.log
        assert "bo sits down." in ana.shown


async def test_repeat_says_again_the_last_move_of_a_replay_and_the_refusal_at_its_end() -> None:
    """As often as it is typed."""
    async with at_a_replay("dumb") as (_, ana):
        for line, said in [("7", "Move 7 of"), ("end", "Fox wins the game!"), ("next", "That is the end: b goes")]:
            before = len(ana.transport.writes)
            await ana.type(line)
            told = b"".join(ana.transport.writes[before:]).decode().split("\r\n", 1)[1]
            assert said in told
            for _ in range(2):
                before = len(ana.transport.writes)
                await ana.type("repeat")
                assert b"".join(ana.transport.writes[before:]).decode().split("\r\n", 1)[1] == told


async def test_fair_asks_about_the_game_that_is_open() -> None:
    """As verify does: this one is kept nowhere. At a table it tells of the deal there."""
    async with at_a_replay("dumb") as (_, ana):
        for typed in ("fair", "was the deal fair?"):
            before = len(ana.transport.writes)
            await ana.type(typed)
            told = b"".join(ana.transport.writes[before:]).decode()
            assert f"No finished game '{GAME.id}'" in told


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
async def test_a_connection_that_ends_in_a_replay_ends_the_session(term: str) -> None:
    """It does not only leave the replay, as `quit` does there."""
    async with at_a_replay(term) as (lobby, ana):
        await ana.go()
        assert not lobby.visitors.here


async def test_a_session_for_one_replay_ends_with_it() -> None:
    """As that of `quatch replay`, from which nobody has asked to get into a lobby."""
    async with people("ana", features=FEATURES) as (ana,):
        player = ana.session.player_session
        player.set_side_view(OnlyReplay(Playback(read_record(GOLDEN.read_text("utf-8"))), player))
        await ana.type("play", "3")
        assert not ana.session.display.has_ended
        await ana.type("leave")
        assert ana.session.display.has_ended


async def test_keys_go_through_a_replay() -> None:
    """On an empty line, by a move, by ten, to both ends; past an end the screen says what to do."""
    async with at_a_replay("xterm-256color") as (_, ana):
        await ana.send(RIGHT)
        assert hints(ana).startswith("Left/Right move   Up/Down 10   Space plays   ")
        for key, ply in [
            *((RIGHT, 2), (RIGHT, 3), (LEFT, 2), (DOWN, 12), (DOWN, 22), (UP, 12), (UP, 2), (UP, 0), (LEFT, 0)),
            *((END, LENGTH), (UP, LENGTH - 10), (DOWN, LENGTH), (HOME, 0), (DOWN * 3 + LEFT, 29)),
        ]:
            await ana.send(key)
            assert progress(ana) == f"{ply} of {LENGTH}"
        for key in (RIGHT, DOWN, b" "):
            await ana.type("end")
            await ana.send(key)
            assert answer(ana).startswith("That is the end: b goes")
            await ana.send(HOME)
            assert not answer(ana)


async def test_keys_edit_a_line_that_has_begun() -> None:
    """Nothing moves but the cursor. Ctrl-P recalls the line before, as Up does elsewhere."""
    async with at_a_replay("xterm-256color") as (_, ana):
        await ana.send(b"seat 3" + LEFT + b"\x7f" + HOME + b" " + END + b"\x7f2" + RIGHT)
        assert ana.shown.endswith("replay>  seat2")
        assert progress(ana) == f"0 of {LENGTH}"
        await ana.send(b"\x15" + b"\x10")
        assert ana.shown.endswith("replay> new seats=3")


async def test_keys_turn_the_page_that_is_read() -> None:
    """The replay behind it stays where it is."""
    async with at_a_replay("xterm-256color") as (_, ana):
        assert "Enter goes on>" in await ana.type("rules life")
        assert "Enter goes back>" in await ana.send(RIGHT + LEFT + HOME + END + UP + DOWN)
        await ana.send(b" ")
        assert progress(ana) == f"0 of {LENGTH}"


async def test_keys_that_come_too_late_do_nothing_at_the_table() -> None:
    """Esc pressed twice leaves the replay, not the table; the keys behind it deal no cards."""
    async with at_a_replay("xterm-256color") as (_, ana):
        ana.terminal.feed(ESC)
        await asyncio.sleep(SETTLED)
        assert "You are at table 1." in ana.shown
        ana.session.player_session.set_side_view(ReplayView(Playback(GAME), ana.session.player_session.front_end))
        editor_keys = ana.session.display
        for _ in range(2):
            editor_keys.step_back()
        for key in ("home", "left", "space"):
            assert editor_keys.step(key)
        await asyncio.sleep(SETTLED)
        assert answer(ana) == "You are at table 1."
        snapshot = ana.session.player_session.snapshot
        assert snapshot is not None
        assert snapshot.place.name == "table"
        assert not snapshot.playing


@for_each(
    ("line", "ply"),
    [("replay 7KQ2M9XA 7", 7), ("replay 7kq2m9xa 0", 0), ("replay 12", 12), ("v 43 1", 43), ("replay 7KQ2M9XA", 0)],
)
async def test_a_replay_begins_at_a_move(line: str, ply: int) -> None:
    """Also of a game that is in no log, since it was read from a file."""
    async with at_a_replay("xterm-256color") as (_, ana):
        await ana.type("20", line)
        assert progress(ana) == f"{ply} of {LENGTH}"
        assert ("as ana saw it" in ana.shown) == (line == "v 43 1")
        assert answer(ana).startswith("b goes to the cards before this move") == (ply > 0)


async def test_a_number_alone_is_a_move_of_the_last_game_also_in_the_lobby() -> None:
    """As `review` alone means that game there."""
    async with people("ana", features=FEATURES) as (ana,):
        await ana.type("replay 3")
        assert answer(ana) == "Name a finished game: replay lists the latest."
        await ana.type("play life seats=2 level=easy")
        session = ana.session.player_session
        while session.in_game and session.snapshot:
            await ana.type(*moves_to_type(session.snapshot)[:1])
        game = session.game
        assert f"Game {game}" in await ana.type("leave", "replay 3")
        assert progress(ana).startswith("3 of ")


@for_each(
    ("line", "said"),
    [
        *(
            (f"replay 7KQ2M9XA {wrong}", "Game 7KQ2M9XA has moves 0 to 43: 0 is the deal.")
            for wrong in ("44", "x", "-1")
        ),
        *((f"replay 7 {wrong}", f"There are seats 1 to 2, not {told}.") for wrong, told in (("3", 3), ("0", 0))),
        ("replay 7 x", "Type the number of a seat behind that of the move, not 'x'."),
        ("replay nonsense 7", "No finished game 'nonsense': replay lists the latest."),
    ],
)
async def test_a_wrong_move_or_seat_is_answered_in_one_line(line: str, said: str) -> None:
    """The replay that is shown stays."""
    async with at_a_replay("xterm-256color") as (_, ana):
        await ana.type("20", line)
        assert answer(ana) == said
        assert progress(ana) == f"20 of {LENGTH}"


async def test_verify_alone_checks_the_game_that_the_player_looks_at() -> None:
    """A replay of a file is not stored, so only its id tells which game was meant."""
    async with at_a_replay("dumb") as (_, ana):
        assert f"No finished game '{GAME.id}'" in await ana.type("verify")


async def test_a_card_typed_between_games_tells_how_to_begin_one() -> None:
    """At a table, too."""
    async with at_a_replay("dumb") as (_, ana):
        assert "No game is running here: type start to begin one." in await ana.type("leave", "7 7")


async def test_a_replay_has_a_log_of_its_own() -> None:
    """It is told whole; back at the table the log of the game there is told."""
    async with at_a_replay("dumb") as (_, ana):

        async def told(line: str) -> list[str]:
            before = len(ana.transport.writes)
            await ana.type(line)
            lines = b"".join(ana.transport.writes[before:]).decode().split("\r\n")[1:-1]
            return [line.strip() for line in lines]

        await told("next 3")
        replayed = await told("log")
        assert any("is ready" in line for line in replayed)
        assert await told("log 1") == replayed[-1:]
        await told("leave")
        assert await told("log") != replayed


async def test_a_replay_stays_in_front_of_a_table_also_when_a_game_begins() -> None:
    """What the table sends meanwhile is told, but not shown in its place: also that it is the player's turn."""
    async with at_a_replay("xterm-256color") as (lobby, ana):
        session = ana.session.player_session
        bo = TerminalPlayer(lobby, "bo")
        await bo.type("sit 1")
        assert session.place.name == "replay"
        assert session.snapshot is not None
        assert session.snapshot.place.name == "replay"
        assert "You are at table 1." in await ana.type("leave")
        assert session.snapshot.name(1) == "bo"
        session.set_side_view(ReplayView(Playback(GAME), session.front_end))
        await bo.type("start")
        assert session.place.name == "replay"
        assert "It is your turn: leave goes back to the table." in ana.shown
        assert "dealt in" not in ana.shown
        assert "arranging" in await ana.type("leave")
        assert session.in_game
        await bo.type("replay")
        assert "leave this game first" in bo.session.display.answer


async def win_a_game(ana: TerminalPlayer, bo: TerminalPlayer) -> None:
    """They are at table 1, and ana has one card left, which can go."""
    await ana.type("start", "ready")
    await bo.type("ready")
    put(ana.lobby.tables.here[1], at("quatch", "hand 7c", "hand 8s", pile="6s"))
    await ana.type("7")


@pytest.mark.features("plain_questions")
async def test_a_player_who_looks_at_a_replay_sees_when_the_next_game_begins_and_is_awaited() -> None:
    """As one who reads a page. A player who watches reads behind it that they watch."""
    async with people("ana", "bo", "cy", size=(120, 30), features=FEATURES) as (ana, bo, cy):
        await sit_together(ana, bo)
        await cy.type("watch 1")
        await win_a_game(ana, bo)
        for each in (ana, cy):
            session = each.session.player_session
            session.set_side_view(ReplayView(Playback(GAME), session.front_end))
        await bo.type("again")
        await asyncio.sleep(SETTLED)
        assert "dealt in 1:00" in ana.shown
        assert "bo wants another game (no refuses): leave goes back to the table." in ana.shown
        assert "ana is reading: the next game waits for the answer, 60 seconds at most." in bo.shown
        assert "You watch table 1." in await cy.type("quit")
        assert "Type no to refuse the next game" in await ana.type("wait a minute")
        await asyncio.sleep(SETTLED)
        assert re.match(r" Game .*dealt in 1:00 without you", ana.shown)
        assert "without you" not in bo.shown + cy.shown


@pytest.mark.parametrize("reads", ["replay", "page"])
async def test_who_looks_at_something_else_reads_that_a_game_has_begun_and_who_plays_in_their_place(reads: str) -> None:
    """First that it comes, in the same row on a page and in a replay."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await sit_together(ana, bo)
        await win_a_game(ana, bo)
        session = ana.session.player_session
        if reads == "page":
            await ana.type("rules")
        else:
            session.set_side_view(ReplayView(Playback(GAME), session.front_end))
        await bo.type("again")
        await asyncio.sleep(SETTLED)
        assert "dealt in 1:00 without you" in ana.shown.splitlines()[0]
        await asyncio.sleep(60)
        assert session.is_dealt_in
        assert "* AN AI PLAYER PLAYS FOR YOU *" in ana.shown.splitlines()[0]
        assert ("A game has begun, and an AI player plays for you: leave goes" in ana.shown) == (reads != "page")
        await ana.type("q" if reads == "page" else "leave")
        assert "AWAY: type back" in ana.shown


async def test_nothing_stands_faintly_in_the_line_of_a_replay() -> None:
    """Although Enter did something before, at the table behind a page."""
    async with open_lobby(features=FEATURES) as lobby:
        ana = await TerminalPlayer(lobby, "ana", caller=Caller("ana")).arrived()
        await play_to_the_end(ana)
        await ana.type("help top", "")
        assert suggested_by(ana.transport.screen) == "start"
        assert "replay>" in await ana.type("replay last")
        assert suggested_by(ana.transport.screen) == ""


async def test_who_has_asked_for_another_game_reads_in_a_replay_that_others_do_not_want_it() -> None:
    """The log of the table is behind it."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await sit_together(ana, bo)
        await win_a_game(ana, bo)
        await ana.type("again")
        session = ana.session.player_session
        session.set_side_view(ReplayView(Playback(GAME), session.front_end))
        await bo.type("no")
        assert "bo wants no other game: leave goes back to the table." in ana.shown


async def test_who_looks_at_a_replay_answers_and_hears_those_at_the_table() -> None:
    """An invitation from elsewhere is shown, too; what cannot be done there leads back."""
    async with people("ana", "bo", "dan", features=FEATURES) as (ana, bo, dan):
        ana.lobby.join_lines = JoinLines(("cards.example",))
        await sit_together(ana, bo)
        await win_a_game(ana, bo)
        await bo.type("again")
        await dan.type("new seats=2", "invite ana")
        session = ana.session.player_session
        session.set_side_view(ReplayView(Playback(GAME), session.front_end))
        assert "Type leave, then start." in await ana.type("yes")
        assert "dan invites you" in ana.shown
        assert "Enter says it to the others here" in await ana.type("wow")
        assert "The others read that you want no other game now." in await ana.type("", "no")
        assert "ana: wow" in bo.shown
        assert "ana does not want another game now." in bo.shown
        assert "Type leave, then sit 2." in await ana.type("yes")
        assert "dan reads that you do not come now." in await ana.type("no")
