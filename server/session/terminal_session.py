"""A person at a terminal: the mode they see, and the lines they type, carried out one after the other."""

import asyncio
from dataclasses import replace
from typing import Final

import structlog

from engine.errors import InputError
from engine.events import Event
from engine.moves import Move
from server.clean import clean
from server.commands.actions import ACTS
from server.commands.admin import ADMIN, Op
from server.commands.queries import ANSWERS
from server.language.parsing import ParsedCommand, parse
from server.limits import LINES_AT_ONCE, LINES_PER_SECOND, LINES_WAITING
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.player.coming_back import kept_words, parting_lines
from server.player.player_session import PlayerSession
from server.player.table_feed import is_another_moment, is_new_turn
from server.rate import Rate
from server.session.display import TOO_SMALL, Display
from server.session.idle_timeout import IdleTimeout
from server.session.mode_switch import ModeSwitch
from server.table.snapshot import Snapshot
from server.terminal.terminal import INTERRUPT, Terminal

log = structlog.get_logger("quatch.session")

NO_SCREEN: Final = "This terminal shows no screen: it says that it is no terminal, or a dumb one (TERM)."
BEFORE_SCREEN: Final = "Quatch. For plain lines without a screen, as screen readers want them, type: set mode line"
"""Written before the screen covers it: screen readers read it out, and it takes no row of the screen."""


