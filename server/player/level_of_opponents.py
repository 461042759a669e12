"""The AI players that a person meets: at the tables that they open, and how each game against them counts."""

from typing import Final

from msgspec import structs

from engine.view import View
from server.people.settings import AUTO, LEAD, OwnLevel, Settings
from server.player.player_session import PlayerSession
from server.table.snapshot import Snapshot

FIRST: Final = f"Your AI players are easy; stronger ones come once you lead by {LEAD} games."


def level_met(session: PlayerSession) -> str:
    """The level in the player's next game, if none is named: their setting, the host's, or their own level."""
    chosen = session.settings.level, session.lobby.config.level
    return next((level for level in chosen if level != AUTO), session.settings.own_level.for_next_game().level)


def is_newcomer(session: PlayerSession) -> bool:
    """Whether the player meets their own level, and fewer than two games against it count."""
    own, is_own = session.settings.own_level, session.settings.level == session.lobby.config.level == AUTO
    return is_own and own.level == OwnLevel().level and own.won + own.lost < 2 and not session.caller.is_alone


def begin_own_level(session: PlayerSession, first: str = "") -> None:
    """The player meets their own level, if none is set, told why if it has changed, or ``first`` if it is new."""
    own = session.settings.own_level
    if session.settings.level == session.lobby.config.level == AUTO:
        if news := own.news or (first if own == OwnLevel() else ""):
            session.note(news)
        _keep(session, own.for_next_game())


def count_game(session: PlayerSession, snapshot: Snapshot) -> None:
    """Count a game that has just ended for the player's own level. Its player is no newcomer any more."""
    session.is_taught |= snapshot.seat is not None
    _keep(session, own_level_after(session.settings, snapshot))


def _keep(session: PlayerSession, level: OwnLevel) -> None:
    """Have this level of AI players be the player's own, for this session and, soon, the next."""
    if level != session.settings.own_level:
        session.settings = structs.replace(session.settings, own_level=level)
        session.lobby.keep_settings(session.player, session.settings)


def own_level_after(settings: Settings, snapshot: Snapshot) -> OwnLevel:
    """A player's own level after a game, which counts if they have met it there, and AI players of that level alone."""
    own, view = settings.own_level, snapshot.view
    if settings.level != AUTO or view is None or view.seat is None or snapshot.away or snapshot.occasion:
        return own
    others = [sitter for seat, sitter in enumerate(snapshot.sitters) if seat != view.seat]
    is_won = view.outcome is not None and view.outcome.winner is not None
    if not is_won or any(each is None or not each.is_ai or each.ai_level != own.level for each in others):
        return own
    mine, finishes = _finish(view, view.seat), [_finish(view, seat) for seat in range(len(snapshot.sitters))]
    return own.after_game(behind=sum(each > mine for each in finishes), ahead=sum(each < mine for each in finishes))


def _finish(view: View, seat: int) -> tuple[int, int]:
    """The place of a seat, and the cards that it has left; the smaller one is better."""
    place = view.places.index(seat) if seat in view.places else len(view.places)
    return place, view.cards_of(seat)
