"""`quatch bench engine`: random moves a second, beside OpenSpiel's crazy_eights if that is installed."""

from argparse import Namespace
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from engine.ai import LEVELS
from engine.game import advance
from engine.legality import legal_moves
from engine.rules import Rules
from engine.rulesets import rulesets
from server.bench.figures import Figure, Line, rate
from server.training.arena import arranged_deal, generators

BASELINE_STEPS: Final = 200_000


def bench_engine(options: Namespace) -> Iterator[Line]:
    """Random playouts of every rule set with two and four seats: moves a second, each beside the baseline."""
    name, baseline = _baseline()
    yield f"Random moves a second, beside {name}:"
    for rules in rulesets().values():
        for seats in (rules.seats_min, rules.seats_max):
            mine, theirs = (rate(work, options.seconds) for work in (_playouts(rules, seats), baseline()))
            yield Figure(f"engine: {rules.name}, {seats} seats, beside {name}", mine, theirs, "moves/s")


def _playouts(rules: Rules, seats: int) -> Iterator[int]:
    """Play random games; yield the moves of each. Dealing and arranging are not counted."""
    chance, players, seeds = Random(1), [LEVELS["easy"]] * seats, map(str, range(40))
    deals = [arranged_deal(rules, players, seed, generators(seed, seats)) for seed in seeds]
    while True:
        for dealt in deals:
            state, moves = dealt.copy(), 0
            while state.phase == "play":
                legal = legal_moves(state, state.to_move or 0)
                advance(state, legal[int(chance.random() * len(legal))])
                moves += 1
            yield moves


def _baseline() -> tuple[str, Callable[[], Iterator[int]]]:
    """The baseline: OpenSpiel's crazy_eights through its Python API if installed, otherwise plain Python."""
    try:
        import pyspiel  # type: ignore[import-not-found]  # noqa: PLC0415 - not a dependency: used only if it is installed
    except ImportError:
        return "steps of a plain Python loop", _plain_loop

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

    return "moves of OpenSpiel crazy_eights, 4 seats", playouts


def _plain_loop() -> Iterator[int]:
    while True:
        table = dict.fromkeys(range(13), 0)
        for step in range(BASELINE_STEPS):
            table[step % 13] ^= step
        yield BASELINE_STEPS
