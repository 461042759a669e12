"""A visit at a terminal: the mode it is shown in, and the lines typed, carried out one after the other."""

import asyncio
from collections import deque
from typing import Final, Protocol

import structlog

from engine.errors import InputError
from engine.moves import Move
from engine.wording.phrases import listed
from server.clean import clean
from server.commands.actions import ACTS
from server.commands.admin import ADMIN, Op
from server.commands.queries import ANSWERS
from server.language.parsing import ParsedCommand, parse
from server.language.position_text import table_words
from server.limits import LEAST_SCREEN, LINES_AT_ONCE, LINES_PER_SECOND, LINES_WAITING
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.player.player_session import PlayerSession
from server.rate import Rate
from server.render.frame import Frame, draw, page_of
from server.session.idle_timeout import Idleness
from server.session.line_mode import LineMode
from server.session.screen_guide import ScreenGuide
from server.session.screen_mode import ScreenMode
from server.terminal.probe import probe
from server.terminal.terminal import INTERRUPT, Terminal

log = structlog.get_logger("quatch.session")

TOO_SMALL: Final = (
    f"This window is smaller than {LEAST_SCREEN[0]} by {LEAST_SCREEN[1]}, so here are plain lines.",
    "The screen comes by itself when the window is larger.",
)
NO_SCREEN: Final = "This terminal shows no screen: it says that it is no terminal, or a dumb one (TERM)."
AGAIN_LINES: Final = 20
"""So many of the last lines can be heard again."""
BEFORE_SCREEN: Final = "Quatch. For plain lines without a screen, as screen readers want them, type: set mode line"
"""Stands above the screen, which covers it, so that it is read out before and costs nobody a row."""
CALLS: Final = {
    "bell": "\a",
    "osc9": "\x1b]9;Quatch: it is your turn\a",
    "osc777": "\x1b]777;notify;Quatch;It is your turn\a",
    "off": "",
}
"""How a terminal is asked to call its person, by setting."""


class Mode(Protocol):
    """How a person sees the game and types: `ScreenMode` or `LineMode`."""

    async def run(self) -> None:
        """Take input until stopped."""

    def stop(self) -> None:
        """End `run`."""

    def refresh(self) -> None:
        """Something has changed."""

    def say(self, lines: list[str]) -> None:
        """Say these lines, where lines are how things are told."""


