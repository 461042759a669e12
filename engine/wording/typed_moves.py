"""Moves as people type them. Records and programs use the longer form, `str(move)`."""

from collections.abc import Sequence
from functools import lru_cache

from engine.cards import RANK_CARDS, Rank
from engine.moves import Flip, Lay, Move, Pass, Pick, PickUp, Play, Swap
from engine.position import Position


@lru_cache(1024)  # every screen names many, again and again
def typed_form(move: Move) -> str:
    """The shortest clear way to type a move.

    >>> from engine.moves import parse_move
    >>> [typed_form(parse_move(text)) for text in ("play T T", "pickup K", "flip 2", "swap K 4", "pass", "ready")]
    ['10 10', 'p k', '2', 's k 4', 'd', 'ready']
    """
    match move:
        case Play(picks) | Lay(picks):
            return _ranks(picks)
        case Flip(slot) if slot < 3:
            return str(slot + 1)
        case PickUp(picks):
            return f"p {_ranks(picks)}".rstrip()
        case Swap(given, taken):
            return f"s {_ranks((given, taken))}"
        case Pass():
            return "d"
    return str(move)


def example_play(position: Position, plays: Sequence[Play], *, copies: int) -> Play:
    """The play to show as an example: a low rank without a power, with as nearly as possible this many copies.

    One with a power goes alone, and before it would be left alone, if it may not be the last.
    """
    special = position.rules.special
    ranks = {play.picks[0].rank for play in plays}
    rank = min(ranks - special.keys() or ranks)
    if _leaves_no_plain_card(position, rank):
        rank = min(ranks & special.keys() or ranks)
    copies = 1 if rank in special else copies
    return min([play for play in plays if play.picks[0].rank == rank], key=lambda play: abs(len(play.picks) - copies))


def _leaves_no_plain_card(position: Position, rank: Rank) -> bool:
    """Whether a seat that has played this rank has only cards left of which none is a good last one."""
    seat = position.to_move
    if seat is None or position.stock_left or position.rules.out_last_special == "allowed":
        return False
    held = position.hands[seat] | position.ups[seat]
    left = held & ~RANK_CARDS[rank]
    return held.bit_count() == position.cards_of(seat) and bool(left) and not left & ~position.powers.clearing


def _ranks(picks: Sequence[Pick]) -> str:
    return " ".join("10" if str(pick) == "T" else str(pick).lower() for pick in picks)
