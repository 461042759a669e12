"""One console: it shows how the server is, and carries out the commands of ops that are typed at it."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import structlog
from msgspec.structs import replace

from engine.errors import InputError
from server.clean_text import clean
from server.commands.completion import completions
from server.commands.registry import Answer, ExecContext, command_named
from server.console.frame import PARTS, Part, draw_console
from server.console.overview import Load, overview
from server.limits import COLUMNS, LINE_LENGTH, ROWS
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.people.settings import Settings
from server.render.frame import Frame, page_of, turned
from server.render.scene import Page
from server.render.theme import theme_of
from server.session.exec_commands import context_at_prompt, execute
from server.terminal.guide import Guide
from server.terminal.probe import probe
from server.terminal.terminal import END_OF_INPUT, INTERRUPT, Terminal

if TYPE_CHECKING:
    from server.session.screen_mode import ScreenMode

TICK_SECONDS: Final = 1.0
HINTS: Final = ("help", "announce TEXT", "kick NAME", "drain", "quit", "Tab completes", "Right: more")
OF_FEATURES: Final = {"announce TEXT", "kick NAME", "drain"}
"""The hints that are given only if the command is there."""
_STEPS: Final = {"right": 1, "left": -1}
"""What these keys stand for on an empty line: the next part of the console, and the one before."""
LEAVING: Final = frozenset({"quit", "exit", INTERRUPT})
FAREWELL: Final = "The console is closed."
FAREWELL_HOST: Final = f"{FAREWELL} The server goes on"

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
        self._caller = caller
        self._stop_server = stop
        self._notice = notice
        self._typed: asyncio.Queue[str] = asyncio.Queue()
        self._context: ExecContext
        self._screen: ScreenMode | None = None
        # Who opens a server to a room wants to show it how to come first.
        self._part: Part = "join" if stop is not None and any(each.invites for each in lobby.services) else "all"
        self._answer = ""
        self._page: Page | None = None
        self._is_leaving = False
        """Whether the last line asked to stop the server, which has to be typed twice."""
        self._farewell = FAREWELL
        self._ended = False
        self.task = asyncio.current_task()
        """The one in which it is shown."""

    async def run(self) -> None:
        """Show the console until its person leaves, or until `ended`."""
        from server.session.screen_mode import ScreenMode  # noqa: PLC0415 - loaded late, see `app.run_process`

        self._context = await context_at_prompt(self._lobby, self._caller)
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
            self._farewell, self._ended = farewell, True
        if self._screen is not None:
            self._screen.stop()

    async def _tick(self) -> None:
        while True:
            self._load.sample()
            self._refresh()
            await asyncio.sleep(TICK_SECONDS)

    def _refresh(self) -> None:
        if self._screen is not None:
            self._screen.refresh()

    def _frame(self, columns: int, rows: int) -> Frame:
        scene = overview(self._lobby, self._load)
        scene = scene if self._terminal.has_signs else replace(scene, code=())
        notice = "; ".join(filter(None, (scene.notice, self._notice)))
        hints = "   ".join(each for each in HINTS if each not in OF_FEATURES or self._has(each))
        scene = replace(scene, notice=notice, part=self._part, answer=self._answer, hints=hints, page=self._page)
        return draw_console(scene, columns, rows, theme_of(Settings(), has_signs=self._terminal.has_signs))

    # Typed lines.

    async def _execute_lines(self) -> None:
        while True:
            line = await self._typed.get()
            if self._page is not None:
                self._page = turned(self._page, 0 if line.strip() else 1, *self._terminal.size)
                if not line.strip():
                    self._refresh()
                    continue
            answer = await self._carry_out(line)
            self._answer = answer.lines[0] if len(answer.lines) == 1 else ""
            if len(answer.lines) > 1:
                self._page = page_of(answer.title or clean(line), answer.lines, self._terminal.size[0])
            self._refresh()

    async def _carry_out(self, line: str) -> Answer:
        if line == END_OF_INPUT:
            self.ended(
                FAREWELL if self._stop_server is None else ", ".join(filter(None, (FAREWELL_HOST, self._notice))) + "."
            )
            return Answer()
        text = clean(line, LINE_LENGTH)
        if line in LEAVING or text.lower() in LEAVING:
            return self._leave()
        self._is_leaving = False
        try:
            return await execute(text.split(), self._context) if text else Answer()
        except InputError as error:
            return Answer([error.sentence])
        except Exception:
            log.exception("command failed", command=text.partition(" ")[0])
            return Answer(["That went wrong here; the log has the reason."])

    def _leave(self) -> Answer:
        """Close the console of an op. At the terminal of the server stop the server, if that was typed twice."""
        if self._stop_server is None:
            self.ended(FAREWELL)
        elif self._is_leaving:
            self._stop_server()
        else:
            self._is_leaving = True
            waits = "; drain waits for games" if self._has("drain") else ""
            return Answer([f"Press Ctrl-C or type quit again to stop the server{waits}."])
        return Answer()

    def _has(self, usage: str) -> bool:
        return command_named(usage.partition(" ")[0], self._lobby.features) is not None

    # What the typed line asks for; see `Guide`.

    def words(self, line: str) -> list[str]:
        return completions(line, self._context)

    def show_words(self, words: list[str]) -> None:
        self._answer = "  ".join(words)
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
