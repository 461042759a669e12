"""The deal and the result of a game as lines of text: the part of a record that follows from the seed and the moves."""

from collections.abc import Iterable

from engine.cards import Card, card_name, cards_in
from engine.opening import deal_cards
from engine.rules import Rules
from engine.state import State


def deal_lines(rules: Rules, seats: int, seed: str, dealer: int | None) -> list[str]:
    """The rules that the deal depends on, and the cards that this seed deals.

    Raises:
        InputError: these rules cannot be dealt to so many seats, or there is no such dealer.
    """
    dealt = deal_cards(rules, seats, seed, dealer)
    return [
        f"deck: {' '.join(map(str, rules.deck_copies))}",
        f"deal: {rules.deal_down} down, {rules.deal_up} up, {rules.deal_hand} in hand",
        f"start: {rules.start_who}",
        *(f"seat {seat + 1}: {_dealt_to(dealt, seat)}" for seat in range(seats)),
        f"stock: {_names(reversed(dealt.stock)) or 'none'}",
        f"luck: {_seats(dealt.luck)}",
    ]


def result_lines(end: State) -> list[str]:
    """The result: who went out, in order, and who won."""
    outcome = end.outcome
    if outcome is None:
        result = "abandoned"
    elif outcome.winner is None:
        result = f"drawn between seats {_seats(outcome.drawn)}"
    else:
        result = f"seat {outcome.winner + 1} wins"
    return [f"places: {_seats(end.places) or 'none'}", f"result: {result}"]


def _dealt_to(dealt: State, seat: int) -> str:
    zones: dict[str, Iterable[Card | None]] = {
        "down": dealt.downs[seat],
        "up": cards_in(dealt.ups[seat]),
        "hand": cards_in(dealt.hands[seat]),
    }
    return ", ".join(f"{zone} {names}" for zone, cards in zones.items() if (names := _names(cards)))


def _names(cards: Iterable[Card | None]) -> str:
    return " ".join(card_name(card) for card in cards if card is not None)


def _seats(seats: Iterable[int]) -> str:
    return " ".join(str(seat + 1) for seat in seats)
