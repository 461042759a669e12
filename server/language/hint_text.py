"""Advice in words: a hint, and the odds.

All of it follows from what the player sees. Chances are those of `engine.odds`.
"""

from typing import Final

from engine.ai.easy_medium_hard import own_seat
from engine.ai.explain import Suggestion
from engine.ai.reasons import GOES_AGAIN, NEXT_PLAYER, best_left
from engine.errors import InputError
from engine.legality import open_zone
from engine.moves import Flip, Move, PickUp, Play
from engine.odds import PlayOdds, follow_odds, odds
from engine.view import View
from engine.wording.phrases import counted_rank, listed, percent, quantity
from server.table.snapshot import Snapshot

AGAIN: Final = "You move again."
ESTIMATE: Final = "These are estimates: they take the cards that you cannot see as well shuffled."


def hint_details(snapshot: Snapshot, view: View, suggestion: Suggestion) -> list[str]:
    """A hint with all its reasons, what the player whose turn it is keeps, and what the move risks."""
    if suggestion.is_certain and not isinstance(suggestion.move, Flip):
        return [suggestion.details]
    is_said = any(words in suggestion.reason for words in (GOES_AGAIN, f"{NEXT_PLAYER} cannot"))
    risk = [] if is_said else _risk(snapshot, view, suggestion.move)
    return [suggestion.details, *best_left(view, suggestion.move), *risk]


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


def odds_lines(snapshot: Snapshot) -> list[str]:
    """The odds in what this player sees. Raises InputError if no game is going on."""
    view = snapshot.view
    if view is None or view.phase == "over":
        raise InputError("bad_request", "no game is going on")
    found = odds(view)
    hidden = sum(found.unseen)
    ranks = [counted_rank(rank, n) for rank, n in enumerate(found.unseen) if n]
    told = f"{quantity(hidden, 'card')} {'is' if hidden == 1 else 'are'} hidden from you: {listed(ranks, 'and')}."
    lines = [told if hidden else "You see every card."]
    if found.draw is not None and view.must_lead is None:
        lines.append(f"The next card drawn could be played on this pile: {percent(found.draw)}.")
    if found.flip is not None and not open_zone(view, view.seat or 0)[0]:
        lines.append(f"A face-down card of yours could be played on it: {percent(found.flip)}.")
    lines += [_prospect(play_odds, snapshot) for play_odds in found.plays]
    return [*lines, ESTIMATE]


def _prospect(play_odds: PlayOdds, snapshot: Snapshot) -> str:
    picks = play_odds.play.picks
    played = counted_rank(picks[0].rank, len(picks))
    if play_odds.next_seat is None:
        return f"After {played} the game is over."
    if play_odds.next_seat == snapshot.seat:
        return f"After {played} you move again."
    return f"After {played} {snapshot.name(play_odds.next_seat)} can follow: {percent(1 - play_odds.stuck)}."
