"""A person at a terminal: the lines they type, carried out one after the other, from hello to good-bye."""

import asyncio
from typing import Final, NamedTuple

import structlog

from engine.errors import InputError
from engine.wording.phrases import quantity
from server import limits
from server.clean_text import clean
from server.commands.completion import next_step
from server.commands.registry import Answer
from server.commands.typed_line import ParsedCommand, execute, parse
from server.commands.yourself import GOOD_BYE
from server.fair_queue import HAS_TO_WAIT
from server.language.position_text import awaited_text
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.player.location import SideView
from server.player.player_session import PlayerSession
from server.player.resume_code import parting_lines
from server.rate_limit import Rate
from server.session.display import Display
from server.table.snapshot import Snapshot
from server.terminal.terminal import END_OF_INPUT, INTERRUPT, Terminal

WARNING: Final = "Are you still there? In {} you are disconnected: press a key to stay."
IDLE_FAREWELL: Final = "Disconnected: you typed nothing for a long time. Come again soon."

log = structlog.get_logger("quatch.session")


class _Line(NamedTuple):
    """A line on its way."""

    text: str
    seen: Snapshot | None
    """What the person saw when they typed it."""
    only_in: SideView | None
    """The side view for which a key stands for this line; None if it was typed."""


class TerminalSession:
    """One person at one terminal."""

    def __init__(self, lobby: Lobby, terminal: Terminal, caller: Caller) -> None:
        self.terminal = terminal
        self.display = Display(lobby, terminal, caller, self._submit)
        self.player_session = self.display.session
        self._typed: list[_Line] = []
        """Lines that wait to be carried out, the next one first."""
        self._executing: asyncio.Task[None] | None = None
        """Carries them out; None while there are none."""
        self._held = False
        """Whether the other side has to wait, since too many lines have been typed ahead."""
        self._lines = Rate(limits.LINES)
        self._interrupted = False
        """Whether the last line was Ctrl-C."""

    async def run(self, first: str = "") -> None:
        """Greet the person, carry out ``first`` and then what they type until they quit or are gone, say good-bye.

        `PlayerSession.identify` comes before it.
        """
        session, display = self.player_session, self.display
        try:
            await session.begin()
            display.show_line(session.reminder)
            self.terminal.payer.when_waiting(lambda: display.show("", [HAS_TO_WAIT]))
            if first:
                # On a screen its answer takes the place of the reminder; if it leads to no table, the talk has that.
                if session.reminder and display.wants_screen:
                    session.hear("server", session.reminder)
                self._submit(first, None)
            await self._show_and_execute()
        finally:
            parting = parting_lines(session)
            await session.finish()
        self.terminal.write_lines(*parting, display.farewell)

    async def _show_and_execute(self) -> None:
        """Show what there is to see, and carry out what is typed, until the session ends."""
        idle_timeout = IdleTimeout(self.player_session, self.terminal)
        try:
            await self.display.run()
        finally:
            idle_timeout.stop()
            if self._executing is not None:
                self._executing.cancel()
                await asyncio.gather(self._executing, return_exceptions=True)

    def _submit(self, text: str, only_in: SideView | None) -> None:
        """Queue a line that was typed, or for which a key stands. If too many wait, the other side has to stop sending.

        ``only_in``: forget it if this side view is not shown any more when its turn comes.
        """
        self._typed.append(_Line(text, self.player_session.snapshot, only_in))
        if self._executing is None:
            self._executing = asyncio.create_task(self._execute_lines())
        if len(self._typed) >= limits.LINES_WAITING:
            self._held = True
            self.terminal.hold(held=True)

    async def _execute_lines(self) -> None:
        """Carry out the lines that wait, as steps in the fair queue. If that fails, the session ends."""
        try:
            await self.terminal.payer.run(self._execute_in_turn())
        except Exception:
            log.exception("typed lines were not carried out")
            self.display.ended(GOOD_BYE)
        finally:
            self._executing = None

    async def _execute_in_turn(self) -> None:
        """Carry out the lines that wait while one mode or the other runs."""
        display = self.display
        while self._typed and not display.has_ended:
            await display.running
            text, seen, only_in = self._typed.pop(0)
            if self._held and len(self._typed) < limits.LINES_WAITING:
                self._held = False
                self.terminal.hold(held=False)
            if only_in not in {None, self.player_session.side_view}:
                continue
            answer = await self._carry_out(text, seen)
            await display.running
            display.show(answer.title or text, answer.lines, from_end=answer.from_end)
            display.stop_mode_if_not_due()
            # Others get their turn between the lines of a long script, and a flood is slowed down.
            await asyncio.sleep(self._lines.take())

    async def _carry_out(self, text: str, seen: Snapshot | None) -> Answer:
        """Carry out a line. Returns the answer, or one that says what went wrong."""
        if text == END_OF_INPUT:
            self.display.ended(GOOD_BYE)
            return Answer()
        interrupted, self._interrupted = self._interrupted, text == INTERRUPT
        page = self.display.page
        if page is not None:
            # Enter turns the page, anything else puts it away.
            self.display.turn_page(0 if text.strip() else 1)
            if not text.strip():
                return Answer()
            text = page.line_for(text)
        if not text.strip() and self.display.stop_playing():  # a typed character has stopped it already
            return Answer(["Stopped. Type play to go on."])
        try:
            if text == INTERRUPT:
                return await self._interrupt(again=interrupted)
            return await self._execute(clean(text, limits.LINE_LENGTH), seen, may_move=page is None)
        except InputError as error:
            self.player_session.confirm_nothing_but()  # a typo between two confirms nothing
            return Answer([error.sentence])
        except Exception:
            log.exception("command failed", command=clean(text).partition(" ")[0])
            return Answer(["That went wrong here; it is logged and nothing is lost."])

    async def _execute(self, line: str, seen: Snapshot | None = None, *, may_move: bool = True) -> Answer:
        """Carry out a move or a command. Returns the answer. Raises InputError."""
        session = self.player_session
        if not line and session.side_view is None:
            # What another process or player has changed meanwhile is seen first.
            is_same_place = (seen is None) == (session.snapshot is None)
            line = next_step(session, seen) if is_same_place and session.front_end.can_answer else ""
            if not line:
                return Answer(awaited_text(session.snapshot) if session.snapshot is not None else ())
        meant = parse(line, session)
        if not may_move and not isinstance(meant, ParsedCommand):
            return Answer([f"Nothing is played from a page: type {line} again to play it."])
        self.display.begin_line()
        return await execute(meant, session, line, seen)

    async def _interrupt(self, *, again: bool) -> Answer:
        """Ctrl-C: twice does what `quit` does, so a seat is kept."""
        session = self.player_session
        if again or session.in_game:
            return await self._execute("quit")  # in a game it asks
        return Answer([f"Press Ctrl-C again to {'go back' if session.side_view else 'hang up'}."])


