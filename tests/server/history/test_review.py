"""Reviews of finished games: on the screen, in line mode, over ssh, on the command line; in workers, and cancelled."""

import asyncio
import json
import multiprocessing
import re
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import asyncssh
import pytest
from msgspec import structs

from engine.ai.review import Judgement
from engine.errors import InputError
from engine.moves import Move
from engine.view import View
from server.ai.pool import AIPool, WorkerFailed
from server.cli.main import main
from server.history import review
from server.history.replay import decisions_of
from server.history.review import ReviewSubject, review_game, review_subject, seat_and_game
from server.history.review_text import COLUMNS, ROWS, review_lines
from server.limits import REVIEWS_PER_ADDRESS
from server.pieces import at_once
from server.records.record import Record
from server.records.record_reader import read_record
from server.records.results import Finish, Result
from server.storage.memory_log import MemoryLog
from server.storage.table_log import EMPTY, FinishedGame, LogEntry
from tests.support.people import Person, RunningServer, play_on_screen, running_server
from tests.support.random_games import TABLES, Table
from tests.support.recorded import random_record
from tests.support.resources import settled

GOLDEN = Path(__file__).parents[2] / "golden" / "record.txt"
GAME = "7KQ2M9XA"
FEW = 12
"""Looks at a turn: what comes of them is not what these tests are about."""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews that take no time."""
    monkeypatch.setattr(review, "SIMULATIONS", FEW)
    monkeypatch.setattr(review, "CLOSER_SIMULATIONS", FEW)


def golden() -> Record:
    """A game of ana's against Fox."""
    return read_record(GOLDEN.read_text("utf-8"))


async def log_with_a_game(result: str = '{"v":1,"finishes":[],"drawn":false,"plies":0}') -> MemoryLog:
    """A log with that game in it, by default without ratings."""
    log = MemoryLog()
    await log.append(
        EMPTY, LogEntry(1, 1, b"", 0.0, b""), FinishedGame(GAME, "college", 0.0, result, GOLDEN.read_text("utf-8"))
    )
    return log


def has_ended(person: Person) -> bool:
    """Whether the screen shows the last line of a review."""
    return "Better to" in person.shown or "well played" in person.shown