class TerminalSession:
    """One person at one terminal, from hello to good-bye."""

    def __init__(self, lobby: Lobby, terminal: Terminal, caller: Caller) -> None:
        """A session begins with `run`."""
        self.player_session = PlayerSession(lobby, caller, self._tell, self._answer, self._call, self.dismiss)
        self._scene = self.player_session.scene
        self.terminal = terminal
        self._guide = ScreenGuide(self.player_session, terminal, self._submit, refresh=lambda: self._tell([]))
        self._typed: asyncio.Queue[tuple[str, int, str]] = asyncio.Queue()
        """Lines as typed, each with the ply and the game that its player saw."""
        self._idleness = Idleness(
            lobby.config.idle,
            heard_at=lambda: terminal.heard_at,
            in_lobby=lambda: not self.player_session.at_table,
            warn=lambda line: self._answer("", [line]),
            let_go=self.dismiss,
        )
        self._lines = Rate(LINES_AT_ONCE, LINES_PER_SECOND)
        self._interrupted = False
        self._done = False
        self._farewell = "Good-bye. Come again."
        self._mode: Mode | None = None
        self._shown = asyncio.Event()
        """Whether a mode shows what is answered; not while one gives way to the other."""
        self._said: deque[str] = deque(maxlen=AGAIN_LINES)
        """What was told since the person last typed something."""

    async def run(self, first: str = "") -> None:
        """Greet, carry out what is typed (``first`` to begin with) until the person quits or is gone, leave."""
        try:
            await self.player_session.begin()
            self._scene.answer = self.player_session.reminder
            if self._wants_screen:
                self.terminal.write_lines(BEFORE_SCREEN)
            self._idleness.begin()
            if first:
                self._submit(first)
            await self._show_and_obey()
        finally:
            parting = self.player_session.parting_words()
            self._idleness.end()
            await self.player_session.finish()
        self.terminal.write_lines(*parting, self._farewell)

    def dismiss(self, farewell: str) -> None:
        """End the session, saying why."""
        self._farewell = farewell
        self._done = True
        self._stop_mode()

    async def _show_and_obey(self) -> None:
        """Show one mode after the other, and carry out what is typed in them, until the session ends."""
        obeying = asyncio.create_task(self._obey())
        try:
            while not self._done:
                await self._run_mode()
        finally:
            obeying.cancel()
            (failure,) = await asyncio.gather(obeying, return_exceptions=True)
            if isinstance(failure, Exception):
                log.error("typed lines were not carried out", exc_info=failure)

    async def _run_mode(self) -> None:
        """Run the screen or line mode until it stops: for good, or to change to the other."""
        if self._wants_screen and not self.terminal.is_asked:
            await probe(self.terminal)
            self._scene.has_signs = self.terminal.has_signs
            if self._done:
                return
        self._scene.drawn = self._wants_screen
        if self._wants_screen:
            self._mode = ScreenMode(self.terminal, self._compose, self._submit, self._guide, self.resized)
        else:
            self._mode = LineMode(self.terminal, self._submit, self._prompts, self.resized)
        self._shown.set()
        try:
            self._tell(self._greeting())
            await self._mode.run()
        finally:
            self._mode = None

    def _stop_mode(self) -> None:
        self._shown.clear()
        if self._mode is not None:
            self._mode.stop()

    async def _obey(self) -> None:
        """Carry out typed lines until the session ends, whichever mode is due meanwhile."""
        try:
            while not self._done:
                text, ply, game = await self._typed.get()
                await self._shown.wait()
                self.terminal.hold(held=self._typed.qsize() >= LINES_WAITING)
                answer = await self._carry_out(text, ply, game)
                await self._shown.wait()
                self._answer(text, answer)
                self.resized()
                # Nobody else has to wait for a script of a thousand lines, nor for the lines of a flood.
                await asyncio.sleep(self._lines.take())
        finally:
            self._done = True
            self._stop_mode()

    async def _carry_out(self, text: str, ply: int, game: str) -> list[str]:
        """Do what a line says; the lines of the answer. Whatever goes wrong is one of them."""
        interrupted, self._interrupted = self._interrupted, text == INTERRUPT
        replay_view, over_page = self.player_session.side_view.showing, bool(self._scene.page)
        if self._turn_page(text) or not (text == INTERRUPT or clean(text) or replay_view):
            return []
        try:
            if text == INTERRUPT:
                return await self._interrupt(again=interrupted)
            text = clean(text)
            if replay_view is not None and (answer := replay_view.obey(text)) is not None:
                return answer
            meant = self._meaning(text, looking_aside=replay_view is not None)
            if meant == ParsedCommand("again"):
                return self._again()
            self._said.clear()
            self.player_session.confirmation.hears(meant)
            match meant:
                case ParsedCommand("quit") if replay_view is not None:
                    return await ACTS["leave"](self.player_session, "")
                case ParsedCommand("quit"):
                    return self._quit()
                case ParsedCommand("set", what):
                    return await self._set(what)
            if over_page and not isinstance(meant, ParsedCommand):
                return [f"Nothing is played from a page: type {text} again to play it."]
            return await self._obey_meant(meant, text, ply, game)
        except InputError as error:
            return [error.sentence]
        except Exception:
            log.exception("command failed", command=clean(text).partition(" ")[0])
            return ["That went wrong here; it is logged and nothing is lost."]

    def _meaning(self, text: str, *, looking_aside: bool) -> Move | ParsedCommand:
        """What a line means here. Raises InputError."""
        meant = parse(
            text, self.player_session.view, at_table=self._scene.snapshot is not None, is_op=self._scene.is_op
        )
        if not looking_aside or isinstance(meant, ParsedCommand):
            return meant
        if text.lower() != "q":
            raise InputError("bad_request", "nothing is played in a replay: help tells what can be typed")
        return ParsedCommand("quit")  # in a game that is over no queen is meant

    async def _obey_meant(self, meant: Move | ParsedCommand, text: str, ply: int, game: str) -> list[str]:
        player_session = self.player_session
        if isinstance(meant, ParsedCommand) and meant.name in ANSWERS:
            self._scene.tables, self._scene.people = player_session.lobby.tables(), player_session.lobby.people()
            return ANSWERS[meant.name](self._scene, meant.rest)
        await player_session.wait_for_turn()
        if isinstance(meant, ParsedCommand) and meant.name in ADMIN:
            return (await ADMIN[meant.name](Op(player_session.lobby, player_session.caller), meant.rest)).lines
        if isinstance(meant, ParsedCommand):
            return await ACTS[meant.name](player_session, meant.rest)
        return await player_session.move(meant, text, ply, game)

    async def _interrupt(self, *, again: bool) -> list[str]:
        """Ctrl-C: twice leaves the table, or hangs up in the lobby."""
        in_lobby = self._scene.snapshot is None
        if self.player_session.in_game or (again and not in_lobby):
            # Where a seat would be lost it asks by itself.
            return await ACTS["leave"](self.player_session, "")
        if not again:
            return [f"Press Ctrl-C again to {'hang up' if in_lobby else 'leave'}."]
        self._done = True
        return []

    def _quit(self) -> list[str]:
        """Hang up; who plays is asked whether they mean it, but for pipes, which wait for no answer."""
        can_answer = self.terminal.is_tty and not self.terminal.input_ended
        if can_answer and self.player_session.in_game and not self.player_session.confirmation.is_meant("quit"):
            return [f"Your game is not over. {self.player_session.kept_words} Type quit again to hang up."]
        self._done = True
        return []

    @property
    def _may_draw(self) -> bool:
        """Whether there is a screen wherever the window is large enough."""
        return self.terminal.knows_screen and self._scene.settings.mode != "line"

    @property
    def _wants_screen(self) -> bool:
        return self._may_draw and self.terminal.is_large_enough

    @property
    def _is_too_small(self) -> bool:
        """Whether there would be a screen if the window were larger."""
        return self._may_draw and not self.terminal.is_large_enough

    async def _set(self, what: str) -> list[str]:
        key, _, value = what.lower().partition(" ")
        if not key:
            return self._scene.settings.lines(drawn=self._scene.drawn)
        if key == "mode" and "screen".startswith(value or "-") and not self.terminal.knows_screen:
            return [NO_SCREEN]
        before = self._wants_screen
        but = await self.player_session.choose(key, value.strip())
        changes = before != self._wants_screen  # the other mode shows that by itself
        waits = TOO_SMALL if key == "mode" and self._is_too_small else ()
        return [] if changes else [f"Set: {key} {getattr(self._scene.settings, key)}{but}.", *waits]

    def _again(self) -> list[str]:
        """What was told last, once more."""
        said = list(self._said) or ["Nothing has been said yet."]
        self._said.clear()
        return said

    def _prompts(self) -> bool:
        """Whether the person wants to see where they type, in plain lines."""
        return self._scene.settings.prompt == "on"

    def _submit(self, text: str) -> None:
        """A line was typed. Who types ahead too far has to wait."""
        self._typed.put_nowait((text, self.player_session.ply, self.player_session.game))
        if self._typed.qsize() >= LINES_WAITING:
            self.terminal.hold(held=True)

    def resized(self) -> None:
        """Below a certain size there are plain lines, above it the screen: whichever is due comes by itself."""
        if self._wants_screen != self._scene.drawn:
            self._stop_mode()

    # Showing.

    def _compose(self, columns: int, rows: int) -> Frame:
        return draw(self._scene, columns, rows)

    def _answer(self, asked: str, lines: list[str]) -> None:
        """One line of answer stands on the screen until the next command; more make a page."""
        scene = self._scene
        scene.answer = lines[0] if len(lines) == 1 else ""
        if len(lines) > 1 and self._wants_screen:
            scene.page = page_of(lines, self.terminal.size[0])
            scene.page_at, scene.page_title = 0, clean(asked)
        self._tell(lines)

    def _turn_page(self, text: str) -> bool:
        """Go on in a page that is shown: Enter turns it, anything else puts it away. Whether that was all."""
        return self._guide.turn_page(0 if text.strip() else 1) and not text.strip()

    def _tell(self, lines: list[str]) -> None:
        self._said.extend(lines)
        if self._mode is not None:
            self._mode.say(lines)
            self._mode.refresh()

    def _call(self) -> None:
        """Others wait: ring, in the way that this person has chosen and their terminal can bear."""
        if self.terminal.is_tty and self._mode is not None:
            notice = self._scene.settings.notice
            self.terminal.write(CALLS[notice] if self._wants_screen or notice == "bell" else "")

    def _greeting(self) -> list[str]:
        return [*(TOO_SMALL if self._is_too_small else ()), *self._page_in_lines(), *self._where_one_is()]

    def _page_in_lines(self) -> list[str]:
        """What is left of a page that the screen showed: lines have no pages to turn."""
        scene = self._scene
        if scene.drawn:
            return []
        left, scene.page = scene.page[scene.page_at :], []
        return left

    def _where_one_is(self) -> list[str]:
        if self._scene.snapshot is not None:
            return [*self.player_session.feed.came_back, *table_words(self._scene.snapshot, self._scene.clock_left)]
        return [
            f"Quatch. Welcome, {self._scene.name}.",
            "Say play for a game against AI players, lesson to learn it in five minutes.",
            f"Other rule sets: play {listed(self._scene.rulebook.names[1:])}.",
            "Say tables to see who plays, help for the rest.",
            *([self.player_session.reminder] if self.player_session.reminder else []),
            *([self.player_session.lobby.drain.words] if self.player_session.lobby.drain.is_on else []),
        ]
