"""What one player hears of others."""

from collections import deque

from server.people.names import skeleton
from server.render.scene import LINES_KEPT


class Talk:
    """The talk as one player hears it."""

    def __init__(self) -> None:
        self.lines = deque[str](maxlen=LINES_KEPT)
        """What people said, the newest line last."""
        self.ignored: set[str] = set()
        """The skeletons of the names that the player does not want to hear from."""

    def hear(self, name: str, line: str) -> list[str]:
        """Add what somebody said; the line to show, none if the player ignores them."""
        if skeleton(name) in self.ignored:
            return []
        said = f"{name}: {line}"
        self.lines.append(said)
        return [said]
