"""Decides which moves are legal, and why a move is not.

Which ranks go on the top of the pile comes from `rank_powers`. `legal_moves` lists what a seat may do, and `refusal`
says why a move is refused. Both use the same functions for the zone that is open, how many cards may be lifted, the
last card and what must be laid. Two rules are written in each of them, because the list is made from sets of cards at
once, for the speed of search: that a set must be played whole, and which rank must lead. A test plays random games and
compares the list with the refusals of all moves that one might try. A position is a `State` or, for its own seat, a
`View`: the game asks with a state, and the server, the AI players and the screens ask with a view. No rank and no rule
set is named here.
"""

from engine.cards import MOST_COPIES, RANK_CARDS, Card, CardSet, Rank, ranks_in
from engine.errors import Refused
from engine.moves import (
    PASS,
    PICK_UP,
    READY,
    Flip,
    Lay,
    Move,
    Pass,
    Pick,
    PickUp,
    Play,
    Ready,
    Swap,
    cards_for,
    flip_of,
    lift_of,
)
from engine.position import Position
from engine.wording.refusals import refusal_message


def legal_moves(position: Position, seat: int) -> list[Move]:
    """Every legal move of this seat once, by rank and number of cards. Equal moves are always the same object.

    While seats arrange the list is `Ready`, or empty if the seat may not say it yet; swaps and lays are not listed.
    """
    if position.phase != "play":
        return [READY] if refusal(position, seat, READY) is None else []
    if seat != position.to_move:
        return []
    moves = plays(position, seat) or flips(position, seat)
    if position.pile:
        if not moves:
            moves = [PICK_UP, *lifts(position, seat)]
        elif position.rules.pickup_by_choice:
            moves.append(PICK_UP)
    if position.may_pass or not moves:
        moves.append(PASS)
    return moves


def plays(position: Position, seat: int) -> list[Move]:
    """The legal plays of this seat: the lowest rank first, the fewest cards first."""
    powers, hand = position.powers, position.hands[seat]
    allowed = (hand or position.ups[seat]) & powers.follow[position.top]
    if position.must_lead is not None:
        allowed &= RANK_CARDS[position.must_lead]
    if not allowed:
        return []
    low, below_ten, high, court, ace = powers.hand_plays if hand else powers.up_plays
    found: list[Move] = [
        *low[allowed & 0xFFF],
        *below_ten[allowed >> 12 & 0xFFF],
        *high[allowed >> 24 & 0xFFF],
        *court[allowed >> 36 & 0xFFF],
        *ace[allowed >> 48],
    ]
    if allowed & powers.never_last and has_few_cards(position, seat):
        return _not_refused(position, seat, found)
    return found


def has_few_cards(position: Position, seat: int) -> bool:
    """Whether a seat has no more cards than one play can lay."""
    in_sight = position.hands[seat] | position.ups[seat]
    return in_sight.bit_count() <= MOST_COPIES and position.cards_of(seat) <= MOST_COPIES


def _not_refused(position: Position, seat: int, moves: list[Move]) -> list[Move]:
    """For `plays`, all of which would be slower if a comprehension there used its variables."""
    return [move for move in moves if refusal(position, seat, move) is None]


def flips(position: Position, seat: int) -> list[Move]:
    """The legal flips of this seat."""
    if position.hands[seat] or position.ups[seat]:
        return []
    return [flip_of(slot) for slot, card in enumerate(position.downs[seat]) if card is not None]


def lifts(position: Position, seat: int) -> list[PickUp]:
    """The pick-ups that lift face-up cards, for a seat that must play from its face-up row and cannot."""
    if position.hands[seat]:
        return []
    most = position.rules.pickup_lift_up
    return [lift_of(rank, n) for rank, copies in ranks_in(position.ups[seat]) for n in range(1, min(copies, most) + 1)]


def open_zone(position: Position, seat: int) -> tuple[CardSet, int]:
    """The cards that this seat must play from (hand first, then the face-up row), and how many may go together."""
    hand = position.hands[seat]
    return (hand, MOST_COPIES) if hand else (position.ups[seat], position.rules.play_up_at_once)


def can_play_flipped(position: Position, seat: int, card: Card) -> bool:
    """Whether this face-down card can be played once it is turned."""
    rank = card >> 2
    return bool(position.powers.follow[position.top] >> card & 1) and not _is_last_special(position, seat, rank, 1)


def must_lay(position: Position, seat: int) -> bool:
    """Whether this seat must choose what to lay before it can be ready."""
    rules = position.rules
    laid = {"lay-up": position.ups, "lay-reserve": position.reserves}.get(rules.arrange_mode)
    return laid is not None and laid[seat].bit_count() != rules.arrange_lay


