"""How the line typed on the full screen may go on: the moves and words to suggest, and pages to turn."""

from collections.abc import Callable

from server.commands.completion import add_copy, completions, moves_to_type, proposal, walk
from server.player.player_session import PlayerSession
from server.session.display import Display


class ScreenGuide:
    """The `Guide` of one player's screen."""

    def __init__(
        self, session: PlayerSession, display: Display, submit: Callable[[str], None], refresh: Callable[[], None]
    ) -> None:
        self._session = session
        self._display = display
        self._submit = submit
        self._refresh = refresh

    def offers(self) -> list[str]:
        # They are shown faintly, so a player who has asked for contrast is shown none.
        if self._display.page is not None or self._session.settings.colour == "contrast":
            return []
        line, _ = proposal(self._session.snapshot)
        return [line] if line else self._moves()

    def walk(self, line: str, step: int) -> str:
        moves = self._moves()
        return walk(moves, line, step) if moves else ""

    def add_copy(self, line: str) -> str:
        moves = self._moves()
        return add_copy(moves, line) if line in moves else ""

    def propose(self) -> str:
        if self._display.page is not None:
            return ""
        line, meaning = proposal(self._session.snapshot)
        if line:
            self._answer(f"Enter once more {meaning}; or type something else.")
        return line

    def words(self, line: str) -> list[str]:
        return completions(line, self._session)

    def show_words(self, words: list[str]) -> None:
        self._answer("  ".join(words))

    def turn_page(self, pages: int) -> bool:
        if self._display.page is None:
            return False
        self._display.turn_page(pages)
        self._refresh()
        return True

    def step_back(self) -> None:
        if self._session.side_view is not None:
            self._submit("leave")
        elif self._display.answer:
            self._answer("")

    def _moves(self) -> list[str]:
        snapshot = self._session.snapshot
        return [] if snapshot is None or self._display.page is not None else moves_to_type(snapshot)

    def _answer(self, text: str) -> None:
        self._display.answer = text
        self._refresh()
