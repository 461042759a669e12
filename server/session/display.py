"""What one person's terminal shows: their player session, the answer to the line typed last, the page they read.

It is also what the typed line asks for moves and words to suggest (`Guide`).
"""

from collections.abc import Callable
from typing import Final

from engine.wording.phrases import listed
from server.clean_text import clean
from server.commands.completion import add_copy, completions, example_to_type, moves_to_type, proposal, walk
from server.language.position_text import table_text
from server.limits import LEAST_SCREEN, TALK_KEPT
from server.player.location import SideView
from server.player.player_session import PlayerSession
from server.render.frame import Frame, draw, last_screen, page_of, turned
from server.render.scene import Page, Teaches
from server.terminal.terminal import Terminal

TOO_SMALL: Final = (
    f"This window is smaller than {LEAST_SCREEN[0]} by {LEAST_SCREEN[1]}, so here are plain lines.",
    "The screen comes by itself when the window is larger.",
)
TALK_GREETED: Final = 1 + TALK_KEPT
"""The most lines of talk in a greeting: what was said before the person came, with the line above it."""
NO_SCREEN: Final = "This terminal shows no screen: it says that it is no terminal, or a dumb one (TERM)."


class Display:
    """One person's screen or plain lines; the `Guide` of their typed line."""

    def __init__(
        self,
        session: PlayerSession,
        terminal: Terminal,
        submit: Callable[[str, SideView], None],
        refresh: Callable[[], None],
    ) -> None:
        """``submit`` takes a line as if it had been typed, to be carried out only while this side view is shown.

        ``refresh`` draws what has changed.
        """
        self.is_drawn = False
        """Whether the screen mode runs; if not, everything is told in lines."""
        self.answer = ""
        """The answer to the line typed last, if it has one line."""
        self.page: Page | None = None
        """A longer answer, as long as the person reads it."""
        self._session = session
        self._terminal = terminal
        self._submit = submit
        self._refresh = refresh

    @property
    def may_draw(self) -> bool:
        """Whether the person has a screen as soon as the window is large enough."""
        return self._terminal.knows_screen and self._session.settings.mode != "line"

    @property
    def wants_screen(self) -> bool:
        """Whether the screen mode is due, else the line mode."""
        return self.may_draw and self._terminal.is_large_enough

    @property
    def screen_notes(self) -> tuple[str, ...]:
        """Why the person sees no screen that they asked for, or that they would see in a larger window."""
        if self._session.settings.mode == "screen" and not self._terminal.knows_screen:
            return (NO_SCREEN,)
        return TOO_SMALL if self.may_draw and not self._terminal.is_large_enough else ()

    def frame(self, columns: int, rows: int) -> Frame:
        """The newest frame at this size."""
        return draw(self._session.scene_with(self.answer, self.page), columns, rows)

    def show_answer(self, asked: str, lines: list[str], number_means: str = "") -> None:
        """Show one line until the next one is typed; more make a page."""
        self.answer = lines[0] if len(lines) == 1 else ""
        if len(lines) > 1 and self.wants_screen:
            self.page = page_of(clean(asked), lines, self._terminal.size[0], number_means)

    def turn_to_end(self) -> None:
        """Show the last screen of the page."""
        if self.page is not None:
            self.page = last_screen(self.page, *self._terminal.size)

    def greeting(self) -> list[str]:
        """What a person reads whose screen or plain lines begin."""
        return [*self.screen_notes, *self._rest_of_page(), *self._where_they_are()]

    def _rest_of_page(self) -> list[str]:
        """The lines that were not read yet of a page on the screen: plain lines have no pages."""
        if self.is_drawn or self.page is None:
            return []
        page, self.page = self.page, None
        return [*page.lines[page.at :]]

    def _where_they_are(self) -> list[str]:
        session, snapshot = self._session, self._session.snapshot
        said = session.talk.lines[-TALK_GREETED:]
        if snapshot is not None:
            here = [] if session.side_view else [f"You are at table {session.table.number}."]
            return [*here, *said, *session.feed.came_back, *table_text(snapshot, session.feed.clock_left)]
        drain, teaches = session.lobby.drain, next(iter(session.lobby.features.all(Teaches)), None)
        learn = f", {teaches.word} to learn it in {teaches.how_long}" if teaches else ""
        return [
            f"Quatch. Welcome, {session.player.name}.",
            f"Type play for a game against AI players{learn}.",
            f"Other rule sets: play {listed(session.lobby.rulebook.names[1:])}.",
            "Type tables to see who plays, help for the rest.",
            *([session.reminder] if session.reminder else []),
            *([drain.notice] if drain.notice else []),
            *said,
        ]

    # What the typed line asks for; see `line_editor.Guide`.

    def offers(self) -> list[str]:
        # They are shown faintly, so a player who has asked for contrast is shown none.
        if self.page is not None or self._session.settings.colour == "contrast":
            return []
        snapshot, side_view = self._session.snapshot, self._session.side_view
        line, _ = proposal(snapshot)
        if line or snapshot is None:
            return [line]
        if not snapshot.place.suggests or not (moves := self._moves()):
            return []
        suggested = (side_view and side_view.to_type) or example_to_type(snapshot)
        return sorted(moves, key=lambda move: move != suggested)

    def walk(self, line: str, step: int) -> str:
        moves = self._moves()
        return walk(moves, line, step) if moves else ""

    def add_copy(self, line: str) -> str:
        moves = self._moves()
        return add_copy(moves, line) if line in moves else ""

    def propose(self) -> str:
        if self.page is not None:
            return ""
        line, meaning = proposal(self._session.snapshot)
        if line:
            self._note(f"Enter once more {meaning}; or type something else.")
        return line

    def words(self, line: str) -> list[str]:
        return completions(line, self._session)

    def show_words(self, words: list[str]) -> None:
        self._note("  ".join(words))

    def turn_page(self, pages: int) -> bool:
        if self.page is None:
            return False
        self.page = turned(self.page, pages, *self._terminal.size)
        self._refresh()
        return True

    def step(self, command: str) -> bool:
        side_view = self._session.side_view
        if self.page is not None or side_view is None or side_view.place.kind != "record":
            return False
        self._submit(command, side_view)
        return True

    def stop_playing(self) -> bool:
        side_view = self._session.side_view
        stopped = side_view is not None and side_view.stop()
        if stopped:
            self._note("")
        return stopped

    def step_back(self) -> None:
        if (side_view := self._session.side_view) is not None:
            self._submit("leave", side_view)
        elif self.answer:
            self._note("")

    def _moves(self) -> list[str]:
        snapshot = self._session.snapshot
        return [] if snapshot is None or self.page is not None else moves_to_type(snapshot)

    def _note(self, text: str) -> None:
        self.answer = text
        self._refresh()
