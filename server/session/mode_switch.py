"""Which mode a person has, and the change from one to the other: the screen in a large window, else plain lines."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from server.player.player_session import PlayerSession
from server.session.display import Display
from server.session.line_mode import LineMode
from server.session.screen_mode import ScreenMode
from server.terminal.probe import probe
from server.terminal.terminal import Terminal

BEFORE_SCREEN: Final = "Quatch. For plain lines without a screen, as screen readers want them, type: set mode line\r\n"
"""Written before the first screen covers it: screen readers read it out, and it takes no row of the screen."""
SAID_LINES: Final = 20
"""The most lines that `again` repeats."""
CALLS: Final = {
    "bell": "\a",
    "osc9": "\x1b]9;Quatch: it is your turn\a",
    "osc777": "\x1b]777;notify;Quatch;It is your turn\a",
    "off": "",
}
"""What tells a terminal to call its person, by setting."""


class ModeSwitch:
    """The mode that one person has now."""

    def __init__(
        self, session: PlayerSession, display: Display, terminal: Terminal, submit: Callable[[str], None]
    ) -> None:
        self.running = asyncio.get_running_loop().create_future()
        """Done while a mode runs: answers wait while one gives way to the other."""
        self.said_before: Sequence[str] = ()
        """What the person had been told when they typed the present line, since the line before."""
        self._said: list[str] = []
        """What they have been told since."""
        self._session = session
        self._display = display
        self._terminal = terminal
        self._submit = submit
        self._mode: ScreenMode | LineMode | None = None
        self._stopped = False

    async def run_mode(self) -> None:
        """Run the mode that is due until it is not due any more, or until `stop`."""
        self._stopped = False
        if self._display.wants_screen and not self._terminal.is_asked:
            await probe(self._terminal, BEFORE_SCREEN)
            if self._stopped:
                return
        self._mode = self._new_mode()
        if not self.running.done():
            self.running.set_result(None)
        try:
            self.say(self._display.greeting())
            await self._mode.run()
        finally:
            self._mode = None

    def stop(self) -> None:
        """End `run_mode`."""
        self._stopped = True
        if self.running.done():
            self.running = asyncio.get_running_loop().create_future()
        if self._mode is not None:
            self._mode.stop()

    def stop_if_not_due(self) -> None:
        """Give way to the other mode if that is due: the size of the window or the setting has changed."""
        if self._display.wants_screen != self._display.is_drawn:
            self.stop()

    def say(self, lines: list[str]) -> None:
        """Say these lines, or draw what has changed."""
        self._said = [*self._said, *lines][-SAID_LINES:]
        match self._mode:
            case LineMode():
                self._mode.say(lines)
            case ScreenMode():
                self._mode.refresh()

    def begin_line(self) -> None:
        """Note that the person has typed a move or a command: what `again` repeats was said before it."""
        self.said_before, self._said = self._said, []

    def call(self) -> None:
        """Tell the person that it is their turn, in the way that they have set and their terminal supports."""
        if self._terminal.is_tty and self._mode is not None:
            notice = self._session.settings.notice
            call = CALLS[notice] if self._display.wants_screen or notice == "bell" else ""
            if isinstance(self._mode, ScreenMode):
                self._mode.call(call)
            else:
                self._terminal.write(call)

    def _new_mode(self) -> ScreenMode | LineMode:
        display, terminal = self._display, self._terminal
        display.is_drawn = display.wants_screen
        if display.is_drawn:
            return ScreenMode(terminal, display.frame, self._submit, display, self.stop_if_not_due)
        return LineMode(
            terminal,
            self._submit,
            prompts=lambda: self._session.settings.prompt == "on",
            typing=display.stop_playing,
            resized=self.stop_if_not_due,
        )
