"""The odds as lines: what the unseen cards make likely."""

from typing import Final

from engine.cards import RANK_NAMES
from engine.errors import InputError
from engine.legality import open_zone
from engine.odds import PlayOdds, odds
from engine.wording.phrases import counted_rank, listed, percent, quantity
from server.table.snapshot import Snapshot

ESTIMATE: Final = (
    "Estimates: all cards that you cannot see count as shuffled together, apart from what taking the pile has shown."
)


def odds_lines(snapshot: Snapshot) -> list[str]:
    """The odds in what this player sees. Raises InputError if no game is going on."""
    view = snapshot.view
    if view is None or view.phase == "over":
        raise InputError("bad_request", "no game is going on")
    found = odds(view)
    hidden = sum(found.unseen)
    ranks = [counted_rank(rank, n) for rank, n in enumerate(found.unseen) if n]
    lines = [
        f"{quantity(hidden, 'card')} {'is' if hidden == 1 else 'are'} hidden from you: {listed(ranks, 'and')}."
        if hidden
        else "You see every card."
    ]
    if found.draw is not None and view.must_lead is None:
        lines.append(f"The next card drawn could be played on this pile: {percent(found.draw)}.")
    if found.flip is not None and not open_zone(view, view.seat or 0)[0]:
        lines.append(f"A face-down card of yours could be played on it: {percent(found.flip)}.")
    lines += [_prospect(play_odds, snapshot) for play_odds in found.plays]
    return [*lines, ESTIMATE]


def _prospect(play_odds: PlayOdds, snapshot: Snapshot) -> str:
    picks = play_odds.play.picks
    laid = counted_rank(picks[0].rank, len(picks)) if len(picks) > 1 else RANK_NAMES[picks[0].rank]
    if play_odds.next_seat is None:
        return f"After {laid} the game is over."
    if play_odds.next_seat == snapshot.seat:
        return f"After {laid} you move again."
    return f"After {laid} {snapshot.name(play_odds.next_seat)} can follow: {percent(1 - play_odds.stuck)}."
