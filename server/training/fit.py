"""`quatch fit`: learns a file of weights by self-play in a few minutes on one core.

The steps are card values, then moves, then card values again. The first card values come from games of levels that have
learned nothing. Extreme starts by imitating Hard; then it plays games and moves its weights towards moves that raised
its chances, as those card values see them. The final card values are fitted on games of this Extreme, for Master's
search. Everything runs in one process and depends only on the seed.
"""

import json
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from engine.ai import AIPlayer
from engine.ai.easy_medium_hard import hard, medium
from engine.ai.extreme_and_master import choose_by_weights
from engine.ai.features import feature_names, move_features, weighted_sums
from engine.ai.next_seat import NextSeat
from engine.ai.rank_classes import EFFECTS, classes_of
from engine.ai.search import Prospects
from engine.ai.value import Features, Value, softmax, value_features, value_names
from engine.ai.weights import GENERAL, Model, TableSize, Weights, weights_json, weights_of
from engine.cards import cards_in
from engine.errors import BadRules, InputError
from engine.legality import legal_moves
from engine.moves import Flip, Lay, Move, Pick
from engine.rules import Json, Rules
from engine.rulesets import ruleset, rulesets
from engine.view import View
from server.command_line import print_lines
from server.terminal.progress_bar import progress_bar
from server.training.arena import MOST_GAMES, arranged_deal, generators, play_game, play_ply, rewards

SHIPPED: Final = Path(__file__).parents[2] / "engine" / "ai" / "weights"
SEATS: Final[Mapping[TableSize, int]] = {"two": 2, "more": 4}
SLIP_CHANCES: Final = (0.0, 0.03, 0.12)
"""How often the players make a random move in the games that the final card values are fitted on."""
STRONG_ENOUGH: Final[Mapping[TableSize, float]] = {"two": 0.55, "more": 0.25}
"""The share against Hard with which weights alone are strong enough; with four seats that is more than chance."""
SIMULATIONS: Final = 60
"""How many simulations Extreme runs for a move if its share is below `STRONG_ENOUGH`; more gain little."""
VALUE_GAMES: Final = 6_000
IMITATION_GAMES: Final = 600
MATCH_GAMES: Final = 2_000
"""The most games for these steps: more teach nothing new, while learning to move gains from tens of thousands."""
MIXES: Final = 60
"""How many mixes of house rules the general weights are fitted on, besides the rule sets themselves."""
HOUSE_RULES: Final[tuple[Mapping[str, Json], ...]] = (
    {"special.3.effect": "mirror", "special.3.on": "any"},
    {"special.8.effect": "skip", "special.8.on": "any"},
    {"special.8.effect": "skip"},
    {"special.5.effect": "reverse", "special.5.on": "any"},
    {"special.J.effect": "reverse"},
    {"special.7.effect": "lower", "special.7.on": "rank-or-lower"},
    {"special.7.effect": "lower", "special.7.on": "any"},
    {"special.10.effect": "burn", "special.10.on": "rank"},
    {"special.6.effect": "reset"},
    {"deck.copies": {}},
    {"beat": "higher"},
    {"beat": "equal-or-higher"},
    {"play.whole_sets": True},
    {"play.up_at_once": 4},
    {"pickup.by_choice": True},
    {"pickup.lift_up": 3},
    {"four.scope": "off"},
    {"four.scope": "in-a-row", "four.again": "may"},
    {"out.last_special": "eaten"},
    {"out.last_special": "allowed"},
    {"out.ends": "last-loser"},
    {"special.2.again": "may"},
)
"""House rules that tables often use; a power that none of them has is learned on the jack."""
HARD: Final[AIPlayer] = partial(hard, second_best=0.0)
"""Hard as it plays with two seats: a teacher makes no second-best play."""
MEDIUM: Final[AIPlayer] = partial(medium, second_best=0.0)
SAMPLED: Final = 0.1
"""The share of positions that card values are fitted on; positions of one game are much alike."""
UNSURE: Final = 0.2
"""How often a player that imitates Hard makes another move, so that there is something to learn from."""
RATE: Final = 0.1
MEMORY: Final = 0.9
"""How much of a later surprise each earlier move is given (the lambda of eligibility traces)."""
STEP: Final = 0.15
"""The step size of the regression; AdaGrad reduces it for frequent features."""
PULL: Final = 1e-4
"""How strongly weights are pulled towards those with which fitting begins."""
AMONG_THEMSELVES: Final = 0.3
"""The share of Extreme's games in which all seats learn; in the others one seat learns against fixed levels."""


