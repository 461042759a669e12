"""Features of moves, as numbers. Extreme chooses by their weighted sum, and Master's search uses it as the prior.

They are computed alike from a view and from an invented world; only what is known about the next seat differs.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from engine.ai.next_seat import NEARLY_OUT, seat_after
from engine.ai.rank_classes import CLASSES, class_name
from engine.ai.value import PILE, Features
from engine.cards import NO_RANK, RANK_CARDS, Rank
from engine.moves import Move, Pass, PickUp, Play
from engine.position import Position
from engine.rules import FOUR

Stuck: TypeAlias = Callable[[Rank], float]
"""The chance, 0 to 1, that the next seat cannot lay anything on a rank."""

PLAYED: Final = 0
COPIES: Final = CLASSES
TAKEN: Final = 2 * CLASSES
_SINGLES: Final = (
    *("kept back", "last of hand", "last of all", "burns", "burns pile", "completes four", "leads power", "three lie"),
    *("stuck", "stuck pile", "stuck nearly out", "take", "take pile", "take nearly out", "lift", "decline"),
)
(
    KEPT_BACK,
    EMPTIES,
    GOES_OUT,
    BURNS,
    BURNS_PILE,
    COMPLETES,
    LEADS_POWER,
    THREE_LIE,
    BLOCKS,
    BLOCKS_PILE,
    BLOCKS_LAST,
    TAKE,
    TAKE_PILE,
    TAKE_LAST,
    LIFT,
    DECLINE,
) = range(3 * CLASSES, 3 * CLASSES + len(_SINGLES))
MOVE_PHASE: Final = 3 * CLASSES + len(_SINGLES)
"""The number of weights while the stock lasts; as many follow for when it is gone."""


def feature_names() -> list[str]:
    """The names of all weights, in order."""
    by_class = [f"{what} {class_name(number)}" for what in ("play", "more", "taken") for number in range(CLASSES)]
    return [f"{phase} {name}" for phase in ("stock", "late") for name in (*by_class, *_SINGLES)]


def move_features(
    position: Position, seat: int, moves: Iterable[Move], stuck: Stuck, classes: Sequence[int]
) -> list[Features]:
    """The features of each of these legal moves of the seat to move, in order.

    Args:
        position: a view of that seat, or a world.
        seat: the seat to move.
        moves: the moves.
        stuck: the chance that the next seat cannot follow on a rank.
        classes: the class of each rank (see `rank_classes`).
    """
    extractor = _FeatureExtractor(position, seat, stuck, classes)
    return [extractor.of_play(move) if isinstance(move, Play) else extractor.of_other(move) for move in moves]


def weighted_sums(features: list[Features], weights: Sequence[float]) -> list[float]:
    """The weighted sum of the features of each move, in order."""
    found: list[float] = []
    for each in features:
        total = 0.0
        for number, value in each:
            total += weights[number] * value
        found.append(total)
    return found


class _FeatureExtractor:
    """Computes the features of the moves of one decision; what they have in common is computed once."""

    def __init__(self, position: Position, seat: int, stuck: Stuck, classes: Sequence[int]) -> None:
        self._position, self._stuck = position, stuck
        hand = position.hands[seat]
        self._zone = hand or position.ups[seat]
        self._zone_count, self._left = self._zone.bit_count(), position.cards_of(seat)
        self._draws = bool(hand and position.stock_left)
        self._classes = classes
        self._base = 0 if position.stock_left else MOVE_PHASE
        other = seat_after(position.order, seat)
        self._threat = other != seat and position.cards_of(other) <= NEARLY_OUT
        self._pile = len(position.pile)

    def of_play(self, move: Play) -> Features:
        position, base = self._position, self._base
        rank, count = move.picks[0].rank, len(move.picks)
        number = self._classes[rank]
        found: Features = [(base + PLAYED + number, 1)]
        if count > 1:
            found.append((base + COPIES + number, count - 1))
        kept = (self._zone & RANK_CARDS[rank]).bit_count() - count
        if kept:
            found.append((base + KEPT_BACK, kept))
        if self._zone_count == count and not self._draws:
            found.append((base + (GOES_OUT if self._left == count else EMPTIES), 1))
        effect, top = position.powers.effect[rank], position.top
        if effect == "mirror" and top != NO_RANK:
            rank, effect = top, position.powers.effect[top]
        run = count + position.run if rank == top else count
        if effect == "burn" or self._is_four(count, run):
            found += [(base + BURNS, 1), (base + BURNS_PILE, self._pile / PILE)]
            if effect != "burn":
                found.append((base + COMPLETES, 1))
            return found
        if effect is not None and not self._pile:
            found.append((base + LEADS_POWER, 1))
        if run == FOUR - 1:
            found.append((base + THREE_LIE, 1))
        if chance := self._stuck(rank):
            found += [(base + BLOCKS, chance), (base + BLOCKS_PILE, chance * (self._pile + count) / PILE)]
            if self._threat:
                found.append((base + BLOCKS_LAST, chance))
        return found

    def of_other(self, move: Move) -> Features:
        base = self._base
        if isinstance(move, Pass):
            return [(base + DECLINE, 1)]
        if not isinstance(move, PickUp):
            return []
        found: Features = [(base + TAKE, 1), (base + TAKE_PILE, self._pile / PILE)]
        found += [(base + TAKEN + self._classes[card >> 2], 1) for card in self._position.pile]
        if self._threat:
            found.append((base + TAKE_LAST, 1))
        if move.picks:
            found.append((base + LIFT, len(move.picks)))
        return found

    def _is_four(self, count: int, run: int) -> bool:
        scope = self._position.rules.four_scope
        return run >= FOUR and (scope == "in-a-row" or (scope == "one-play" and count >= FOUR))
