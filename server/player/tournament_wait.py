"""What a player is told while they wait for their next table in a tournament."""

from math import ceil, isfinite
from typing import Final

from server.language.tournament_text import invitation_text, wait_text
from server.number_text import countdown_text
from server.player.table_feed import STEP
from server.tournament.state import Tournament
from server.tournament.waiting import Wait

MEANWHILE: Final = "Until then play, watch a table or talk: you are called, and taken there."


class TournamentWait:
    """One player's wait, as it is shown."""

    def __init__(self) -> None:
        self.text = ""
        """When the next table comes, as a sentence; empty if the player waits for none."""
        self.call = ""
        """See `Scene.call`."""
        self.invitation = ""
        """See `Scene.invitation`."""
        self.to_say: list[str] = []
        """What lines say of the last change: nothing of a clock that runs down."""
        self._wait: Wait | None = None
        self._agreed = frozenset[str]()
        """The tournaments for which the player knows that a game gives way."""

    def update(self, wait: Wait | None, now: float, may_enter: Tournament | None, *, by_seconds: bool) -> bool:
        """Note how long there is to wait, or what there is to enter. Returns whether anything shown has changed."""
        before, self._wait = self._wait, wait
        text = call = ""
        if wait is not None:
            if not by_seconds and isfinite(wait.until):
                now = wait.until - ceil((wait.until - now) / STEP) * STEP
            text = wait_text(wait, now)
            if wait.waits == "called" and wait.state.paused_at is None:
                call = f"table {wait.table} in {countdown_text(wait.until - now)}"
        has_played = before is not None and before.waits == "plays"
        self.to_say = [f"{text} {MEANWHILE}"] if wait is not None and wait.waits == "next" and has_played else []
        invitation = "" if may_enter is None else invitation_text(may_enter)
        if invitation and invitation != self.invitation:
            self.to_say = [invitation]
        changed = (text, call, invitation) != (self.text, self.call, self.invitation)
        self.text, self.call, self.invitation = text, call, invitation
        return changed

    def question(self) -> str:
        """What to ask a player, once in a tournament, before a game that may be interrupted; empty for nothing."""
        wait = self._wait
        if wait is None or wait.waits == "plays" or wait.state.id in self._agreed:
            return ""
        gives_way = "alone it waits for you, with others an AI player plays on"
        return f"{self.text} A game that you begin now gives way to it: {gives_way}."

    def agree(self) -> None:
        """Note that the player was asked and goes on."""
        if self._wait is not None:
            self._agreed |= {self._wait.state.id}
