"""Easy, Medium and Hard: rules of thumb. Each level gives every play a cost and chooses the cheapest.

They follow the descriptions in D2-46 to D2-50 as far as that helps to win. To play high cards on big piles, or only
against a player who is nearly out, loses 3 to 14 of 100 games against Easy. So Medium never does it, and Hard compares
the value of a card with the chance that it blocks the next player.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeAlias

from engine.ai.arranging import arranging_move
from engine.ai.card_values import HIGH_VALUE, card_values
from engine.ai.features import Stuck
from engine.ai.next_seat import NEARLY_OUT, NextSeat, seat_after
from engine.ai.style import PLAIN, Style, style_bonus
from engine.cards import ALL_RANKS, NO_RANK, Rank
from engine.legality import legal_moves, must_lay
from engine.moves import READY, Flip, Move, PickUp, Play
from engine.position import Position
from engine.rules import DECK_COPIES
from engine.view import View

Cost: TypeAlias = Callable[[View, int, Sequence[float], Play], float]
"""The cost of a play of this seat, on the scale of ranks, given the value of each rank (see `card_values`)."""

SLIP: Final = 0.03
"""How often a level makes a random legal play, as people do; a probability."""
MEDIUM_SLIP: Final = 0.1
HARD_SECOND_BEST: Final = 0.15
"""How often, at a table of more than two seats, Hard makes the play that seems second best to it; a probability.

There luck hides most of the difference between two levels. So the levels stand further apart than with two seats.
"""
MEDIUM_SECOND_BEST: Final = 0.35
ANTI_LOOP_PLIES: Final = 15
"""After this many quiet plies no level always makes its best move; otherwise two players could circle for ever."""
ANTI_LOOP_SLIP: Final = 0.3
"""How often the play is random then."""
BLOCK: Final = 5.0
"""How many ranks higher a card may be to block a player who is nearly out, times the chance that it blocks."""
STYLE_SCALE: Final = 3.0
"""Converts the bonus of a style to the scale of ranks."""
LAST_RESORT: Final = 100.0
"""More than any card costs: such a play is made only if there is no other."""


def easy(view: View, rng: Random, style: Style = PLAIN) -> Move:
    """Plays one card of the lowest legal rank, but keeps special cards off an empty pile.

    Swaps nothing; lays the highest cards if it must lay some.
    """
    seat = own_seat(view)
    if view.phase == "arrange":
        return arranging_move(view, seat, ALL_RANKS) if must_lay(view, seat) else READY
    return _cheapest(view, rng, style, _easy_cost)


def medium(view: View, rng: Random, style: Style = PLAIN, second_best: float = MEDIUM_SECOND_BEST) -> Move:
    """Plays all cards of the lowest ordinary rank, special cards last. ``second_best``: see `HARD_SECOND_BEST`."""
    return _cheapest(view, rng, style, _medium_cost, MEDIUM_SLIP, second_best)


def hard(view: View, rng: Random, style: Style = PLAIN, second_best: float = HARD_SECOND_BEST) -> Move:
    """Plays the card of the least value, completes fours, and blocks a player who is nearly out.

    ``second_best`` is how often it makes its second-best play instead, at a table of more than two seats.
    """
    return _cheapest(view, rng, style, _hard_cost, second_best=second_best)


def _cheapest(view: View, rng: Random, style: Style, cost: Cost, slip: float = SLIP, second_best: float = 0.0) -> Move:
    seat, values = own_seat(view), card_values(view.rules)
    if view.phase == "arrange":
        return arranging_move(view, seat, values)
    moves = legal_moves(view, seat)
    plays = [move for move in moves if isinstance(move, Play)]
    if plays:
        if rng.random() < (slip if view.quiet < ANTI_LOOP_PLIES else ANTI_LOOP_SLIP):
            return rng.choice(plays)

        def price(play: Play) -> float:
            return cost(view, seat, values, play) - STYLE_SCALE * style_bonus(style, view, play)

        if second_best and len(view.hands) > 2 and len(plays) > 1 and rng.random() < second_best:
            return sorted(plays, key=price)[1]
        return min(plays, key=price)
    if isinstance(moves[0], Flip):
        return random_flip(moves, rng)
    return max(moves, key=lambda move: len(move.picks) if isinstance(move, PickUp) else -1)


def random_flip(moves: Sequence[Move], rng: Random) -> Move:
    """A random flip. Taking the pile by choice instead would only delay it."""
    return rng.choice([move for move in moves if isinstance(move, Flip)])


def own_seat(view: View) -> int:
    """The seat of a view. Raises ValueError for the view of a spectator."""
    if view.seat is None:
        raise ValueError("a spectator has no move to choose")
    return view.seat


def _easy_cost(view: View, _: int, __: Sequence[float], play: Play) -> float:
    rank = play.picks[0].rank
    kept_back = view.top == NO_RANK and rank in view.rules.special
    return LAST_RESORT * kept_back + rank + 0.1 * len(play.picks)


def _medium_cost(view: View, _: int, values: Sequence[float], play: Play) -> float:
    rank = play.picks[0].rank
    return LAST_RESORT * (rank in view.rules.special) + values[rank] - 0.1 * len(play.picks)


def _hard_cost(view: View, seat: int, values: Sequence[float], play: Play) -> float:
    return hard_cost(view, seat, values, play, lambda rank: NextSeat(view, seat).stuck_chance(rank))


def hard_cost(position: Position, seat: int, values: Sequence[float], play: Play, stuck: Stuck) -> float:
    """What Hard thinks of a play of this seat, in a view of it or in a world; the least is the best.

    Args:
        position: the position.
        seat: the seat to move.
        values: the value of each rank (see `card_values`).
        play: a legal play.
        stuck: the chance that the next seat cannot lay anything on a rank.
    """
    rank, copies = play.picks[0].rank, len(play.picks)
    keep = values[rank]
    burns = position.powers.effect[rank] == "burn" or _completes_four(position, rank, copies)
    if position.powers.effect[rank] != "burn" and burns:
        return -LAST_RESORT - len(position.pile)
    all_at_once = keep < HIGH_VALUE or not position.stock_left
    cost = keep - 0.1 * copies if all_at_once else keep + 0.1 * copies
    if not position.stock_left and position.cards_of(seat_after(position.order, seat)) <= NEARLY_OUT and not burns:
        cost -= BLOCK * stuck(rank)
    return cost


def _completes_four(position: Position, rank: Rank, copies: int) -> bool:
    if position.rules.four_scope == "one-play":
        return copies == DECK_COPIES
    return position.rules.four_scope == "in-a-row" and rank == position.top and position.run + copies >= DECK_COPIES