def check(position: Position, seat: int, move: Move) -> None:
    """Raise Refused, with a code, a clause and a message, if the rules do not allow this move."""
    if (code := refusal(position, seat, move)) is not None:
        clause = position.rules.clauses.get(code)
        message = refusal_message(position, seat, move, code, legal_moves(position, seat))
        raise Refused(code, clause, message)


def refusal(position: Position, seat: int, move: Move) -> str | None:
    """The error code of an illegal move, or None for a legal one.

    If several codes apply, the first in the list of `engine/protocol/README.md` is returned.
    """
    arranging = isinstance(move, Swap | Lay | Ready)
    if _is_other_arranging(position, move):
        return "bad_move"
    if position.phase == "over":
        return "game_over"
    if arranging != (position.phase == "arrange") or (arranging and position.ready[seat]):
        return "wrong_phase"
    if not arranging and seat != position.to_move:
        return "not_your_turn"
    match move:
        case Play(picks):
            return _refuse_play(position, seat, picks)
        case Flip(slot):
            return _refuse_flip(position, seat, slot)
        case PickUp(picks):
            return _refuse_pick_up(position, seat, picks)
        case Pass():
            return None if PASS in legal_moves(position, seat) else "cannot_pass"
        case Swap() | Lay():
            return _refuse_arranging(position, seat, move)
        case Ready():
            return "must_lay" if must_lay(position, seat) else None


def _refuse_play(position: Position, seat: int, picks: tuple[Pick, ...]) -> str | None:
    zone, most = open_zone(position, seat)
    rank, n = picks[0].rank, len(picks)
    copies = (zone & RANK_CARDS[rank]).bit_count()
    if cards_for(picks, zone) is None:
        held = position.hands[seat] | position.ups[seat]
        return "not_held" if cards_for(picks, held) is None else "zone_closed"
    if any(pick.rank != rank for pick in picks):
        return "mixed_ranks"
    if not position.powers.follow[position.top] & RANK_CARDS[rank]:
        return _why_it_cannot_follow(position)
    if position.rules.play_whole_sets and n < min(copies, most):
        return "must_play_all"
    if n > most:
        return "one_at_a_time"
    if _is_last_special(position, seat, rank, n):
        return "last_special"
    return "must_lead" if position.must_lead not in {None, rank} else None


def _why_it_cannot_follow(position: Position) -> str:
    return "must_be_lower" if position.powers.effect[position.top] == "lower" else "too_low"


def _refuse_flip(position: Position, seat: int, slot: int) -> str | None:
    row = position.downs[seat]
    if not 0 <= slot < len(row) or row[slot] is None:
        return "not_held"
    return "zone_closed" if open_zone(position, seat)[0] else None


def _refuse_pick_up(position: Position, seat: int, picks: tuple[Pick, ...]) -> str | None:
    if picks and cards_for(picks, position.ups[seat] | position.hands[seat]) is None:
        return "not_held"
    if any(pick.rank != picks[0].rank for pick in picks):
        return "mixed_ranks"
    can_play = bool(plays(position, seat) or flips(position, seat))
    if can_play and not position.rules.pickup_by_choice:
        return "must_play"
    if not position.pile:
        return "pile_empty"
    if picks and (can_play or lift_of(picks[0].rank, len(picks)) not in lifts(position, seat)):
        return "cannot_lift"
    return None


def _refuse_arranging(position: Position, seat: int, move: Swap | Lay) -> str | None:
    hand, up = position.hands[seat], position.ups[seat]
    if isinstance(move, Swap):
        has_both = cards_for((move.hand,), hand) is not None and cards_for((move.up,), up) is not None
        return None if has_both else "not_held"
    laid = up if position.rules.arrange_mode == "lay-up" else position.reserves[seat]
    return None if cards_for(move.picks, hand | laid) is not None else "not_held"


def _is_other_arranging(position: Position, move: Move) -> bool:
    """Whether this is a way to arrange that these rules do not have: a swap if cards are laid, or the wrong number."""
    mode = position.rules.arrange_mode
    match move:
        case Swap():
            return mode in {"lay-up", "lay-reserve"}
        case Lay(picks):
            return mode not in {"lay-up", "lay-reserve"} or len(picks) != position.rules.arrange_lay
    return False


def _is_last_special(position: Position, seat: int, rank: Rank, n: int) -> bool:
    """Whether laying n cards of this rank leaves the seat without cards, and the rank may not be the last one."""
    rules = position.rules
    if not position.powers.never_last & RANK_CARDS[rank] or position.cards_of(seat) != n:
        return False
    return not (position.hands[seat] and position.stock_left and (rules.draw_rule == "one" or rules.draw_to))
