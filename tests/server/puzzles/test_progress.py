"""Streaks, and which puzzle comes next."""

import json

import pytest
from msgspec import structs

from server.puzzles.puzzle import REMEMBERED, PuzzleProgress, bundled_puzzles
from server.typed_json import read_or_new, read_versioned, write_versioned

EASY, *_, HARD = bundled_puzzles()


def test_a_wrong_answer_ends_the_streak_but_not_the_best_one() -> None:
    """Both are kept as text."""
    progress = PuzzleProgress()
    for is_right in (True, True, False, True):
        progress = progress.after(EASY, is_right=is_right)

    assert (progress.streak, progress.best, progress.solved, progress.tried) == (1, 2, 3, (EASY.id,))
    assert read_versioned(write_versioned(progress), PuzzleProgress) == progress
    assert read_or_new(None, PuzzleProgress) == PuzzleProgress()
    with pytest.raises(ValueError, match="newer version"):
        read_versioned('{"v": 99}', PuzzleProgress)


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
