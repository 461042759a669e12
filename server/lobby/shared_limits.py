"""Limits by address that hold in all processes together: connections, penalties, wrong secrets.

Of connections those count that have logged in, since each process tells who is there (`people_here.py`). How often an
address connects, and how much it computes, counts in each process for itself.
"""

from collections.abc import Callable

from server.addresses import Address, address_text, read_address
from server.limits import PENALTY_LONGEST
from server.lobby.channel import Channel, Origin
from server.lobby.messages import Penalty, WrongSecret
from server.people.guess_limits import GuessLimits
from server.people.players import Caller


class SharedLimits:
    """Tells the other processes what counts against an address, and notes what they tell."""

    def __init__(self, channel: Channel, guess_limits: GuessLimits) -> None:
        self.penalise: Callable[[Address, float], None] = lambda *_: None
        """Called with an address that is to wait so many seconds longer for its next connection."""
        self._channel, self._guess_limits = channel, guess_limits
        guess_limits.failed = self._tell_wrong_secret
        channel.on(Penalty, self._hear_penalty)
        channel.on(WrongSecret, self._hear_wrong_secret)

    def tell_penalty(self, address: Address, seconds: float) -> None:
        """Tell the others of a penalty here."""
        self._channel.tell(Penalty(str(address), seconds))

    def _hear_penalty(self, _: Origin, penalty: Penalty) -> None:
        self.penalise(read_address(penalty.address), min(max(0.0, penalty.seconds), PENALTY_LONGEST))

    def _tell_wrong_secret(self, caller: Caller, table: int | None) -> None:
        self._channel.tell(WrongSecret(caller.wished_name, caller.key, address_text(caller.address), table))

    def _hear_wrong_secret(self, _: Origin, wrong: WrongSecret) -> None:
        self._guess_limits.note_wrong(wrong.caller, wrong.table)