class Sample(NamedTuple):
    """Options with their features, and the chance that each should have."""

    options: list[Features]
    chances: list[float]


def fitted(samples: Sequence[Sample], begin: Sequence[float], rng: Random, epochs: int = 4) -> list[float]:
    """Improved weights; they are pulled towards ``begin``."""
    weights, steps = list(begin), [1e-2] * len(begin)
    for _ in range(epochs):
        for sample in rng.sample(samples, len(samples)):
            for option, share, chance in zip(
                sample.options, probabilities(sample.options, weights), sample.chances, strict=True
            ):
                error = share - chance
                for number, value in option:
                    slope = error * value + PULL * (weights[number] - begin[number])
                    steps[number] += slope * slope
                    weights[number] -= STEP * slope / steps[number] ** 0.5
    return weights


def probabilities(options: list[Features], weights: Sequence[float]) -> list[float]:
    """The chances that these weights give to the options."""
    return softmax(weighted_sums(options, weights))


@dataclass
class Fit:
    """Weights being fitted, for some rule sets and one number of seats."""

    tables: Sequence[Rules]
    seats: int
    value: list[float]
    moves: list[float]

    def rules(self, number: int) -> Rules:
        """The rules of a game; games use them in turn."""
        return self.tables[number % len(self.tables)]

    def model(self, rules: Rules) -> Model:
        """The model with the current weights, for these rules."""
        return Model(Value(rules, self.value), self.moves)

    def learned_player(self, slip_chance: float) -> "Chooser":
        """Extreme with the current weights, and a random move now and then."""
        return lambda rules: _slipping(partial(choose_by_weights, model=self.model(rules)), slip_chance)


Chooser = Callable[[Rules], AIPlayer]
Tick = Callable[[int], None]
"""Called with the number of further games played."""


def _slipping(player: AIPlayer, slip_chance: float) -> AIPlayer:
    """The same player with a random legal move now and then."""

    def choose(view: View, rng: Random) -> Move:
        seat = view.seat
        if rng.random() >= slip_chance or seat is None:
            return player(view, rng)
        if moves := legal_moves(view, seat):
            return rng.choice(moves)
        cards = rng.sample(list(cards_in(view.hands[seat] | view.ups[seat])), view.rules.arrange_lay)
        return Lay(tuple(Pick(card >> 2, card) for card in cards))

    return choose


def simple_players() -> list[Chooser]:
    """Players without learned weights, for the first games."""

    def chooser(level: AIPlayer, slip_chance: float) -> Chooser:
        return lambda _: _slipping(level, slip_chance)

    return [chooser(HARD, 0.05), chooser(HARD, 0.2), chooser(MEDIUM, 0.1)]


def fit_value(fit: Fit, games: int, seed: str, tick: Tick, choosers: Sequence[Chooser]) -> None:
    """Fit card values on games of these players."""
    rng, samples = Random(seed), list[Sample]()
    for number in range(games):
        rules = fit.rules(number)
        players = [rng.choice(choosers)(rules) for _ in range(fit.seats)]
        samples += _value_samples(rules, players, f"{seed}/{number}", rng)
        tick(1)
    fit.value = fitted(samples, fit.value, rng)


def _value_samples(rules: Rules, players: Sequence[AIPlayer], seed: str, rng: Random) -> list[Sample]:
    """Some positions of a game, each with the final reward of every seat that was in play."""
    chances, classes = generators(seed, len(players)), classes_of(rules)
    state = arranged_deal(rules, players, seed, chances)
    seen: list[tuple[tuple[int, ...], list[Features]]] = []
    while state.phase == "play":
        if rng.random() < SAMPLED:
            seen.append((state.order, [value_features(state, seat, classes) for seat in state.order]))
        play_ply(state, players, chances)
    end, samples = rewards(state), list[Sample]()
    for order, options in seen:
        # Rewards as the chance of going out next: the part above the lowest, with sum 1.
        got = [end[seat] for seat in order]
        above = [each - min(got) for each in got]
        total = sum(above)
        samples.append(Sample(options, [each / total if total else 1 / len(order) for each in above]))
    return samples


