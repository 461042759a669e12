"""One player from hello to good-bye: carries out what they type and shows what happens, on the screen or in lines."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random
from typing import Final, Protocol

import structlog

from engine.ai import LEVELS
from engine.cards import RANK_NAMES
from engine.errors import InputError
from engine.events import Event
from engine.legality import legal_moves, refusal
from engine.moves import Move, PickUp, Play, pick, play_of
from engine.notes import notes
from engine.rulesets import DEFAULT, ruleset, rulesets
from engine.view import View
from engine.wording import refusal_message
from server.clean import clean
from server.commands import PLAYING, Typed, parse, usable
from server.facts import Opened, Player
from server.frame import Frame, draw, page_rows, wrap
from server.limits import LINES_WAITING, TALK_LENGTH, TALK_PER_WINDOW, TALK_WINDOW_SECONDS
from server.line import LineMode
from server.lobby import Lobby
from server.scene import Scene
from server.screen import ScreenMode
from server.table import Table
from server.terminal import Terminal
from server.update import Update
from server.words import pile_list, sentence, table_words, turn_words

log = structlog.get_logger("quatch.session")

BIG_PILE: Final = 8
"""Cards in a pile that one is asked about before picking it up while a play exists."""
INTERRUPT: Final = "\x03"


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


class Session:
    """A person at a terminal: a member of a table, or a visitor of the lobby."""

    def __init__(self, lobby: Lobby, terminal: Terminal, wished_name: str, identity: str | None) -> None:
        """``identity`` is the fingerprint of a proven key, None for a guest."""
        self._lobby = lobby
        self._terminal = terminal
        player_id = identity or f"guest:{secrets.token_hex(8)}"
        self.player = Player(player_id, lobby.free_name(wished_name))
        self._scene = Scene(self.player.name)
        self._table: Table | None = None
        self._typed: asyncio.Queue[str] = asyncio.Queue(LINES_WAITING)
        self._wants_screen = terminal.can_draw
        self._done = False
        self._farewell = ""
        self._mode: Mode | None = None
        self._asked_about = ""
        self._talk_times: list[float] = []

    # The life of a session.

    async def run(self, first: str = "") -> None:
        """Greet, take commands until the person quits or the terminal goes, leave. ``first`` is typed for them."""
        try:
            self._lobby.enter(self)
            await self._take_kept_seat()
            if first:
                self._submit(first)
            while not self._done:
                await self._run_mode()
        finally:
            await self._go()
        self._terminal.write_lines(self._farewell or "Good-bye. Come again.")

    async def _run_mode(self) -> None:
        """Run the screen or line mode until it stops: for good, or to change to the other."""
        self._mode = self._new_mode()
        obeying = asyncio.create_task(self._obey())
        try:
            if self._scene.update is None:
                self._tell(self._greeting())
            await self._mode.run()
        finally:
            obeying.cancel()
            await asyncio.gather(obeying, return_exceptions=True)
            self._mode = None

    def _new_mode(self) -> Mode:
        if self._wants_screen:
            return ScreenMode(self._terminal, self._compose, self._submit)
        return LineMode(self._terminal, self._submit)

    async def _obey(self) -> None:
        """Carry out typed lines, one after the other, until the mode has to change or the session to end."""
        while not self._done:
            text = await self._typed.get()
            wanted_screen = self._wants_screen
            try:
                await self._carry_out(text)
            except InputError as error:
                self._answer(error.message)
            except Exception:
                log.exception("command failed", text=clean(text))
                self._answer("That went wrong here; it is logged and nothing is lost.")
            if self._mode is not None and (self._done or wanted_screen != self._wants_screen):
                self._mode.stop()

    async def _go(self) -> None:
        self._lobby.leave(self)
        if self._table is not None:
            await self._leave_table(for_good=False)

    async def _take_kept_seat(self) -> None:
        table = self._lobby.seat_of(self.player)
        if table is not None:
            await table.join(self, self.player)
            self._table = table

    def _submit(self, text: str) -> None:
        try:
            self._typed.put_nowait(text)
        except asyncio.QueueFull:
            self._answer("Too fast: some of what you typed was dropped.")

    def _compose(self, columns: int, rows: int) -> Frame:
        return draw(self._scene, columns, rows)

    # What tables and the lobby tell (Member and Visitor). None of these may wait or raise.

    @property
    def at_table(self) -> bool:
        """See `lobby.Visitor`."""
        return self._table is not None

    def push(self, update: Update, events: tuple[Event, ...]) -> None:
        """See `update.Member`."""
        before, self._scene.update = self._scene.update, update
        told = [line for event in events if (line := sentence(event, update))]
        self._scene.log.extend(told)
        new_turn = update.my_turn and (before is None or not before.my_turn or before.ply != update.ply)
        if self._mode is not None:
            self._mode.say([*told, *([turn_words(update)] if new_turn else [])])
            self._mode.refresh()

    def hear(self, line: str) -> None:
        """See `update.Member`."""
        self._scene.talk.append(line)
        self._tell([line])

    def lobby_changed(self) -> None:
        """See `lobby.Visitor`."""
        self._scene.tables = self._lobby.tables()
        self._scene.people = tuple(self._lobby.people())
        if self._mode is not None:
            self._mode.refresh()

    def taken_over(self) -> None:
        """See `lobby.Visitor`."""
        self.dismiss("You have come in from another terminal; this one is let go.")

    def dismiss(self, farewell: str) -> None:
        """End the session, saying why."""
        self._farewell = farewell
        self._done = True
        if self._mode is not None:
            self._mode.stop()

    # Answers.

    def _answer(self, *lines: str) -> None:
        """Answer what was typed: one line stands on the screen, more make a page."""
        if len(lines) == 1:
            self._scene.answer = lines[0]
        else:
            width = self._terminal.columns - 3
            self._scene.page = [part for line in lines for part in wrap(line, width)]
            self._scene.page_at = 0
        self._tell(list(lines))

    def _tell(self, lines: list[str]) -> None:
        if self._mode is not None:
            self._mode.say(lines)
            self._mode.refresh()

    def _greeting(self) -> list[str]:
        return [
            f"Quatch. Welcome, {self.player.name}.",
            "Say play for a game against AI players, tables to see who plays, help for the rest.",
        ]

    # Commands.

    async def _carry_out(self, text: str) -> None:
        scene = self._scene
        if scene.page:
            scene.page_at += page_rows(self._terminal.rows)
            if scene.page_at >= len(scene.page) or text.strip():
                scene.page = []
            self._tell([])
            if not text.strip():
                return
        if not text.strip():
            return
        asked, self._asked_about = self._asked_about, ""
        scene.answer = ""
        if text == INTERRUPT:
            await self._interrupt(asked)
            return
        meant = parse(clean(text), scene.update.view if scene.update else None)
        if isinstance(meant, Typed):
            await _COMMANDS[meant.name](self, meant.rest)
        else:
            await self._make(meant, text, asked)
        self._tell([])

    async def _interrupt(self, asked: str) -> None:
        if asked != INTERRUPT:
            self._asked_about = INTERRUPT
            self._answer("Press Ctrl-C again to leave.")
        elif self._table is not None:
            await self._leave_command("")
        else:
            await self._quit("")

    async def _make(self, move: Move, text: str, asked: str) -> None:
        """Make a move, bound to the game as it stands on this person's screen."""
        update = self._scene.update
        if self._table is None or update is None or update.view is None:
            raise InputError("bad_request", "no game is going on here: say play")
        costly = isinstance(move, PickUp) and len(update.view.pile) >= BIG_PILE and update.my_turn
        if costly and asked != text and any(isinstance(m, Play) for m in legal_moves(update.view, update.seat or 0)):
            if refusal(update.view, update.seat or 0, move) is None:
                self._asked_about = text
                self._answer(
                    f"You can play, and the pile is {len(update.view.pile)} cards: type {text} again to take it."
                )
                return
        await self._table.move(self, update.ply, move)

    async def _play(self, rest: str) -> None:
        self._must_be_in_lobby()
        name = rest or DEFAULT
        await self._open(name, ruleset(name).seats_max, self._lobby.config.level)
        if self._table is not None:
            await self._table.start(self)

    async def _new(self, rest: str) -> None:
        self._must_be_in_lobby()
        name, seats, level = DEFAULT, None, self._lobby.config.level
        for word in rest.split():
            key, equals, value = word.partition("=")
            if not equals:
                name = word
            elif key == "seats" and value.isascii() and value.isdigit():
                seats = int(value[:4])
            elif key == "level" and value in LEVELS:
                level = value
            else:
                raise InputError("bad_request", f"{word!r}: say seats=N or level={'|'.join(LEVELS)}")
        await self._open(name, seats or ruleset(name).seats_max, level)
        self._answer("Your table: others can sit down; say start to deal, AI players take the empty seats.")

    async def _open(self, rules: str, seats: int, level: str) -> None:
        table = self._lobby.open_table(Opened(rules, {}, seats, level))
        await self._enter_table(table, table.sit)

    async def _sit(self, rest: str) -> None:
        if self._table is not None and not rest:
            await self._table.sit(self, self.player)
            return
        self._must_be_in_lobby()
        table = self._lobby.table(rest)
        await self._enter_table(table, table.sit)

    async def _watch(self, rest: str) -> None:
        self._must_be_in_lobby()
        table = self._lobby.table(rest)
        await self._enter_table(table, table.join)

    async def _enter_table(self, table: Table, enter: Callable[["Session", Player], Awaitable[None]]) -> None:
        self._scene.log.clear()
        self._scene.talk.clear()
        self._table = table
        try:
            await enter(self, self.player)
        except InputError:
            self._table = None
            raise
        self._lobby.changed()

    def _must_be_in_lobby(self) -> None:
        if self._table is not None:
            raise InputError("bad_request", "you are at a table: say leave first")

    async def _start(self, _: str) -> None:
        await self._at_table().start(self)
        self._lobby.changed()

    async def _leave_command(self, _: str) -> None:
        self._at_table()
        await self._leave_table(for_good=True)
        self._answer("You are in the lobby.")

    async def _leave_table(self, *, for_good: bool) -> None:
        table, self._table = self._table, None
        self._scene.update = None
        self._scene.talk.clear()
        if table is not None:
            try:
                await asyncio.shield(table.leave(self, for_good=for_good))
            except InputError:
                pass
        self._lobby.changed()

    async def _why(self, rest: str) -> None:
        update = self._game()
        if not rest:
            raise InputError("bad_request", "name a card: why 7")
        rank = pick(rest.split(maxsplit=1)[0]).rank
        move = play_of(rank, 1)
        view, seat = update
        code = refusal(view, seat, move)
        if code is None:
            self._answer(f"You can play {RANK_NAMES[rank]} now.")
        else:
            self._answer(refusal_message(view, move, code, legal_moves(view, seat)))

    async def _hint(self, _: str) -> None:
        view, seat = self._game()
        if not legal_moves(view, seat) and view.phase != "arrange":
            raise InputError("not_your_turn", "it is not your turn")
        self._answer(f"A hard AI player would say: {LEVELS['hard'](view, Random(0))}.")

    def _game(self) -> tuple[View, int]:
        update = self._scene.update
        if update is None or update.view is None or update.seat is None:
            raise InputError("bad_request", "you are in no game")
        return update.view, update.seat

    async def _where(self, _: str) -> None:
        update = self._at_update()
        self._answer(*table_words(update), turn_words(update))

    async def _pile(self, _: str) -> None:
        update = self._at_update()
        if update.view is None:
            raise InputError("bad_request", "no game is going on")
        self._answer(pile_list(update.view))

    async def _log(self, _: str) -> None:
        self._answer("What happened lately:", *list(self._scene.log)[-20:])

    async def _tables(self, _: str) -> None:
        lines = [
            f"Table {table.number}: {table.rules_title}, "
            f"{'playing' if table.playing else f'{table.open_seats} free of {len(table.sitters)}'}: "
            + ", ".join("free" if s is None else s.name for s in table.sitters)
            for table in self._lobby.tables()
        ]
        self._answer(f"{len(lines)} tables.", *lines, "sit N sits down, new opens one, play plays AI players.")

    async def _who(self, _: str) -> None:
        people = self._lobby.people()
        self._answer(f"{len(people)} here: {', '.join(people)}.")

    async def _rules(self, rest: str) -> None:
        update = self._scene.update
        if rest or update is None or update.view is None:
            rules = ruleset(rest or DEFAULT)
        else:
            rules = update.view.rules
        self._answer(*notes(rules).split("\n"), f"Rule sets: {', '.join(rulesets())}.")

    async def _say(self, rest: str) -> None:
        text = clean(rest, TALK_LENGTH)
        if not text:
            raise InputError("bad_request", "say what? Type say hello, or /hello")
        now = asyncio.get_running_loop().time()
        self._talk_times = [at for at in self._talk_times if now - at < TALK_WINDOW_SECONDS]
        if len(self._talk_times) >= TALK_PER_WINDOW:
            raise InputError("too_fast", "you talk too fast: wait a few seconds")
        self._talk_times.append(now)
        (self._table or self._lobby).say(f"{self.player.name}: {text}")

    async def _name(self, rest: str) -> None:
        if self._table is not None:
            raise InputError("bad_request", "you can change your name in the lobby: say leave first")
        if not rest:
            raise InputError("bad_request", f"you are {self.player.name}: say name NAME to change it")
        self.player = replace(self.player, name=self._lobby.free_name(rest))
        self._scene.name = self.player.name
        self._lobby.changed()
        self._answer(f"You are {self.player.name}.")

    async def _set(self, rest: str) -> None:
        match rest.split():
            case ["mode", "line"]:
                self._wants_screen = False
            case ["mode", "screen"] if self._terminal.can_draw:
                self._wants_screen = True
            case ["mode", "screen"]:
                raise InputError("bad_request", "the screen needs a terminal of at least 60 columns and 20 rows")
            case _:
                raise InputError("bad_request", "say set mode line or set mode screen")

    async def _help(self, _: str) -> None:
        at_table = self._table is not None
        playing = [f"{typed:<32} {meaning}" for typed, meaning in PLAYING] if at_table else []
        commands = [f"{command.usage:<32} {command.help}" for command in usable(at_table=at_table)]
        self._answer("What you can type; any beginning of a word that is clear will do:", *playing, *commands)

    async def _quit(self, _: str) -> None:
        self._done = True

    def _at_table(self) -> Table:
        if self._table is None:
            raise InputError("bad_request", "you are in the lobby: say play, or sit N")
        return self._table

    def _at_update(self) -> Update:
        if self._scene.update is None:
            raise InputError("bad_request", "you are in the lobby: say play, or sit N")
        return self._scene.update


_COMMANDS: Final[dict[str, Callable[[Session, str], Awaitable[None]]]] = {
    "play": Session._play,
    "new": Session._new,
    "sit": Session._sit,
    "watch": Session._watch,
    "tables": Session._tables,
    "who": Session._who,
    "start": Session._start,
    "why": Session._why,
    "hint": Session._hint,
    "where": Session._where,
    "pile": Session._pile,
    "log": Session._log,
    "leave": Session._leave_command,
    "rules": Session._rules,
    "say": Session._say,
    "name": Session._name,
    "set": Session._set,
    "help": Session._help,
    "quit": Session._quit,
}
