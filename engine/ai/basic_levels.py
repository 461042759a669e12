"""Easy, Medium and Hard: rules of thumb, each a function from a play to what speaks against it.

They keep the character that document 002 gives them (D2-46 to D2-50) where it helps to win. By the letter it does not:
whoever plays high cards on big piles, or only against who is nearly out, loses 3 to 14 games in 100 by it against Easy.
So Medium never does, and Hard weighs what a card costs against how likely it blocks.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeAlias

from engine.ai.arranging import arranging_move
from engine.ai.card_values import HIGH_VALUE, card_values
from engine.ai.next_seat import NEARLY_OUT, NextSeat, seat_after
from engine.ai.style import PLAIN, Style, style_bonus
from engine.cards import ALL_RANKS, NO_RANK, Rank
from engine.legality import legal_moves, must_lay
from engine.moves import READY, Flip, Move, PickUp, Play
from engine.rules import DECK_COPIES
from engine.view import View

Cost: TypeAlias = Callable[[View, int, Sequence[float], Play], float]
"""What speaks against a play of this seat, in pips, given what cards are worth keeping by rank."""

SLIP: Final = 0.03
"""How often a level makes any legal play, as people do."""
MEDIUM_SLIP: Final = 0.1
ANTI_LOOP_PLIES: Final = 15
"""Quiet plies after which no level makes its best move every time any more: sure players would circle for ever."""
ANTI_LOOP_SLIP: Final = 0.3
"""How often it is any play then."""
BLOCK: Final = 5.0
"""How many pips a card may cost more for blocking who is nearly out; in part, where that is only likely."""
PIPS: Final = 3.0
"""What a style's numbers are worth here."""
SPARED: Final = 100.0
"""More than any card costs: a thing done only where there is nothing else."""


def easy(view: View, rng: Random, style: Style = PLAIN) -> Move:
    """Always the lowest valid play, one card; on an empty pile specials are spared when others exist.

    Swaps nothing, and where cards must be laid lays the highest.
    """
    seat = own_seat(view)
    if view.phase == "arrange":
        return arranging_move(view, seat, ALL_RANKS) if must_lay(view, seat) else READY
    return _step(view, rng, style, _easy_cost)


def medium(view: View, rng: Random, style: Style = PLAIN) -> Move:
    """The lowest ordinary rank with all its copies, specials last of all."""
    return _step(view, rng, style, _medium_cost, MEDIUM_SLIP)


def hard(view: View, rng: Random, style: Style = PLAIN) -> Move:
    """Spends cards in the order of what they are worth, completes fours, and blocks who is nearly out."""
    return _step(view, rng, style, _hard_cost)


def _step(view: View, rng: Random, style: Style, cost: Cost, slip: float = SLIP) -> Move:
    seat, worths = own_seat(view), card_values(view.rules)
    if view.phase == "arrange":
        return arranging_move(view, seat, worths)
    moves = legal_moves(view, seat)
    plays = [move for move in moves if isinstance(move, Play)]
    if plays:
        if rng.random() < (slip if view.quiet < ANTI_LOOP_PLIES else ANTI_LOOP_SLIP):
            return rng.choice(plays)
        return min(plays, key=lambda play: cost(view, seat, worths, play) - PIPS * style_bonus(style, view, play))
    if isinstance(moves[0], Flip):
        return random_flip(moves, rng)
    return max(moves, key=lambda move: len(move.picks) if isinstance(move, PickUp) else -1)


def random_flip(moves: Sequence[Move], rng: Random) -> Move:
    """Any face-down card. To take the pile instead, where that may be chosen, only puts off what has to be done."""
    return rng.choice([move for move in moves if isinstance(move, Flip)])


def own_seat(view: View) -> int:
    """The seat that a view is of. Raises ValueError for a spectator's."""
    if view.seat is None:
        raise ValueError("a spectator has no move to choose")
    return view.seat


def _easy_cost(view: View, _: int, __: Sequence[float], play: Play) -> float:
    rank = play.picks[0].rank
    spared = view.top == NO_RANK and rank in view.rules.special
    return SPARED * spared + rank + 0.1 * len(play.picks)


def _medium_cost(view: View, _: int, worths: Sequence[float], play: Play) -> float:
    rank = play.picks[0].rank
    return SPARED * (rank in view.rules.special) + worths[rank] - 0.1 * len(play.picks)


def _hard_cost(view: View, seat: int, worths: Sequence[float], play: Play) -> float:
    rank, copies = play.picks[0].rank, len(play.picks)
    keep = worths[rank]
    burns = view.powers.effect[rank] == "burn" or _completes_four(view, rank, copies)
    if view.powers.effect[rank] != "burn" and burns:
        return -SPARED - len(view.pile)
    all_at_once = keep < HIGH_VALUE or not view.stock_left
    cost = keep - 0.1 * copies if all_at_once else keep + 0.1 * copies
    if not view.stock_left and view.cards_of(seat_after(view.order, seat)) <= NEARLY_OUT and not burns:
        cost -= BLOCK * NextSeat(view, seat).stuck_chance(rank)
    return cost


def _completes_four(view: View, rank: Rank, copies: int) -> bool:
    if view.rules.four_scope == "one-play":
        return copies == DECK_COPIES
    return view.rules.four_scope == "in-a-row" and rank == view.top and view.run + copies >= DECK_COPIES
