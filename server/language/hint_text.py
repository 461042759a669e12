"""Hints in words: a move and its reason, what the player keeps with it, and what it risks.

All of it follows from what the player sees. Chances are those of `engine.odds`.
"""

from typing import Final

from engine.ai.basic_levels import own_seat
from engine.ai.card_values import card_values
from engine.ai.explain import Suggestion
from engine.ai.reasons import GOES_AGAIN, NEXT_PLAYER
from engine.cards import RANK_CARDS, ranks_in
from engine.moves import Flip, Move, PickUp, Play
from engine.odds import follow_odds, odds
from engine.view import View
from engine.wording.phrases import counted_rank, listed, percent, quantity
from server.table.snapshot import Snapshot

AGAIN: Final = "You move again."
RANKS_KEPT: Final = 2
"""So many ranks of those that the player keeps are named."""


def hint_sentences(snapshot: Snapshot, view: View, suggestion: Suggestion) -> list[str]:
    """A hint for the player whose turn it is."""
    if suggestion.is_certain and not isinstance(suggestion.move, Flip):
        return [suggestion.sentence]
    is_said = any(words in suggestion.reason for words in (GOES_AGAIN, f"{NEXT_PLAYER} can"))
    risk = [] if is_said else _risk(snapshot, view, suggestion.move)
    return [suggestion.sentence, *_kept(view, suggestion.move), *risk]


def _kept(view: View, move: Move) -> list[str]:
    """The best of what stays in the zone that the player plays from; nothing if that is empty."""
    if not isinstance(move, Play):
        return []
    seat = own_seat(view)
    zone, rank = view.hands[seat] or view.ups[seat], move.picks[0].rank
    held = (zone & RANK_CARDS[rank]).bit_count() - len(move.picks)
    left = {kept: copies for kept, copies in ranks_in(zone) if kept != rank} | ({rank: held} if held else {})
    values = card_values(view.rules)
    best = sorted(left, key=lambda kept: -values[kept])[:RANKS_KEPT]
    return [f"Your best left: {listed([counted_rank(kept, left[kept]) for kept in best], 'and')}."] if best else []


def _risk(snapshot: Snapshot, view: View, move: Move) -> list[str]:
    """What may come of the move, as far as counting cards tells."""
    seat = own_seat(view)
    if isinstance(move, PickUp):
        cards = view.hand_counts[seat] + len(view.pile) + len(move.picks)
        return [f"You then hold {quantity(cards, 'card')}."]
    if isinstance(move, Flip) and (flip := odds(view).flip) is not None:
        return [f"It can be played: {percent(flip)}."]
    if not isinstance(move, Play):
        return []
    found = follow_odds(view, move)
    if found.next_seat == seat:
        return [AGAIN]
    if found.next_seat is None or not (found.pile_left or found.stuck):
        return []  # everybody knows that any card can be laid on an empty pile
    if found.stuck == 1:
        return [f"{snapshot.name(found.next_seat)} cannot follow."]
    return [f"{snapshot.name(found.next_seat)} can follow: {percent(1 - found.stuck)}."]
