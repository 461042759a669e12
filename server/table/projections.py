"""A table's facts as its members and the lobby may know them."""

from dataclasses import replace

from server.records.fairness import commitment
from server.records.tally import Tally
from server.table.snapshot import Listing, NextDeal, Sitter, Snapshot
from server.table.state import Facts, Seat


def public_snapshot(
    facts: Facts, number: int, watching: int, deadline: float | None, tally: Tally | None = None
) -> Snapshot:
    """The table as everybody may know it, but for the game; with the figures of one that is over."""
    deal = facts.deal if facts.playing else facts.next_deal
    return Snapshot(
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
        hints=facts.opened.hints,
        deadline=deadline,
        clock=facts.opened.clock,
        tally=tally,
    )


def snapshot_for(public: Snapshot, facts: Facts, seat: int | None) -> Snapshot:
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
        hints=facts.opened.hints,
        asleep=asleep,
        clock=facts.opened.clock,
    )


def sitters(facts: Facts) -> tuple[Sitter | None, ...]:
    """Who sits where."""
    return tuple(_sitter(facts, seat) for seat in facts.seats)


def _sitter(facts: Facts, seat: Seat | None) -> Sitter | None:
    if seat is None:
        return None
    level = (seat.player.level or facts.opened.level) if seat.played_by_ai else None
    return Sitter(seat.player.name, level, seat.away is not None, bot=seat.player.kind == "bot")
