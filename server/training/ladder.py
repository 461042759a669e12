"""`quatch arena --ladder FILE`: how each level does against weaker ones, in every rule set and at every table size.

FILE is a page of Markdown for people. A comment at its end has the exact sums of every row as JSON, so that the ladder
goes on where it was stopped. A row also has a fingerprint: the digest of the moves of one of its games. If AI players
play that game differently by now, the row begins anew.
"""

import hashlib
import json
import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from engine.errors import InputError
from engine.rulesets import DEFAULT, ruleset, rulesets
from server.command_line import print_lines
from server.training.arena import DealResult, Match, Play, half_width, play_deals, play_noted, run_arena

SEED: Final = "ladder"
SIZES: Final = (4, 3, 2)
QUICK_PAIRS: Final = (("extreme", "hard"), ("hard", "medium"), ("medium", "easy"), ("extreme", "easy"))
MASTER_PAIRS: Final = (("master", "extreme"), ("master", "hard"), ("master", "easy"))
"""The pairs that are measured: one player of the first level among others of the second."""
GAMES: Final = 2_000
"""The games of a row; one with Master, whose games take longest, has half of it."""
BEGIN: Final = "<!-- The exact sums, from which `quatch arena --ladder FILE --keep` goes on:"
END: Final = "-->"
HEAD: Final = """# Ladder

How often one player of a level wins among others of a weaker level. `quatch arena --ladder engine/ai/LADDER.md --keep`
made this page, and goes on with it where it was stopped. Each deal is played once from every seat; the interval is
that of 95 % over deals. Draws count for all who share them. The seed of all deals is `{seed}`. *Moves* is the digest
of the moves of one game: if it changes, the levels play differently, and the row begins anew.

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

Key: TypeAlias = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the ladder: one player among others of another level, and the sums over the deals played so far."""

    rules: str
    line_up: tuple[str, ...]
    """The player, then the others."""
    moves: str = ""
    """The fingerprint; empty before the row begins."""
    deals: int = 0
    shares: float = 0.0
    """The sum, over deals, of the share of games that the player won."""
    squares: float = 0.0
    """The sum of the squares of these shares."""
    drawn: int = 0
    plies: int = 0

    @property
    def key(self) -> Key:
        """What tells rows apart."""
        return self.rules, self.line_up

    @property
    def match(self) -> Match:
        """The match that it reports."""
        return Match(ruleset(self.rules), self.line_up, SEED)

    @property
    def games(self) -> int:
        """How many games have been played."""
        return self.deals * len(self.line_up)

    @property
    def share(self) -> float:
        """The share of games that the player has won, 0 to 1."""
        return self.shares / max(self.deals, 1)

    @property
    def within(self) -> float:
        """Half the width of the 95 % interval of the share."""
        return half_width(self.deals, self.shares, self.squares)

    def with_deal(self, deal: DealResult) -> "Row":
        """The row after one more deal."""
        share = deal.shares[0]
        return replace(
            self,
            deals=self.deals + 1,
            shares=self.shares + share,
            squares=self.squares + share * share,
            drawn=self.drawn + deal.drawn,
            plies=self.plies + deal.plies,
        )


def all_rows() -> list[Row]:
    """The rows of the ladder, the most telling and quick ones first."""
    names = sorted(rulesets(), key=lambda name: name != DEFAULT)
    return [
        Row(name, (player, *[other] * (seats - 1)))
        for pairs in (QUICK_PAIRS, MASTER_PAIRS)
        for seats in SIZES
        for player, other in pairs
        for name in names
        if ruleset(name).seats_min <= seats <= ruleset(name).seats_max
    ]


def run_ladder(
    file: Path,
    jobs: int,
    rows: Sequence[Row] | None = None,
    games: int = GAMES,
    play: Play = play_deals,
    *,
    keep: bool,
) -> Iterator[str]:
    """Play the rows of the ladder and keep the page in ``file``; yields a line for each row that has got more games.

    ``rows`` are by default `all_rows`, ``games`` is like `GAMES`, and ``play`` plays the deals. It may be stopped after
    any row. Raises InputError if the file exists but is not to be continued, or is no ladder.
    """
    if file.exists() and not keep:
        raise InputError("bad_request", f"{file} exists: add --keep to go on with it, or name another file")
    kept = read_ladder(file) if file.exists() else {}
    found = {row.key: kept.get(row.key, row) for row in rows or all_rows()}
    for key, before in found.items():
        moves = fingerprint(before.match)
        row = before if before.moves == moves else Row(before.rules, before.line_up, moves=moves)
        wanted = games // 2 if "master" in row.line_up else games
        if missing := range(row.deals, -(-wanted // len(row.line_up))):
            for deal in play(row.match, missing, jobs):
                row = row.with_deal(deal)
            found[key] = row
            partial = file.with_name(f"{file.name}.partial")
            partial.write_text(page([*found.values()]), "utf-8")
            partial.replace(file)
            yield row_text(row)


def fingerprint(match: Match) -> str:
    """A digest of the moves of the first game of a match."""
    moves = list[str]()
    play_noted(match, 0, range(len(match.line_up)), lambda _view, move, _took: moves.append(str(move)))
    return hashlib.sha256(" ".join(moves).encode()).hexdigest()[:8]


def row_text(row: Row) -> str:
    """A row in one line."""
    player, other = row.line_up[:2]
    return (
        f"{row.rules}: {player} among {len(row.line_up) - 1} {other}: {100 * row.share:.1f} % +-{100 * row.within:.1f}"
        f" in {row.games} games (chance is {100 / len(row.line_up):.1f})"
    )


def page(rows: Sequence[Row]) -> str:
    """The whole file."""
    parts = [HEAD.format(seed=SEED)]
    for seats in sorted({len(row.line_up) for row in rows}):
        of_size = [row for row in rows if row.deals and len(row.line_up) == seats]
        parts.append(f"## {seats} seats: chance is {100 / seats:.1f} %\n")
        parts += [f"| {' | '.join(COLUMNS)} |", f"| {' | '.join(COLUMNS.values())} |"]
        parts += [*map(_table_row, of_size), ""]
    sums = [f"    {json.dumps(asdict(row))}" for row in rows if row.deals]
    return "\n".join([*parts, BEGIN, *sums, END, ""])


def _table_row(row: Row) -> str:
    others, chance = len(row.line_up) - 1, 1 / len(row.line_up)
    sure = "yes" if row.share - row.within > chance else "no" if row.share + row.within < chance else "not sure"
    cells = [
        *(row.rules, row.line_up[0], f"{others} {row.line_up[1]}", str(row.games)),
        *(f"{100 * row.share:.1f}", f"{100 * row.within:.1f}", sure),
        *(f"{100 * row.drawn / row.games:.1f}", f"{row.plies / row.games:.0f}", f"`{row.moves}`"),
    ]
    return f"| {' | '.join(cells)} |"


def read_ladder(file: Path) -> dict[Key, Row]:
    """The rows of a file that `page` wrote. Raises InputError if it is none."""
    _, begin, sums = file.read_text("utf-8").partition(BEGIN)
    if not begin:
        raise InputError("bad_request", f"{file}: is no ladder")
    found: dict[Key, Row] = {}
    with suppress(ValueError, TypeError):
        for line in sums.partition(END)[0].split("\n")[1:-1]:
            row = Row(**json.loads(line))
            row = replace(row, line_up=tuple(row.line_up))
            found[row.key] = row
        return found
    raise InputError("bad_request", f"{file}: its sums are damaged")


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
