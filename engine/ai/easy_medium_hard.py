"""Easy, Medium and Hard: rules of thumb. Each level gives every play a cost and chooses the cheapest.

They are as D2-46 to D2-49 describe them. To play the highest card on every big pile loses 3 to 14 of 100 games, so a
level that presses compares the value of a card with the chance that it blocks the next player.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple, TypeAlias

from engine.ai.arranging import arranging_move
from engine.ai.card_values import HIGH_VALUE, card_values
from engine.ai.features import Stuck
from engine.ai.next_seat import NEARLY_OUT, NextSeat, at_stake, seat_after
from engine.ai.style import PLAIN, Style, style_bonus
from engine.cards import ALL_RANKS, NO_RANK, Rank
from engine.legality import legal_moves, must_lay
from engine.moves import READY, Flip, Move, PickUp, Play
from engine.position import Position
from engine.rules import FOUR
from engine.view import View

Cost: TypeAlias = Callable[[View, int, Sequence[float], float, Play], float]
"""The cost of a play of this seat, on the scale of ranks, given the value of each rank (see `card_values`).

The number before the play is how many ranks higher a card may be to block the next player for certain.
"""

SLIP: Final = 0.03
"""How often a level makes a random legal play, as people do; a probability."""
MEDIUM_SLIP: Final = 0.1
HARD_SECOND_BEST: Final = 0.15
"""How often, at a table of more than two seats, Hard makes the play that seems second best to it; a probability.

There luck hides most of the difference between two levels. So the levels stand further apart than with two seats.
"""
MEDIUM_SECOND_BEST: Final = 0.35
SECOND_BEST_IF_PRESSING: Final = {"medium": 0.2, "hard": 0.05}
"""The same under a document that describes levels: there pressing costs them something as well."""
MEDIUM_PRESSURE: Final = 1.0
HARD_PRESSURE: Final = 1.5
"""How many ranks higher a card may be for each card `at_stake`, times the chance that it blocks the next player."""
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


class _Habits(NamedTuple):
    """What tells these levels apart."""

    level: str
    cost: Cost
    slip: float = SLIP
    second_best: float = 0.0
    pressure: float = 0.0


def easy(view: View, rng: Random, style: Style = PLAIN) -> Move:
    """Plays the lowest legal rank, but keeps special cards off an empty pile.

    It plays one card, or all of the rank if the document says so. Swaps nothing; lays the highest cards if it must.
    """
    seat = own_seat(view)
    if view.phase == "arrange":
        return arranging_move(view, seat, ALL_RANKS) if must_lay(view, seat) else READY
    return _cheapest(view, rng, style, _Habits("easy", _easy_cost))


def medium(view: View, rng: Random, style: Style = PLAIN, second_best: float = MEDIUM_SECOND_BEST) -> Move:
    """Plays all cards of the lowest ordinary rank, special cards last. ``second_best``: see `HARD_SECOND_BEST`."""
    habits = _Habits("medium", _medium_cost, MEDIUM_SLIP, second_best, MEDIUM_PRESSURE)
    return _cheapest(view, rng, style, habits)


def hard(view: View, rng: Random, style: Style = PLAIN, second_best: float = HARD_SECOND_BEST) -> Move:
    """Plays the card of the least value, completes fours, and blocks a player who is nearly out.

    ``second_best`` is how often it makes its second-best play instead, at a table of more than two seats.
    """
    habits = _Habits("hard", _hard_cost, second_best=second_best, pressure=HARD_PRESSURE)
    return _cheapest(view, rng, style, habits)


def _cheapest(view: View, rng: Random, style: Style, habits: _Habits) -> Move:
    seat, values, described = own_seat(view), card_values(view.rules), view.rules.at_level
    if view.phase == "arrange":
        return arranging_move(view, seat, values)
    moves = legal_moves(view, seat)
    plays = [move for move in moves if isinstance(move, Play)]
    if plays:
        second_best, pressure = habits.second_best, habits.pressure * at_stake(view)
        if described:
            second_best = min(second_best, SECOND_BEST_IF_PRESSING.get(habits.level, 0.0))
            if described.get(habits.level, {}).get("play.whole_sets"):
                plays = [*{play.picks[0].rank: play for play in plays}.values()]  # the last of a rank has most copies
        if rng.random() < (habits.slip if view.quiet < ANTI_LOOP_PLIES else ANTI_LOOP_SLIP):
            return rng.choice(plays)

        def price(play: Play) -> float:
            return habits.cost(view, seat, values, pressure, play) - STYLE_SCALE * style_bonus(style, view, play)

        if second_best > 0 and len(view.hands) > 2 and len(plays) > 1 and rng.random() < second_best:
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


def _easy_cost(view: View, _: int, __: Sequence[float], ___: float, play: Play) -> float:
    rank = play.picks[0].rank
    kept_back = view.top == NO_RANK and rank in view.rules.special
    return LAST_RESORT * kept_back + rank + 0.1 * len(play.picks)


def _medium_cost(view: View, seat: int, values: Sequence[float], pressure: float, play: Play) -> float:
    rank = play.picks[0].rank
    cost = LAST_RESORT * (rank in view.rules.special) + values[rank] - 0.1 * len(play.picks)
    return cost - pressure * NextSeat(view, seat).stuck_chance(rank) if pressure else cost


def _hard_cost(view: View, seat: int, values: Sequence[float], pressure: float, play: Play) -> float:
    return hard_cost(view, seat, values, play, lambda rank: NextSeat(view, seat).stuck_chance(rank), pressure)


def hard_cost(
    position: Position, seat: int, values: Sequence[float], play: Play, stuck: Stuck, pressure: float = 0.0
) -> float:
    """What Hard thinks of a play of this seat, in a view of it or in a world; the least is the best.

    Args:
        position: the position.
        seat: the seat to move.
        values: the value of each rank (see `card_values`).
        play: a legal play.
        stuck: the chance that the next seat cannot lay anything on a rank.
        pressure: how many ranks higher a card may be to block any next player for certain.
    """
    rank, copies = play.picks[0].rank, len(play.picks)
    keep = values[rank]
    burns = position.powers.effect[rank] == "burn" or _completes_four(position, rank, copies)
    if position.powers.effect[rank] != "burn" and burns:
        return -LAST_RESORT - len(position.pile)
    all_at_once = keep < HIGH_VALUE or not position.stock_left
    cost = keep - 0.1 * copies if all_at_once else keep + 0.1 * copies
    if not position.stock_left and position.cards_of(seat_after(position.order, seat)) <= NEARLY_OUT:
        pressure = max(pressure, BLOCK)
    return cost - pressure * stuck(rank) if pressure and not burns else cost


def _completes_four(position: Position, rank: Rank, copies: int) -> bool:
    if position.rules.four_scope == "one-play":
        return copies == FOUR
    return position.rules.four_scope == "in-a-row" and rank == position.top and position.run + copies >= FOUR
