"""The player's own seat: cards on the table, turn and clock, the hand with what can be played.

Playable cards are in parentheses or, as big cards, one row higher. Colour is never the only sign.
"""

from collections.abc import Iterator
from typing import Final

from engine.cards import ranks_in
from engine.legality import legal_moves
from engine.moves import Play
from engine.view import View
from server.cells import BOLD, LOUD, PLAIN, Fragment, Row, cut, hconcat, justify, row_width
from server.render import card_art
from server.render.canvas import Canvas, Scale
from server.render.seat_rows import lying_drawn, lying_in_a_row, seat_state
from server.table.snapshot import Snapshot

_HAND_INDENT: Final = 14
_BIG_INDENT: Final = 3
_NAME_CELLS: Final = 12
"""The most cells of a name that stands in place of YOU."""
_GAP: Final = 8
"""Cells between the cards on the table and the hand, if both are drawn."""


def own(snapshot: Snapshot, view: View, canvas: Canvas, clock_left: int | None) -> list[Row]:
    """The player's own seat, or for a spectator that they are watching."""
    clock = "" if clock_left is None else _clock_text(snapshot, view, clock_left)
    if view.seat is None:
        watching = "" if snapshot.is_replay else "   You are watching."
        return [justify(((PLAIN, watching),), (PLAIN, clock), canvas.width)]
    theme, seat = canvas.theme, view.seat
    mine = BOLD if snapshot.my_turn else PLAIN
    place: Fragment = (mine, seat_state(snapshot, view, seat) if seat in view.places else "")
    turn: Fragment = (
        LOUD if snapshot.my_turn else PLAIN,
        _turn_label(snapshot, view, clock, " " if canvas.scale else ""),
    )
    who = cut(snapshot.name(seat), _NAME_CELLS) if snapshot.is_replay else "YOU"
    if canvas.scale == Scale.WIDE:
        head: Row = ((mine, f"   {who}   hand {view.hand_counts[seat]:>2}"), place)
        rows = _wide(snapshot, view, seat, canvas)
    else:
        head = ((mine, f"   {who}"), *lying_in_a_row(view, seat, theme, mine), place)
        rows = list(_hand(snapshot, view, seat, canvas))
    if reserve := view.reserves[seat]:
        cards = (part for rank, _ in ranks_in(reserve) for part in ((PLAIN, " "), *theme.group(rank, reserve)))
        rows.append(((PLAIN, "   reserve   "), *cards, (PLAIN, "   for the end")))
    return [justify(head, turn, canvas.width), *rows]


def _wide(snapshot: Snapshot, view: View, seat: int, canvas: Canvas) -> list[Row]:
    lying: list[Row] = [((PLAIN, "   "), *row) for row in lying_drawn(view, seat, canvas.theme)]
    if not lying:
        return list(_hand(snapshot, view, seat, canvas))
    cells = max(map(row_width, lying)) + _GAP
    hand = list(_hand(snapshot, view, seat, canvas.part(canvas.width - cells)))
    return hconcat([(), *lying], hand, cells, (PLAIN, ""))


def _clock_text(snapshot: Snapshot, view: View, left: int) -> str:
    """The time left for the decision, with the name of the player who has to make it if it is another."""
    time = f"{left // 60}:{left % 60:02}"
    if snapshot.my_turn or view.to_move is None:
        return time
    return f"{snapshot.name(view.to_move)} {time}"


def _turn_label(snapshot: Snapshot, view: View, clock: str, gap: str) -> str:
    if view.phase == "over":
        return "game over"
    if snapshot.away:
        return f"*{gap}AWAY: type back{gap}*"
    return f"*{gap}{' '.join(['YOUR TURN', *clock.split()])}{gap}*" if snapshot.my_turn else clock


def _hand(snapshot: Snapshot, view: View, seat: int, canvas: Canvas) -> Iterator[Row]:
    """The hand by rank, or the face-up row if there is no hand, with the playable cards marked."""
    legal = legal_moves(view, seat) if snapshot.my_turn and view.phase == "play" else []
    playable = {move.picks[0].rank for move in legal if isinstance(move, Play)}
    hand, theme = view.hands[seat], canvas.theme
    zone = hand or view.ups[seat]
    ranks = [rank for rank, _ in ranks_in(zone)]
    if inside := _inside(canvas, len(ranks)):
        boxes = card_art.ranks(theme, [(rank, zone, rank in playable) for rank in ranks], inside)
        yield from (((PLAIN, " " * _BIG_INDENT), *row) for row in boxes)
        if not hand:
            yield ((PLAIN, _instead_of_a_hand(view, seat, has_up=True)),)
        return
    row: Row = ((PLAIN, f"   hand {hand.bit_count():>2}    "),)
    for rank in ranks:
        style = BOLD if rank in playable else theme.faint if legal else PLAIN
        before, after = ("(", ") ") if rank in playable else (" ", "  ")
        group: Row = ((style, before), *theme.group(rank, zone, style), (style, after))
        if row_width(row) + row_width(group) > canvas.width:
            yield row
            row = ((PLAIN, " " * _HAND_INDENT),)
        row = (*row, *group)
    yield row if hand else (*row, (PLAIN, _instead_of_a_hand(view, seat, has_up=bool(zone))))


def _inside(canvas: Canvas, ranks: int) -> tuple[int, int] | None:
    """The size at which so many ranks can be drawn; None if they do not fit."""
    if canvas.scale < Scale.ROOMY or not ranks or not canvas.theme.suits:
        return None
    sizes = ([card_art.LARGE] if canvas.scale == Scale.WIDE else []) + [card_art.BROAD, card_art.SMALL]
    return next((size for size in sizes if card_art.ranks_width(ranks, size) + _BIG_INDENT <= canvas.width), None)


def _instead_of_a_hand(view: View, seat: int, *, has_up: bool) -> str:
    if view.phase == "over":
        return "the game is over"
    if has_up:
        return "  (from the face-up row)"
    slots = " ".join(str(n + 1) for n, card in enumerate(view.downs[seat]) if card is not None)
    return f"turn a face-down card: {slots}" if slots else "no cards left"
