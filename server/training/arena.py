"""`quatch arena`: matches between AI players, each deal played from every seat.

Each deal is played once for every rotation of the line-up, so that the luck of cards and seats is the same for all. The
games of one deal are one observation; the intervals are computed over deals.
"""

import json
import os
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass
from functools import partial
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean, variance
from typing import Final

from engine.ai import AIPlayer
from engine.errors import InputError
from engine.moves import Move
from engine.rules import Json, Rules
from engine.view import View
from engine.wording.phrases import quantity
from server.terminal.progress_bar import progress_bar
from server.training.cheating import arena_player, show_cards
from server.training.self_play import arranged_deal, generators, play_ply

SURE: Final = 1.96
"""Standard errors on each side of a 95 % interval."""
MOST_GAMES: Final = 1_000_000
CHUNK: Final = 4
"""Deals given to a worker process at once; an interrupted arena waits for them."""


@dataclass(frozen=True, slots=True)
class Match:
    """The match: all that a worker process needs."""

    rules: Rules
    line_up: tuple[str, ...]
    seed: str


@dataclass(frozen=True, slots=True)
class DealResult:
    """The result of one deal, played from every seat."""

    shares: tuple[float, ...]
    """For each player of the line-up, the share of games won; those in a draw share it."""
    drawn: int
    plies: int
    seconds: tuple[float, ...]
    """How long each player thought, and for how many moves."""
    moves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ArenaScore:
    """The result of one player of the line-up."""

    player: str
    share: float
    within: float
    """Half the width of the 95 % interval."""
    seconds_a_move: float


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a match."""

    match: Match
    games: int
    drawn: float
    """The share of games that ended as a draw after too long without progress."""
    plies: float
    scores: tuple[ArenaScore, ...]

    def to_json(self) -> dict[str, Json]:
        """As one JSON object."""
        return {
            "rules": self.match.rules.name,
            "seed": self.match.seed,
            "games": self.games,
            "drawn": round(self.drawn, 4),
            "plies": round(self.plies, 1),
            "players": [asdict(each) for each in self.scores],
        }

    def lines(self) -> Iterator[str]:
        """As lines for people."""
        games = quantity(self.games, "game")
        yield f"{self.match.rules.title}: {games}, each deal from every seat, seed {self.match.seed}"
        for each in self.scores:
            yield (
                f"{each.player:<20} {100 * each.share:5.1f} % +-{100 * each.within:4.1f}"
                f" {1000 * each.seconds_a_move:9.3f} ms a move"
            )
        yield f"{100 * self.drawn:.1f} % drawn by the quiet clock, {self.plies:.0f} plies a game"


def run_arena(match: Match, games: int, jobs: int | None = None, kept: Path | None = None) -> Report:
    """Play a match of at least so many games on so many cores (None: all).

    If interrupted, it reports on the deals played so far. Deals are played in order, so that these are not just the
    quick ones. With a ``kept`` file the deals are stored there and the same match continues after them.
    Raises InputError if the match is not possible, or the file is of another match.
    """
    if not 0 < games <= MOST_GAMES:
        raise InputError("bad_request", f"--games: 1 to {MOST_GAMES}, not {games}")
    if jobs is not None and jobs < 1:
        raise InputError("bad_request", f"--jobs: 1 or more, not {jobs}")
    if not match.rules.seats_min <= len(match.line_up) <= match.rules.seats_max:
        seats = f"{match.rules.seats_min} to {match.rules.seats_max}"
        raise InputError("bad_request", f"{match.rules.name} is for {seats} players, not {len(match.line_up)}")
    for name in match.line_up:
        arena_player(name)
    deals = -(-games // len(match.line_up))
    played = read_kept(match, kept)[:deals] if kept else []
    file = kept.open("a", encoding="utf-8") if kept else nullcontext()
    with suppress(KeyboardInterrupt), file as output, progress_bar("playing", deals) as add:
        add(len(played))
        for each in play_deals(match, range(len(played), deals), jobs or os.cpu_count() or 1):
            played.append(each)
            add(1)
            if output:
                output.write(json.dumps(asdict(each)) + "\n")
                output.flush()
    if not played:
        raise InputError("bad_request", "interrupted before anything was played")
    return _report(match, played)


def read_kept(match: Match, kept: Path) -> list[DealResult]:
    """The deals of this match in a file, which is created if missing. Raises InputError if it is another match's."""
    of_match = json.dumps({"rules": match.rules.name, "line_up": match.line_up, "seed": match.seed})
    if not kept.exists():
        kept.write_text(of_match + "\n", "utf-8")
    first, *lines = kept.read_text("utf-8").splitlines(keepends=True) or [""]
    if first.rstrip("\n") != of_match:
        raise InputError("bad_request", f"{kept}: keeps another match: {first[:200].strip() or 'nothing'}")
    whole = [line for line in lines if line.endswith("\n")]
    if len(whole) < len(lines):
        kept.write_text(first + "".join(whole), "utf-8")
    try:
        return [DealResult(**json.loads(line)) for line in whole]
    except (ValueError, TypeError) as error:
        raise InputError("bad_request", f"{kept}: damaged: {error}") from error


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
    for turned in range(seats):
        sitting = [(seat + turned) % seats for seat in range(seats)]
        untimed = [arena_player(match.line_up[who]) for who in sitting]
        players = [_timed(player, who, seconds, moves) for player, who in zip(untimed, sitting, strict=True)]
        # A seat has the same generator in every rotation, so that games of a deal differ only in their players.
        chances = generators(f"{match.seed}/{number}", seats)
        state = arranged_deal(match.rules, players, f"{match.seed}/{number}", chances)
        show_cards(untimed, state)
        while state.phase == "play":
            play_ply(state, players, chances)
            plies += 1
        if state.outcome is not None and state.outcome.winner is not None:
            shares[sitting[state.outcome.winner]] += 1
        elif state.outcome is not None:
            drawn += 1
            winners = state.places[:1] or state.outcome.drawn
            for seat in winners:
                shares[sitting[seat]] += 1 / len(winners)
    return DealResult(tuple(share / seats for share in shares), drawn, plies, tuple(seconds), tuple(moves))


def _timed(player: AIPlayer, who: int, seconds: list[float], moves: list[int]) -> AIPlayer:
    """The same player; adds its time to think and its moves to those of this one of the line-up."""

    def choose(view: View, rng: Random) -> Move:
        begin = time.perf_counter()
        move = player(view, rng)
        seconds[who] += time.perf_counter() - begin
        moves[who] += 1
        return move

    return choose


def _report(match: Match, played: Sequence[DealResult]) -> Report:
    seats, deals = len(match.line_up), len(played)

    def score(who: int) -> ArenaScore:
        shares = [each.shares[who] for each in played]
        within = SURE * sqrt(variance(shares) / deals) if deals > 1 else 0.5
        seconds, moves = sum(each.seconds[who] for each in played), sum(each.moves[who] for each in played)
        return ArenaScore(
            match.line_up[who], round(fmean(shares), 4), round(within, 4), round(seconds / max(moves, 1), 6)
        )

    return Report(
        match=match,
        games=deals * seats,
        drawn=sum(each.drawn for each in played) / (deals * seats),
        plies=sum(each.plies for each in played) / (deals * seats),
        scores=tuple(map(score, range(seats))),
    )
