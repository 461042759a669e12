"""How good a position is for each seat: a weight for each card by its zone, fitted on finished games.

The score of a seat is a sum of weights. Its chance to win is the softmax of the scores. With two seats that is logistic
regression on the difference between the two seats.
"""

from collections.abc import Sequence
from math import exp
from typing import Final

from engine.ai.rank_classes import CLASSES, class_name, classes_of
from engine.cards import CardSet, ranks_in
from engine.position import Position
from engine.rules import Rules

Features = list[tuple[int, float]]
"""(number of a feature, its value); all other features are 0."""


HAND: Final = 0
UP: Final = CLASSES
RESERVE: Final = 2 * CLASSES
_SINGLES: Final = ("copies", "down", "tempo", "stuck", "stuck pile", "emptyhanded")
COPIES, DOWN, TEMPO, STUCK, STUCK_PILE, EMPTY = range(3 * CLASSES, 3 * CLASSES + len(_SINGLES))
PILE: Final = 5
"""Sizes of piles are divided by this, so that all weights have a similar size."""
PHASE: Final = 3 * CLASSES + len(_SINGLES)
"""The number of weights while the stock lasts; as many follow for when it is gone."""


def value_names() -> list[str]:
    """The names of all weights, in order."""
    zones = [f"{zone} {class_name(number)}" for zone in ("hand", "up", "reserve") for number in range(CLASSES)]
    return [f"{phase} {name}" for phase in ("stock", "late") for name in (*zones, *_SINGLES)]


def softmax(scores: Sequence[float]) -> list[float]:
    """The chance of each option, given its score."""
    highest = max(scores)
    powers = [exp(score - highest) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def value_features(position: Position, seat: int, classes: Sequence[int]) -> Features:
    """The features whose weighted sum is the score of a seat."""
    base = 0 if position.stock_left else PHASE
    found: Features = []
    for zone, start in ((position.hands, HAND), (position.ups, UP), (position.reserves, RESERVE)):
        for rank, copies in ranks_in(zone[seat]):
            found.append((base + start + classes[rank], copies))
            if start == HAND and copies > 1:
                found.append((base + COPIES, copies - 1))
    row = position.downs[seat]
    found.append((base + DOWN, len(row) - row.count(None)))
    if not position.hands[seat]:
        found.append((base + EMPTY, 1))
    if seat == position.to_move:
        found.append((base + TEMPO, 1))
        zone_cards = position.hands[seat] or position.ups[seat]
        if zone_cards and not zone_cards & position.powers.follow[position.top]:
            found += [(base + STUCK, 1), (base + STUCK_PILE, len(position.pile) / PILE)]
    return found


class Value:
    """Scores positions of one rule set with one list of weights."""

    def __init__(self, rules: Rules, weights: Sequence[float]) -> None:
        self.rules = rules
        self.classes = classes_of(rules)
        self._stock_phases = (_StockPhase(rules, weights[:PHASE]), _StockPhase(rules, weights[PHASE:]))

    def score(self, position: Position, seat: int) -> float:
        """The weighted sum of `value_features`."""
        return self._stock_phases[not position.stock_left].score(position, seat)

    def chances(self, position: Position) -> list[float]:
        """The chance, 0 to 1, of each seat still in to go out next, in turn order."""
        score = self._stock_phases[not position.stock_left].score
        return softmax([score(position, seat) for seat in position.order])


class _StockPhase:
    """The tables of `Value` for one phase: while the stock lasts, or after."""

    def __init__(self, rules: Rules, weights: Sequence[float]) -> None:
        classes = classes_of(rules)
        hand = [weights[HAND + number] for number in classes]
        up = [weights[UP + number] for number in classes]
        reserve = [weights[RESERVE + number] for number in classes]
        self._hand = _tables(hand, weights[COPIES])
        self._up = _tables(up, 0.0)
        self._reserve = _tables(reserve, 0.0)
        self._weights = weights

    def score(self, position: Position, seat: int) -> float:
        weights = self._weights
        hand, up, reserve, row = position.hands[seat], position.ups[seat], position.reserves[seat], position.downs[seat]
        score = weights[DOWN] * (len(row) - row.count(None))
        if hand:
            score += _sum(self._hand, hand)
        else:
            score += weights[EMPTY]
        if up:
            score += _sum(self._up, up)
        if reserve:
            score += _sum(self._reserve, reserve)
        if seat == position.to_move:
            score += weights[TEMPO]
            zone = hand or up
            if zone and not zone & position.powers.follow[position.top]:
                score += weights[STUCK] + weights[STUCK_PILE] * len(position.pile) / PILE
        return score


def _tables(by_rank: Sequence[float], extra: float) -> list[list[float]]:
    """The value of any cards of three neighbouring ranks, by these cards as twelve bits; the last table is for the ace.

    ``extra`` is added for each card of a rank besides the first.
    """
    copies = [cards.bit_count() for cards in range(16)]
    values = [[n * value + max(n - 1, 0) * extra for n in copies] for value in by_rank]
    threes = (values[lowest : lowest + 3] for lowest in range(0, 12, 3))
    return [*([a + b + c for c in high for b in middle for a in low] for low, middle, high in threes), values[12]]


def _sum(tables: list[list[float]], cards: CardSet) -> float:
    low, below_ten, high, court, ace = tables
    return (
        low[cards & 0xFFF]
        + below_ten[cards >> 12 & 0xFFF]
        + high[cards >> 24 & 0xFFF]
        + court[cards >> 36 & 0xFFF]
        + ace[cards >> 48]
    )
