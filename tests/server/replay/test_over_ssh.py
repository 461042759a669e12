"""Finished games, looked at over ssh: on the screen, in lines, as JSON, and recorded."""

import re

import pytest

from server.records.record_reader import verify
from server.records.results import GUEST, Finish, Result
from server.replay.commands import GAMES_LISTED, latest_lines, of_many_sources
from server.rulebook import Rulebook
from server.storage.database import EMPTY, FinishedGame, LogEntry
from server.storage.sqlite_database import MemoryDatabase
from server.typed_json import write_versioned
from tests.support.asciicast import screens
from tests.support.asking import asking, meant
from tests.support.each import for_each
from tests.support.games_over_ssh import COUNTS, asked, asked_json, left_to_an_ai_player, played
from tests.support.keys import ESC
from tests.support.opening import at_play
from tests.support.people import RunningServer
from tests.support.playing_on_screen import play_on_screen

pytestmark = pytest.mark.waiting_takes_no_time


async def test_a_finished_game_is_looked_at_on_the_screen(open_server: RunningServer) -> None:
    """Forward, back, to a move, to events, as a seat saw it; then back to the lobby."""
    game = await played(open_server)
    async with open_server.person("ana", size=(100, 40)) as ana:
        await ana.enter("replay", game)
        ana.type("")
        shown = await ana.enter(f"replay {game.lower()}", "replay>")
        assert f"Game {game}  Quatch   move 0" in shown
        assert "##" not in shown
        await ana.enter("", "move 1 ")
        await ana.enter("b", "move 0 ")
        await ana.enter("7", "move 7 ")
        await ana.enter("seat 1", "   hal   hand ")
        assert "as hal saw it" in ana.shown
        await ana.enter("watch", lambda person: "[##]" in person.shown and "   hal   hand " not in person.shown)
        await ana.enter("end", "game over")
        await ana.enter("", "That is the end")
        await ana.enter("e", "That is the end")
        await ana.enter("u", lambda person: "That is the end" not in person.shown)
        await ana.enter("seat 9", "There are seats 1 to 2")
        for line in ("seat 0010", "seat", "move x"):
            await ana.enter(line, "Type a number behind " + line.split()[0])
        await ana.enter("lesson", "Lesson works in the lobby: type leave first")
        await ana.enter("leave", "lobby>")
        await ana.enter("replay nonsense", "No finished game")


async def test_a_replay_in_plain_lines(open_server: RunningServer) -> None:
    """Enter tells the next move; nothing but words."""
    game = await played(open_server)
    async with open_server.person("ana", term="dumb", command=f"replay {game}") as ana:
        await ana.until_text("Move 0 of ")
        for ply in range(1, 6):
            ana.type("")
            await ana.until_text(f"Move {ply} of ")
        ana.type("where")
        await ana.until_text("Stock ")
        assert "\x1b" not in ana.text


async def test_games_are_told_by_commands_of_ssh(open_server: RunningServer) -> None:
    """In sentences and as JSON; a game that is none is one line and an exit status."""
    game = await played(open_server)
    assert game in await asked(open_server, "replay")
    told = await asked(open_server, f"replay {game}")
    assert re.search(r"(wins the game!|drawn)", told)
    record = await asked_json(open_server, f"replay {game}")
    assert record["game"] == game
    assert len(record["steps"]) > 10
    assert "No finished game" in await asked(open_server, "replay XXXXXXXX", 2)


async def test_a_game_is_recorded_by_a_command_of_ssh(open_server: RunningServer) -> None:
    """For asciinema; what cannot be recorded is one line and an exit status."""
    game = await played(open_server)
    for size in ((80, 24), (120, 40)):
        option = "" if size == (80, 24) else " --size 120x40"
        shown = screens(await asked(open_server, f"replay {game} --cast{option}"))
        assert game in shown[0]
        assert "game over" in shown[-2]
        assert shown[0].count("\n") == size[1] - 1
    for command, problem in (
        ("replay XXXXXXXX --cast", "No finished game 'XXXXXXXX': replay lists the latest."),
        (f"replay {game} --cast --size 9x9", "--size: columns and rows from 60x20 to 300x100, as in 80x24, not '9x9'."),
        ("replay --cast", "Type ssh -p "),
        ("who --cast", "No option '--cast': there are --json, --help."),
        (f"replay {game} --cast 100x30", "Type ssh -p "),
    ):
        assert (await asked(open_server, command, 2)).startswith(problem)


async def test_a_record_is_fetched_and_holds(open_server: RunningServer) -> None:
    """A player needs no host to have their game verified elsewhere."""
    game = await played(open_server)
    assert verify(await asked(open_server, f"replay {game} --export"))[0].startswith(f"Game {game}: ")


