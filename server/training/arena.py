"""`quatch arena`: matches between AI players, each deal played from every seat.

Each deal is played once for every rotation of the line-up, so that the luck of cards and seats is the same for all. The
games of one deal are one observation; the intervals are computed over deals.
"""

import hashlib
import json
import os
import signal
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple, TypeAlias

from engine.ai import AIPlayer, player_named
from engine.errors import InputError
from engine.game import advance, deal, play
from engine.moves import Move
from engine.rules import Json, Rules
from engine.rulesets import DEFAULT, ruleset, rulesets
from engine.state import State
from engine.view import View, view_of
from engine.wording.phrases import quantity
from server.command_line import print_lines
from server.terminal.progress_bar import progress_bar

SURE: Final = 1.96
"""Standard errors on each side of a 95 % interval."""
MOST_GAMES: Final = 1_000_000
CHUNK: Final = 4
"""Deals given to a worker process at once; an interrupted arena waits for them."""


class Match(NamedTuple):
    """The match: all that a worker process needs."""

    rules: Rules
    line_up: tuple[str, ...]
    seed: str


class DealResult(NamedTuple):
    """The result of one deal, played from every seat."""

    shares: tuple[float, ...]
    """For each player of the line-up, the share of games won; those in a draw share it."""
    drawn: int
    plies: int
    seconds: tuple[float, ...]
    """How long each player thought, and for how many moves."""
    moves: tuple[int, ...]


class ArenaScore(NamedTuple):
    """The result of one player of the line-up."""

    player: str
    share: float
    within: float
    """Half the width of the 95 % interval."""
    seconds_a_move: float


class Report(NamedTuple):
    """The result of a match."""

    match: Match
    played: Sequence[DealResult]

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.played) * len(self.match.line_up)

    @property
    def drawn(self) -> float:
        """The share of games that ended as a draw after too long without progress."""
        return sum(each.drawn for each in self.played) / self.games

    @property
    def plies(self) -> float:
        """On average."""
        return sum(each.plies for each in self.played) / self.games

    @property
    def scores(self) -> list[ArenaScore]:
        """One for each player of the line-up."""
        scores, deals = list[ArenaScore](), len(self.played)
        for who, player in enumerate(self.match.line_up):
            shares = [each.shares[who] for each in self.played]
            within = SURE * stdev(shares) / sqrt(deals) if deals > 1 else 0.5  # of one deal nothing is known
            seconds = sum(each.seconds[who] for each in self.played)
            took = seconds / max(sum(each.moves[who] for each in self.played), 1)
            scores.append(ArenaScore(player, round(fmean(shares), 4), round(within, 4), round(took, 6)))
        return scores

    def to_json(self) -> dict[str, Json]:
        """What `quatch arena --json` prints. Other programs read it."""
        return {
            "rules": self.match.rules.name,
            "seed": self.match.seed,
            "games": self.games,
            "drawn": round(self.drawn, 4),
            "plies": round(self.plies, 1),
            "players": [each._asdict() for each in self.scores],
        }

    def lines(self) -> Iterator[str]:
        """As lines for people."""
        games = quantity(self.games, "game")
        yield f"{self.match.rules.title}: {games}, each deal from every seat, seed {self.match.seed}"
        for each in self.scores:
            share, within, took = 100 * each.share, 100 * each.within, 1000 * each.seconds_a_move
            yield f"{each.player:<20} {share:5.1f} % +-{within:4.1f} {took:9.3f} ms a move"
        yield f"{100 * self.drawn:.1f} % drawn by the quiet clock, {self.plies:.0f} plies a game"


Note: TypeAlias = Callable[[View, Move, float], None]
"""Hears of each move: the view, the move, and how long its player thought."""


def run_arena(match: Match, games: int, jobs: int | None = None) -> Report:
    """Play a match of at least so many games on so many cores (None: all).

    If interrupted, it reports on the deals played so far. Deals are played in order, so that these are not just the
    quick ones. Raises InputError if the match is not possible.
    """
    if not 0 < games <= MOST_GAMES:
        raise InputError("bad_request", f"--games: 1 to {MOST_GAMES}, not {games}")
    if jobs is not None and jobs < 1:
        raise InputError("bad_request", f"--jobs: 1 or more, not {jobs}")
    if not match.rules.seats_min <= len(match.line_up) <= match.rules.seats_max:
        seats = f"{match.rules.seats_min} to {match.rules.seats_max}"
        raise InputError("bad_request", f"{match.rules.name} is for {seats} players, not {len(match.line_up)}")
    for name in match.line_up:
        player_named(name)
    deals, played = -(-games // len(match.line_up)), list[DealResult]()
    with suppress(KeyboardInterrupt), progress_bar("playing", deals) as add:
        for each in play_deals(match, range(deals), jobs or os.cpu_count() or 1):
            played.append(each)
            add(1)
    if not played:
        raise InputError("bad_request", "interrupted before anything was played")
    return Report(match, played)


def play_deals(match: Match, deals: range, jobs: int) -> Iterator[DealResult]:
    """Play these deals; yield them in order, so that the figures do not depend on the number of cores."""
    if jobs == 1 or not deals:
        yield from map(partial(play_deal, match), deals)
        return
    # Ctrl-C is for the process that reports.
    quietly = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), quietly)
    try:
        yield from pool.map(partial(play_deal, match), deals, chunksize=CHUNK)
    finally:
        pool.shutdown(cancel_futures=True)


