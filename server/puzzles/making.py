"""`quatch puzzles`: the puzzles that the program brings, from games of AI players."""

import argparse
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

from msgspec import json

from engine.ai import LEVELS
from engine.errors import InputError
from engine.rulesets import DEFAULT, ruleset
from engine.view import View, view_of
from server.command_line import print_lines
from server.puzzles.puzzle import Puzzle, puzzle_of
from server.puzzles.solving import solve
from server.training.arena import MOST_GAMES, arranged_deal, generators, play_ply

MOST_OF_A_LEVEL: Final = 20
"""How many puzzles of each level are made at most."""
SIZES: Final = (4, 3)
"""With two seats a single move rarely decides so much."""


def puzzles(options: argparse.Namespace) -> int:
    """Look for puzzles, until they are found or somebody stops it. Raises InputError."""
    with suppress(KeyboardInterrupt):
        return print_lines(make_puzzles(options.games, options.seed, options.file))
    return 0


def make_puzzles(games: int, seed: str, file: Path) -> Iterator[str]:
    """Look for puzzles in so many games, and write them to a file; yields a line for each. It may be stopped early.

    Raises InputError if the number of games or the folder is wrong.
    """
    if not 0 < games <= MOST_GAMES:
        raise InputError("bad_request", f"--games: 1 to {MOST_GAMES}, not {games}")
    if not file.parent.is_dir():
        raise InputError("bad_request", f"{file.parent}: there is no such folder")
    found: dict[str, Puzzle] = {}
    for number in range(games):
        puzzle = _puzzle_in(f"{seed}/{number}", SIZES[number % len(SIZES)])
        if puzzle and sum(each.level == puzzle.level for each in found.values()) < MOST_OF_A_LEVEL:
            found[puzzle.id] = puzzle
            command = f"quatch puzzles --games {number + 1} --seed {seed} {file.name}"
            head = json.encode({"v": 1, "command": command})[:-1].decode()
            # One line for each puzzle, so that versions can be compared.
            lines = ",\n".join(json.encode(each).decode() for each in found.values())
            file.write_text(f'{head},"puzzles":[\n{lines}\n]}}\n', "utf-8")
            yield f"game {number}: puzzle {puzzle.id}, level {puzzle.level}"
    yield f"{len(found)} puzzles in {games} games"


def _puzzle_in(seed: str, seats: int) -> Puzzle | None:
    """A puzzle in a game of hard AI players, which now and then err, as people do; one, as its positions are alike."""
    players = [LEVELS["hard"]] * seats
    chances, rng = generators(seed, seats), Random(seed)
    state = arranged_deal(ruleset(DEFAULT), players, seed, chances)
    views = list[View]()
    while state.phase == "play":
        if state.to_move is not None:
            views.append(view_of(state, state.to_move))
        play_ply(state, players, chances)
    solved = ((view, solve(view, f"{seed} {len(view.bin)}")) for view in rng.sample(views, len(views)))
    return next((puzzle_of(view, solution) for view, solution in solved if solution), None)
