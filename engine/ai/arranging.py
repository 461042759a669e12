"""Arranging: which cards to keep for the end of the game, face up or in the reserve."""

from collections.abc import Sequence
from itertools import combinations, islice
from typing import Final

from engine.ai.card_values import card_values
from engine.cards import Card, cards_in, ranks_in
from engine.legality import must_lay
from engine.moves import READY, Lay, Move, Pick, Swap
from engine.view import View

MOST_SUGGESTIONS: Final = 20
"""A player does not step through more suggestions than this."""


def arranging_move(view: View, seat: int, values: Sequence[float]) -> Move:
    """The next arranging move; ``values`` is the value, by rank, of having a card laid instead of in the hand."""

    def by_value(cards: int) -> list[Card]:
        return sorted(cards_in(cards), key=lambda card: (values[card >> 2], card))

    hand, up = view.hands[seat], view.ups[seat]
    if must_lay(view, seat):
        laid = up if view.rules.arrange_mode == "lay-up" else view.reserves[seat]
        best = by_value(hand | laid)[-view.rules.arrange_lay :]
        return Lay(tuple(Pick(card >> 2, card) for card in best))
    if view.rules.arrange_mode == "swap" and hand and up:
        best_in_hand, worst_up = by_value(hand)[-1], by_value(up)[0]
        if values[best_in_hand >> 2] > values[worst_up >> 2]:
            return Swap(Pick(best_in_hand >> 2, best_in_hand), Pick(worst_up >> 2, worst_up))
    return READY


def shown_arrangements(view: View, seat: int, *, hints: bool) -> list[Move]:
    """Arranging moves to offer or to name as an example: good ones only where hints are given."""
    return better_arrangements(view, seat) if hints else plain_arrangements(view, seat)


def plain_arrangements(view: View, seat: int) -> list[Move]:
    """What can be swapped or laid, from low ranks to high: nothing of it tells what would be good."""
    match view.rules.arrange_mode:
        case "swap":
            hand, up = ([rank for rank, _ in ranks_in(cards)] for cards in (view.hands[seat], view.ups[seat]))
            return [Swap(Pick(mine), Pick(theirs)) for mine in hand for theirs in up if mine != theirs]
        case "lay-up" | "lay-reserve" if must_lay(view, seat):
            ranks = [card >> 2 for card in cards_in(view.hands[seat] | view.ups[seat])]
            ways = dict.fromkeys(combinations(ranks, view.rules.arrange_lay))
            return [Lay(tuple(map(Pick, way))) for way in islice(ways, MOST_SUGGESTIONS)]
    return []


def better_arrangements(view: View, seat: int) -> list[Move]:
    """Arranging moves that improve the cards kept for the end, the best first; empty if there are none."""
    values = card_values(view.rules)
    hand, up = view.hands[seat], view.ups[seat]
    match view.rules.arrange_mode:
        case "swap":
            gains = sorted(
                (values[theirs] - values[mine], mine, theirs)
                for mine, _ in ranks_in(hand)
                for theirs, _ in ranks_in(up)
                if values[mine] > values[theirs]
            )
            return [Swap(Pick(mine), Pick(theirs)) for _, mine, theirs in gains]
        case "lay-up" | "lay-reserve" if must_lay(view, seat):
            ranks = sorted((card >> 2 for card in cards_in(hand | up)), key=lambda rank: -values[rank])
            ways = dict.fromkeys(combinations(ranks, view.rules.arrange_lay))
            return [Lay(tuple(map(Pick, sorted(way)))) for way in islice(ways, MOST_SUGGESTIONS)]
    return []
