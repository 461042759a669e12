"""What one player hears of others, and how much they may say."""

from collections import deque

from engine.errors import InputError
from server.limits import TALK_AT_ONCE, TALK_PER_SECOND
from server.people.names import skeleton
from server.people.players import Caller, Player
from server.people.sanctions import Sanctions
from server.rate import Rate
from server.render.scene import LINES_KEPT


class Talk:
    """The talk as one player hears it."""

    def __init__(self) -> None:
        self.lines = deque[str](maxlen=LINES_KEPT)
        """What people said, the newest line last."""
        self.ignored: set[str] = set()
        """The skeletons of the names that the player does not want to hear from."""
        self._rate = Rate(TALK_AT_ONCE, TALK_PER_SECOND)

    def hear(self, name: str, line: str) -> list[str]:
        """Add what somebody said; the line to show, none if the player ignores them."""
        if skeleton(name) in self.ignored:
            return []
        said = f"{name}: {line}"
        self.lines.append(said)
        return [said]

    def must_be_free(self, player: Player, caller: Caller, mutes: Sanctions) -> None:
        """Raises InputError if the player is muted, or talks too fast."""
        address = None if player.identity else caller.address
        if mute := mutes.on((player.id,), address):
            raise InputError("muted", f"the host of this server has muted you {mute.words}")
        if not self._rate.take_if_free():
            raise InputError("too_fast", "you talk too fast: wait a few seconds")
