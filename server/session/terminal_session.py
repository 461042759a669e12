"""A person at a terminal: the mode they see, and the lines they type, carried out one after the other."""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

import structlog

from engine.errors import InputError
from engine.events import Event
from engine.wording.phrases import sentence_case
from server import limits
from server.clean_text import clean
from server.commands.registry import Answer
from server.commands.typed_line import ParsedCommand, execute, parse
from server.commands.yourself import GOOD_BYE
from server.fair_queue import HAS_TO_WAIT
from server.language.position_text import awaited_text
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.player.level_met import count_game
from server.player.location import SideView
from server.player.player_session import PlayerSession
from server.player.resume_code import parting_lines
from server.player.table_feed import is_another_moment, is_new_turn
from server.rate_limit import Rate
from server.session.display import Display
from server.session.idle_timeout import IdleTimeout
from server.session.mode_switch import ModeSwitch
from server.table.snapshot import Snapshot
from server.terminal.terminal import END_OF_INPUT, INTERRUPT, Terminal

log = structlog.get_logger("quatch.session")


class _Line(NamedTuple):
    """A line on its way."""

    text: str
    seen: Snapshot | None
    """What the person saw when they typed it."""
    only_in: SideView | None
    """The side view for which a key stands for this line; None if it was typed."""


class TerminalSession:
    """One person at one terminal, from hello to good-bye."""

    def __init__(self, lobby: Lobby, terminal: Terminal, caller: Caller) -> None:
        self.player_session = PlayerSession(lobby, caller, self)
        self.display = Display(self.player_session, terminal, self._submit, refresh=lambda: self.told([]))
        self.terminal = terminal
        self._modes = ModeSwitch(self.player_session, self.display, terminal, self._submit)
        self._typed: list[_Line] = []
        """Lines that wait to be carried out, the next one first."""
        self._executing: asyncio.Task[None] | None = None
        """Carries them out; None while there are none."""
        self._held = False
        """Whether the other side has to wait, since too many lines have been typed ahead."""
        self._lines = Rate(limits.LINES)
        self._interrupted = False
        """Whether the last line was Ctrl-C."""
        self._done = False
        self._farewell = GOOD_BYE

    async def run(self, first: str = "") -> None:
        """Greet the person, carry out ``first`` and then what they type until they quit or are gone, say good-bye.

        `PlayerSession.identify` comes before it.
        """
        try:
            await self.player_session.begin()
            self.display.answer = self.player_session.reminder
            self.terminal.payer.on_wait = lambda: self.answered("", [HAS_TO_WAIT])
            if first:
                # On a screen its answer takes the place of the reminder; if it leads to no table, the talk has that.
                if self.player_session.reminder and self.display.wants_screen:
                    self.player_session.hear("server", self.player_session.reminder)
                self._submit(first)
            await self._show_and_execute()
        finally:
            parting = parting_lines(self.player_session)
            await self.player_session.finish()
        self.terminal.write_lines(*parting, self._farewell)

    async def _show_and_execute(self) -> None:
        """Run one mode after the other, and carry out what is typed in them, until the session ends."""
        idle_timeout = IdleTimeout(self.player_session.lobby.config.idle, self)
        try:
            while not self._done:
                await self._modes.run_mode()
        finally:
            idle_timeout.stop()
            if self._executing is not None:
                self._executing.cancel()
                await asyncio.gather(self._executing, return_exceptions=True)

    @property
    def last_input_at(self) -> float:
        return self.terminal.last_input_at

    @property
    def at_table(self) -> bool:
        return self.player_session.at_table

    # Typed lines.

    def _submit(self, text: str, only_in: SideView | None = None) -> None:
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
            self.ended(GOOD_BYE)
        finally:
            self._executing = None

    async def _execute_in_turn(self) -> None:
        """Carry out the lines that wait while one mode or the other runs."""
        while self._typed and not self._done:
            await self._modes.running
            text, seen, only_in = self._typed.pop(0)
            if self._held and len(self._typed) < limits.LINES_WAITING:
                self._held = False
                self.terminal.hold(held=False)
            if only_in not in {None, self.player_session.side_view}:
                continue
            answer = await self._carry_out(text, seen)
            await self._modes.running
            self.answered(answer.title or text, [*answer.lines])
            if answer.from_end:
                self.display.turn_to_end()
            self._modes.stop_if_not_due()
            # Others get their turn between the lines of a long script, and a flood is slowed down.
            await asyncio.sleep(self._lines.take())

    async def _carry_out(self, text: str, seen: Snapshot | None) -> Answer:
        """Carry out a line; return the answer, or one that says what went wrong."""
        if text == END_OF_INPUT:
            self.ended(GOOD_BYE)
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
            self.player_session.to_confirm = ""  # a typo between two confirms nothing
            return Answer([error.sentence])
        except Exception:
            log.exception("command failed", command=clean(text).partition(" ")[0])
            return Answer(["That went wrong here; it is logged and nothing is lost."])

    async def _execute(self, line: str, seen: Snapshot | None = None, *, may_move: bool = True) -> Answer:
        """Carry out a move or a command; return the answer. Raises InputError."""
        session = self.player_session
        if not line and session.side_view is None:
            return Answer(awaited_text(session.snapshot) if session.snapshot is not None else ())
        meant = parse(line, session)
        if not may_move and not isinstance(meant, ParsedCommand):
            return Answer([f"Nothing is played from a page: type {line} again to play it."])
        self._modes.begin_line()
        return await execute(meant, session, line, seen)

    async def _interrupt(self, *, again: bool) -> Answer:
        """Ctrl-C: twice does what `quit` does, so a seat is kept."""
        session = self.player_session
        if again or session.in_game:
            return await self._execute("quit")  # in a game it asks
        return Answer([f"Press Ctrl-C again to {'go back' if session.side_view else 'hang up'}."])

    # What the player session tells; see `player.front_end.FrontEnd`.

    @property
    def is_drawn(self) -> bool:
        return self.display.is_drawn

    @property
    def can_answer(self) -> bool:
        # A pipe waits for no answer.
        return self.terminal.is_tty and not self.terminal.input_ended

    @property
    def is_reading(self) -> bool:
        return self.display.page is not None

    @property
    def said_before(self) -> Sequence[str]:
        return self._modes.said_before

    @property
    def screen_notes(self) -> Sequence[str]:
        return self.display.screen_notes

    @property
    def has_signs(self) -> bool:
        return self.terminal.has_signs

    def updated(self, before: Snapshot | None, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        session = self.player_session
        if is_another_moment(before, snapshot):
            self.display.answer = ""
        self.told(session.feed.update(before, snapshot, events, session.settings, drawn=self.is_drawn))
        count_game(session, snapshot, events)
        if snapshot.deadline is not None and is_new_turn(before, snapshot):
            self._modes.call()

    def called(self) -> None:
        self._modes.call()

    def told(self, lines: list[str]) -> None:
        self._modes.say(lines)

    def answered(self, asked: str, lines: list[str], *, number_means: str = "") -> None:
        self.display.show_answer(asked, lines, number_means)
        self.told(lines)

    def progressed(self, line: str, *, instead_of: str) -> None:
        if self.display.answer in {"", instead_of}:
            self.display.answer = line
            self.told([])

    def table_closed(self, why: str) -> None:
        self.answered("", [f"{sentence_case(why)}. You are in the lobby."])

    def ended(self, farewell: str) -> None:
        self._farewell = farewell
        self._done = True
        self._modes.stop()