def fit_imitation(fit: Fit, games: int, seed: str, tick: Tick) -> None:
    """Learn to imitate Hard, less decidedly."""
    samples = list[Sample]()
    for number in range(games):
        samples += _choices_of_hard(fit.rules(number), fit.seats, f"{seed}/{number}")
        tick(1)
    fit.moves = fitted(samples, fit.moves, Random(seed), epochs=2)


def _choices_of_hard(rules: Rules, seats: int, seed: str) -> list[Sample]:
    """Hard's choices, and their alternatives, in a game where Hard makes another move now and then."""
    samples, classes = list[Sample](), classes_of(rules)

    def noted(view: View, rng: Random) -> Move:
        move, seat = HARD(view, rng), view.seat or 0
        moves = [] if view.phase == "arrange" else legal_moves(view, seat)
        if len(moves) < 2 or isinstance(moves[0], Flip):
            return move
        unsure = UNSURE / len(moves)
        wanted = [unsure + (1 - UNSURE) * (each == move) for each in moves]
        samples.append(Sample(move_features(view, seat, moves, NextSeat(view, seat).stuck_chance, classes), wanted))
        return rng.choice(moves) if rng.random() < UNSURE else move

    play_game(rules, [noted] * seats, seed)
    return samples


def share_against_hard(fit: Fit, games: int, seed: str, tick: Tick) -> float:
    """The share won by Extreme with the current weights against Hard players, each deal from every seat."""
    got = 0.0
    for number in range(games):
        deal, seat = divmod(number, fit.seats)
        rules, players = fit.rules(deal), [HARD] * fit.seats
        players[seat] = fit.learned_player(0.0)(rules)
        got += rewards(play_game(rules, players, f"{seed}/{deal}"))[seat]
        tick(1)
    return got / games


class _Choice(NamedTuple):
    """A move chosen by chance: its alternatives, their chances, and the chooser's prospect at that time."""

    options: list[Features]
    chances: list[float]
    taken: int
    prospect: float


def fit_moves(fit: Fit, games: int, seed: str, tick: Tick) -> None:
    """Learn to move by playing.

    The result is the mean of the weights over the second half, which varies less than the final ones.
    """
    rng, slopes = Random(seed), [0.1] * len(feature_names())
    others = [HARD, HARD, MEDIUM] if fit.seats > 2 else [HARD]
    values = {rules: Value(rules, fit.value) for rules in fit.tables}
    mean, counted = [0.0] * len(slopes), 0
    for number in range(games):
        rules = fit.rules(number)
        extreme = fit.learned_player(0.0)(rules)
        seat = rng.randrange(fit.seats)
        learning = range(fit.seats) if rng.random() < AMONG_THEMSELVES else range(seat, seat + 1)
        players = [extreme if each in learning else rng.choice(others) for each in range(fit.seats)]
        end, decisions = _played(fit, values[rules], players, learning, f"{seed}/{number}")
        for each in learning:
            _learn(fit.moves, slopes, decisions[each], end[each])
        if number * 2 >= games:
            counted += 1
            mean = [each + (now - each) / counted for each, now in zip(mean, fit.moves, strict=True)]
        tick(1)
    fit.moves = mean


def _played(
    fit: Fit, value: Value, players: Sequence[AIPlayer], learning: range, seed: str
) -> tuple[list[float], dict[int, list[_Choice]]]:
    """Play a game in which the learning seats choose by chance; return its rewards and their decisions."""
    chances = generators(seed, fit.seats)
    state = arranged_deal(value.rules, players, seed, chances)
    prospects = Prospects(state, value)
    decisions: dict[int, list[_Choice]] = {seat: [] for seat in learning}

    def drawn(view: View, rng: Random) -> Move:
        seat = view.seat or 0
        moves = legal_moves(view, seat)
        if len(moves) == 1 or isinstance(moves[0], Flip):
            return rng.choice(moves)
        options = move_features(view, seat, moves, NextSeat(view, seat).stuck_chance, value.classes)
        wanted = probabilities(options, fit.moves)
        taken = rng.choices(range(len(moves)), wanted)[0]
        decisions[seat].append(_Choice(options, wanted, taken, prospects.of(state)[seat]))
        return moves[taken]

    by_chance = [drawn if seat in learning else player for seat, player in enumerate(players)]
    while state.phase == "play":
        play_ply(state, by_chance, chances)
    return rewards(state), decisions


