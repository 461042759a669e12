"""Puzzles as they are kept, streaks, and which puzzle comes next."""

import json
import pickle
from random import Random

import pytest
from msgspec import structs

from engine.ai.extreme_and_master import SIMULATIONS_MORE_SEATS
from engine.ai.search import MoveStats, Search
from engine.legality import legal_moves
from engine.moves import PICK_UP, Move
from engine.view import view_of
from server.puzzles.puzzle import (
    REMEMBERED,
    Puzzle,
    PuzzleProgress,
    bundled_puzzles,
    check_puzzle,
    puzzle_of,
    read_puzzle,
)
from server.puzzles.solving import LEAD, MOST_LEVEL, PuzzleSearch, Solution, chances_of, lead, solve
from server.typed_json import read_versioned, write_versioned
from tests.support.random_games import redealt, some_states, table

BUNDLED = bundled_puzzles()


def test_the_program_brings_puzzles() -> None:
    """Easy and hard ones, the easy first, each once; all of them can be, and have one best move."""
    assert {1, MOST_LEVEL} <= {puzzle.level for puzzle in BUNDLED}
    assert [puzzle.level for puzzle in BUNDLED] == sorted(puzzle.level for puzzle in BUNDLED)
    assert len({puzzle.id for puzzle in BUNDLED}) == len(BUNDLED)
    for puzzle in BUNDLED:
        check_puzzle(puzzle)
        assert read_puzzle(write_versioned(puzzle)) == puzzle


@pytest.mark.parametrize("puzzle", BUNDLED[:: max(1, len(BUNDLED) // 3)], ids=lambda puzzle: puzzle.id)
def test_another_search_finds_the_same_move(puzzle: Puzzle) -> None:
    """With other worlds, and fewer simulations: the best move leads clearly."""
    view = puzzle.position()
    chances = chances_of(view, legal_moves(view, puzzle.seat), Random("another"), 60)

    assert next(iter(chances)) == puzzle.best
    assert lead(chances) > LEAD / 2


def test_a_puzzle_holds_no_card_that_its_seat_did_not_see() -> None:
    """If all that the seat cannot see is dealt again, the puzzle is the same; and it gives the same view back."""
    rng, solution = Random("hidden"), Solution({PICK_UP: 0.5}, 1)
    for state in some_states(table("quatch", 4), 3):
        if state.phase == "play" and (seat := state.to_move) is not None:
            puzzle = puzzle_of(view_of(state, seat), solution)
            assert puzzle_of(view_of(redealt(state, seat, rng), seat), solution) == puzzle
            assert puzzle.position() == structs.replace(view_of(state, seat), declined=(0,) * 4)


def test_what_is_no_puzzle_is_refused() -> None:
    """Moves of another position, no best move, no position."""
    puzzle = BUNDLED[0]
    moves = list(puzzle.chances)
    for changed, said in (
        (structs.replace(puzzle, chances={moves[0]: 80}), "moves are not those"),
        (structs.replace(puzzle, chances=dict.fromkeys(moves, 50)), "no move is clearly best"),
        (structs.replace(puzzle, view={}), puzzle.id),
    ):
        with pytest.raises(ValueError, match=said):
            read_puzzle(write_versioned(changed))


def test_a_search_in_steps_goes_from_process_to_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """It finds what a search at once finds; no step has more simulations than a third of a move of Master."""
    run, simulations = Search.run, list[int]()

    def counted(search: Search, count: int, first: Move | None = None) -> list[MoveStats]:
        simulations[-1] += count
        return run(search, count, first)

    monkeypatch.setattr(Search, "run", counted)
    puzzle = max(BUNDLED, key=lambda each: each.chances[str(each.best)] - sorted(each.chances.values())[-2])
    search, at_once = (PuzzleSearch(puzzle.position(), "a seed", simulations=12, looks=(0, 10)) for _ in range(2))
    while not search.is_over:
        simulations.append(0)
        search = pickle.loads(pickle.dumps(search)).step()  # noqa: S301
    assert max(simulations) <= SIMULATIONS_MORE_SEATS // 3
    assert len(simulations) == 1 + 2 * len(puzzle.chances) + 1
    assert search.solution is not None
    while not at_once.is_over:
        at_once.step()
    assert search.solution == at_once.solution
    assert search.solution.best == puzzle.best


def test_a_position_with_little_choice_is_no_puzzle() -> None:
    """Nor is one in which all moves lay the same rank."""
    for puzzle in BUNDLED[:2]:
        view = puzzle.position()
        assert solve(structs.replace(view, hands=tuple(0 for _ in view.hands)), "none") is None


EASY, *_, HARD = bundled_puzzles()


def test_a_wrong_answer_ends_the_streak_but_not_the_best_one() -> None:
    """Each answer counts."""
    progress = PuzzleProgress()
    for is_right in (True, True, False, True):
        progress = progress.after(EASY, is_right=is_right)

    assert (progress.streak, progress.best, progress.solved, progress.tried) == (1, 2, 3, (EASY.id,))


def test_puzzles_get_harder_and_do_not_come_again_at_once() -> None:
    """When all were tried, the one that was tried longest ago comes."""
    assert PuzzleProgress().next_of([HARD, EASY]) == EASY
    assert PuzzleProgress(streak=30).next_of([EASY, HARD]) == HARD
    assert PuzzleProgress(tried=(EASY.id,)).next_of([EASY, HARD]) == HARD
    assert PuzzleProgress(tried=(EASY.id, HARD.id)).next_of([EASY, HARD]) == EASY


def test_what_is_remembered_is_bounded() -> None:
    """The latest puzzles are remembered."""
    progress = PuzzleProgress()
    for number in range(REMEMBERED + 5):
        progress = progress.after(structs.replace(EASY, id=f"{number}"), is_right=True)

    assert len(progress.tried) == REMEMBERED
    assert progress.tried[-1] == f"{REMEMBERED + 4}"


def test_what_another_release_has_put_there_is_kept() -> None:
    """Also after an answer."""
    progress = read_versioned('{"v":1,"streak":2,"later":{"a":[1,"two"]}}', PuzzleProgress).after(EASY, is_right=True)
    assert (progress.streak, json.loads(write_versioned(progress))["later"]) == (3, {"a": [1, "two"]})
