"""Arranging: which cards to keep for the end, face up or in the reserve, and which to play first."""

from collections.abc import Sequence
from itertools import combinations, islice
from typing import Final

from engine.ai.card_values import card_values
from engine.cards import Card, cards_in, ranks_in
from engine.legality import must_lay
from engine.moves import READY, Lay, Move, Pick, Swap
from engine.view import View

WAYS: Final = 20
"""Nobody walks through more ways to lay cards."""


def arranging_move(view: View, seat: int, worths: Sequence[float]) -> Move:
    """The next step of arranging; ``worths`` is how much better a card of each rank lies laid than in the hand."""

    def by_worth(cards: int) -> list[Card]:
        return sorted(cards_in(cards), key=lambda card: (worths[card >> 2], card))

    hand, up = view.hands[seat], view.ups[seat]
    if must_lay(view, seat):
        laid = up if view.rules.arrange_mode == "lay-up" else view.reserves[seat]
        best = by_worth(hand | laid)[-view.rules.arrange_lay :]
        return Lay(tuple(Pick(card >> 2, card) for card in best))
    if view.rules.arrange_mode == "swap" and hand and up:
        best_in_hand, worst_up = by_worth(hand)[-1], by_worth(up)[0]
        if worths[best_in_hand >> 2] > worths[worst_up >> 2]:
            return Swap(Pick(best_in_hand >> 2, best_in_hand), Pick(worst_up >> 2, worst_up))
    return READY


def better_arrangements(view: View, seat: int) -> list[Move]:
    """Ways to arrange that make one's late cards better, the best first; none where they could not be better."""
    worths = card_values(view.rules)
    hand, up = view.hands[seat], view.ups[seat]
    match view.rules.arrange_mode:
        case "swap":
            gains: dict[Move, float] = {
                Swap(Pick(mine), Pick(theirs)): worths[mine] - worths[theirs]
                for mine, _ in ranks_in(hand)
                for theirs, _ in ranks_in(up)
            }
            return sorted((swap for swap, gain in gains.items() if gain > 0), key=lambda swap: -gains[swap])
        case "lay-up" | "lay-reserve" if must_lay(view, seat):
            ranks = sorted((card >> 2 for card in cards_in(hand | up)), key=lambda rank: -worths[rank])
            ways = dict.fromkeys(combinations(ranks, view.rules.arrange_lay))
            return [Lay(tuple(map(Pick, sorted(way)))) for way in islice(ways, WAYS)]
    return []