class IdleTimeout:
    """Ends the session of a player who sits in the lobby and types nothing for a long time, after a warning."""

    def __init__(self, session: PlayerSession, terminal: Terminal) -> None:
        """Watch the session until it has been ended, or until `stop`."""
        self._session = session
        self._terminal = terminal
        self._seconds = session.lobby.config.idle
        self._warning_seconds = min(limits.IDLE_WARNING_SECONDS, self._seconds / 2)
        self._in_lobby_since = asyncio.get_running_loop().time()
        self._warned = False
        self._timer: asyncio.TimerHandle
        self._look()

    def stop(self) -> None:
        """Watch no more."""
        self._timer.cancel()

    def _look(self) -> None:
        """Warn the player or end the session if it is time, and look again later."""
        loop = asyncio.get_running_loop()
        if self._session.at_table:
            self._in_lobby_since = loop.time()
        left = max(self._in_lobby_since, self._terminal.last_input_at) + self._seconds - loop.time()
        if left <= 0:
            self._session.dismiss(IDLE_FAREWELL)
            return
        until_warning = left - self._warning_seconds
        if until_warning <= 0 and not self._warned:
            self._session.front_end.answered("", [WARNING.format(quantity(round(self._warning_seconds), "second"))])
        self._warned = until_warning <= 0
        self._timer = loop.call_later(min(left if self._warned else until_warning, self._warning_seconds), self._look)
