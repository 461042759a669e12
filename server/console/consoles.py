"""All consoles of one process, over ssh and at the terminal where the server was started.

The log of all processes of a server goes to a file while a console is at its terminal. Process 0 shows it there. At
SIGHUP it ends, and the one of the next generation takes its place when the terminal is free.

Nothing here waits for that terminal, since all players would have to wait as well: it is written through a file
description of its own that does not block. One that takes nothing for long loses its console, and the server goes on.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Final

import structlog
from msgspec.structs import replace

from engine.errors import InputError
from server.clean_text import clean
from server.commands.completion import completions
from server.commands.finding import UNKNOWN
from server.commands.registry import ADMIN, Answer, ExecContext, command_named
from server.console import ConsoleSettings
from server.console.frame import PARTS, Part, draw_console
from server.console.host_words import way_for, way_in_shell
from server.console.overview import RECENT, Load, keep_line, overview
from server.console.own_terminal import LogFile, lock_terminal, log_in_file, put_log_aside
from server.features import Feature
from server.limits import COLUMNS, LINE_LENGTH, ROWS
from server.lobby.competitions import Competitions
from server.lobby.lobby import Lobby, Runs
from server.lobby.service import Service, Serving
from server.people.players import Caller
from server.people.settings import Settings
from server.player.player_session import KEY_SECONDS
from server.process.logs import LISTENERS
from server.process.standard_streams import is_at_terminal
from server.render.frame import Frame, turned
from server.render.scene import Page
from server.render.theme import theme_of
from server.session.exec_commands import OwnScreen, context_at_prompt, understood
from server.terminal.terminal import END_OF_INPUT, INTERRUPT, Guide, Terminal, probe
from server.transport.local_terminal import LocalTerminal

if TYPE_CHECKING:
    from server.session.screen_mode import ScreenMode

TICK_SECONDS: Final = 1.0
ANSWER_SECONDS: Final = 30.0
"""How long an answer of one line is shown: it tells what was then."""
HINTS: Final = ("help", "join", "announce TEXT", "kick NAME", "drain", "quit", "Tab completes", "Right: more")
OF_FEATURES: Final = {"announce TEXT", "kick NAME", "drain"}
"""The hints that are given only if the command is there."""
_PARTS_BY_WORD: Final[Mapping[str, Part]] = {"log": "log", "join": "join"}
"""The parts of the console that are shown if their names are typed; those of the others are commands."""
_STEPS: Final = {"right": 1, "left": -1}
"""What these keys stand for on an empty line: the next part of the console, and the one before."""
LEAVING: Final = frozenset({"quit", "exit", "q", INTERRUPT})
_OWN_WORDS: Final = {*_PARTS_BY_WORD, *LEAVING}
FAREWELL: Final = "The console is closed."
BELL: Final = "\a"

log = structlog.get_logger("quatch.console")


class ConsoleSession(Guide):
    """A console at one terminal, and the guide of its typed line."""

    def __init__(
        self,
        lobby: Lobby,
        load: Load,
        terminal: Terminal,
        caller: Caller,
        stop: Callable[[], None] | None = None,
        notice: str = "",
    ) -> None:
        """``stop`` stops the server, if the console is where the server was started; None for an op elsewhere.

        ``notice`` is a line that is always shown, such as where the log is.
        """
        self._lobby = lobby
        self._load = load
        self._terminal = terminal
        self.caller = caller
        self._stop_server = stop
        self._notice = notice
        self._typed: asyncio.Queue[str] = asyncio.Queue()
        self._context: ExecContext
        self._screen: ScreenMode | None = None
        # Who opens a server to a room wants to show it how to come first.
        self._part: Part = "join" if stop is not None and any(each.invites for each in lobby.services) else "all"
        self._answer = ""
        self._page: Page | None = None
        self._answered_at = self._asked_at = -inf
        """When the answer was given, and when it asked whether to stop the server; long ago if it did not."""
        self._called = list[int]()
        """The tables to which the op is called by now."""
        self._farewell = FAREWELL
        self._ended = False
        self.task = asyncio.current_task()
        """The one in which it is shown."""

    async def run(self) -> None:
        """Show the console until its person leaves, or until `ended`."""
        from server.session.screen_mode import ScreenMode  # noqa: PLC0415 - loaded late, see `app.run_process`

        self._context = await context_at_prompt(self._lobby, self.caller)
        await probe(self._terminal)
        self._screen = ScreenMode(
            self._terminal, self._frame, self._typed.put_nowait, self, least=(COLUMNS.start, ROWS.start)
        )
        if not self._ended:
            self._lobby.tables.begin_viewing(self)
            tasks = [asyncio.create_task(each) for each in (self._execute_lines(), self._tick())]
            try:
                await self._screen.run()
            finally:
                self._lobby.tables.end_viewing(self)
                for task in tasks:
                    task.cancel()
        self._terminal.write_lines(self._farewell)

    def ended(self, farewell: str) -> None:
        """End it with this last line, unless it is ending already."""
        if not self._ended:
            (self._farewell,), self._ended = self._lobby.join_lines.named_in([farewell]), True
        if self._screen is not None:
            self._screen.stop()

    async def _tick(self) -> None:
        while True:
            self._load.sample()
            seconds = KEY_SECONDS if self._asked_at > -inf else ANSWER_SECONDS
            if asyncio.get_running_loop().time() > self._answered_at + seconds:
                self._asked_at, self._answer = -inf, ""
            self._refresh(call=BELL if self._is_called() else "")
            await asyncio.sleep(TICK_SECONDS)

    def _is_called(self) -> bool:
        """Whether a competition has just called the op to a table: a session brings them there, and they have none."""
        lobby, player, before = self._lobby, self._context.player, self._called
        now = [its.now() for holder in lobby.features.all(Competitions) for its in holder.held(lobby)]
        self._called = [table for its in now for name, table in its.calls if name == player.name]
        if self._called in ([], before) or lobby.visitors.names_in_use.by_holder(player.id):
            return False
        self._tell(f"You are called to table {self._called[0]}: ssh HOST brings you there.")
        return True

    def _refresh(self, call: str = "") -> None:
        if self._screen is not None:
            self._screen.refresh(call=call)

    def _frame(self, columns: int, rows: int) -> Frame:
        scene = overview(self._lobby, self._load)
        scene = scene if self._terminal.has_signs else replace(scene, code=())
        notice = "; ".join(filter(None, (scene.notice.rstrip("."), self._notice)))
        hints = "  ".join(each for each in HINTS if each not in OF_FEATURES or self._has(each))
        scene = replace(scene, notice=notice, part=self._part, answer=self._answer, hints=hints, page=self._page)
        return draw_console(scene, columns, rows, theme_of(Settings(), has_signs=self._terminal.has_signs))

    # Typed lines.

    async def _execute_lines(self) -> None:
        while True:
            line = await self._typed.get()
            if self._page is not None:
                self._page = turned(self._page, 0 if line.strip() else 1, *self._terminal.size)
                if line.strip().lower() in {"", "q"}:  # q closes a page, as in other pagers
                    self._refresh()
                    continue
            answer = await self._carry_out(line)
            self._tell(answer.lines[0] if len(answer.lines) == 1 else "")
            if len(answer.lines) > 1:
                lines = self._lobby.join_lines.named_in(answer.lines)
                self._page = Page(answer.title or clean(line), tuple(lines))
            self._refresh()

    def _tell(self, answer: str) -> None:
        (self._answer,) = self._lobby.join_lines.named_in([answer])
        self._answered_at = asyncio.get_running_loop().time()

    async def _carry_out(self, line: str) -> Answer:
        if line == END_OF_INPUT:
            goes_on = ", ".join(filter(None, (f"{FAREWELL} The server goes on", self._notice)))
            self.ended(FAREWELL if self._stop_server is None else f"{goes_on}.")
            return Answer()
        text = clean(line, LINE_LENGTH)
        agrees = self._asked_at > -inf and text.lower() in {"yes", "y"}
        if agrees or line in LEAVING or text.lower().removesuffix(" now") in LEAVING:
            return self._leave()
        self._asked_at = -inf
        if text.lower() in {"no", "n"}:
            return Answer(["The server goes on."])
        if part := _PARTS_BY_WORD.get(text.lower()):
            self._part = part
            return Answer()
        about = text[5:].lower() if text.lower().startswith("help ") else ""
        is_own_word = about in _OWN_WORDS or (about and command_named(about, self._lobby.features) is None)
        if is_own_word and (way := way_for(text, self._lobby)):  # not what players mean by it
            return Answer([way])
        if not text:
            return Answer()
        command = None
        try:
            command, rest = understood(text.split(), self._context)
            return await command.run(self._context, rest)
        except InputError as error:
            # A command that is called by its name says why it cannot be done.
            is_called = command is not None and text.lower().startswith(command.name)
            way = "" if is_called and error.code != UNKNOWN else way_for(text, self._lobby)
            return Answer([way or error.sentence])
        except Exception:
            log.exception("command failed", command=text.partition(" ")[0])
            return Answer(["That went wrong here; the log has the reason."])

    def _leave(self) -> Answer:
        """Close the console of an op. At the terminal of the server stop the server, if that was typed twice."""
        if self._stop_server is None:
            self.ended(FAREWELL)
        elif (now := asyncio.get_running_loop().time()) <= self._asked_at + KEY_SECONDS:
            self._stop_server()
        else:
            self._asked_at = now
            waits = "; drain waits for games" if self._has("drain") else ""
            how = f"Press Ctrl-C or type quit again within {KEY_SECONDS} seconds"
            return Answer([f"{how} to stop the server{waits}."])
        return Answer()

    def _has(self, usage: str) -> bool:
        return command_named(usage.partition(" ")[0], self._lobby.features) is not None

    # What the typed line asks for; see `Guide`.

    def words(self, line: str) -> list[str]:
        return completions(line, self._context)

    def show_words(self, words: list[str]) -> None:
        self._tell("  ".join(words))
        self._refresh()

    def turn_page(self, pages: int) -> bool:
        if self._page is None:
            return False
        self._page = turned(self._page, pages, *self._terminal.size)
        self._refresh()
        return True

    def step(self, key: str) -> bool:
        if self._page is not None or key not in _STEPS:
            return False
        self._part = PARTS[(PARTS.index(self._part) + _STEPS[key]) % len(PARTS)]
        self._refresh()
        return True

    def step_back(self) -> None:
        self._page, self._part, self._answer = None, "all", ""
        self._refresh()


RETRY_SECONDS: Final = 0.2
"""How long to wait before another attempt to get the terminal, which another process may have."""
HEARD_SECONDS: Final = 1.5
"""How long a console waits then, so that it begins with the players of that process. They are told within so long."""


class HostTerminal(LocalTerminal):
    """Standard input, and the terminal of standard output without waiting for it."""

    def __init__(self) -> None:
        """Raises BlockingIOError if another process has a console there, OSError."""
        self._output = lock_terminal()
        self._unwritten = bytearray()
        super().__init__()

    def write(self, data: bytes) -> None:
        """Write this as soon as the terminal takes it."""
        if self._output >= 0:
            self._unwritten += data
            self._flush()

    def waiting(self) -> int:
        """How many bytes the terminal has not taken yet."""
        return len(self._unwritten)

    def abort(self) -> None:
        """End the console, since the terminal takes nothing any more."""
        self._unwritten.clear()
        self._end_input()

    def close(self, status: int) -> None:  # noqa: ARG002
        """Close the file; what the terminal has not taken by now is lost."""
        if self._output >= 0:
            asyncio.get_running_loop().remove_writer(self._output)
            os.close(self._output)
            self._output = -1

    def _flush(self) -> None:
        try:
            while self._unwritten:
                del self._unwritten[: os.write(self._output, self._unwritten)]
        except BlockingIOError:
            asyncio.get_running_loop().add_writer(self._output, self._flush)
            return
        except OSError:
            self.abort()
        asyncio.get_running_loop().remove_writer(self._output)


async def _free_terminal() -> HostTerminal:
    """The terminal, once no other process has it, and that one has told who its players are. Raises OSError."""
    heard = 0.0
    while True:
        try:
            terminal = HostTerminal()
        except BlockingIOError:
            heard = HEARD_SECONDS
            await asyncio.sleep(RETRY_SECONDS)
        else:
            await asyncio.sleep(heard)
            return terminal


RENEWED: Final = "The server has been renewed. Its console is a new one"
LOG_CHECK_SECONDS: Final = 60.0
"""How often to look whether the log has grown too long."""


class Consoles(Service):
    """The consoles that are open, over ssh and at the terminal where the server was started."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._load = Load(lobby.counters)
        wanted = lobby.config.of(ConsoleSettings).console and is_at_terminal()
        self.log_folder = lobby.config.data if wanted else ""
        self._sessions = set[ConsoleSession]()
        if keep_line not in LISTENERS:  # a process may have several lobbies, as in tests
            LISTENERS.append(keep_line)

    @property
    def tasks(self) -> list[asyncio.Task[object]]:
        """The tasks in which consoles are shown."""
        return [task for each in self._sessions if (task := each.task) is not None]

    async def show(
        self, terminal: Terminal, caller: Caller, stop: Callable[[], None] | None = None, notice: str = ""
    ) -> None:
        """Show a console to an op. For ``stop`` and ``notice`` see `ConsoleSession`. Raises NotSaved."""
        session = ConsoleSession(self._lobby, self._load, terminal, caller, stop, notice)
        self._sessions.add(session)
        try:
            await session.run()
        finally:
            self._sessions.discard(session)

    def serve(self, serving: Serving) -> None:
        """Show a console at the terminal where the server was started, if it has one and this is its first process."""
        if self.log_folder:
            notice, is_new = "", sys.stderr.isatty()
            try:
                notice = log_in_file(self.log_folder, self._lobby.config.log_level)
            except OSError as error:
                log.warning("no log in a file", problem=error.strerror)
            if serving.process == 0:
                if notice:
                    check = partial(asyncio.to_thread, put_log_aside, self.log_folder)
                    self._background.repeat(check, LOG_CHECK_SECONDS, "putting the log aside")
                    LISTENERS.remove(keep_line)  # the file has what this process writes, too
                    file = LogFile(self.log_folder, is_new=is_new)
                    if not is_new:
                        RECENT.clear()
                    read = partial(asyncio.to_thread, file.read_on, keep_line)
                    self._background.repeat(read, TICK_SECONDS, "reading the log")
                self._background.begin(self._show_at_terminal(serving.stop, notice), "showing the console")

    async def _show_at_terminal(self, stop: Callable[[], None], notice: str) -> None:
        """Show a console there until it is closed. If that fails the log says why, and the server goes on."""
        try:
            with (await _free_terminal()).attached() as terminal:
                if terminal.knows_screen:
                    await self.show(terminal, Caller("host", runs_server=True), stop, notice)
        except Exception as error:
            log.exception("the console has failed", problem=str(error))

    def took_settings(self) -> None:
        """End the consoles of those who are no ops any more."""
        for session in self._sessions:
            if not self._lobby.is_op(session.caller):
                session.ended(FAREWELL)

    async def retire(self, farewell: str) -> None:  # noqa: ARG002 - it tells how to come back
        """End all consoles: that of the newer process takes the terminal."""
        for session in self._sessions:
            session.ended(f"{RENEWED}." if session.caller.runs_server else f"{RENEWED}: ssh -t HOST admin opens it.")

    def end(self, farewell: str) -> None:
        """End all consoles with this last line."""
        for session in self._sessions:
            session.ended(farewell)


async def show_console(lobby: Lobby, terminal: Terminal, caller: Caller, _: str) -> int:
    """See `OwnScreen.show`."""
    await lobby.service(Consoles).show(terminal, caller)
    return 0


FEATURE: Final = Feature(
    "console", (Runs(Consoles), OwnScreen(ADMIN, show_console, for_ops=True, way_for=way_in_shell))
)
