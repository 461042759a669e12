"""How the line typed on the full screen may go on: the moves and words to suggest, and pages to turn."""

from collections.abc import Callable

from server.commands.completion import add_copy, completions, moves_to_type, proposal, walk
from server.player.player_session import PlayerSession
from server.render.frame import page_lines
from server.terminal.terminal import Terminal


class ScreenGuide:
    """The `Guide` of one player's screen."""

    def __init__(
        self,
        player_session: PlayerSession,
        terminal: Terminal,
        submit: Callable[[str], None],
        refresh: Callable[[], None],
    ) -> None:
        """``submit`` takes a line that a key stands for; ``refresh`` draws the changed scene."""
        self._player_session = player_session
        self._scene = player_session.scene
        self._terminal = terminal
        self._submit = submit
        self._refresh = refresh

    def offers(self) -> list[str]:
        """See `Guide`. They are shown faintly, so a player who has asked for contrast is shown none."""
        if self._scene.page or self._scene.settings.colour == "contrast":
            return []
        line, _ = proposal(self._scene.snapshot)
        return [line] if line else self._moves()

    def walk(self, line: str, step: int) -> str:
        """See `Guide`."""
        moves = self._moves()
        return walk(moves, line, step) if moves else ""

    def add_copy(self, line: str) -> str:
        """See `Guide`."""
        moves = self._moves()
        return add_copy(moves, line) if line in moves else ""

    def propose(self) -> str:
        """See `Guide`."""
        if self._scene.page:
            return ""
        line, meaning = proposal(self._scene.snapshot)
        if line:
            self._answer(f"Enter once more {meaning}; or type something else.")
        return line

    def words(self, line: str) -> list[str]:
        """See `Guide`."""
        return completions(line, self._player_session)

    def show_words(self, words: list[str]) -> None:
        """See `Guide`."""
        self._answer("  ".join(words))

    def turn_page(self, pages: int) -> bool:
        """See `Guide`."""
        scene = self._scene
        if not scene.page:
            return False
        scene.page_at = max(0, scene.page_at + pages * page_lines(*self._terminal.size))
        if not pages or scene.page_at >= len(scene.page):
            scene.page = []
        self._refresh()
        return True

    def step_back(self) -> None:
        """See `Guide`."""
        if self._player_session.side_view.showing is not None:
            self._submit("leave")
        elif self._scene.answer:
            self._answer("")

    def _moves(self) -> list[str]:
        return [] if self._scene.snapshot is None or self._scene.page else moves_to_type(self._scene.snapshot)

    def _answer(self, text: str) -> None:
        self._scene.answer = text
        self._refresh()
