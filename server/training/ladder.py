"""`quatch arena --ladder FILE`: how each level does against weaker ones, in every rule set and at every table size.

FILE is a page of Markdown. A row that is in it already is kept unless AI players play differently by now: the last cell
is the digest of the moves of one game.
"""

import hashlib
import json
import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

from engine.errors import InputError
from engine.rulesets import DEFAULT, ruleset, rulesets
from server.command_line import print_lines
from server.training.arena import Match, Play, Report, play_deals, play_noted, run_arena

SEED: Final = "ladder"
SIZES: Final = (4, 3, 2)
QUICK_PAIRS: Final = (("extreme", "hard"), ("hard", "medium"), ("medium", "easy"), ("extreme", "easy"))
MASTER_PAIRS: Final = (("master", "extreme"), ("master", "hard"), ("master", "easy"))
"""The pairs that are measured: one player of the first level among others of the second."""
GAMES: Final = 2_000
"""The games of a row; one with Master, whose games take longest, has half of it."""
HEAD: Final = """# Ladder

How often one player of a level wins among others of a weaker level. `quatch arena --ladder engine/ai/LADDER.md --keep`
made this page, and goes on with it where it was stopped. Each deal is played once from every seat; the interval is
that of 95 % over deals. Draws count for all who share them. The seed of all deals is `{seed}`. *Moves* is the digest
of the moves of one game: if it changes, the levels play differently, and the row is played anew.

To play a row by itself: `quatch arena RULES LEVEL OTHER OTHER OTHER --seed {seed} --games GAMES`.
"""
COLUMNS: Final = {
    "rules": "---",
    "player": "---",
    "among": "---",
    "games": "---:",
    "wins %": "---:",
    "+-": "---:",
    "more than chance": "---",
    "drawn %": "---:",
    "plies": "---:",
    "moves": "---",
}
"""The heads of the columns, and how Markdown aligns them."""

Row: TypeAlias = tuple[str, ...]
"""The cells of a row. The first three tell rows apart: rules, player and others."""
_NAMED, _GAMES = 3, 3


def all_matches() -> list[Match]:
    """The matches of the ladder, the most telling and quick ones first."""
    names = sorted(rulesets(), key=lambda name: name != DEFAULT)
    return [
        Match(ruleset(name), (player, *[other] * (seats - 1)), SEED)
        for pairs in (QUICK_PAIRS, MASTER_PAIRS)
        for seats in SIZES
        for player, other in pairs
        for name in names
        if ruleset(name).seats_min <= seats <= ruleset(name).seats_max
    ]


def run_ladder(
    file: Path,
    jobs: int,
    matches: Sequence[Match] | None = None,
    games: int = GAMES,
    play: Play = play_deals,
    *,
    keep: bool,
) -> Iterator[str]:
    """Play the matches of the ladder and keep the page in ``file``; yields each row that was played.

    ``matches`` are by default `all_matches`, ``games`` is like `GAMES`, and ``play`` plays the deals. It may be stopped
    at any time. Raises InputError if the file exists but is not to be continued, or is no ladder.
    """
    if file.exists() and not keep:
        raise InputError("bad_request", f"{file} exists: add --keep to go on with it, or name another file")
    kept = read_rows(file) if file.exists() else {}
    every = {_names(match): match for match in matches or all_matches()}
    rows = {names: kept.get(names) for names in every}
    for names, match in every.items():
        moves, row, seats = fingerprint(match), rows[names], len(match.line_up)
        deals = -(-(games // 2 if "master" in match.line_up else games) // seats)
        if row is None or row[-1] != moves or int(row[_GAMES]) < deals * seats:
            rows[names] = row = _row(Report(match, [*play(match, range(deals), jobs)]), moves)
            partial = file.with_name(f"{file.name}.partial")
            partial.write_text(page([each for each in rows.values() if each]), "utf-8")
            partial.replace(file)
            yield _in_markdown(row)


def fingerprint(match: Match) -> str:
    """A digest of the moves of the first game of a match."""
    moves = list[str]()
    play_noted(match, 0, range(len(match.line_up)), lambda _view, move, _took: moves.append(str(move)))
    return f"`{hashlib.sha256(' '.join(moves).encode()).hexdigest()[:8]}`"


def page(rows: Sequence[Row]) -> str:
    """The whole file."""
    parts = [HEAD.format(seed=SEED)]
    for others in sorted({row[2].split()[0] for row in rows}):
        seats = int(others) + 1
        of_size = [row for row in rows if row[2].startswith(others)]
        parts += [f"## {seats} seats: chance is {100 / seats:.1f} %\n"]
        parts += [*map(_in_markdown, [[*COLUMNS], [*COLUMNS.values()], *of_size]), ""]
    return "\n".join(parts)


def _names(match: Match) -> Row:
    """The cells that tell this match from others."""
    player, *others = match.line_up
    return match.rules.name, player, f"{len(others)} {others[0]}"


def _row(report: Report, moves: str) -> Row:
    score, chance = report.scores[0], 1 / len(report.match.line_up)
    above, below = score.share - score.within > chance, score.share + score.within < chance
    sure = "yes" if above else "no" if below else "not sure"
    figures = (f"{100 * score.share:.1f}", f"{100 * score.within:.1f}", sure)
    how = (f"{100 * report.drawn:.1f}", f"{report.plies:.0f}", moves)
    return (*_names(report.match), str(report.games), *figures, *how)


def _in_markdown(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def read_rows(file: Path) -> dict[Row, Row]:
    """The rows of a page by what tells them apart. Raises InputError if it is no ladder."""
    text = file.read_text("utf-8")
    if not text.startswith(HEAD.partition("\n")[0]):
        raise InputError("bad_request", f"{file}: is no ladder")
    rows = [tuple(line.strip("| ").split(" | ")) for line in text.splitlines() if line.endswith("` |")]
    return {row[:_NAMED]: row for row in rows if len(row) == len(COLUMNS)}


def arena(options: Namespace) -> int:
    """Play a match, or all matches of a ladder. Raises InputError."""
    if options.ladder:
        with suppress(KeyboardInterrupt):
            print_lines(run_ladder(options.ladder, options.jobs or os.cpu_count() or 1, keep=options.keep))
        return 0
    if options.rules is None:
        raise InputError("bad_request", "arena: name a rule set and players, or --ladder FILE")
    report = run_arena(Match(ruleset(options.rules), tuple(options.players), options.seed), options.games, options.jobs)
    return print_lines(iter([json.dumps(report.to_json())]) if options.json else report.lines())