async def test_a_game_that_cannot_be_read_does_not_hide_the_others() -> None:
    """One line says that this version cannot read a result; the other games are listed as ever."""
    log = MemoryDatabase()
    result = write_versioned(Result((Finish(GUEST, "ana", 1), Finish(GUEST, "bo", 2)), drawn=False, plies=9))
    for number, (rules, text) in enumerate([("quatch", result), ("quatch", '{"v":2}'), ("unheard-of", result)], 1):
        entry = LogEntry(number, 1, b"", 0.0, b"")
        await log.append(EMPTY, entry, FinishedGame(f"GAME{number}", rules, 0.0, text, ""))
    _, *lines = latest_lines(await log.latest(GAMES_LISTED), Rulebook())
    assert lines == [
        "GAME3  1970-01-01 00:00  unheard-of: ana won against bo",
        "GAME2  1970-01-01 00:00  quatch: this version cannot read the result",
        "GAME1  1970-01-01 00:00  Quatch: ana won against bo",
    ]


async def test_leaving_a_replay_leads_back(open_server: RunningServer) -> None:
    """With q, quit, leave or Esc; none of them ends the session."""
    async with open_server.person() as ana:
        await at_play(ana)
        await play_on_screen(ana)
        await ana.enter("leave", "lobby>")
        for key in (b"q\r", ESC):
            await ana.enter("replay", "To see a game again")
            game = re.findall(r"\b[0-9A-Z]{8}\b", ana.shown)[0]
            ana.send(b"q\r")
            await ana.enter(f"replay {game}", "replay>")
            await ana.enter("7", "move 7")
            await ana.enter("seat 2", " saw it")
            await ana.enter("K", "Unknown command 'k'")
            await ana.press(key, "lobby>")


async def test_a_game_that_is_over_is_replayed_at_its_table(open_server: RunningServer) -> None:
    """The player is back at the table afterwards, or when the next game begins there."""
    async with open_server.person() as ana:
        await at_play(ana)
        await play_on_screen(ana)
        await ana.enter("h", "The game is over: type start for another")
        for key in (b"quit\r", b"q\r", ESC):
            await ana.enter("replay", "replay>")
            await ana.enter("where", "Enter goes ")
            await ana.press(b"q\r", "replay>")
            await ana.press(key, "Table 1")
            assert "game over" in ana.shown
        await ana.enter("start", "arranging")
        await ana.enter("replay", lambda ana: "replay ID prints one meanwhile." in " ".join(ana.shown.split()))


async def test_of_a_game_that_was_left_a_replay_tells_who_sat_who_played_and_what_counts(
    open_server: RunningServer,
) -> None:
    """In the words of the table: in the list, in the transcript and as JSON."""
    async with left_to_an_ai_player(open_server) as (_, bob):
        over = await bob.play()
    winner, by_cards = over["outcome"]["winner"], "by the cards Fox (played for ann) won against bob"
    counts = COUNTS.removeprefix("The game counts as ")
    told = "bob won against Fox (played for ann) (left)" if winner == 1 else f"{counts}; {by_cards}"
    assert f"Quatch: {told}\n" in await asked(open_server, "replay")
    transcript = await asked(open_server, f"replay {over['game']}")
    assert "wins the game!" not in transcript, "the last line names the winner"
    assert "ann plays" not in transcript
    assert f"{COUNTS}." in transcript
    finishes = (await asked_json(open_server, f"replay {over['game']}"))["finishes"]
    assert [(each["name"], each["successor"], each["rank"]) for each in finishes] == [("ann", "Fox", 2), ("bob", "", 1)]
    assert [each["why"] for each in finishes] == ["left", ""]
    assert [each["rank_by_cards"] for each in finishes] == [1 + (winner == 1), 1 + (winner == 0)]
    assert all("by_cards" not in each for each in finishes)


@pytest.mark.parametrize("typed", ["history", "my games", "last game"])
def test_natural_words_lead_to_finished_games(typed: str) -> None:
    """Those of other servers."""
    assert meant(typed, asking("lobby")) == "replay"


@for_each("typed", ["leave", "go back", "back to the lobby", "main menu"])
def test_natural_words_lead_back(typed: str) -> None:
    """As from a table."""
    assert meant(typed, asking("replay")) == "leave"


def test_a_list_of_games_has_those_of_many_sources() -> None:
    """A few of each come first; if there are no others, the list is as long as ever."""
    finishes = Finish("", "ana", 1), Finish("", "bo", 2)
    sources = [*["aaaa"] * 50, "s50", "s51", "s52"]
    results = [write_versioned(Result(finishes, drawn=False, plies=9, source=source)) for source in sources]
    games = [FinishedGame(f"G{n}", "quatch", n, result, "") for n, result in enumerate(results)]
    assert [game.id for game in of_many_sources(games, 6)] == ["G0", "G1", "G2", "G50", "G51", "G52"]
    assert len(of_many_sources(games[:50], 18)) == 18
