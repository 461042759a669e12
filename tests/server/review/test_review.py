"""Reviews of finished games: on the screen, in line mode, over ssh, on the command line."""

import json
import re
import time
from pathlib import Path

import asyncssh
import pytest
from msgspec.structs import replace

from engine.ai.judging import CLOSER, DOUBTFUL_TURNS, SIMULATIONS
from server.cli.main import main
from server.player.player_session import PlayerSession
from server.records.record import write_record
from server.review import review
from server.review.commands import costliest_move
from server.storage.database import EMPTY, FinishedGame, LogEntry
from server.storage.sqlite_database import MemoryDatabase
from tests.server.review.reviews import has_ended, log_with_a_game
from tests.support.people import Person, RunningServer, running_server
from tests.support.playing_on_screen import play_on_screen
from tests.support.random_games import TABLES, Table
from tests.support.recorded import GAME, GOLDEN, random_record

pytestmark = pytest.mark.waiting_takes_no_time


@pytest.mark.features("replay")
async def test_after_a_game_on_the_screen(open_server: RunningServer) -> None:
    """Review alone, or c, means the game just played, and Enter goes back. A v replays the game."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with open_server.person(size=(60, 20), key=key) as ana:
        ana.type("play quatch seats=2")
        assert "   c review   " in await play_on_screen(ana)
        for command in ("review", "c", "what did I do wrong"):
            assert ": your " in await ana.enter(command, " turns.")
            await ana.press(b"\x1b", "game over")
        await ana.enter("v", "move 0 of ")
        for keys, shown in ((b"\x1b[C", "move 1 of "), (b"\x1b[B\x1b[D", "move 10 of "), (b"\x1b[1~", "move 0 of ")):
            await ana.press(keys, shown)
        await ana.enter("play 0.2", "Space stops it")
        await ana.until("move 3 of ")
        await ana.press(b" ", "Space plays")
        await ana.press(b"\x1b", "game over")
        for typed in ("12", "25", "7", "show me move 48", "review 21"):  # the second and third could be cards
            await ana.enter(typed, f"move {typed.rpartition(' ')[2]} of ")
            await ana.press(b"\x1b", "game over")
    async with open_server.person(key=key) as ana:
        await ana.until("c review   v replay")  # the results are still there
        await ana.enter("c", " turns.")
    async with open_server.person(key=key, term=None, command="review") as ana:
        assert await ana.until_gone() == 0
        assert ": your " in ana.text, "of the last game"


async def test_a_move_that_cost_much_is_found_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told at the end of the game, at the player's expense. So few looks as in other tests do not find it."""
    monkeypatch.setattr(review, "SIMULATIONS", SIMULATIONS)
    monkeypatch.setattr(review, "CLOSER", CLOSER)
    async with running_server(tmp_path, await log_with_a_game()) as here, here.person(term=None) as ana:
        await ana.until("Welcome")
        (session,) = here.app.lobby.visitors.here
        assert isinstance(session, PlayerSession)
        told = r"Move 35 cost \d+ of your \d+ percent chance to win: you played a 6; better play two 8s\."
        assert re.fullmatch(told, await costliest_move(session, GAME))
        assert await costliest_move(session, "NOGAME23") == ""


