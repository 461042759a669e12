"""Looks for a certain way to lay all own cards within this turn: plays that go again, and a last one that goes out."""

from collections import deque
from typing import Final

from engine.cards import MOST_COPIES
from engine.game import advance
from engine.legality import legal_moves
from engine.moves import Move, Play
from engine.odds import known_position
from engine.state import State
from engine.view import View
from engine.wording.typed_moves import example_play

MOST_LOOKED_AT: Final = 200
"""At most so many positions are looked at, a few milliseconds' worth; a search may still find another way out."""


def way_out(view: View, first: Move | None = None) -> tuple[Play, ...]:
    """The fewest plays that certainly lay all cards of the seat to move before another one moves; empty if none do.

    With a ``first`` move, one of those that `legal_moves` lists, they begin with it.

    It is certain because the player sees every card of it: none is drawn, none turned over.
    """
    seat = view.seat
    if seat is None or view.phase != "play" or any(card is not None for card in view.downs[seat]):
        return ()
    waiting, met = deque[tuple[State, tuple[Play, ...]]]([(known_position(view), ())]), set[tuple[int, ...]]()
    while waiting and len(met) < MOST_LOOKED_AT:
        position, made = waiting.popleft()
        for play in legal_moves(position, seat):
            if not isinstance(play, Play) or (not made and first not in {None, play}):
                continue
            after = position.copy()
            advance(after, play)
            if after.stock_left < view.stock_left:
                continue  # nobody knows what was drawn
            if after.is_out(seat):
                return (*made, play)
            met_as = (after.hands[seat], after.ups[seat], after.reserves[seat], after.top, after.run, len(after.order))
            if after.to_move == seat and met_as not in met:
                met.add(met_as)
                waiting.append((after, (*made, play)))
    return ()


def first_play(view: View) -> Play | None:
    """The play to offer first: the first one of a way out, or else a usual one with all cards of its rank."""
    plays = [] if view.seat is None else [move for move in legal_moves(view, view.seat) if isinstance(move, Play)]
    return (way_out(view)[:1] or [example_play(view, plays, copies=MOST_COPIES)])[0] if plays else None
