"""Puzzles in words. Works on views alone, so it says nothing that the seat of the puzzle does not know."""

from typing import Final

from engine.ai.explain import reason_for_move
from engine.ai.judging import named_by_rank
from engine.ai.verdict import Line
from engine.legality import legal_moves
from engine.moves import Move
from engine.view import View
from engine.wording.phrases import move_words
from server.language.hint_text import line_words
from server.puzzles.puzzle import Puzzle, PuzzleProgress
from server.puzzles.solving import MOST_LEVEL
from server.table.place import MOVES, Place
from server.table.snapshot import NO_TABLE, Sitter, Snapshot

PUZZLE: Final = Place(
    "puzzle",
    "exercise",
    "at a puzzle",
    "type puzzle first",
    "puzzle",
    heading="Puzzle",
    count="",
    hints=("type your move, like 7 7", MOVES, "Enter goes on", "o odds", "leave"),
    suggests=False,  # the first suggestion is often the solution
)
OTHERS: Final = ("Ada", "Ben", "Cleo", "Dan")
"""The names of the other seats, in place of those in the game; one more than needed, if the player has one of them."""


def puzzle_snapshot(puzzle: Puzzle, name: str) -> Snapshot:
    """The position as a table would show it to this player."""
    view, others = puzzle.position(), (other for other in OTHERS if other.lower() != name.lower())
    sitters = tuple(Sitter(name if seat == puzzle.seat else next(others)) for seat in view.seats)
    return Snapshot(NO_TABLE, view.rules, puzzle.seat, sitters, view, 0, place=PUZZLE)


def task_lines(puzzle: Puzzle, progress: PuzzleProgress) -> list[str]:
    """What the puzzle asks."""
    return [
        f"Puzzle {puzzle.id}, level {puzzle.level} of {MOST_LEVEL}. {streak_text(progress)}",
        "It is your turn, and one move is clearly better than all others. Type it.",
    ]


def streak_text(progress: PuzzleProgress) -> str:
    """The streak in a sentence."""
    return f"Solved in a row: {progress.streak}, at best {progress.best}."


def is_solution(puzzle: Puzzle, move: Move) -> bool:
    """Whether a legal move is the one to find."""
    return named_by_rank(move) == puzzle.best


def verdict_lines(puzzle: Puzzle, move: Move, line: Line, name: str) -> list[str]:
    """Whether a legal move solves the puzzle, what the moves are worth, and why.

    Args:
        puzzle: the puzzle.
        move: what the player has typed.
        line: how the game could go on after the best move; empty if that is not known.
        name: the player's, as in `puzzle_snapshot`.
    """
    view, best, made = puzzle.position(), puzzle.best, named_by_rank(move)
    worth, other = puzzle.chances[str(best)], puzzle.chances[str(made)]
    second = next(text for text in puzzle.chances if text != str(best))
    if made == best:
        lines = [
            f"Right: to {move_words(best)} is worth {worth} in 100, and the next best move {puzzle.chances[second]}."
        ]
    else:
        points = worth - other
        lines = [f"No: to {move_words(best)} is worth {worth} in 100, {points} more than to {move_words(made)}."]
    reason = reason_for_move(view, best, _listed(view, second) if made == best else made)
    if reason:
        lines.append(f"Why: {reason}.")
    if line:
        names = [sitter.name if sitter else "" for sitter in puzzle_snapshot(puzzle, name).sitters]
        lines.append(f"It could go on: {line_words(line, names, puzzle.seat)}.")
    return lines


def _listed(view: View, text: str) -> Move:
    """The legal move with this text."""
    return next(move for move in legal_moves(view, view.seat or 0) if str(move) == text)
