"""How the levels choose: easy by the letter of document 002 (D2-46, D2-47), hard by what a card is worth keeping.

Both arrange alike: the cards most worth having are kept for the end, where nothing can be drawn.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from engine.cards import NO_RANK, Card, Rank, cards_in
from engine.legality import legal_moves, must_lay
from engine.moves import READY, Flip, Lay, Move, Pick, PickUp, Play, Swap
from engine.view import View

VALUABLE_PILE: Final = 5
"""Cards in a pile that are worth a burn (D2-49)."""
NEARLY_OUT: Final = 3
"""Cards left to a seat that must be stopped."""
SLIP: Final = 0.03
"""How often a level plays any legal move, so that two sure players cannot circle for ever."""


def easy(view: View, rng: Random) -> Move:
    """Always the lowest valid play, one card; on an empty pile specials are spared when others exist."""
    return _arrange(view) or _choose(view, rng, _easy_cost)


def hard(view: View, rng: Random) -> Move:
    """Ordinary cards before specials, copies together unless high; burns valuable piles, presses who is nearly out."""
    return _arrange(view) or _choose(view, rng, _hard_cost)


def _choose(view: View, rng: Random, cost: Callable[[View, Play], tuple[float, ...]]) -> Move:
    moves = legal_moves(view, _own(view))
    plays = [move for move in moves if isinstance(move, Play)]
    flips = [move for move in moves if isinstance(move, Flip)]
    if plays:
        return rng.choice(plays) if rng.random() < SLIP else min(plays, key=lambda play: cost(view, play))
    if flips:
        return rng.choice(flips)
    return max(moves, key=lambda move: len(move.picks) if isinstance(move, PickUp) else -1)


def _easy_cost(view: View, play: Play) -> tuple[float, ...]:
    rank = play.picks[0].rank
    spared = view.top == NO_RANK and rank in view.rules.special
    return (spared, rank, len(play.picks))


def _hard_cost(view: View, play: Play) -> tuple[float, ...]:
    """The cheapest play first: what is given up, less what it gains."""
    rank, copies = play.picks[0].rank, len(play.picks)
    worth = _worth(view, rank)
    held = view.hands[_own(view)] or view.ups[_own(view)]
    kept_back = copies < (held >> 4 * rank & 15).bit_count()
    completes_four = rank == view.top and view.run + copies >= 4 and view.rules.four_scope == "in-a-row"
    burns = completes_four or view.powers.effect[rank] == "burn"
    gain = 20.0 if burns and len(view.pile) >= VALUABLE_PILE else 0.0
    gain += 8.0 if completes_four else 0.0
    if _next_is_nearly_out(view):
        gain += worth if not burns else 0.0
    return (worth - gain, kept_back if worth < 10 else not kept_back)


def _worth(view: View, rank: Rank) -> float:
    """How much a card is worth keeping: high ordinary cards, then what goes on anything, then what burns."""
    power = view.rules.special.get(rank)
    if power is None or power.on != "any":
        return float(rank)
    return {"burn": 16.0, "reset": 14.0, "mirror": 13.0}.get(power.effect, 5.0 + rank / 13)


def _next_is_nearly_out(view: View) -> bool:
    at = view.order.index(_own(view))
    following = view.order[(at + 1) % len(view.order)]
    return view.cards_of(following) <= NEARLY_OUT


def _arrange(view: View) -> Move | None:
    """The next step of arranging, or None while playing: the best cards face up or in reserve, the others in hand."""
    if view.phase != "arrange":
        return None
    seat = _own(view)
    hand, up = view.hands[seat], view.ups[seat]
    if must_lay(view, seat):
        laid = up if view.rules.arrange_mode == "lay-up" else view.reserves[seat]
        best = _by_worth(view, hand | laid)[-view.rules.arrange_lay :]
        return Lay(tuple(Pick(card >> 2, card) for card in best))
    if view.rules.arrange_mode == "swap" and hand and up:
        best_in_hand, worst_up = _by_worth(view, hand)[-1], _by_worth(view, up)[0]
        if _worth(view, best_in_hand >> 2) > _worth(view, worst_up >> 2):
            return Swap(Pick(best_in_hand >> 2, best_in_hand), Pick(worst_up >> 2, worst_up))
    return READY


def _by_worth(view: View, cards: int) -> list[Card]:
    return sorted(cards_in(cards), key=lambda card: (_worth(view, card >> 2), card))


def _own(view: View) -> int:
    if view.seat is None:
        raise ValueError("a spectator has no move to choose")
    return view.seat
