"""Views as JSON (rules/REFEREE.md, "Position"): what everybody, or one seat, may know of a game."""

from collections.abc import Iterable
from typing import Final

from engine.cards import RANKS, Card, CardSet, card_name, cards_in
from engine.rules import Json
from engine.state import State
from engine.view import View

HIDDEN: Final = "??"


def view_json(view: View) -> dict[str, Json]:
    """A view in the same shape: hidden cards as ``??`` and the stock as its length."""

    def zone(known: tuple[CardSet, ...], counts: tuple[int, ...], seat: int) -> list[Json]:
        names = card_names(cards_in(known[seat]))
        return names + [HIDDEN] * (counts[seat] - len(names))

    return {
        **public_json(view),
        "stock": view.stock_left,
        "seats": [
            {
                "hand": zone(view.hands, view.hand_counts, seat),
                "up": zone(view.ups, view.up_counts, seat),
                "down": [None if card is None else HIDDEN for card in view.downs[seat]],
                "reserve": zone(view.reserves, view.reserve_counts, seat),
                "ready": view.ready[seat],
            }
            for seat in view.seats
        ],
    }


def public_json(known: State | View) -> dict[str, Json]:
    """What everybody may know, in the order of REFEREE; the caller fills in the stock and the seats."""
    return {
        "rules": known.rules.name,
        "options": dict(known.rules.options),
        "phase": known.phase,
        "stock": None,
        "pile": card_names(known.pile),
        "bin": card_names(known.bin),
        "seats": None,
        "order": list(known.order),
        "to_move": known.to_move,
        "must_lead": None if known.must_lead is None else RANKS[known.must_lead],
        "may_pass": known.may_pass,
        "quiet": known.quiet,
        "places": list(known.places),
        "outcome": None if known.outcome is None else known.outcome.to_json(),
    }


def card_names(cards: Iterable[Card]) -> list[Json]:
    """Cards by name."""
    return [card_name(card) for card in cards]
