"""The benches of the engine and of AI players; each figure stands beside a baseline of the same run."""

import time
from collections.abc import Iterator, Sequence
from itertools import cycle
from random import Random
from typing import Final

from engine.ai import LEVELS, AIPlayer
from engine.ai.search import Search
from engine.ai.weights import model_for
from engine.game import advance
from engine.legality import legal_moves
from engine.moves import Flip
from engine.rulesets import DEFAULT, rulesets
from engine.state import State
from engine.view import View, view_of
from server.bench.figures import Figure, Line, percentile, rate
from server.training.self_play import arranged_deal, generators, play_ply

BASELINE_STEPS: Final = 200_000
SIMULATIONS: Final = 200
"""Simulations for each decision in the measured search."""


def bench_engine(seconds: float) -> Iterator[Line]:
    """Random playouts of every rule set with two and four seats: moves a second, and the baseline."""
    name, baseline = _baseline(seconds)
    yield f"{'baseline: ' + name:<40} {baseline:>12,.0f} a second"
    for rules in rulesets().values():
        for seats in (rules.seats_min, rules.seats_max):
            moves = rate(_playouts(rules.name, seats), seconds)
            label = f"{rules.name}, {seats} seats"
            text = f"{label:<40} {moves:>12,.0f} moves a second {moves / baseline:>8.2f} x baseline"
            yield Figure(f"engine: {label}, beside {name}", moves, baseline, "moves/s", text)


def bench_ai(seconds: float) -> Iterator[Line]:
    """Simulations a second, beside plain random playouts, and milliseconds a move for each level; default rules."""
    rules = rulesets()[DEFAULT]
    for seats in (rules.seats_min, rules.seats_max):
        games = rate((1 for _ in _playouts(rules.name, seats)), seconds)
        yield f"{f'{seats} seats: random playouts':<40} {games:>12,.0f} a second"
        views = _decisions(rules.name, seats)
        looks = rate(_simulations(views), seconds)
        text = f"{f'{seats} seats: looks ahead':<40} {looks:>12,.0f} a second {looks / games:>8.2f} x playouts"
        yield Figure(f"ai: looks ahead, {seats} seats, beside random playouts", looks, games, "games/s", text)
        for level, player in LEVELS.items():
            times = list(_thinking(player, views, seconds))
            typical, slow = percentile(times, 50), percentile(times, 99)
            yield f"{f'{seats} seats: {level}':<40} {typical:>12.3f} ms a move {slow:>8.3f} at most in 99 of 100"


def _decisions(name: str, seats: int) -> list[View]:
    """Views with a choice to make, from games that Hard plays."""
    views = list[View]()
    for number in range(20):
        state, chances = _arranged(name, seats, str(number)), generators(str(number), seats)
        while state.phase == "play":
            view = view_of(state, state.to_move)
            moves = legal_moves(view, view.seat or 0)
            if len(moves) > 1 and not isinstance(moves[0], Flip):
                views.append(view)
            play_ply(state, [LEVELS["hard"]] * seats, chances)
    return views


def _simulations(views: Sequence[View]) -> Iterator[int]:
    for number, view in enumerate(cycle(views)):
        model = model_for(view.rules, len(view.hands))
        Search(view, model.value, model.moves, Random(number)).run(SIMULATIONS)
        yield SIMULATIONS


def _thinking(player: AIPlayer, views: Sequence[View], seconds: float) -> Iterator[float]:
    """Milliseconds for each decision, for as many as fit into the time."""
    begin = time.perf_counter()
    for number, view in enumerate(Random(1).sample(views, len(views))):
        before = time.perf_counter()
        player(view, Random(number))
        yield 1000 * (time.perf_counter() - before)
        if time.perf_counter() - begin > seconds:
            return


def _playouts(name: str, seats: int) -> Iterator[int]:
    """Play random games; yield the moves of each. Dealing and arranging are not counted."""
    chance = Random(1)
    deals = [_arranged(name, seats, str(number)) for number in range(40)]
    while True:
        for dealt in deals:
            state, moves = dealt.copy(), 0
            while state.phase == "play":
                legal = legal_moves(state, state.to_move or 0)
                advance(state, legal[int(chance.random() * len(legal))])
                moves += 1
            yield moves


def _arranged(name: str, seats: int, seed: str) -> State:
    """A game up to its first turn."""
    return arranged_deal(rulesets()[name], [LEVELS["easy"]] * seats, seed, generators(seed, seats))


def _baseline(seconds: float) -> tuple[str, float]:
    """The baseline: OpenSpiel's crazy_eights through its Python API if installed, otherwise plain Python."""
    try:
        import pyspiel  # type: ignore[import-not-found]  # noqa: PLC0415 - not a dependency: used only if it is installed
    except ImportError:
        return "steps of a plain Python loop", rate(_plain_loop(), seconds)

    def playouts() -> Iterator[int]:
        game, chance = pyspiel.load_game("crazy_eights", {"players": 4}), Random(1)
        while True:
            state, moves = game.new_initial_state(), 0
            while not state.is_terminal():
                at_chance = state.is_chance_node()
                legal = [action for action, _ in state.chance_outcomes()] if at_chance else state.legal_actions()
                state.apply_action(legal[int(chance.random() * len(legal))])
                moves += not at_chance
            yield moves

    return "moves of OpenSpiel crazy_eights, 4 seats", rate(playouts(), seconds)


def _plain_loop() -> Iterator[int]:
    while True:
        table = dict.fromkeys(range(13), 0)
        for step in range(BASELINE_STEPS):
            table[step % 13] ^= step
        yield BASELINE_STEPS