def play_deal(match: Match, number: int) -> DealResult:
    """Play a deal once for each rotation of the line-up."""
    seats = len(match.line_up)
    shares, seconds, moves = [0.0] * seats, [0.0] * seats, [0] * seats
    drawn = plies = 0

    def note(view: View, _: Move, took: float) -> None:
        nonlocal plies
        who = sitting[view.seat or 0]
        seconds[who] += took
        moves[who] += 1
        plies += view.phase == "play"

    for turned in range(seats):
        sitting = [(seat + turned) % seats for seat in range(seats)]
        state = play_noted(match, number, sitting, note)
        if state.outcome is not None and state.outcome.winner is not None:
            shares[sitting[state.outcome.winner]] += 1
        elif state.outcome is not None:
            drawn += 1
            winners = state.places[:1] or state.outcome.drawn
            for seat in winners:
                shares[sitting[seat]] += 1 / len(winners)
    return DealResult(tuple(share / seats for share in shares), drawn, plies, tuple(seconds), tuple(moves))


def play_noted(match: Match, number: int, sitting: Sequence[int], note: Note) -> State:
    """One game of a deal, with these of the line-up in the seats.

    A seat has the same generator in every rotation, so that games of a deal differ only in their players.
    """

    def noted(player: AIPlayer) -> AIPlayer:
        def choose(view: View, rng: Random) -> Move:
            begin = time.perf_counter()
            move = player(view, rng)
            note(view, move, time.perf_counter() - begin)
            return move

        return choose

    players = [player_named(match.line_up[who]) for who in sitting]
    return play_game(match.rules, [*map(noted, players)], f"{match.seed}/{number}")


def arranged_deal(rules: Rules, players: Sequence[AIPlayer], seed: str, chances: Sequence[Random]) -> State:
    """A game dealt from this seed and arranged by these players, up to its first turn."""
    state, _ = deal(rules, len(players), seed)
    while state.phase == "arrange":
        seat = state.ready.index(False)
        state, _ = play(state, seat, players[seat](view_of(state, seat), chances[seat]))
    return state


def play_game(rules: Rules, players: Sequence[AIPlayer], seed: str) -> State:
    """A whole game dealt from this seed."""
    chances = generators(seed, len(players))
    state = arranged_deal(rules, players, seed, chances)
    while state.phase == "play":
        play_ply(state, players, chances)
    return state


def play_ply(state: State, players: Sequence[AIPlayer], chances: Sequence[Random]) -> None:
    """Let the player whose turn it is move; changes ``state``."""
    seat = state.to_move
    assert seat is not None  # noqa: S101 - in play a seat is always to move
    advance(state, players[seat](view_of(state, seat), chances[seat]))


def generators(seed: str, seats: int) -> list[Random]:
    """A random generator for each seat."""
    return [Random(f"{seed}/{seat}") for seat in range(seats)]


def rewards(state: State) -> list[float]:
    """A finished game's reward for each seat: 1 for the winner, 0 for the loser, evenly between; draws are shared."""
    seats, out = len(state.hands), len(state.places)
    by_place = [
        float(place == 0) if state.rules.out_ends == "first" else (seats - 1 - place) / (seats - 1)
        for place in range(seats)
    ]
    shared = sum(by_place[out:]) / max(seats - out, 1)
    of_placed = dict(zip(state.places, by_place, strict=False))
    return [of_placed.get(seat, shared) for seat in range(seats)]


# The ladder: how each level does against weaker ones, in every rule set and at every table size, as a page of Markdown.
# A row that is in it already is kept unless AI players play differently by now: its last cell tells.

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


def run_ladder(file: Path, jobs: int, *, keep: bool) -> Iterator[str]:
    """Play the matches of the ladder and keep the page in ``file``; yields each row that was played.

    It may be stopped at any time. Raises InputError if the file exists but is not to be continued, or is no ladder.
    """
    if file.exists() and not keep:
        raise InputError("bad_request", f"{file} exists: add --keep to go on with it, or name another file")
    kept = read_rows(file) if file.exists() else {}
    every = {_names(match): match for match in all_matches()}
    rows = {names: kept.get(names) for names in every}
    for names, match in every.items():
        moves, row, seats = fingerprint(match), rows[names], len(match.line_up)
        deals = -(-(GAMES // 2 if "master" in match.line_up else GAMES) // seats)
        if row is None or row[-1] != moves or int(row[_GAMES]) < deals * seats:
            rows[names] = row = _row(Report(match, [*play_deals(match, range(deals), jobs)]), moves)
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
