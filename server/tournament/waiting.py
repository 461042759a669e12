"""When the next table of a player in a tournament comes, and what they are told meanwhile. Pure."""

from math import ceil, inf, isfinite
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from engine.wording.phrases import quantity
from server.number_text import countdown_text
from server.player.table_feed import STEP
from server.table.snapshot import Notice
from server.tournament.state import Tournament
from server.tournament.text import summary

ENTER: Final = "tournament join"
MEANWHILE: Final = "Until then play, watch a table or talk: you are called, and taken there."
Waits: TypeAlias = Literal["next", "called", "plays"]
"""For the next round to be called; called, for the cards to be dealt; or not at all, since they play."""


class Wait(Struct, frozen=True):
    """Where an entrant of a tournament that goes on stands."""

    state: Tournament
    waits: Waits
    until: float = inf
    """When what they wait for comes, in the terms of `Tournaments.now`; infinity if that is not known yet."""
    table: int = 0
    """Their table, if they are called or play."""


def waits(state: Tournament, now: float, next_at: float) -> dict[str, Wait]:
    """All who will play in a tournament, by their ids. ``next_at``: when its next round is published."""
    if state.phase == "over" or (state.closed_at is not None and not state.busy):
        return {}
    found = dict[str, Wait]()
    for player, board in state.busy.items():
        deals_at = state.round_of(board).deals_board_at(board)
        is_called = now < deals_at and board.table
        found[player] = Wait(state, "called" if is_called else "plays", deals_at, board.table)
    for player in state.playing if state.closed_at is None else ():
        if player not in found and not state.entrants[player].sits_out:
            found[player] = Wait(state, "next", next_at)
    return found


class Told:
    """What one player was told of their wait last."""

    def __init__(self) -> None:
        self.notice: Notice | None = None
        """What the player reads first."""
        self.to_say: list[str] = []
        """What is said of the last change to a player who sees no screen. A clock that runs down is no change."""
        self._has_played = False

    def update(self, wait: Wait | None, now: float, may_enter: Tournament | None, *, by_seconds: bool) -> bool:
        """Note how long there is to wait, or what there is to enter. Returns whether anything shown has changed."""
        before, has_played = self.notice, self._has_played
        self._has_played, self.to_say = wait is not None and wait.waits == "plays", []
        if wait is not None:
            if not by_seconds and isfinite(wait.until):
                now = wait.until - ceil((wait.until - now) / STEP) * STEP
            self.notice = _notice(wait, now)
            if wait.waits == "next" and has_played:
                self.to_say = [f"{wait_text(wait, now)} {MEANWHILE}"]
        else:
            self.notice = Notice(invitation_text(may_enter), invites=ENTER) if may_enter else None
            if self.notice and self.notice != before:
                self.to_say = [self.notice.text]
        return self.notice != before


def _notice(wait: Wait, now: float) -> Notice | None:
    """What an entrant reads first; None while they play."""
    if wait.waits == "plays":
        return None
    is_called = wait.waits == "called" and wait.state.paused_at is None
    call = f"table {wait.table} in {countdown_text(wait.until - now)}" if is_called else ""
    return Notice(wait_text(wait, now), call=call, of=wait.state.id)


def invitation_text(state: Tournament) -> str:
    """What a player is told of a tournament that they may enter."""
    return f"{state.name}, {'a swiss' if state.is_swiss else 'an open night'}: type {ENTER} to play in it."


def wait_text(wait: Wait, now: float) -> str:
    """When the next table of a player comes, as a sentence; empty while they play."""
    state = wait.state
    if wait.waits == "plays":
        return ""
    if state.paused_at is not None:
        return f"{state.name} is paused by its host."
    if wait.waits == "called":
        return f"{state.name}: the cards are dealt at your table, {wait.table}, in {countdown_text(wait.until - now)}."
    if state.held_at is not None:
        return f"{state.name}: the next round waits for its host."
    if isfinite(wait.until):
        return f"{state.name}: your next table comes in {countdown_text(wait.until - now)}."
    if state.is_swiss and state.rounds:
        left = sum(not board.is_over for board in state.rounds[-1].boards)
        return f"{state.name}: the next round comes after {quantity(left, 'more game')}."
    return f"{summary(state)[:-1]}."
