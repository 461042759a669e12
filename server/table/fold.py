"""A table as the fold of its log. Pure; works on the whole truth of the game.

`apply` is the only place where a change changes anything, so a table read back from its log is the table that was.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.errors import InputError
from engine.events import Event
from engine.game import deal, play
from engine.moves import parse_move
from engine.state import State
from server.people.players import Opened
from server.records.fairness import deal_seed
from server.records.record import Move, Note
from server.storage.store import Entry
from server.table.entries import (
    Abandoned,
    Away,
    Barred,
    Change,
    Committed,
    Cut,
    Dealt,
    Left,
    Moved,
    Returned,
    Sat,
    read_change,
)
from server.table.state import Deal, Facts, Seat
from server.table.table_events import (
    CameBack,
    CardsCut,
    GameBegan,
    LastCard,
    SatDown,
    StockEmpty,
    StoodIn,
    StoodUp,
    WentAway,
)


def apply(facts: Facts, change: Change, at: float) -> tuple[Facts, list[Event]]:
    """The table after a change that was made at this time, and what happened in the game.

    Raises:
        InputError: the change is not possible; a move that the rules do not allow is a Refused.
    """
    after, events = _applied(facts, change, at)
    return (replace(after, since=at) if after.timed and not facts.timed else after), events


def fold(entries: Sequence[Entry]) -> tuple[Facts, list[Event]]:
    """A table read back from its log, and what happened in its last game.

    Raises ValueError where the log is none, or where this program, reading it, comes to another table than its writer.
    """
    if not entries or not isinstance(opened := read_change(entries[0].data), Opened):
        raise ValueError("a table's log begins with its opening")
    facts, happened = Facts.of(opened), list[Event]()
    _check(facts, entries[0])
    for entry in entries[1:]:
        before = facts
        facts, events = follow(before, entry)
        happened = happened + events if facts.deal == before.deal else events
    return facts, happened


def follow(facts: Facts, entry: Entry) -> tuple[Facts, list[Event]]:
    """The table after one more entry of its log, and what happened. Raises ValueError as `fold` does."""
    facts, events = apply(facts, read_change(entry.data), entry.at)
    _check(facts, entry)
    return facts, events


def _check(facts: Facts, entry: Entry) -> None:
    if facts.digest() != entry.hash:
        raise ValueError(f"entry {entry.seq} was written under other rules (program version {facts.opened.version})")


def _applied(facts: Facts, change: Change, at: float) -> tuple[Facts, list[Event]]:
    match change:
        case Sat() | Left() | Away() | Returned() | Barred():
            return _seating(facts, change), _seen_of(facts, change)
        case Committed(game_id, seed):
            if facts.next_deal is not None and facts.next_deal.cuts:
                raise InputError("wrong_phase", "the cards of the next game have been cut already")
            return replace(facts, next_deal=Deal(game_id, seed)), []
        case Cut(name, text, player_id):
            to_come = _next_deal(facts)
            if player_id and player_id in to_come.cut_by:
                raise InputError("bad_request", "you have cut these cards already")
            cuts, cut_by = (*to_come.cuts, (name, text)), to_come.cut_by | {player_id}
            return replace(facts, next_deal=replace(to_come, cuts=cuts, cut_by=cut_by)), [CardsCut(name, text)]
        case Dealt(dealer):
            return _dealt(facts, dealer, at)
        case Moved(seat, move):
            if facts.game is None or facts.game.phase == "over":
                raise InputError("game_over", "no game is going on: say start")
            game, events = play(facts.game, seat, parse_move(move))
            since = facts.since if game.phase == "arrange" else at
            steps = (*facts.steps, Move(seat, move))
            went_out = facts.went_out.union(filter(facts.in_person, {*game.places} - {*facts.game.places}))
            after = replace(facts, game=game, ply=facts.ply + 1, since=since, steps=steps, went_out=went_out)
            return after, [*_stood_in(facts, seat), *events, *signs(facts.game, game)]
        case Abandoned():
            return replace(facts, game=None), []
        case Opened():
            raise InputError("bad_request", "the table is open already")


def _seating(facts: Facts, change: Sat | Left | Away | Returned | Barred) -> Facts:
    """Who sits where, after somebody has come or gone."""
    match change:
        case Sat(seat, player):
            before = facts.seats[seat]
            after = _with_seat(facts, seat, Seat(player))
            if not facts.playing:
                return after
            left = f"{before.player.name} has left; " if before else ""
            return _noted(replace(after, knowing=_ids(after)), f"{left}{player.name} plays seat {seat + 1}")
        case Left(seat):
            return _with_seat(facts, seat, None)
        case Away(seat, reason):
            sitting = _taken(facts, seat)
            why = "let the clock run out" if reason == "clock" else "is gone"
            after = _with_seat(facts, seat, replace(sitting, away_since=facts.ply, away=reason))
            return _noted(after, f"{sitting.player.name} {why}; an AI player ({facts.opened.level}) plays on")
        case Returned(seat):
            sitting = _taken(facts, seat)
            after = _with_seat(facts, seat, replace(sitting, away_since=None, away=None))
            return _noted(replace(after, stand_ins=facts.stand_ins - {seat}), f"{sitting.player.name} is back")
        case Barred(player_id):
            return replace(facts, barred=facts.barred | {player_id}, unrated=facts.unrated or facts.playing)


def _seen_of(facts: Facts, change: Sat | Left | Away | Returned | Barred) -> list[Event]:
    """What everybody sees of a change of who sits where."""
    match change:
        case Sat(seat, player):
            before = facts.seats[seat]
            if before is not None and facts.playing:
                return [StoodUp(seat, before.player.name, player.name)]
            return [SatDown(seat, player.name, player.level if player.kind == "ai" else None)]
        case Left(seat):
            return [StoodUp(seat, _taken(facts, seat).player.name, "")]
        case Away(seat, reason):
            return [WentAway(seat, reason)]
        case Returned(seat):
            moves, own = facts.missed(seat)
            return [CameBack(seat, moves, len(own))]
        case Barred():
            return []


def _stood_in(facts: Facts, seat: int) -> list[Event]:
    """That an AI player moves for the person of this seat, where one does."""
    sitting = facts.seats[seat]
    return [StoodIn(seat)] if sitting is not None and sitting.away else []


def signs(before: State, after: State) -> list[Event]:
    """What is to be seen after a move: who has come down to one card, that the stock is at an end."""
    last = [
        LastCard(seat)
        for seat in range(len(after.hands))
        if after.cards_of(seat) == 1 != before.cards_of(seat) and after.phase == "play"
    ]
    return [*last, *([StockEmpty()] if before.stock_left and not after.stock_left else [])]


def _dealt(facts: Facts, dealer: int | None, at: float) -> tuple[Facts, list[Event]]:
    if facts.playing or None in facts.seats:
        raise InputError("wrong_phase", "a game begins between games, with every seat taken")
    to_come = _next_deal(facts)
    seed = deal_seed(to_come.seed, (text for _, text in to_come.cuts))
    game, events = deal(facts.rules, len(facts.seats), seed, dealer)
    # Where the deal itself decides who starts, whoever sits before them has dealt.
    found = (game.luck[0] - 1) % len(facts.seats) if dealer is None else dealer
    players = tuple(seat.player for seat in facts.seats if seat)
    after = replace(facts, game=game, dealer=found, named_dealer=dealer, deal=to_come, next_deal=None, dealt=players)
    after = replace(after, knowing=_ids(after), ply=0, steps=(), began=at, since=at)
    away = frozenset(number for number, seat in enumerate(facts.seats) if seat and seat.away)
    seats = tuple(seat and replace(seat, away_since=seat.away and 0) for seat in facts.seats)
    return replace(after, seats=seats, went_out=frozenset(), stand_ins=away, unrated=False), [GameBegan(), *events]


def _next_deal(facts: Facts) -> Deal:
    if facts.next_deal is None or facts.playing:
        raise InputError("wrong_phase", "there is no deal to come")
    return facts.next_deal


def _taken(facts: Facts, seat: int) -> Seat:
    sitting = facts.seats[seat]
    if sitting is None:
        raise InputError("bad_request", f"nobody sits in seat {seat + 1}")
    return sitting


def _with_seat(facts: Facts, seat: int, taken: Seat | None) -> Facts:
    seats = (*facts.seats[:seat], taken, *facts.seats[seat + 1 :])
    persons = [taken.player.id for taken in seats if taken and taken.player.kind != "ai"]
    host = facts.host if facts.host in persons else next(iter(persons), "")
    return replace(facts, seats=seats, host=host)


def _noted(facts: Facts, text: str) -> Facts:
    return replace(facts, steps=(*facts.steps, Note(text))) if facts.playing else facts


def _ids(facts: Facts) -> tuple[str, ...]:
    return tuple(seat.player.id if seat else "" for seat in facts.seats)
