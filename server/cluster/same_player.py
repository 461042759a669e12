"""Two sessions of one player, or two players of one name, in two processes that did not know of each other yet.

Both processes decide the same, each about its own sessions.
"""

from typing import Final

from server.cluster.other_processes import RemoteVisitor
from server.lobby.lobby import Lobby
from server.lobby.visitor import LocalVisitor, Visitor
from server.lobby.visitors import TAKEN_OVER
from server.people.names import looks
from server.table.broadcaster import tell_each

SAME_TIME_SECONDS: Final = 1.0
"""Of two players who have come within this time in two processes, it is not certain which one came first."""


def note_elsewhere(lobby: Lobby, visitor: RemoteVisitor) -> None:
    """Note a session in another process that has come or has changed, and end or rename sessions here if they clash."""
    is_new = visitor not in lobby.visitors.came
    lobby.visitors.note(visitor, visitor.came)
    if is_new:
        same = [mine for mine in lobby.visitors.here if mine.player.id == visitor.player.id]
        tell_each((mine for mine in same if _came_first(lobby, mine, visitor)), lambda mine: mine.dismiss(TAKEN_OVER))
    if not lobby.names_in_use.is_free(visitor.player.name, visitor.player.id):
        tell_each(_clashing(lobby, visitor), lobby.give_another_name)


def _came_first(lobby: Lobby, mine: Visitor, other: RemoteVisitor) -> bool:
    """Whether a visitor here came before one elsewhere."""
    later = other.came - lobby.visitors.came[mine]
    return later > 0 if abs(later) > SAME_TIME_SECONDS else lobby.peers.process < other.process


def _clashing(lobby: Lobby, other: RemoteVisitor) -> list[LocalVisitor]:
    """The visitors here with a name like that of another elsewhere, who keeps it.

    A player with a key keeps it before a guest; of two of a kind the one at a table, or the one who came first.
    """
    taken, is_guest = looks(other.player.name), other.player.account is None

    def keeps(mine: LocalVisitor) -> bool:
        if (mine.player.account is None) != is_guest:
            return is_guest
        return _came_first(lobby, mine, other) if mine.at_table == other.at_table else mine.at_table

    others = (mine for mine in lobby.visitors.here if mine.player.id != other.player.id)
    return [mine for mine in others if not taken.isdisjoint(looks(mine.player.name)) and not keeps(mine)]
