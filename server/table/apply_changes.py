"""What a change makes of a table, and so a whole log. Pure; it works on the state of the game, hidden cards included.

Only `apply` changes a table, so a table that is read back from its log is the same table.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import structs
from msgspec.structs import replace

from engine.errors import InputError
from engine.events import Event
from engine.game import deal, play
from engine.moves import parse_move
from engine.state import State
from server.records.fairness import PROMISES, deal_seed, no_one_could_choose
from server.records.record import CLOCK_RAN_OUT, IS_AWAY, IS_BACK, IS_GONE, Note, RecordedMove, seat_taken, went_away
from server.storage.database import LogEntry
from server.table import entries, table_events
from server.table.deal import Deal
from server.table.entries import Change, Checkpoint, TableSettings, read_change
from server.table.finished_game import HURRIED, game_result
from server.table.state import Seat, TableState

HAS_LEFT: Final = "a player who left"
"""Instead of a name, for the cut of a player who is not dealt in: the game says nothing else of them."""


def apply(state: TableState, change: Change, at: float) -> tuple[TableState, list[Event]]:
    """The table after a change at this time (seconds since 1970), and the events. Raises InputError or Refused."""
    match change:
        case entries.Moved(seat, move, is_hurried):
            return _moved(_hurried(state, seat) if is_hurried else state, seat, move, at)
        case entries.Committed(game_id, seed):
            _must_not_be_played(state)
            if state.next_deal is not None and state.next_deal.cuts:
                raise InputError("wrong_phase", "the cards of the next game have been cut already")
            return replace(state, next_deal=Deal(game_id, seed)), []
        case entries.Cut() | entries.CutSealed() | entries.CutsClosed() | entries.CutOpened():
            return _cut(state, change, at)
        case entries.Dealt():
            return _dealt(state, change, at)
        case entries.Abandoned():
            abandoned, out = replace(state, game=None), state.game.places if state.game else ()
            return replace(abandoned, result=game_result(abandoned, out)), []
        case entries.TimeUp():
            return _time_up(state)
        case TableSettings():
            raise InputError("bad_request", "the table is open already")
        case entries.Forgotten():
            return state, []
        case _:
            after, events = _seated(state, change)
            # If somebody has to wait from now on, the clock begins.
            begins = after.timed and not state.timed and not state.opening
            return replace(after, since=at) if begins else after, events


def must_be_openable(settings: TableSettings) -> None:
    """Raises InputError if no table can be opened with these settings: for their rules, or their number of seats."""
    TableState.of(settings)


def read_log(log: Sequence[LogEntry]) -> tuple[TableState, list[Event]]:
    """A table read back from its log, which may begin with any deal, and the events of its last game.

    Raises ValueError if this is no table's log, or if reading it gives another table than its writer had.
    """
    state, happened = _begun(log[0])
    for entry in log[1:]:
        before = state
        state, events = follow(before, entry)
        happened = happened + events if state.deal == before.deal else events
    return state, happened


def last_beginning(log: Sequence[LogEntry]) -> int:
    """The index of the last entry with which the log could begin: a deal, or the opening. Raises ValueError."""
    for index in reversed(range(len(log))):
        if isinstance(read_change(log[index].data), TableSettings | entries.Dealt):
            return index
    raise ValueError("a table's log begins with its opening or with a deal")


def follow(state: TableState, entry: LogEntry) -> tuple[TableState, list[Event]]:
    """The table after one more entry of its log, and the events. Raises ValueError as `read_log` does."""
    state, events = apply(state, read_change(entry.data), entry.at)
    _check(state, entry)
    return state, events


def _begun(entry: LogEntry) -> tuple[TableState, list[Event]]:
    """The table after the first entry of its log, and the events."""
    match read_change(entry.data):
        case TableSettings() as settings:
            state, events = TableState.of(settings), list[Event]()
        case entries.Dealt(_, Checkpoint() as checkpoint) as dealt:
            state, events = apply(TableState.at(checkpoint), dealt, entry.at)
        case _:
            raise ValueError("a table's log begins with its opening or with a deal")
    _check(state, entry)
    return state, events


def _check(state: TableState, entry: LogEntry) -> None:
    if state.digest() != entry.hash:
        raise ValueError(f"entry {entry.seq} was written under other rules (program version {state.settings.version})")


def _moved(state: TableState, seat: int, move: str, at: float) -> tuple[TableState, list[Event]]:
    before = state.game
    if before is None or before.phase == "over":
        raise InputError("game_over", "no game is going on: type start")
    game, events = play(before, seat, parse_move(move))
    after = replace(
        state,
        game=game,
        ply=state.ply + 1,
        # Arranging is one decision for everybody.
        since=state.since if game.phase == "arrange" else at,
        steps=(*state.steps, RecordedMove(seat, move)),
        turns=(*state.turns, (seat, state.in_person(seat))) if before.phase == "play" else state.turns,
        went_out=state.went_out.union(filter(state.in_person, {*game.places} - {*before.places})),
    )
    if game.phase == "over":
        after = replace(after, result=game_result(after))
    sitting = state.seats[seat]
    stood_in = [table_events.StoodIn(seat)] if sitting is not None and sitting.away else []
    return after, [*stood_in, *events, *derived_events(before, game)]


def _cut(state: TableState, change: entries.CutChange, at: float) -> tuple[TableState, list[Event]]:
    deal, since = _next_deal(state), state.since
    event: Event
    match change:
        case entries.Cut(name, text, player_id):
            seat = state.seat_of(player_id)
            if seat is not None and deal.sealed_by(seat):
                raise InputError("bad_request", "you have sealed a cut already")
            deal, event = deal.with_cut(name, text, player_id), table_events.CardsCut(name, text)
        case entries.CutSealed(seat, seal):
            player = state.sitting(seat).player
            deal, event = deal.with_seal(seat, player, seal), table_events.CutSealed(player.name)
        case entries.CutsClosed():
            deal, since = deal.closing(), at
            event = table_events.CutsClosed(tuple(deal.unopened))
        case entries.CutOpened(seat, text):
            deal = deal.with_text(seat, text)
            event = table_events.CutOpened(state.sitting(seat).player.name, text)
    return replace(state, next_deal=deal, since=since), [event]


def _seated(state: TableState, change: entries.SeatChange) -> tuple[TableState, list[Event]]:
    match change:
        case entries.Sat():
            return _sat(state, change)
        case entries.Left(seat):
            return _with_seat(state, seat, None), [table_events.StoodUp(seat, state.sitting(seat).player.name, "")]
        case entries.Away(seat, reason):
            sitting = state.sitting(seat)
            after = _with_seat(state, seat, replace(sitting, away_since=state.ply, away=reason))
            why = CLOCK_RAN_OUT if reason == "clock" else IS_GONE
            note = went_away(sitting.player.name, why, state.settings.level_of_seats)
            return _noted(after, note.text), [table_events.WentAway(seat, reason)]
        case entries.Called(seat):
            return replace(state, stand_ins=state.stand_ins | {seat}), []
        case entries.Returned(seat):
            sitting = state.sitting(seat)
            after = _with_seat(state, seat, replace(sitting, away_since=None, away=None))
            return _noted(after, f"{sitting.player.name} {IS_BACK}"), [table_events.CameBack(seat, *state.missed(seat))]
        case entries.Barred(player_id, by):
            return _barred(state, player_id, by)


def _barred(state: TableState, player_id: str, by: str) -> tuple[TableState, list[Event]]:
    after = replace(state, barred=state.barred | {player_id})
    seat, remover = state.seat_of(player_id), state.seat_of(by)
    if seat is None:
        return after, []
    counts = None if state.game is None or not state.playing else seat in state.game.places
    removed = table_events.PlayerRemoved(seat, state.sitting(seat).player.name, remover, counts)
    if counts is not False:
        return after, [removed]
    removers = state.removers if remover is None else state.removers | {remover}
    return replace(after, removed=state.removed | {seat}, removers=removers), [removed]


def _sat(state: TableState, sat: entries.Sat) -> tuple[TableState, list[Event]]:
    seat, player = sat.seat, sat.player
    before, after = state.seats[seat], _with_seat(state, seat, Seat(player, level_named=sat.level_named))
    sat_down = table_events.SatDown(seat, player.name, player.level if player.kind == "ai" else None)
    if not state.playing:
        return after, [sat_down]
    note = seat_taken(before.player.name if before else "", player.name, seat)
    won = state.won if sat.winner is None else sat.winner
    after = _noted(replace(after, knowing=_ids(after), won=won), note.text)
    if before is None:
        return after, [sat_down]
    return after, [table_events.StoodUp(seat, before.player.name, player.name, sat_down.level)]


def derived_events(before: State, after: State) -> list[Event]:
    """What can be seen after a move: which seats have come down to one card, and that the stock is used up."""
    found = list[Event]()
    for seat in range(len(after.hands)):
        if after.phase == "play" and after.cards_of(seat) == 1 != before.cards_of(seat):
            found.append(table_events.LastCard(seat))
    if before.stock_left and not after.stock_left:
        found.append(table_events.StockEmpty())
    return found


def _dealt(state: TableState, dealt: entries.Dealt, at: float) -> tuple[TableState, list[Event]]:
    checkpoint, next_deal, dealer = state.checkpoint(), _next_deal(state), dealt.dealer
    if dealt.checkpoint is not None and dealt.checkpoint != checkpoint:
        raise ValueError("the deal was written at another table than this one")
    names = {seat.player.name for seat in state.seats if seat}
    cuts = tuple(cut if cut.name in names else cut._replace(name=HAS_LEFT) for cut in next_deal.cuts)
    next_deal = structs.replace(next_deal, cuts=cuts)
    seed = deal_seed(next_deal.seed, next_deal.cuts)
    game, events = deal(state.rules, len(state.seats), seed, dealer)
    # If the deal itself decides who starts, the seat before the starter counts as the dealer.
    found = (game.luck[0] - 1) % len(state.seats) if dealer is None else dealer
    after = replace(
        state,
        seats=tuple(seat and replace(seat, away_since=0 if seat.away else None) for seat in state.seats),
        deal=next_deal,
        next_deal=None,
        dealer=found,
        named_dealer=dealer,
        game=game,
        dealt=tuple(seat.player for seat in state.seats if seat),
        knowing=_ids(state),
        steps=_first_notes(state),
        ply=0,
        began=at,
        went_out=frozenset(),
        result=None,
        stand_ins=frozenset(number for number, seat in enumerate(state.seats) if seat and seat.away),
        removed=frozenset(),
        removers=frozenset(),
        won=None,
        turns=(),
        source=dealt.source,
        hurried=frozenset(),
        since=at,
    )
    dropped = [table_events.CutDropped(cut.name) for cut in checkpoint.deal.cuts if cut.text is None]
    promise = PROMISES[no_one_could_choose(after.dealt, next_deal.cuts)] if next_deal.cuts else ""
    return after, [*dropped, table_events.GameBegan(promise), *events]


def _first_notes(state: TableState) -> tuple[Note, ...]:
    """What the record of a game says before its first move."""
    title = (Note(f"{state.occasion.title}."),) if state.occasion and not state.is_alone else ()
    away = (seat.player.name for seat in state.seats if seat and seat.away)
    return *title, *(went_away(name, IS_AWAY, state.settings.level_of_seats) for name in away)


def _time_up(state: TableState) -> tuple[TableState, list[Event]]:
    if not (state.others_wait and state.playing):
        raise InputError("wrong_phase", "no game is going on here for whose end others wait")
    after = replace(state, result=game_result(state))
    return replace(after, game=None), [table_events.TimeIsUp()]


def _must_not_be_played(state: TableState) -> None:
    if state.occasion and (state.game or state.result):
        raise InputError("wrong_phase", f"{state.occasion.name} is played once, and cannot be cut")


def _next_deal(state: TableState) -> Deal:
    _must_not_be_played(state)
    if state.next_deal is None or state.playing:
        raise InputError("wrong_phase", "the cards are cut before they are dealt: wait for the next game")
    return state.next_deal


def _with_seat(state: TableState, seat: int, taken: Seat | None) -> TableState:
    seats = (*state.seats[:seat], taken, *state.seats[seat + 1 :])
    persons = [each.player.id for each in seats if each and each.player.kind != "ai"]
    host = state.host if state.host in persons else next(iter(persons), "")
    host = "" if state.others_wait else host
    next_deal = state.next_deal.without_seal(seat) if state.next_deal and taken is None else state.next_deal
    return replace(state, seats=seats, host=host, next_deal=next_deal)


def _noted(state: TableState, text: str) -> TableState:
    return replace(state, steps=(*state.steps, Note(text))) if state.playing else state


def _hurried(state: TableState, seat: int) -> TableState:
    """The table, noting that an AI player has less time in this game than its level has."""
    if seat in state.hurried:
        return state
    said = f"{state.sitting(seat).player.name} has to hurry, and counts as {HURRIED}, not as its level."
    return replace(_noted(state, said), hurried=state.hurried | {seat})


def _ids(state: TableState) -> tuple[str, ...]:
    return tuple(seat.player.id if seat else "" for seat in state.seats)
