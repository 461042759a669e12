"""Puzzles on a screen, in lines and by `ssh HOST puzzle`, and where they come from."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs
from structlog.testing import capture_logs

from engine.legality import legal_moves
from engine.wording.typed_moves import typed_form
from server.ai.pool import AIPool
from server.commands.registry import find
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.puzzles import PROGRESS
from server.puzzles import service as puzzles
from server.puzzles.puzzle import FOUND, Puzzle, PuzzleProgress, bundled_puzzles
from server.puzzles.service import REPORTED, REPORTS_TO_HIDE, SOLVED_TO_REPORT, Puzzles
from server.puzzles.solving import PuzzleSearch, Solution
from server.puzzles.view import puzzle_snapshot
from server.session import exec_commands
from server.typed_json import write_versioned
from tests.support.accounts import keep_account
from tests.support.asking import asking, meant
from tests.support.at_terminals import flat, lobby_at, person, play
from tests.support.clock import Clock
from tests.support.emulator import TerminalPlayer

pytestmark = pytest.mark.virtual_time


async def asked(lobby: Lobby, command: str, name: str = "ana") -> Any:  # noqa: ANN401 - it is JSON
    """The answer to `ssh HOST COMMAND --json` of the owner of a key."""
    _, (said,) = await exec_commands.answer(f"{command} --json", lobby, Caller(name, f"SHA256:{name}"))
    return json.loads(said)


def shown_puzzle(here: TerminalPlayer) -> Puzzle:
    """The puzzle on a player's screen."""
    return next(puzzle for puzzle in bundled_puzzles() if puzzle.id in here.shown)


async def test_a_puzzle_is_solved_by_typing_the_move() -> None:
    """The streak is kept with the account; a wrong move ends it, is explained, and the next puzzle comes."""
    async with lobby_at(Clock()) as lobby:
        async with person(lobby, "ana") as ana:
            await ana.type("puzzle")
            first = shown_puzzle(ana)
            assert ana.shown.rstrip().endswith("play>"), "no move is suggested, as it is often the solution"
            assert "type your move, like 7 7" in ana.shown
            assert "you think is best; leave ends the puzzles" in await ana.type("next")
            assert "Right:" in await ana.type(typed_form(first.best))
            assert "It could go on: " in ana.shown
            assert "Solved in a row: 1, at best 1." in ana.shown
            await ana.type("")
            second = shown_puzzle(ana)
            assert second != first
            wrong = next(move for move in legal_moves(second.position(), second.seat) if move != second.best)
            assert "No: to " in await ana.type(typed_form(wrong))
            await ana.type(typed_form(second.best))
            assert ana.shown.count("Solved in a row: 0, at best 1.") == 1, "only the first move counts"
            assert "lobby>" in await ana.type("leave")
        assert (await asked(lobby, "puzzle"))["best_streak"] == 1
        assert (await asked(lobby, "puzzle", "bo"))["best_streak"] == 0


async def test_programs_and_shells_are_asked_and_answered() -> None:
    """The puzzle holds no card that its seat did not see, and the solution comes with the answer alone."""
    async with lobby_at(Clock()) as lobby:
        puzzle = await asked(lobby, "puzzle")
        assert puzzle["answer"] is None
        assert all(set(seat["hand"]) <= {"??"} for n, seat in enumerate(puzzle["view"]["seats"]) if n != puzzle["seat"])
        assert "no move" in (await asked(lobby, "puzzle xyz"))["error"]["message"]

        (kept,) = [each for each in bundled_puzzles() if each.id == puzzle["id"]]
        answered = await asked(lobby, f"puzzle {typed_form(kept.best)}")
        assert (answered["streak"], answered["answer"]["solved"], answered["answer"]["best"]) == (
            1,
            True,
            str(kept.best),
        )
        assert (await asked(lobby, "puzzle"))["id"] != puzzle["id"]

        status, lines = await exec_commands.answer("puzzle", lobby, Caller("ana", "SHA256:ana"))
        assert status == 0
        assert any(line.startswith("Puzzle ") for line in lines)


