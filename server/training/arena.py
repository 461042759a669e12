"""`quatch arena`: matches between AI players, each deal played from every seat.

Each deal is played once for every rotation of the line-up, so that the luck of cards and seats is the same for all. The
games of one deal are one observation; the intervals are computed over deals.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from math import sqrt
from multiprocessing import get_context
from random import Random
from typing import Final, TypeAlias

from engine.ai import AIPlayer, player_named
from engine.errors import InputError
from engine.game import advance, deal, play
from engine.moves import Move
from engine.rules import Json, Rules
from engine.state import State
from engine.view import View, view_of
from engine.wording.phrases import quantity
from server.terminal.progress_bar import progress_bar

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
            within = half_width(deals, sum(shares), sum(share * share for share in shares))
            seconds, moves = (
                sum(each.seconds[who] for each in self.played),
                sum(each.moves[who] for each in self.played),
            )
            share, took = round(sum(shares) / deals, 4), round(seconds / max(moves, 1), 6)
            scores.append(ArenaScore(player, share, round(within, 4), took))
        return scores

    def to_json(self) -> dict[str, Json]:
        """What `quatch arena --json` prints. Other programs read it."""
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
            share, within, took = 100 * each.share, 100 * each.within, 1000 * each.seconds_a_move
            yield f"{each.player:<20} {share:5.1f} % +-{within:4.1f} {took:9.3f} ms a move"
        yield f"{100 * self.drawn:.1f} % drawn by the quiet clock, {self.plies:.0f} plies a game"


Note: TypeAlias = Callable[[View, Move, float], None]
"""Hears of each move: the view, the move, and how long its player thought."""
Play: TypeAlias = Callable[[Match, range, int], Iterator[DealResult]]
"""Plays these deals of a match on so many cores, in order."""


def run_arena(match: Match, games: int, jobs: int | None = None, play: "Play | None" = None) -> Report:
    """Play a match of at least so many games on so many cores (None: all).

    If interrupted, it reports on the deals played so far. Deals are played in order, so that these are not just the
    quick ones. They are played by `play_deals`, unless something else does it. Raises InputError if the match is not
    possible.
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
        for each in (play or play_deals)(match, range(deals), jobs or os.cpu_count() or 1):
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


def half_width(deals: int, shares: float, squares: float) -> float:
    """Half the width of the 95 % interval, from the sums of the shares and of their squares; 0.5 if it is not known."""
    if deals < 2:
        return 0.5
    return SURE * sqrt(max(0.0, squares - shares**2 / deals) / (deals - 1) / deals)


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
    seats = len(state.hands)
    by_place = [
        float(place == 0) if state.rules.out_ends == "first" else (seats - 1 - place) / (seats - 1)
        for place in range(seats)
    ]
    found = [0.0] * seats
    for place, seat in enumerate(state.places):
        found[seat] = by_place[place]
    drawn = [seat for seat in range(seats) if seat not in state.places]
    for seat in drawn:
        found[seat] = sum(by_place[len(state.places) :]) / len(drawn)
    return found
