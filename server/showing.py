"""A table's facts as its members and the lobby may know them."""

from dataclasses import replace
from typing import Final

from engine.wording import listed
from server.facts import Facts, Seat
from server.fairness import commitment
from server.tally import Tally
from server.update import Listing, NextDeal, Sitter, Update

MOVES_TOLD: Final = 6
"""Of the moves that an AI player has made for somebody, so many are told one by one."""


def public_update(
    facts: Facts, number: int, watching: int, deadline: float | None, tally: Tally | None = None
) -> Update:
    """The table as everybody may know it, but for the game; with the figures of one that is over."""
    deal = facts.deal if facts.playing else facts.next_deal
    return Update(
        number,
        facts.rules,
        None,
        sitters(facts),
        None,
        facts.ply,
        watching,
        host=facts.seat_of(facts.host),
        game="" if facts.deal is None else facts.deal.game,
        deal=None if deal is None else NextDeal(deal.game, commitment(deal.game, deal.seed), deal.cuts),
        deadline=deadline,
        tally=tally,
    )


def update_for(public: Update, facts: Facts, seat: int | None) -> Update:
    """The table as whoever has this seat, or watches, may know it."""
    return replace(public, seat=seat, view=facts.view(seat))


def listing(number: int, facts: Facts, watching: int, *, asleep: bool) -> Listing:
    """The table as the lobby lists it."""
    return Listing(
        number,
        facts.rules.name,
        facts.rules.title,
        sitters(facts),
        facts.playing,
        facts.ply,
        watching,
        private=bool(facts.opened.word),
        asleep=asleep,
    )


def sitters(facts: Facts) -> tuple[Sitter | None, ...]:
    """Who sits where."""
    return tuple(_sitter(facts, seat) for seat in facts.seats)


def missed_words(facts: Facts, seat: int) -> str:
    """What somebody is told who returns to this seat; empty where nothing has happened."""
    moves, own = facts.missed(seat)
    if not moves:
        return ""
    told = f"While you were away: {moves} {'move' if moves == 1 else 'moves'}"
    if not own:
        return f"{told}, none of them yours."
    last = listed(own[-MOVES_TOLD:], "and")
    return f"{told}, {len(own)} by an AI player for you{': ' if len(own) <= MOVES_TOLD else ', the last '}{last}."


def _sitter(facts: Facts, seat: Seat | None) -> Sitter | None:
    if seat is None:
        return None
    level = (seat.player.level or facts.opened.level) if seat.played_by_ai else None
    return Sitter(seat.player.name, level, seat.away is not None, bot=seat.player.kind == "bot")