async def test_a_puzzle_that_two_players_report_is_not_shown_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player counts once, a guest does not, and only a player who has seen the verdict can report."""
    async with lobby_at(Clock()) as lobby:
        for name in ("ana", "cy"):
            await keep_account(lobby, Caller(name, f"SHA256:{name}"))
            solved = write_versioned(PuzzleProgress(solved=SOLVED_TO_REPORT))
            assert await lobby.profiles.keep_text(PROGRESS, Player(f"account:{name}", name), solved)
        wrong = None
        for name, guest, told in (
            ("ana", False, "Thank you"),
            ("bo", True, "To report a puzzle you need an ssh key"),
            ("cy", False, "Thank you"),
        ):
            async with person(lobby, name, guest=guest) as here:
                await here.type("puzzle", "report")
                assert "ype the move that you think is best first" in flat(here)
                puzzle = shown_puzzle(here)
                assert wrong in (None, puzzle)
                wrong = puzzle
                await here.type(typed_form(puzzle.best), *["report"] * 2)
                assert told in flat(here)
            assert (wrong in await lobby.service(Puzzles).all()) == (name != "cy")
        assert (await asked(lobby, "puzzle", "dee"))["id"] != puzzle.id

        monkeypatch.setattr(Lobby, "is_op", lambda *_: True)
        (told,) = (await asked(lobby, "admin reports", "dee"))["reports"]
        assert (told["id"], told["hidden"], told["by"]) == (puzzle.id, True, ["account:ana", "account:cy"])
        assert told["chances"] == puzzle.chances
        _, lines = await exec_commands.answer(f"admin reports {puzzle.id}", lobby, Caller("dee", "SHA256:dee"))
        assert lines[0].endswith("reported by 2 players, hidden")
        assert f"{puzzle.best} {puzzle.chances[str(puzzle.best)]}" in lines[-1]
        assert await asked(lobby, f"admin unreport {puzzle.id}", "dee")
        assert (await asked(lobby, "puzzle", "dee"))["id"] == puzzle.id
        assert (await asked(lobby, "admin reports", "dee"))["reports"] == []
        refused = await exec_commands.answer(f"admin unreport {puzzle.id}", lobby, Caller("dee", "SHA256:dee"))
        assert refused == (2, ["No such puzzle is reported: reports lists them."])


async def test_a_key_of_which_nothing_is_kept_goes_on_to_other_puzzles() -> None:
    """As a guest does: there is no room for its account, but the session knows what it has solved."""
    async with lobby_at(Clock()) as lobby:
        lobby.profiles.most = 0
        player, seen = Player("account:ana", "ana"), set[str]()
        for solved in range(3):
            puzzle, progress = await lobby.service(Puzzles).next_for(player)
            assert progress.solved == solved
            seen.add(puzzle.id)
            await lobby.service(Puzzles).answered(player, puzzle, is_right=True)
        assert len(seen) == 3


async def test_a_new_key_hides_no_puzzles() -> None:
    """Keys cost nothing: a player reports only after having solved some."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        await ana.type("puzzle")
        await ana.type(typed_form(shown_puzzle(ana).best), "report")
        assert "To report a puzzle you need to have solved 5" in flat(ana)


async def test_two_keys_hide_few_puzzles() -> None:
    """They solve all, since anybody can read the solutions, and report all; to report one again changes nothing."""
    async with lobby_at(Clock()) as lobby:
        everything = await lobby.service(Puzzles).all()
        for name in ("ana", "bo"):
            player = Player(f"account:{name}", name)
            for _ in range(SOLVED_TO_REPORT):
                await lobby.service(Puzzles).answered(player, everything[0], is_right=True)
            with capture_logs() as logs:
                for puzzle in [*everything, *everything]:
                    await lobby.service(Puzzles).report(player, puzzle)
            assert [each["id"] for each in logs] == [puzzle.id for puzzle in everything]
        assert len(everything) > len(await lobby.service(Puzzles).all()) >= 0.8 * len(everything)
        assert await lobby.store.count_texts(REPORTED) == REPORTS_TO_HIDE * len(everything)


