"""Puzzles as JSON: a position, the move to find, what every move is worth; and how a player gets on with them. Pure.

`puzzles.json` beside this file has the puzzles of a new server; `quatch puzzles` makes it. A server finds more in the
games that are played on it (`puzzles/service.py`).
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from msgspec import json
from msgspec.structs import replace

from engine.cards import card_from, card_name, card_set, cards_in
from engine.errors import InputError
from engine.legality import legal_moves
from engine.moves import Move, parse_move
from engine.protocol.view_json import view_from_json, view_json
from engine.view import View
from server.puzzles import PROGRESS
from server.puzzles.solving import LEAD, MOST_LEVEL, Solution
from server.typed_json import Versioned, read_versioned, write_versioned

ID_LENGTH: Final = 6
FILE: Final = "puzzles.json"
FOUND: Final = "puzzle"
"""The kind of the texts in which a server keeps the puzzles that it has found, by id."""
MOST_FOUND: Final = 300
"""How many are kept. If more are found, the oldest are deleted."""
REMEMBERED: Final = 200
"""A puzzle does not come again before so many others."""
STREAK_A_LEVEL: Final = 3
"""After so many puzzles in a row the next ones are a level harder."""


class Puzzle(Versioned, frozen=True):
    """A puzzle."""

    id: str
    level: int
    """How hard it is, 1 to `MOST_LEVEL`."""
    seat: int
    view: dict[str, Any]
    """As `engine/protocol/README.md` describes views: with no card that the seat did not see."""
    public_hands: tuple[tuple[str, ...], ...]
    """By seat, the cards that everybody saw go into a hand."""
    chances: dict[str, int]
    """By move, best first: the expected result in per cent, 100 for a win and 0 for the last place."""

    @property
    def rules(self) -> str:
        """The name of its rule set."""
        return str(self.view["rules"])

    @property
    def best(self) -> Move:
        """The move to find."""
        return parse_move(next(iter(self.chances)))

    def position(self) -> View:
        """The view of the seat. Raises InputError if it is none."""
        known = [
            card_set(card for name in names if (card := card_from(name)) is not None) for names in self.public_hands
        ]
        return view_from_json(self.view, self.seat, known)


class PuzzleFile(Versioned, frozen=True):
    """The puzzles that the program brings."""

    command: str
    """What has made the file."""
    puzzles: tuple[Puzzle, ...]


class PuzzleProgress(Versioned, frozen=True):
    """A player's progress."""

    streak: int = 0
    """The puzzles solved in a row."""
    best: int = 0
    """The longest streak."""
    solved: int = 0
    tried: tuple[str, ...] = ()
    """The ids of the last puzzles, the latest last."""

    def after(self, puzzle: Puzzle, *, is_right: bool) -> "PuzzleProgress":
        """The progress after an answer to a puzzle."""
        streak = self.streak + 1 if is_right else 0
        others = [each for each in self.tried if each != puzzle.id]
        return replace(
            self,
            streak=streak,
            best=max(self.best, streak),
            solved=self.solved + is_right,
            tried=(*others[1 - REMEMBERED :], puzzle.id),
        )

    def next_of(self, puzzles: Sequence[Puzzle]) -> Puzzle:
        """The next of these puzzles: a new one that is about as hard as the streak asks, or the one tried longest ago.

        The same progress gives the same puzzle.
        """
        wanted = min(MOST_LEVEL, 1 + self.streak // STREAK_A_LEVEL)
        age = {each: number for number, each in enumerate(self.tried)}
        return min(puzzles, key=lambda each: (age.get(each.id, -1), abs(each.level - wanted), each.id))


def puzzle_of(view: View, solution: Solution) -> Puzzle:
    """The puzzle that this position makes. The same position always has the same id."""
    public = tuple(tuple(map(card_name, cards_in(hand))) for hand in view.public_hands)
    source = view_json(view)
    digest = hashlib.sha256(json.encode((source, public), order="sorted")).hexdigest()
    chances = {str(move): round(100 * chance) for move, chance in solution.chances.items()}
    return Puzzle(
        id=digest[:ID_LENGTH].upper(),
        level=solution.level,
        seat=view.seat or 0,
        view=source,
        public_hands=public,
        chances=chances,
    )


def read_puzzle(text: str) -> Puzzle:
    """Read a puzzle. Raises ValueError with one line if it is none, or its position or moves cannot be."""
    puzzle = read_versioned(text, Puzzle)
    check_puzzle(puzzle)
    return puzzle


def check_puzzle(puzzle: Puzzle) -> None:
    """Raises ValueError if the position or the moves of a puzzle cannot be."""
    try:
        view = puzzle.position()
    except InputError as error:
        raise ValueError(f"puzzle {puzzle.id}: {error}") from None
    if {str(move) for move in legal_moves(view, puzzle.seat)} != set(puzzle.chances):
        raise ValueError(f"puzzle {puzzle.id}: its moves are not those of the position")
    best, *others = puzzle.chances.values()
    if best - max(others, default=100) < round(100 * LEAD) - 1 or not 1 <= puzzle.level <= MOST_LEVEL:
        raise ValueError(f"puzzle {puzzle.id}: no move is clearly best")


@cache
def bundled_puzzles() -> tuple[Puzzle, ...]:
    """The puzzles that the program brings, easy ones first."""
    text = (files(__package__) / FILE).read_text("utf-8")
    return tuple(sorted(read_versioned(text, PuzzleFile).puzzles, key=lambda puzzle: (puzzle.level, puzzle.id)))


def many_puzzles(accounts: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """As many puzzles as are kept at most, and the progress of these accounts, for `quatch bench growth`."""
    bundled = bundled_puzzles()
    ids = [f"{each:06X}" for each in range(min(len(accounts), MOST_FOUND))]
    for number, each in enumerate(ids):
        yield FOUND, each, write_versioned(replace(bundled[number % len(bundled)], id=each))
    progress = PuzzleProgress(streak=3, best=9, solved=40, tried=tuple(ids[:REMEMBERED]))
    for account in accounts:
        yield PROGRESS, account, write_versioned(progress)