@pytest.mark.parametrize("at", TABLES[1::7], ids=str)
async def test_the_end_of_a_game_and_its_review_name_the_same_move(
    tmp_path: Path, at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the costliest one, in words and as JSON, whatever the rules; or none."""
    monkeypatch.setattr(review, "SIMULATIONS", SIMULATIONS // 8)
    monkeypatch.setattr(review, "CLOSER", replace(CLOSER, simulations=20, playouts=40, checked=40))
    records = [random_record(at, number) for number in range(2)]
    log = MemoryDatabase()
    for number, record in enumerate(records, 1):
        result = '{"v":1,"finishes":[],"drawn":false,"plies":0}'
        game = FinishedGame(record.id, record.rules, time.time(), result, write_record(record), ())
        await log.append(EMPTY, LogEntry(number, 1, b"", 0.0, b""), game)
    async with running_server(tmp_path, log) as here, here.person(term=None) as ana:
        await ana.until("Welcome")
        (session,) = here.app.lobby.visitors.here
        assert isinstance(session, PlayerSession)
        for record in records:
            sentence = await costliest_move(session, record.id)
            async with here.person(term=None, command=f"review {record.id} 1") as words:
                await words.until_gone()
            async with here.person(term=None, command=f"review {record.id} 1 --json") as value:
                await value.until_gone()
            moves = [str(ply) for ply in json.loads(value.text)["costliest"]]
            assert moves[:1] == re.findall(r"^Move (\d+) cost", sentence)
            told, _, _ = sentence.partition(" your ")
            assert told in words.text.splitlines()[2] if told else "cost anything to speak of" in words.text


@pytest.mark.features("replay")
async def test_a_number_on_the_page_shows_that_move(tmp_path: Path) -> None:
    """As the reviewed seat saw it; review leads back to the page. A number that is none of a move is refused."""
    async with running_server(tmp_path, await log_with_a_game()) as here, here.person() as ana:
        await ana.enter(f"review {GAME} 2", "a number, or Enter goes back>")
        assert "Type a move's number to see it. From there review leads back here." in ana.shown
        ways = "b goes to the cards before this move, review to hear what your moves cost."
        screen = await ana.enter("7", ways)
        assert "move 7 of 43" in screen
        assert "as Fox saw it" in screen
        await ana.enter("review", "Fox's 19 turns.")
        await ana.enter("44", "Game 7KQ2M9XA has moves 0 to 43: 0 is the deal.")
        assert "move 7 of 43" in ana.shown
        await ana.enter("c", "Fox's 19 turns.")
        assert "Reviewing" not in ana.shown, "it is there already"
        await ana.enter("", "move 7 of 43")
        await ana.press(b"\x1b", "lobby>")


async def test_in_a_running_game_a_number_on_the_page_is_no_move_to_look_at(tmp_path: Path) -> None:
    """Nothing is said of it, since a replay is refused there."""
    async with running_server(tmp_path, await log_with_a_game()) as here, here.person() as ana:
        await ana.enter("play seats=2", "ready begins")
        await ana.enter("review", "A review of this game can be had when it is over.")
        await ana.enter(f"review {GAME}", has_ended)
        assert "move's number" not in ana.shown


@pytest.mark.features("replay")
async def test_in_lines_it_is_words(tmp_path: Path) -> None:
    """Nothing is drawn; what would be wrong is said in one line; the replay that one looks at needs no id."""
    async with running_server(tmp_path, await log_with_a_game()) as here, here.person(term=None) as ana:
        await ana.until("Welcome")
        for line in ("review", "review 2", "review nonsense", f"review {GAME} 9", f"replay {GAME}", "review"):
            ana.type(line)
        await ana.until(has_told)
        text = ana.text
        assert text.count("Which game? Type review ID") == 2
        assert "No finished game 'nonsense'" in text
        assert "Whose turns? Name a seat of game 7KQ2M9XA: 1 (ana) or 2 (Fox)" in text
        assert "Reviewing your turns in game 7KQ2M9XA" in text
        told = text[text.index(f"Game {GAME}, College with mirrors: your 20 turns.") :]
        assert " before move 5, " in told
        assert " before move 42." in told
        assert re.search(
            rf"\nType replay {GAME} (\d+) 1 to see move \1. From there review tells this again.\r?\n", told
        )
        assert not set("#|") & set(told)


def has_told(person: Person) -> bool:
    """Whether a review has been told to its end."""
    return "Better to" in person.text or "cost anything" in person.text


@pytest.mark.features("replay")
async def test_as_a_command_of_ssh(tmp_path: Path) -> None:
    """In words or as JSON, with an exit status; on a terminal it comes in and shows it."""
    async with running_server(tmp_path, await log_with_a_game()) as here:
        async with here.person(term=None, command=f"review {GAME} 2") as person:
            assert await person.until_gone() == 0
            assert "Fox's 19 turns." in person.text
        async with here.person(term=None, command=f"review {GAME} 2 --json") as person:
            assert await person.until_gone() == 0
        found = json.loads(person.text)
        assert (found["game"], found["seat"], found["name"], len(found["turns"])) == (GAME, 1, "Fox", 19)
        assert all(0 <= turn["chance"] <= 1 for turn in found["turns"])
        better = {turn["ply"] for turn in found["turns"] if "better" in turn}
        assert set(found["costliest"]) <= better
        assert len(better) <= DOUBTFUL_TURNS
        for wrong, told in (
            *((f"review {GAME}x", "No finished game"), ("review", "Which game? Type review ID")),
            (f"replay {GAME} 44", "Game 7KQ2M9XA has moves 0 to 43: 0 is the deal."),
        ):
            async with here.person("bo", term=None, command=wrong) as person:
                assert await person.until_gone() == 2
                assert told in person.text
        async with here.person("bo", command=f"review {GAME} 1") as person:
            await person.until("ana's 20 turns")
            await person.enter("", has_ended)
        async with here.person("bo", command=f"replay {GAME} 7") as person:
            await person.until("move 7 of 43")
        async with here.person("bo", term=None, command=f"replay {GAME} 7 2") as person:
            assert await person.until_gone() == 0
            assert person.text.startswith("Move 7 of 43.")
            assert re.search(r"\nana: hand \d, .*\nFox: hand \d \(.*\), face up ", person.text)


async def test_a_game_of_a_newer_version_is_refused_in_one_line(tmp_path: Path) -> None:
    """Its result cannot be read, so that its players are not known."""
    async with running_server(tmp_path, await log_with_a_game('{"v":2}')) as here:
        async with here.person(term=None, command=f"review {GAME} 1") as person:
            assert await person.until_gone() == 2
        assert (
            person.text.strip() == "The result of this game cannot be read: written by a newer version of this program."
        )


def test_at_home(capsys: pytest.CaptureFixture[str]) -> None:
    """From a file, without progress if the output is no terminal. A seat that does not exist is wrong usage."""
    assert main(["review", str(GOLDEN)]) == 0
    assert capsys.readouterr().out.startswith(
        f"Game {GAME}, College with mirrors: ana's 20 turns.\nNone of the 6 moves looked at closely cost anything"
    )
    assert main(["review", str(GOLDEN), "--seat", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "Fox"
    assert main(["review", str(GOLDEN), "--seat", "3"]) == 2
    assert "Name a seat" in capsys.readouterr().err