class TerminalSession:
    """One person at one terminal, from hello to good-bye."""

    def __init__(self, lobby: Lobby, terminal: Terminal, caller: Caller) -> None:
        """A session begins with `run`."""
        self.player_session = PlayerSession(lobby, caller, self)
        self.display = Display(self.player_session, terminal)
        self.terminal = terminal
        self._modes = ModeSwitch(self.player_session, self.display, terminal, self._submit)
        self._typed: asyncio.Queue[tuple[str, Snapshot | None]] = asyncio.Queue()
        """Lines as typed, each with what the person saw then."""
        self._held = False
        """Whether the other side has to wait, since too many lines have been typed ahead."""
        self._idle_timeout = IdleTimeout(
            lobby.config.idle,
            last_input_at=lambda: terminal.last_input_at,
            in_lobby=lambda: not self.player_session.at_table,
            warn=lambda line: self.answered("", [line]),
            disconnect=self.ended,
        )
        self._lines = Rate(LINES_AT_ONCE, LINES_PER_SECOND)
        self._interrupted = False
        """Whether the last line was Ctrl-C."""
        self._done = False
        self._farewell = "Good-bye. Come again."

    @property
    def name(self) -> str:
        """The name the person goes by."""
        return self.player_session.player.name

    async def run(self, first: str = "") -> None:
        """Greet, carry out what is typed (``first`` to begin with) until the person quits or is gone, leave."""
        try:
            await self.player_session.begin()
            self.display.answer = self.player_session.reminder
            if self.display.wants_screen:
                self.terminal.write_lines(BEFORE_SCREEN)
            self._idle_timeout.start()
            if first:
                self._submit(first)
            await self._show_and_execute()
        finally:
            parting = parting_lines(self.player_session)
            self._idle_timeout.stop()
            await self.player_session.finish()
        self.terminal.write_lines(*parting, self._farewell)

    async def _show_and_execute(self) -> None:
        """Run one mode after the other, and carry out what is typed in them, until the session ends."""
        executing = asyncio.create_task(self._execute_lines())
        try:
            while not self._done:
                await self._modes.run_mode()
        finally:
            executing.cancel()
            (failure,) = await asyncio.gather(executing, return_exceptions=True)
            if isinstance(failure, Exception):
                log.error("typed lines were not carried out", exc_info=failure)

    # Typed lines.

    def _submit(self, text: str) -> None:
        """A line was typed. After too many the other side has to wait."""
        self._typed.put_nowait((text, self.player_session.location.snapshot))
        if self._typed.qsize() >= LINES_WAITING:
            self._held = True
            self.terminal.hold(held=True)

    async def _execute_lines(self) -> None:
        """Carry out typed lines until the session ends, while one mode or the other runs."""
        try:
            while not self._done:
                text, seen = await self._typed.get()
                await self._modes.running.wait()
                if self._held and self._typed.qsize() < LINES_WAITING:
                    self._held = False
                    self.terminal.hold(held=False)
                answer = await self._carry_out(text, seen)
                await self._modes.running.wait()
                self.answered(text, answer)
                self._modes.stop_if_not_due()
                # Others get their turn between the lines of a long script, and a flood is slowed down.
                await asyncio.sleep(self._lines.take())
        finally:
            self._done = True
            self._modes.stop()

    async def _carry_out(self, text: str, seen: Snapshot | None) -> list[str]:
        """Do what a line says; the lines of the answer. If something goes wrong one of them says so."""
        interrupted, self._interrupted = self._interrupted, text == INTERRUPT
        side_view, over_page = self.player_session.side_view, self.display.page is not None
        if over_page and self._turn_page(text):
            return []
        if not (text == INTERRUPT or clean(text) or side_view):
            return []
        try:
            if text == INTERRUPT:
                return await self._interrupt(again=interrupted)
            text = clean(text)
            if side_view and (answer := self.player_session.execute_in_side_view(text)) is not None:
                return answer
            meant = self._meaning(text, in_side_view=side_view is not None)
            if meant == ParsedCommand("again"):
                return self._again()
            self._modes.said.clear()
            self.player_session.confirmation.observe(meant)
            match meant:
                case ParsedCommand("quit") if side_view:
                    return await ACTS["leave"](self.player_session, "")
                case ParsedCommand("quit"):
                    return self._quit()
                case ParsedCommand("set", what):
                    return await self._set(what)
            if over_page and not isinstance(meant, ParsedCommand):
                return [f"Nothing is played from a page: type {text} again to play it."]
            return await self._execute(meant, text, seen)
        except InputError as error:
            return [error.sentence]
        except Exception:
            log.exception("command failed", command=clean(text).partition(" ")[0])
            return ["That went wrong here; it is logged and nothing is lost."]

    def _meaning(self, text: str, *, in_side_view: bool) -> Move | ParsedCommand:
        """What a line means here. Raises InputError."""
        session = self.player_session
        meant = parse(text, session.view, at_table=session.snapshot is not None, is_op=session.is_op)
        if not in_side_view or isinstance(meant, ParsedCommand):
            return meant
        if text.lower() != "q":
            raise InputError("bad_request", "nothing is played in a replay: help tells what can be typed")
        return ParsedCommand("quit")  # in a game that is over no queen is meant

    async def _execute(self, meant: Move | ParsedCommand, text: str, seen: Snapshot | None) -> list[str]:
        session = self.player_session
        if isinstance(meant, ParsedCommand) and meant.name in ANSWERS:
            scene = replace(session.scene, tables=session.lobby.tables(), people=session.lobby.people())
            return ANSWERS[meant.name](scene, meant.rest)
        await session.wait_for_turn()
        if isinstance(meant, ParsedCommand) and meant.name in ADMIN:
            return (await ADMIN[meant.name](Op(session.lobby, session.caller), meant.rest)).lines
        if isinstance(meant, ParsedCommand):
            return await ACTS[meant.name](session, meant.rest)
        return await session.move(meant, text, seen)

    async def _interrupt(self, *, again: bool) -> list[str]:
        """Ctrl-C: twice leaves the table, or hangs up in the lobby."""
        in_lobby = self.player_session.snapshot is None
        if self.player_session.in_game or (again and not in_lobby):
            # It asks before a seat is lost.
            return await ACTS["leave"](self.player_session, "")
        if not again:
            return [f"Press Ctrl-C again to {'hang up' if in_lobby else 'leave'}."]
        self._done = True
        return []

    def _quit(self) -> list[str]:
        """Hang up; a person in a game is asked first, but not a pipe, which waits for no answer."""
        can_answer = self.terminal.is_tty and not self.terminal.input_ended
        if can_answer and self.player_session.in_game and not self.player_session.confirmation.confirm("quit"):
            return [f"Your game is not over. {kept_words(self.player_session.resume_word)} Type quit again to hang up."]
        self._done = True
        return []

    async def _set(self, what: str) -> list[str]:
        key, _, value = what.lower().partition(" ")
        if not key:
            return self.player_session.settings.lines(drawn=self.display.is_drawn)
        if key == "mode" and "screen".startswith(value or "-") and not self.terminal.knows_screen:
            return [NO_SCREEN]
        before = self.display.wants_screen
        but = await self.player_session.choose(key, value.strip())
        changes = before != self.display.wants_screen  # the other mode shows that by itself
        waits = TOO_SMALL if key == "mode" and self.display.is_too_small else ()
        return [] if changes else [f"Set: {key} {getattr(self.player_session.settings, key)}{but}.", *waits]

    def _again(self) -> list[str]:
        """What the person was told last, once more."""
        said = list(self._modes.said) or ["Nothing has been said yet."]
        self._modes.said.clear()
        return said

    def _turn_page(self, text: str) -> bool:
        """Enter turns a page, anything else puts it away; whether that was all."""
        self.display.turn_page(0 if text.strip() else 1)
        return not text.strip()

    # What the player session tells; see `listener.Listener`.

    @property
    def is_drawn(self) -> bool:
        """Whether the person sees a screen."""
        return self.display.is_drawn

    @property
    def has_signs(self) -> bool:
        """Whether their terminal shows suit signs."""
        return self.terminal.has_signs

    def updated(self, before: Snapshot | None, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """Their table has changed."""
        session = self.player_session
        if is_another_moment(before, snapshot):
            self.display.answer = ""
        self.told(session.feed.update(before, snapshot, events, session.settings, drawn=self.is_drawn))
        if snapshot.deadline is not None and is_new_turn(before, snapshot):
            self._modes.call()

    def recalled(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """What happened before they came."""
        self.player_session.feed.recall(snapshot, events)
        self.told([])

    def told(self, lines: list[str]) -> None:
        """Say these lines, or draw what has changed."""
        self._modes.say(lines)

    def answered(self, asked: str, lines: list[str]) -> None:
        """Show the answer to a line."""
        self.display.show_answer(asked, lines)
        self.told(lines)

    def table_closed(self) -> None:
        """Their table has closed."""
        self.told(["The table has closed; you are in the lobby."])

    def ended(self, farewell: str) -> None:
        """The session ends; the farewell is the last that they read."""
        self._farewell = farewell
        self._done = True
        self._modes.stop()