async def test_after_a_game_on_the_screen(open_server: RunningServer) -> None:
    """Review alone, or c, means the game just played: a plot that fits, and Enter goes back. A v replays the game."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with open_server.person(size=(60, 20), key=key) as ana:
        ana.type("play quatch seats=2")
        assert "   v replay   c review   " in await play_on_screen(ana)
        for command in ("review", "c"):
            ana.type(command)
            screen = await ana.until(" 100|")
            assert ": your " in screen
            assert sum("|" in line for line in screen.split("\n")) == ROWS
            ana.type("")
            ana.type("")
            await ana.until("game over")
        ana.type("v")
        await ana.until("move 0 of ")
        for keys, shown in ((b"\x1b[C", "move 1 of "), (b"\x1b[B\x1b[D", "move 10 of "), (b"\x1b[1~", "move 0 of ")):
            ana.send(keys)
            await ana.until(shown)
        ana.type("play 0.2")
        await ana.until("any key stops it")
        await ana.until("move 3 of ")
        ana.send(b" ")
        await ana.until("Space plays")
        ana.send(b"\x1b")
        await ana.until("game over")
    async with open_server.person(key=key) as ana:
        await ana.until("v replay   c review")  # the results are still there
        ana.type("c")
        await ana.until(" 100|")


async def test_a_number_on_the_page_shows_that_move(tmp_path: Path) -> None:
    """As the reviewed seat saw it; review leads back to the page. A number that is none of a move is refused."""
    async with running_server(tmp_path, await log_with_a_game()) as here, here.person() as ana:
        await ana.until("lobby>")
        ana.type(f"review {GAME} 2")
        await ana.until("a move's number, or Enter goes back>")
        assert "Type a move's number to see it. From there review leads back here." in ana.shown
        ana.type("7")
        screen = await ana.until("move 7 of 43")
        assert "as Fox saw it" in screen
        assert "b goes to the cards before this move, review shows what moves cost." in screen
        ana.type("review")
        await ana.until("Fox's 19 turns.")
        ana.type("44")
        await ana.until("Game 7KQ2M9XA has moves 0 to 43: 0 is the deal.")
        assert "move 7 of 43" in ana.shown
        ana.type("c")
        await ana.until("Fox's 19 turns.")
        ana.type("")
        await ana.until("move 7 of 43")
        ana.send(b"\x1b")
        await ana.until("lobby>")


async def test_in_a_running_game_a_number_on_the_page_is_no_move_to_look_at(tmp_path: Path) -> None:
    """Nothing is said of it, since a replay is refused there."""
    async with running_server(tmp_path, await log_with_a_game()) as here, here.person() as ana:
        ana.type("play seats=2")
        await ana.until("ready begins")
        ana.type(f"review {GAME}")
        await ana.until("Better to")
        assert "move's number" not in ana.shown


async def test_in_lines_it_is_words(tmp_path: Path) -> None:
    """Nothing is drawn; what would be wrong is said in one line; the replay that one looks at needs no id."""
    async with running_server(tmp_path, await log_with_a_game()) as here, here.person(term=None) as ana:
        await ana.until_text("Welcome")
        for line in ("review", "review 2", "review nonsense", f"review {GAME} 9", f"replay {GAME}", "review"):
            ana.type(line)
        await ana.until(has_told)
        text = ana.text
        assert text.count("Which game? Type review ID") == 2
        assert "No finished game 'nonsense'" in text
        assert "Whose turns? Name a seat of game 7KQ2M9XA: 1 (ana) or 2 (Fox)" in text
        assert "Reviewing your turns in game 7KQ2M9XA" in text
        told = text[text.index(f"Game {GAME}, College with mirrors: your 20 turns.") :]
        assert "Before move 5: " in told
        assert "Before move 42: " in told
        assert re.search(
            rf"\nType replay {GAME} (\d+) 1 to see move \1. From there review tells this again.\r?\n", told
        )
        assert not set("#|") & set(told)


def has_told(person: Person) -> bool:
    """Whether a review has been told to its end."""
    return "Better to" in person.text or "well played" in person.text


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
        assert set(found["costliest"]) <= {turn["ply"] for turn in found["turns"] if "better" in turn}
        for wrong, told in (
            *((f"review {GAME}x", "No finished game"), ("review", "Which game? Type review ID")),
            (f"replay {GAME} 44", "Game 7KQ2M9XA has moves 0 to 43: 0 is the deal."),
        ):
            async with here.person("bo", term=None, command=wrong) as person:
                assert await person.until_gone() == 2
                assert told in person.text
        async with here.person("bo", command=f"review {GAME} 1") as person:
            await person.until(has_ended)
            assert "ana's 20 turns" in person.shown
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


async def test_leaving_stops_the_review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the lobby by typing leave, elsewhere by going away; one line says so. The search stops."""
    monkeypatch.setattr(review, "SIMULATIONS", 100_000)
    async with running_server(tmp_path, await log_with_a_game()) as here, here.person() as ana:
        reviews = here.app.lobby.tables.ai_pool.reviews

        async def begin() -> None:
            ana.type(f"review {GAME}")
            await settled(lambda: reviews.count == 1)
            await ana.until("Reviewing your turns")

        await begin()
        ana.type("leave")
        await ana.until("The review has stopped.")
        await settled(lambda: reviews.count == 0)
        await begin()
        ana.type("play seats=2")
        await ana.until("YOU")
        await ana.until("The review has stopped.")
        await settled(lambda: reviews.count == 0)
        await begin()
        ana.type("leave")
        await ana.until("Type leave again")
        ana.type("leave")
        await ana.until("You are in the lobby. The review has stopped.")
        await settled(lambda: reviews.count == 0)
        assert "turns." not in ana.shown
        ana.type(f"review {GAME}")
        await ana.until("Reviewing")
        ana.type(f"review {GAME} 2")
        await ana.until("Fox's turns in game")
        await settled(lambda: reviews.count == 1)
        ana.process.close()
        await settled(lambda: reviews.count == 0)