def _learn(weights: list[float], slopes: list[float], decisions: Sequence[_Choice], end: float) -> None:
    """Make moves more likely that ended better than expected, and others less (actor-critic)."""
    later, surprise = end, 0.0
    for decision in reversed(decisions):
        surprise = later - decision.prospect + MEMORY * surprise
        later = decision.prospect
        change: dict[int, float] = {}
        for number, (option, chance) in enumerate(zip(decision.options, decision.chances, strict=True)):
            missing = (number == decision.taken) - chance
            for index, amount in option:
                change[index] = change.get(index, 0.0) + missing * amount
        for index, amount in change.items():
            slope = amount * surprise
            slopes[index] += slope * slope
            weights[index] += RATE * slope / sqrt(slopes[index])


def fit_weights(name: str, games: int, seed: str, folder: Path) -> Iterator[str]:
    """Fit the weights of a rule set, or the general ones, into ``folder``; yield lines about the results.

    Raises InputError if there is no such rule set, or the number of games is wrong.
    """
    if not 0 < games <= MOST_GAMES:
        raise InputError("bad_request", f"--games: 1 to {MOST_GAMES}, not {games}")
    tables = house_mixes() if name == GENERAL else [ruleset(name)]
    command = f"quatch fit {name} --games {games} --seed {seed}"
    found: dict[TableSize, Weights] = {}
    figures: dict[str, Json] = {}
    for table_size, seats in SEATS.items():
        fit = _begin(name, table_size, [rules for rules in tables if rules.seats_min <= seats <= rules.seats_max])
        found[table_size], share = _fit_for(fit, table_size, games, seed)
        figures[table_size] = {"share against hard": share}
        yield f"{name}, {table_size}: {json.dumps(figures[table_size])}"
    file = folder / f"{name}.json"
    learned = {"command": command, "figures": figures, **weights_json(found)}
    file.write_text(f"{json.dumps(learned, indent=1)}\n", "utf-8")
    yield f"written: {file}"


def _fit_for(fit: Fit, table_size: TableSize, games: int, seed: str) -> tuple[Weights, float]:
    """The weights for one number of seats, and their share against Hard."""
    some, few, fair = (
        max(min(games // part, most), 1) for part, most in ((3, VALUE_GAMES), (30, IMITATION_GAMES), (10, MATCH_GAMES))
    )
    simple = simple_players()
    learned = [*map(fit.learned_player, SLIP_CHANCES), simple[0]]
    steps: dict[str, tuple[Callable[[Fit, int, str, Tick], None], int]] = {
        "first card values": (partial(fit_value, choosers=simple), some),
        "imitation": (fit_imitation, few),
        "moves": (fit_moves, games),
        "card values": (partial(fit_value, choosers=learned), some),
    }
    for label, (learn, number) in steps.items():
        with progress_bar(f"{table_size}: {label}", number) as add:
            learn(fit, number, f"{seed}/{label}", add)
    with progress_bar(f"{table_size}: against hard", fair) as add:
        share = round(share_against_hard(fit, fair, f"{seed}/against hard", add), 4)
    return Weights(fit.value, fit.moves, SIMULATIONS if share < STRONG_ENOUGH[table_size] else 0), share


def _begin(name: str, table_size: TableSize, tables: Sequence[Rules]) -> Fit:
    """The weights to start from: the general ones, or zeros when fitting the general ones."""
    if name == GENERAL:
        return Fit(tables, SEATS[table_size], [0.0] * len(value_names()), [0.0] * len(feature_names()))
    general = weights_of(GENERAL)[0][table_size]
    return Fit(tables, SEATS[table_size], list(general.value), list(general.moves))


def house_mixes() -> list[Rules]:
    """Every rule set, and mixes of a few house rules on each in turn; always the same ones."""
    rng, bases = Random("house mixes"), list(rulesets().values())
    others = [effect for effect in EFFECTS if not any(effect in each.values() for each in HOUSE_RULES)]
    chosen_from = [*HOUSE_RULES, *({"special.J.effect": effect, "special.J.on": "any"} for effect in others)]
    mixes = list(bases)
    while len(mixes) < len(bases) + MIXES:
        options: dict[str, Json] = {}
        for chosen in rng.sample(chosen_from, rng.randint(1, 4)):
            options |= chosen
        try:
            mixes.append(bases[len(mixes) % len(bases)].with_options(options))
        except BadRules:
            continue
    return mixes


def fit(options: Namespace) -> int:
    """Learn weights."""
    return print_lines(fit_weights(options.rules, options.games, options.seed, options.to or SHIPPED))
