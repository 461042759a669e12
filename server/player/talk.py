"""What one player hears others say, where the player is, and whom they have invited."""

import asyncio
from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from engine.errors import InputError
from server.bounded_dict import make_room
from server.ledger import Rate
from server.limits import INVITATIONS, TALK, TALK_REPEATED_SECONDS
from server.render.scene import LINES_KEPT
from server.table.recent_talk import EARLIER, Said

LINES_REMEMBERED: Final = 20
"""How many of a player's own lines are remembered."""
TO_YOU: Final = "(to you) "
"""What begins a line that one player alone hears."""
NOT_NOW: Final = f"{TO_YOU}not now, thanks"
"""What an invited player says who does not come."""
_NOBODY: Final = frozenset[str]()


class Talk:
    """The talk of the lobby or of a table. That of the lobby is there again when the player comes back from a table."""

    def __init__(
        self,
        said_in_lobby: Callable[[float], list[Said]],
        tell: Callable[[list[str]], None],
        ignores: Callable[[str], bool],
    ) -> None:
        """``said_in_lobby`` returns what was said in the lobby after a time. ``tell`` takes lines for the player.

        ``ignores``: whether the player wants to hear nothing from somebody with this name.
        """
        self._rate = Rate(TALK.share)
        """How much the player may say themselves."""
        self._said = dict[str, float]()
        """When the player has said their latest lines; these as in `_look`."""
        self._invited: dict[str, Rate] = {}
        """The ids of the players whom the player has invited to tables, and how often of late."""
        self._asked_here = _NOBODY
        """The ids of those among them who were invited to this table."""
        self.invited_here = _NOBODY
        """The names of those who were invited to this table."""
        self.heard_from = ""
        """The player who has spoken last to this one alone; empty for none."""
        self._said_in_lobby = said_in_lobby
        self._tell = tell
        self._ignores = ignores
        self._came_at = asyncio.get_running_loop().time()
        self._in_lobby: list[str] = []
        self._new = 0
        """How many lines the player has heard since `count_anew`."""
        self._at_table: list[str] | None = None
        """None in the lobby."""
        self._missed_since: float | None = -inf
        """Since when the player has not heard the lobby, in the event loop's time; None if they hear it."""

    @property
    def lines(self) -> list[str]:
        """What was said where the player is, the newest line last."""
        return self._in_lobby if self._at_table is None else self._at_table

    @property
    def new_lines(self) -> list[str]:
        """What was said since `count_anew`."""
        return self.lines[max(0, len(self.lines) - self._new) :]

    def count_anew(self) -> None:
        """Note that what was said so far is not new."""
        self._new = 0

    def take_turn(self, line: str = "") -> None:
        """Use up one of the player's turns to talk. Raises InputError if they talk too fast, or repeat a line."""
        if self._said.get(_look(line), -inf) > asyncio.get_running_loop().time() - TALK_REPEATED_SECONDS:
            raise InputError("bad_request", "you have just said that")
        if not self._rate.take_if_free():
            raise TALK.refuse(self._rate.wait())

    def note_own(self, line: str) -> None:
        """Note a line that the player says to others now; only such a one may not be repeated."""
        if not line:
            return
        make_room(self._said, LINES_REMEMBERED)
        self._said[_look(line)] = asyncio.get_running_loop().time()

    def note_invitation(self, player_id: str, name: str) -> None:
        """Note that the player invites this one. Raises InputError if they just did so, to this table or twice."""
        self._invited = {each: rate for each, rate in self._invited.items() if rate.used}
        rate = self._invited.setdefault(player_id, Rate(INVITATIONS.share))
        if (rate.used and player_id in self._asked_here) or not rate.take_if_free():
            raise INVITATIONS.refuse(rate.wait(), name=name)
        self._asked_here |= {player_id}
        self.invited_here |= {name}

    def hear(self, name: str, line: str) -> bool:
        """Take what somebody has said. Returns whether the player hears them."""
        if line == NOT_NOW:
            self.invited_here -= {name}
        if is_heard := not self._ignores(name):
            self._take([f"{name}: {line}"])
        return is_heard

    def recall(self, said: Sequence[Said]) -> None:
        """Take what was said before the player came."""
        heard = [one for one in said if not self._ignores(one.name)]
        if heard:
            self._take([EARLIER, *(f"{each.name}: {each.line}" for each in heard)])

    def go_to_table(self) -> None:
        """Begin anew, at a table."""
        self._at_table = []
        if self._missed_since is None:
            self._missed_since = asyncio.get_running_loop().time()

    def leave_table(self) -> None:
        """Hear the table no more."""
        self._at_table, self.invited_here, self._asked_here = None, _NOBODY, _NOBODY

    def recall_lobby(self) -> None:
        """Take what was said in the lobby while the player did not hear it. Announcements are heard everywhere."""
        if self._missed_since is not None:
            said = self._said_in_lobby(self._missed_since)
            missed = [each for each in said if each.player_id or each.at <= self._came_at]
            self._missed_since = None
            self.recall(missed)

    def _take(self, lines: list[str]) -> None:
        self.lines.extend(lines)
        del self.lines[:-LINES_KEPT]
        self._new += len(lines)
        self._tell(lines)


def _look(line: str) -> str:
    """A line without case and signs, unless there is nothing else in it."""
    return "".join(filter(str.isalnum, line.casefold())) or line