async def test_one_address_cannot_have_all_reviews(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever keys its players have, inside and by ssh commands. A player from another address has one at once."""
    judge, goes_on = AIPool.judge, asyncio.Event()

    async def slow(pool: AIPool, view: View, made: Move, seed: str, simulations: int) -> Judgement:
        await goes_on.wait()
        return await judge(pool, view, made, seed, simulations)

    monkeypatch.setattr(AIPool, "judge", slow)
    async with running_server(tmp_path, await log_with_a_game(), exempt=[]) as here, AsyncExitStack() as stack:
        reviews = here.app.lobby.tables.ai_pool.reviews
        for number in range(REVIEWS_PER_ADDRESS):
            key = asyncssh.generate_private_key("ssh-ed25519") if number % 2 else None
            command = f"review {GAME} 1" if number > 1 else None
            flood = await stack.enter_async_context(here.person(f"bo{number}", key=key, term=None, command=command))
            if command is None:
                flood.type(f"review {GAME} 2")
            await settled(lambda number=number: reviews.count == number + 1)  # type: ignore[misc]
        async with here.person("cy", term=None, command=f"review {GAME} 1") as one_more:
            assert await one_more.until_gone() == 2
            assert "4 games are being reviewed from your address: try again when one of them is done." in one_more.text
        async with here.person("ana", source="127.0.0.3") as ana:
            ana.type(f"review {GAME}")
            await settled(lambda: reviews.count == REVIEWS_PER_ADDRESS + 1)
            goes_on.set()
            await ana.until(" 100|")


async def test_progress_is_shown_and_the_end_never_over_something_newer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the first turn, then turn by turn; a page that is read stays. A second review is there at once."""
    begins, goes_on = asyncio.Event(), asyncio.Event()
    judge, judged = AIPool.judge, list[str]()

    async def slow(pool: AIPool, view: View, made: Move, seed: str, simulations: int) -> Judgement:
        judged.append(seed)
        await begins.wait()
        if len(judged) == 8:
            await goes_on.wait()
        return await judge(pool, view, made, seed, simulations)

    monkeypatch.setattr(AIPool, "judge", slow)
    async with running_server(tmp_path, await log_with_a_game()) as here, here.person() as ana:
        await ana.until("lobby>")
        ana.type(f"review {GAME}")
        await ana.until("Reviewing your turns in game 7KQ2M9XA: 0 of 20.")
        begins.set()
        await ana.until("Reviewing your turns in game 7KQ2M9XA: 7 of 20.")
        ana.type("rules")
        await ana.until("Enter goes ")
        goes_on.set()
        await settled(lambda: not here.app.lobby.tables.ai_pool.reviews.count)
        assert "100|" not in ana.shown
        ana.send(b"q")
        await ana.until("The review of game 7KQ2M9XA is ready: type review 7KQ2M9XA 1")
        monkeypatch.setattr("server.ai.pool.judge", None)
        ana.type(f"review {GAME}")
        await ana.until(" 100|")


async def test_what_is_thought_about_is_what_the_seat_could_know() -> None:
    """A worker gets only views of that seat and the seat's own moves, turn by turn, for any player who asks."""
    asked = list[tuple[View, Move]]()

    class Listening(AIPool):
        async def judge(self, view: View, made: Move, seed: str, simulations: int) -> Judgement:
            asked.append((view, made))
            return await super().judge(view, made, seed, simulations)

    ticks = list[tuple[int, int]]()
    found = await review_game(review_subject(golden(), "1"), Listening(), lambda *tick: ticks.append(tick))
    assert ticks == [(done, 20) for done in range(21)]
    assert all(isinstance(view, View) and view.seat == 0 for view, _ in asked)
    assert [made for _, made in asked[:20]] == [turn.made for turn in found.turns]
    assert found == await review_game(review_subject(golden(), "1"), AIPool())


@pytest.mark.parametrize("at", TABLES[::8], ids=str)
async def test_any_game_can_be_looked_back_on(at: Table) -> None:
    """Whatever its rules, from every seat that had a turn; long games take no longer than others."""
    record = random_record(at, 5)
    for seat in range(len(record.players)):
        turns = at_once(decisions_of(record, seat))
        past = ReviewSubject(record, seat, is_own=False)
        if not turns:
            with pytest.raises(InputError, match="had no turn"):
                await review_game(past, AIPool())
            continue
        found = await review_game(past, AIPool())
        for plot in (True, False):
            lines = review_lines(found, plot=plot)
            assert f"{len(turns)} turn" in lines[0]
            assert all(len(line) <= COLUMNS + 4 for line in lines[2 : 2 + ROWS] if plot)


def test_whose_turns_are_meant() -> None:
    """The seat that is named, that of the key, of the name, of the only person; else one is asked."""
    record = random_record(TABLES[2], 1)
    names = [player.name for player in record.players]
    assert names[:3] == ["ana", "Fox", "bo"]
    keys = ("SHA256:x", "ai:hard", "SHA256:ana", "ai:easy")[: len(names)]
    result = Result(tuple(Finish(key, "", 1) for key in keys), drawn=False, plies=1)
    assert review_subject(record, "2", name="ana") == ReviewSubject(record, 1, is_own=False)
    assert review_subject(record, "", name="bo") == ReviewSubject(record, 2, is_own=True)
    assert review_subject(record, "", result=result, account="SHA256:x", name="bo") == ReviewSubject(
        record, 0, is_own=True
    )
    for named in ("", "0", "9", "x", "01", "0010", "1000"):
        with pytest.raises(InputError, match=r"whose turns\? Name a seat of game .*: 1 \(ana\), 2 \(Fox\)"):
            review_subject(record, named, name="cy")
    owl = structs.replace(record.players[1], name="Owl")
    alone = replace(record, players=(record.players[0], *[owl] * (len(names) - 1)))
    assert review_subject(alone, "", name="cy") == ReviewSubject(alone, 0, is_own=False)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("", ("", "")), ("2", ("", "2")), (GAME, (GAME, "")), (f"{GAME} 2", (GAME, "2")), (f"{GAME} x", (GAME, "x"))],
)
def test_what_was_typed_names_a_game_or_a_seat(typed: str, meant: tuple[str, str]) -> None:
    """Both may be left out."""
    assert seat_and_game(typed.split()) == meant


def test_at_home(capsys: pytest.CaptureFixture[str]) -> None:
    """From a file, without progress if the output is no terminal. A seat that does not exist is wrong usage."""
    assert main(["review", str(GOLDEN)]) == 0
    assert capsys.readouterr().out.startswith(
        f"Game {GAME}, College with mirrors: ana's 20 turns.\nChances in ana's game"
    )
    assert main(["review", str(GOLDEN), "--seat", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "Fox"
    assert main(["review", str(GOLDEN), "--seat", "3"]) == 2
    assert "Name a seat" in capsys.readouterr().err


async def test_a_worker_that_dies_is_said() -> None:
    """A player who waits for a review is told to ask again, and AI players think on."""
    ai_pool = AIPool(1)
    await review_game(review_subject(golden(), "2"), ai_pool)
    past = review_subject(golden(), "1")
    looking = asyncio.create_task(review_game(past, ai_pool))
    await asyncio.sleep(0)
    for worker in multiprocessing.active_children():
        worker.kill()
    with pytest.raises(WorkerFailed):
        await looking
    assert await review_game(past, ai_pool) == await review_game(past, AIPool())
    await ai_pool.close()
