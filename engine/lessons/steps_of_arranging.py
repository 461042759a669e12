"""Steps about what players do before play: swap or lay cards, say ready; and who starts."""

from collections.abc import Iterator
from typing import Final

from engine.cards import Card, cards_in
from engine.events import Laid, Readied, Swapped
from engine.game import deal, play
from engine.legality import must_lay
from engine.lessons.example import LEARNER, LessonStep, happened, the
from engine.moves import READY, Lay, Pick, Swap
from engine.rules import Rules
from engine.state import State
from engine.wording.phrases import listed
from engine.wording.rules_sheet import arrange_note, start_note

DEALS: Final = 20
"""How many deals are compared to find one in which arranging helps most."""


def arrange(rules: Rules) -> Iterator[LessonStep]:
    """Swap or lay."""
    for state in _dealt(rules):
        if rules.arrange_mode == "swap":
            yield from _swap(state)
        elif must_lay(state, LEARNER):
            yield from _lay(state)


def ready(rules: Rules) -> Iterator[LessonStep]:
    """Say ready; that begins the game."""
    for state in _dealt(rules):
        laid = _arranged(state)
        yield LessonStep(
            "Ready",
            f"Play begins when all are ready. {start_note(rules)}",
            "Say that you are ready",
            laid,
            READY,
            happened(Readied),
            "This is how a game begins.",
        )


def _dealt(rules: Rules) -> Iterator[State]:
    """Yield deals in which all but the learner are ready; those in which arranging gains most come first."""
    if rules.arrange_mode == "none":
        return
    deals = [deal(rules, rules.seats_min, f"lesson {n}")[0] for n in range(DEALS)]
    for state in sorted(deals, key=_gain, reverse=True):
        others = state
        for seat in range(1, len(state.hands)):
            others, _ = play(_laid(others, seat), seat, READY)
        yield others


def _laid(state: State, seat: int) -> State:
    """The position after this seat has laid cards, if it must."""
    return play(state, seat, _best_lay(state, seat))[0] if must_lay(state, seat) else state


def _arranged(state: State) -> State:
    """The position after the learner has arranged as the step before says."""
    if state.rules.arrange_mode == "swap" and (swap := _best_swap(state)):
        return play(state, LEARNER, swap)[0]
    return _laid(state, LEARNER)


def _gain(state: State) -> int:
    """How many ranks the learner's best hand card is above the worst card that it could replace."""
    hand = _by_value(state, state.hands[LEARNER])
    worst = _by_value(state, state.ups[LEARNER]) or hand
    return (hand[-1] >> 2) - (worst[0] >> 2) if hand else 0


def _by_value(state: State, cards: int) -> list[Card]:
    """Cards by their value for the end of the game, the worst first; those that go anywhere are best."""

    def goes_anywhere(card: Card) -> bool:
        power = state.rules.special.get(card >> 2)
        return power is not None and power.on == "any"

    return sorted(cards_in(cards), key=lambda card: (goes_anywhere(card), card))


def _swap(state: State) -> Iterator[LessonStep]:
    swap = _best_swap(state)
    if swap is None:
        return
    given, taken = swap.hand.rank, swap.up.rank
    yield LessonStep(
        "Before play",
        f"{arrange_note(state.rules)} Face-up cards are played late, so strong ones do well there.",
        f"Swap {the(given)} in your hand for {the(taken)} that lies face up",
        state,
        swap,
        happened(Swapped),
        "Right. You may swap as often as you like.",
    )


def _best_swap(state: State) -> Swap | None:
    """The best hand card for the worst face-up card."""
    hand, up = _by_value(state, state.hands[LEARNER]), _by_value(state, state.ups[LEARNER])
    return Swap(Pick(hand[-1] >> 2), Pick(up[0] >> 2)) if hand and up else None


def _lay(state: State) -> Iterator[LessonStep]:
    move = _best_lay(state, LEARNER)
    ranks = [pick.rank for pick in move.picks]
    cards = listed([the(rank, ranks.count(rank)) for rank in dict.fromkeys(ranks)], "and")
    yield LessonStep(
        "Before play",
        f"{arrange_note(state.rules)} They are played late, so strong cards do well there.",
        f"Lay {cards}",
        state,
        move,
        happened(Laid),
        "Right. Until you are ready you can lay again, to change it.",
    )


def _best_lay(state: State, seat: int) -> Lay:
    held = state.hands[seat] | (state.ups[seat] if state.rules.arrange_mode == "lay-up" else 0)
    best = _by_value(state, held)[-state.rules.arrange_lay :]
    return Lay(tuple(Pick(card >> 2) for card in best))
