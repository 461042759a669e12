"""Puzzles on a screen and in lines, and where they come from."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from engine.ai.judging import named_by_rank
from engine.legality import legal_moves
from engine.wording.phrases import move_words
from engine.wording.typed_moves import typed_form
from server.ai.pool import AIPool
from server.commands.finding import find
from server.people.players import Player
from server.puzzles import PROGRESS
from server.puzzles import service as puzzles
from server.puzzles.commands import ANSWERED, GO_ON, known_cards, puzzle_snapshot, verdict_lines
from server.puzzles.puzzle import FOUND, Puzzle, bundled_puzzles
from server.puzzles.service import Puzzles
from server.puzzles.solving import PuzzleSearch, Solution, line_of
from server.render.frame import draw
from server.render.scene import Progress, Scene
from server.typed_json import write_versioned
from tests.support.asking import asking, meant
from tests.support.at_terminals import flat, lobby_at, person, play
from tests.support.clock import Clock
from tests.support.emulator import TerminalPlayer

pytestmark = pytest.mark.virtual_time


def shown_puzzle(here: TerminalPlayer) -> Puzzle:
    """The puzzle on a player's screen."""
    return next(puzzle for puzzle in bundled_puzzles() if puzzle.id in here.shown)


def logged(here: TerminalPlayer) -> str:
    """The log of the puzzle."""
    return "\n".join(here.session.player_session.scene.log)


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
            assert "Solved in a row: 1, at best 1." in logged(ana)
            assert "Enter shows the next puzzle, leave ends." in await ana.type("turn")
            assert "ana's turn" not in ana.shown
            assert "Enter shows the next puzzle   leave" in ana.shown
            assert "YOUR TURN" not in ana.shown
            await ana.type("")
            second = shown_puzzle(ana)
            assert second != first
            wrong = next(move for move in legal_moves(second.position(), second.seat) if move != second.best)
            assert "No: to " in await ana.type(typed_form(wrong))
            await ana.type(typed_form(second.best))
            assert logged(ana).count("Solved in a row: 0, at best 1.") == 1, "only the first move counts"
            assert "lobby>" in await ana.type("leave")
        assert (await lobby.service(Puzzles).progress_of(ana.session.player_session.player)).best == 1
        assert (await lobby.service(Puzzles).progress_of(Player("account:bo", "bo"))).best == 0


async def test_the_smallest_screen_shows_the_task_and_whether_the_answer_was_right() -> None:
    """From its beginning to its end, with the best move; how the player gets on may scroll away."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        await ana.resize(60, 20)
        await ana.type("puzzle")
        for wrong in (True, True, False):
            view = ana.session.player_session.view
            puzzle = next(each for each in bundled_puzzles() if each.position() == view)
            assert "better than all others: type it." in ana.shown
            assert all(known in flat(ana) for known in known_cards(puzzle, puzzle_snapshot(puzzle, "ana")))
            moves = legal_moves(puzzle.position(), puzzle.seat)
            move = next(each for each in moves if (named_by_rank(each) != puzzle.best) == wrong)
            await ana.type(typed_form(move))
            assert f" No: to {move_words(puzzle.best)} is worth " in ana.shown if wrong else " Right: it " in ana.shown
            assert " Enter shows the next puzzle, leave ends." in ana.shown
            await ana.type("")


def test_the_longest_verdict_fits_the_smallest_screen() -> None:
    """That of a puzzle that the program brings, whichever wrong move is typed."""
    puzzle = next(each for each in bundled_puzzles() if each.id == "B8B616")
    line, view = line_of(puzzle.position(), puzzle.best), puzzle.position()
    snapshot = structs.replace(puzzle_snapshot(puzzle, "ana"), seat=None, place=ANSWERED)
    for move in legal_moves(view, puzzle.seat):
        log = [*verdict_lines(puzzle, move, line, "ana"), GO_ON]
        frame = draw(Scene("ana", snapshot=snapshot, log=log, progress=Progress(0, 0, "")), 60, 20)
        assert any(row.text.startswith((" No: to play a jack is worth", " Right: ")) for row in frame.rows)
        assert any(row.text.startswith(" Enter shows the next puzzle, leave ends.") for row in frame.rows)


@pytest.mark.features("plain_questions")
async def test_what_a_player_says_at_a_puzzle_is_answered_with_the_next_step() -> None:
    """Before their move and after it."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        await ana.type("puzzle")
        puzzle = shown_puzzle(ana)
        assert "Find the one move" in await ana.type("huh")
        assert "your move shows the best one" in await ana.type("solution")
        await ana.type(typed_form(puzzle.best))
        for typed in ("what now", "huh"):
            assert "Enter shows the next puzzle, leave ends." in await ana.type(typed)
        await ana.type("another one")
        assert shown_puzzle(ana) != puzzle


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


async def test_puzzles_come_in_lines_too() -> None:
    """The position and the task are told; the keys of lines answer."""
    async with lobby_at(Clock()) as lobby, person(lobby, "bo", guest=True, term="dumb") as bo:
        await bo.type("puzzle")
        puzzle = shown_puzzle(bo)
        assert "Your turn." in bo.shown
        assert "Right:" in await bo.type(typed_form(puzzle.best))
        assert "Enter shows the next puzzle, leave ends." in bo.shown
        assert "There is no puzzle for life yet" in await bo.type("puzzle life")
        assert "There are some for quatch." in bo.shown


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
        await ana.type(typed_form(first.best))
        assert "Solved in a row: 1, at best 1." in logged(ana)
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


def test_what_odds_knows_of_a_hand_is_told() -> None:
    """The ranks that all saw go there, and none of the player's own hand."""
    for puzzle in bundled_puzzles():
        told = " ".join(known_cards(puzzle, puzzle_snapshot(puzzle, "bo")))
        others = [cards for seat, cards in enumerate(puzzle.public_hands) if seat != puzzle.seat]
        assert len(re.findall(r" (?:10|[2-9JQKA])\b", told)) == sum(map(len, others)), puzzle.id


def test_more_than_one_puzzle_can_be_asked_for() -> None:
    """The plural is the same command."""
    assert meant("puzzles", asking("lobby")) == "puzzle"