async def test_puzzles_come_in_lines_too() -> None:
    """The position and the task are told; the keys of lines answer."""
    async with lobby_at(Clock()) as lobby, person(lobby, "bo", guest=True, term="dumb") as bo:
        await bo.type("puzzle")
        puzzle = shown_puzzle(bo)
        assert "Your turn." in bo.shown
        assert "Right:" in await bo.type(typed_form(puzzle.best))
        assert "Puzzle works in the lobby: type leave first" in await bo.type("puzzle life")


async def test_puzzles_are_found_in_games_that_end_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """One in a game, which is looked through once; only so many are kept, the latest."""

    async def at_once(_: AIPool, work: Callable[[], Any]) -> Any:  # noqa: ANN401
        return work()

    def first_move_is_best(search: PuzzleSearch) -> PuzzleSearch:
        moves = legal_moves(search._view, search._view.seat or 0)  # noqa: SLF001
        search.solution = Solution({move: 0.9 if move == moves[0] else 0.1 for move in moves}, 1)
        search.is_over = True
        return search

    monkeypatch.setattr(AIPool, "run", at_once)
    monkeypatch.setattr(PuzzleSearch, "step", first_move_is_best)
    monkeypatch.setattr(puzzles, "MOST_FOUND", 2)
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        for old in bundled_puzzles()[:2]:
            await lobby.store.put_text(FOUND, f"OLD{old.id}", write_versioned(structs.replace(old, id=f"OLD{old.id}")))
        await ana.type("play quatch seats=2")
        await play(ana)
        search = Puzzles(lobby, rest_seconds=0).search
        await search()
        await search()
        ids = [each.id for each in await lobby.service(Puzzles).all() if each not in bundled_puzzles()]
        assert len(ids) == 2
        assert ids[0].startswith("OLD")
        assert not ids[1].startswith("OLD")


async def test_a_streak_of_a_newer_version_stays_as_it_is() -> None:
    """The player goes through puzzles as a guest does: the streak of the session is told."""
    newer = '{"v": 2, "streak": 7}'
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        await lobby.store.put_text(PROGRESS, "account:ana", newer)
        await ana.type("puzzle")
        first = shown_puzzle(ana)
        assert "Solved in a row: 1, at best 1." in await ana.type(typed_form(first.best))
        await ana.type("")
        assert shown_puzzle(ana) != first
        assert await lobby.store.text(PROGRESS, "account:ana") == newer


async def test_no_puzzle_covers_a_table_to_which_a_player_has_come_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a table calls while the log is read."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        session, next_for = ana.session.player_session, Puzzles.next_for

        async def after_a_call(*asked: Any) -> Any:  # noqa: ANN401
            await find("new", session).run(session, "seats=2")
            return await next_for(*asked)

        monkeypatch.setattr(Puzzles, "next_for", after_a_call)
        await ana.type("puzzle")
        assert session.at_table
        assert session.side_view is None
        assert "you are at table 1" in ana.shown.lower()


def test_a_player_has_a_name_of_their_own_in_a_puzzle() -> None:
    """Whatever it is; the others have made-up names."""
    for puzzle in bundled_puzzles()[:5]:
        names = [sitter.name.lower() for sitter in puzzle_snapshot(puzzle, "ada").sitters if sitter]
        assert len(set(names)) == len(names)


def test_more_than_one_puzzle_can_be_asked_for() -> None:
    """The plural is the same command."""
    assert meant("puzzles", asking("lobby")) == "puzzle"
