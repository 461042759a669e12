"""What a table's subscribers, the lobby and AI players may know of its state. Pure."""

from engine.errors import InputError
from server.ai.pool import Question
from server.people.ai_players import style_of
from server.records.fairness import commitment
from server.records.tally import Tally
from server.table.snapshot import Listing, NextDeal, Sitter, Snapshot
from server.table.state import Seat, TableState


def public_snapshot(
    state: TableState, number: int, watching: int, deadline: float | None, tally: Tally | None
) -> Snapshot:
    """What every subscriber may know: no seat and no view of the game."""
    deal = state.deal if state.playing else state.next_deal
    return Snapshot(
        number,
        state.rules,
        None,
        _sitters(state),
        None,
        state.ply,
        watching,
        host=state.seat_of(state.host),
        game=state.game_id,
        deal=None if deal is None else NextDeal(deal.game, commitment(deal.game, deal.seed), deal.cuts),
        hints=state.settings.hints,
        deadline=deadline,
        clock=state.settings.clock,
        tally=tally,
    )


def listing(number: int, state: TableState, watching: int, *, asleep: bool) -> Listing:
    """The table as the lobby lists it."""
    return Listing(
        number,
        state.rules.name,
        state.rules.title,
        _sitters(state),
        state.playing,
        state.ply,
        watching,
        private=bool(state.settings.word),
        hints=state.settings.hints,
        asleep=asleep,
        clock=state.settings.clock,
    )


def question_of(state: TableState, seq: int, number: int) -> Question:
    """What the AI player of a seat has to decide after entry ``seq`` of the log. Raises InputError without a game."""
    view = state.view(number)
    if view is None:
        raise InputError("wrong_phase", "nobody decides here now")
    player = state.sitting(number).player
    chance = f"{state.settings.secret} {seq} {number}"
    return Question(player.level or state.settings.level, style_of(player), view, number, chance)


def _sitters(state: TableState) -> tuple[Sitter | None, ...]:
    """The seats as everybody may know them."""
    return tuple(_sitter(seat, state.settings.level) if seat else None for seat in state.seats)


def _sitter(seat: Seat, level: str) -> Sitter:
    ai_level = (seat.player.level or level) if seat.played_by_ai else None
    return Sitter(seat.player.name, ai_level, seat.away is not None, bot=seat.player.kind == "bot")
