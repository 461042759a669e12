"""What a play causes besides adding cards to the pile: burning it, reversing, skipping, a bonus turn."""

from functools import cache
from typing import Final

from msgspec import Struct

from engine.cards import Card, Rank
from engine.powers import Effect
from engine.rank_powers import AGAIN, NO_MORE
from engine.rules import FOUR
from engine.state import State


class PlayEffects(Struct, frozen=True):
    """The effects of one play."""

    again: int = NO_MORE
    """The bonus turn: NO_MORE, MAY_AGAIN or MUST_AGAIN."""
    skips: int = 0
    turned: bool = False
    burned: bool = False


NO_EFFECTS: Final = PlayEffects()


def effects_of_play(state: State, rank: Rank, cards: tuple[Card, ...]) -> PlayEffects:
    """The effects of cards just laid that count as this rank: those of its power, and of four of a rank."""
    powers, count = state.powers, len(cards)
    effect, scope = powers.effect[rank], state.rules.four_scope
    four = count >= FOUR if scope == "one-play" else scope == "in-a-row" and state.run >= FOUR
    again = max(powers.again[rank], AGAIN[state.rules.four_again]) if four else powers.again[rank]
    return _effects(again, effect, count, four)


@cache
def _effects(again: int, effect: Effect | None, count: int, four: bool) -> PlayEffects:  # noqa: FBT001
    return PlayEffects(
        again=again,
        skips=count if effect == "skip" else 0,
        turned=effect == "reverse" and count % 2 == 1,
        burned=four or effect == "burn",
    )


def must_take_back(state: State, seat: int, rank: Rank, effects: PlayEffects) -> bool:
    """Whether a play was the seat's last and burns or resets, which ``out.last_special = eaten`` forbids (D0-37)."""
    special = effects.burned or state.powers.effect[rank] == "reset"
    return special and not state.stock and state.is_out(seat)
