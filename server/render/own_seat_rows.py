"""The player's own seat: cards on the table, turn and clock, the hand with what can be played.

Playable cards are in parentheses or, as big cards, one row higher. Colour is never the only sign.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engine.cards import Rank, ranks_in
from engine.legality import legal_moves
from engine.moves import Play
from engine.view import View
from server.cells import BOLD, LOUD, PLAIN, Fragment, Row, cut, hconcat, justify, row_width
from server.number_text import countdown_text
from server.render import card_art
from server.render.canvas import PARTS_KEPT, Canvas, Scale
from server.render.seat_rows import Seat, lying_drawn, lying_in_a_row
from server.table.snapshot import Snapshot

_HAND_INDENT: Final = 14
_BIG_INDENT: Final = 3
_NAME_CELLS: Final = 12
"""The most cells of a name that stands in place of YOU."""
_GAP: Final = 8
"""Cells between the cards on the table and the hand, if both are drawn."""


def own(snapshot: Snapshot, view: View, canvas: Canvas, clock_left: int | None) -> list[Row]:
    """The player's own seat, or for a spectator that they are watching."""
    clock, my_turn = "" if clock_left is None else _clock_text(snapshot, view, clock_left), snapshot.my_turn
    if view.seat is None:
        watching = "" if snapshot.place.kind == "record" else "   You are watching."
        return [justify(((PLAIN, watching),), (PLAIN, clock), canvas.width)]
    label = _turn_label(snapshot, view, clock, " " if canvas.scale else "")
    who = cut(snapshot.name(view.seat), _NAME_CELLS) if snapshot.place.kind == "record" else "YOU"
    legal = legal_moves(view, view.seat) if my_turn and view.phase == "play" else []
    playable = frozenset(move.picks[0].rank for move in legal if isinstance(move, Play)) if legal else None
    head, *rows = _cards(Seat.of(snapshot, view, view.seat), who, playable, canvas, is_asked=my_turn)
    return [justify(head, (LOUD if my_turn else PLAIN, label), canvas.width), *rows]


@lru_cache(PARTS_KEPT)
def _cards(
    seat: Seat, who: str, playable: frozenset[Rank] | None, canvas: Canvas, *, is_asked: bool
) -> tuple[Row, ...]:
    """All cards of the player, behind their name. ``playable``: ranks, or None if no card may be played now."""
    theme = canvas.theme
    mine = BOLD if is_asked else PLAIN
    place: Fragment = (mine, seat.state if seat.place is not None else "")
    if canvas.scale == Scale.WIDE:
        head: Row = ((mine, f"   {who}   hand {seat.hand_count:>2}"), place)
        rows = _wide(seat, playable, canvas)
    else:
        head = ((mine, f"   {who}"), *lying_in_a_row(seat, theme, mine), place)
        rows = list(_hand(seat, playable, canvas))
    if seat.reserve:
        cards = (
            part for rank, _ in ranks_in(seat.reserve) for part in ((PLAIN, " "), *theme.group(rank, seat.reserve))
        )
        rows.append(((PLAIN, "   reserve   "), *cards, (PLAIN, "   for the end")))
    return (head, *rows)


def _wide(seat: Seat, playable: frozenset[Rank] | None, canvas: Canvas) -> list[Row]:
    lying: list[Row] = [((PLAIN, "   "), *row) for row in lying_drawn(seat, canvas.theme)]
    if not lying:
        return list(_hand(seat, playable, canvas))
    cells = max(map(row_width, lying)) + _GAP
    hand = list(_hand(seat, playable, canvas.part(canvas.width - cells)))
    return hconcat([(), *lying], hand, cells, (PLAIN, ""))


def _clock_text(snapshot: Snapshot, view: View, left: int) -> str:
    """The time left for the decision, with the name of the player who has to make it if it is another."""
    time = countdown_text(left)
    if snapshot.my_turn or view.to_move is None:
        return time
    return f"{snapshot.name(view.to_move)} {time}"


def _turn_label(snapshot: Snapshot, view: View, clock: str, gap: str) -> str:
    if view.phase == "over":
        return "game over"
    if snapshot.away:
        return f"*{gap}AWAY: type back{gap}*"
    return f"*{gap}{' '.join(['YOUR TURN', *clock.split()])}{gap}*" if snapshot.my_turn else clock


def _hand(seat: Seat, playable: frozenset[Rank] | None, canvas: Canvas) -> Iterator[Row]:
    """The hand by rank, or the face-up row if there is no hand, with the playable cards marked."""
    theme, zone = canvas.theme, seat.hand or seat.ups
    ranks = [rank for rank, _ in ranks_in(zone)]
    marked = playable or frozenset()
    if inside := _inside(canvas, len(ranks)):
        boxes = card_art.ranks(theme, [(rank, zone, rank in marked) for rank in ranks], inside)
        yield from (((PLAIN, " " * _BIG_INDENT), *row) for row in boxes)
        if not seat.hand:
            yield ((PLAIN, _instead_of_a_hand(seat)),)
        return
    row: Row = ((PLAIN, f"   hand {seat.hand.bit_count():>2}    "),)
    used = row_width(row)
    for rank in ranks:
        style = BOLD if rank in marked else PLAIN if playable is None else theme.faint
        before, after = ("(", ") ") if rank in marked else (" ", "  ")
        group: Row = ((style, before), *theme.group(rank, zone, style), (style, after))
        used += (cells := row_width(group))
        if used > canvas.width:
            yield row
            row, used = ((PLAIN, " " * _HAND_INDENT),), _HAND_INDENT + cells
        row = (*row, *group)
    yield row if seat.hand else (*row, (PLAIN, _instead_of_a_hand(seat)))


def _inside(canvas: Canvas, ranks: int) -> tuple[int, int] | None:
    """The size at which so many ranks can be drawn; None if they do not fit."""
    if canvas.scale < Scale.ROOMY or not ranks or not canvas.theme.suits:
        return None
    sizes = ([card_art.LARGE] if canvas.scale == Scale.WIDE else []) + [card_art.BROAD, card_art.SMALL]
    return next((size for size in sizes if card_art.ranks_width(ranks, size) + _BIG_INDENT <= canvas.width), None)


def _instead_of_a_hand(seat: Seat) -> str:
    if seat.phase == "over":
        return "the game is over"
    if seat.ups:
        return "  (from the face-up row)"
    slots = " ".join(str(n + 1) for n, card in enumerate(seat.downs) if card is not None)
    return f"turn a face-down card: {slots}" if slots else "no cards left"
