"""What one person's terminal shows: the full screen in a large window, else plain lines.

A display is the front end of the player session of this person, and the guide of their typed line.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol

from msgspec import Struct

from engine.events import Event, GameOver
from engine.rulesets import DEFAULT
from engine.wording.phrases import listed, sentence_case
from server.clean_text import clean
from server.commands.completion import add_copy, completions, example_to_type, moves_to_type, walk
from server.commands.games import result_lines
from server.commands.yourself import GOOD_BYE
from server.history.ratings import Standing
from server.language.position_text import awaited_text, table_text
from server.limits import LEAST_SCREEN, TALK_KEPT
from server.lobby.lobby import Lobby
from server.people.players import GUEST_PREFIX, Caller
from server.player.level_of_opponents import count_game
from server.player.player_session import FrontEnd, PlayerSession, SideView
from server.player.table_feed import Told, is_another_moment, is_new_turn, spoken
from server.render.frame import Frame, draw, last_screen, turned
from server.render.scene import Page, Teaches
from server.session.line_mode import LineMode
from server.table.snapshot import Snapshot
from server.table.table_events import CameBack, GameBegan, GameProposed, GameRefused, Reconnected
from server.terminal.terminal import Guide, Terminal, probe

TOO_SMALL: Final = (
    f"This window is smaller than {LEAST_SCREEN[0]} by {LEAST_SCREEN[1]}, so here are plain lines.",
    "The screen comes by itself when the window is larger.",
)
TALK_GREETED: Final = 1 + TALK_KEPT
"""The most lines of talk in a greeting: what was said before the person came, with the line above it."""
NO_SCREEN: Final = "This terminal shows no screen: it says that it is no terminal, or a dumb one (TERM)."
BEFORE_SCREEN: Final = "Quatch. For plain lines, as screen readers want: set mode line\r\n"
"""Written before the first screen covers it: screen readers read it out, and it takes no row of the screen."""
READING_SECONDS: Final = 5
"""An answer that is younger when the player's turn comes stays in the log."""
SAID_LINES: Final = 20
"""The most lines that `repeat` repeats."""
CALLS: Final = {
    "bell": "\a",
    "osc9": "\x1b]9;Quatch: it is your turn\a",
    "osc777": "\x1b]777;notify;Quatch;It is your turn\a",
    "off": "",
}
"""What tells a terminal to call its person, by setting."""


class Mode(Protocol):
    """What shows a display on its terminal, and takes what the person types."""

    async def run(self) -> None:
        """Show it until `stop`."""

    def stop(self) -> None:
        """End `run`."""

    def refresh(self, lines: Sequence[Told] = (), /, *, call: str = "", at_once: bool = False) -> None:
        """Show what has changed, plain lines by ``lines`` alone; ``at_once``: nothing else is about to change.

        ``call`` is what has a terminal call its person; empty if nothing calls them.
        """

    def hold(self) -> None:
        """Show nothing more until `go_on`: what comes in a moment is shown with it."""

    def go_on(self) -> None:
        """Show what has changed since `hold`."""


class OwnMode(Struct, frozen=True):
    """How a feature shows a player's session on the terminals of its own carrier."""

    on: type[Terminal]
    """The class of those terminals."""
    make: Callable[["Display", Terminal, Callable[[str], None]], Mode]
    """Makes the mode; what it is given last takes each line that is sent."""


class Display(FrontEnd, Guide):
    """One person's screen or plain lines, with the answer to the line typed last and the page that they read."""

    def __init__(
        self, lobby: Lobby, terminal: Terminal, caller: Caller, submit: Callable[[SideView | None, str], None]
    ) -> None:
        """``submit`` takes a line to be carried out; with a side view, only while this one is shown."""
        self.session = PlayerSession(lobby, caller, self)
        self.answer = ""
        """The answer to the line typed last, if it has one line."""
        self.page: Page | None = None
        """A longer answer, as long as the person reads it."""
        self.hides_news = False
        """Whether the table has changed behind the page since the person saw it."""
        self.running = asyncio.get_running_loop().create_future()
        """Done while a mode runs: answers wait while one gives way to the other."""
        self.has_ended = False
        self.farewell = GOOD_BYE
        """The last line of a session that has ended."""
        self._offered = self.session.offer
        """What Enter alone did when the person typed the present line."""
        self._told_at_end: list[str] = []
        """What the person was told about the game that has just ended."""
        self._looking_back: asyncio.Task[None] | None = None
        self._said: list[Told] = []
        self._said_before: list[Told] = []
        """What the person has been told since they typed the present line, and between the last one and that.

        The latter is empty for a move, since it has snapshots in it, and they are large.
        """
        self._entered_at = float("-inf")
        """When the person last sent a line or turned a page."""
        self._enter, self._enter_since = "", float("-inf")
        """What Enter alone does, and when that has changed last: the key may have been on its way by then."""
        self._terminal = terminal
        self._submit, self._typed = submit, partial(submit, None)
        self._mode: Mode | None = None
        self._stopped = False

    # Which mode the person has.

    async def run(self) -> None:
        """Run the mode that is due until `_stop_mode`, one after the other, until the session has ended."""
        before = BEFORE_SCREEN
        try:
            while not self.has_ended:
                self._stopped = False
                if self.wants_screen and not self._terminal.is_asked:
                    await probe(self._terminal, before)
                    if self._stopped:
                        continue
                self._mode = self._new_mode()
                if not self.running.done():
                    self.running.set_result(None)
                self.told([*self.screen_notes, *self._rest_of_page(), *self._where_they_are()])
                await self._mode.run()
                self._mode, before = None, ""  # a prompt of plain lines stands there now
        finally:
            self._mode = None
            self._stop_looking_back()

    def stop_mode_if_not_due(self) -> None:
        """Have the mode give way to the other if that is due: the size of the window or the setting has changed."""
        if self.wants_screen != self.is_drawn:
            self._stop_mode()

    @property
    def may_draw(self) -> bool:
        """Whether the person has a screen as soon as the window is large enough."""
        return self._terminal.knows_screen and self.session.settings.mode != "line"

    @property
    def wants_screen(self) -> bool:
        """Whether the screen mode is due, else the line mode."""
        return self.may_draw and self._terminal.is_large_enough

    def _stop_mode(self) -> None:
        self._stopped = True
        if self.running.done():
            self.running = asyncio.get_running_loop().create_future()
        if self._mode is not None:
            self._mode.stop()

    def _new_mode(self) -> Mode:
        self.is_drawn = self.wants_screen
        for own in self.session.lobby.features.all(OwnMode):
            if isinstance(self._terminal, own.on):
                return own.make(self, self._terminal, self._typed)
        if self.is_drawn:
            from server.session.screen_mode import ScreenMode  # noqa: PLC0415 - loaded late, see `app.run_process`

            return ScreenMode(self._terminal, self._frame, self._typed, self, self.stop_mode_if_not_due)
        return LineMode(
            self._terminal,
            self._typed,
            prompts=lambda: self.session.settings.prompt == "on",
            typing=self.stop_playing,
            resized=self.stop_mode_if_not_due,
        )

    def note_enter(self, seconds: float) -> bool:
        """Note that the person presses Enter. Returns whether what it does was there for less than so many seconds."""
        before, self._entered_at = max(self._entered_at, self._enter_since), self._terminal.last_input_at
        return self._entered_at - before < seconds

    # What the person sees.

    def show_line(self, line: str) -> None:
        """Show a line on the screen, until the next one is typed."""
        self.answer = line
        self.told([])

    def hold(self) -> None:
        """Show nothing more on a screen until `go_on`."""
        if self._mode is not None:
            self._mode.hold()

    def go_on(self) -> None:
        """Show what has changed since `hold`."""
        if self._mode is not None:
            self._mode.go_on()

    def begin_line(self, *, is_move: bool) -> None:
        """Note that the person has typed a move or a command: what `repeat` repeats was said before it."""
        self._said_before, self._said = [] if is_move else self._said, []
        self._offered = self.session.offer

    def _frame(self, columns: int, rows: int) -> Frame:
        return draw(self.session.scene_with(self.answer, self.page), columns, rows)

    def _rest_of_page(self) -> list[str]:
        """The lines that were not read yet of a page on the screen: plain lines have no pages."""
        if self.is_drawn or self.page is None:
            return []
        page, self.page = self.page, None
        return [*page.lines[page.at[0] :]]

    def _where_they_are(self) -> list[str]:
        session, snapshot = self.session, self.session.snapshot
        said = [*session.talk.lines[-TALK_GREETED:], *session.invitation]
        if snapshot is not None:
            here = [] if session.side_view else [session.where]
            return [*here, *said, *session.feed.came_back, *table_text(snapshot, session.feed.clock_left)]
        lobby = session.lobby
        teaches = next(iter(lobby.features.all(Teaches)), None)
        learn = f", {teaches.word} to learn it in {teaches.how_long}" if teaches else ""
        enter = f" Enter alone: {session.offer.line}." if self.can_answer else ""
        ways = [
            f"Type play for a game against AI players{learn}.{enter}",
            f"Other rule sets: play {listed(lobby.rulebook.names[1:])}.",
            "Type tables to see who plays, help for the rest.",
        ]
        notes = filter(None, (session.reminder, lobby.drain.notice))
        return [f"Quatch. Welcome, {session.player.name}.", *([] if session.caller.is_alone else ways), *notes, *said]

    # What the player session tells; see `FrontEnd`.

    @property
    def said_before(self) -> Sequence[str]:
        return spoken(self._said_before)[-SAID_LINES:]

    @property
    def can_answer(self) -> bool:
        # A pipe waits for no answer.
        return self._terminal.is_tty and not self._terminal.input_ended

    @property
    def is_reading(self) -> bool:
        return self.page is not None

    @property
    def has_signs(self) -> bool:
        return self._terminal.has_signs

    @property
    def screen_notes(self) -> Sequence[str]:
        if self.session.settings.mode == "screen" and not self._terminal.knows_screen:
            return (NO_SCREEN,)
        return TOO_SMALL if self.may_draw and not self._terminal.is_large_enough else ()

    def updated(self, before: Snapshot | None, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        session = self.session
        self.hides_news |= self.page is not None
        is_turn = is_new_turn(before, snapshot)
        is_enter_same = not before or before.next_step == snapshot.next_step
        if is_another_moment(before, snapshot) or not is_enter_same:
            is_young = asyncio.get_running_loop().time() < self._entered_at + READING_SECONDS
            is_asked = session.typed_again.asked or session.typed_again.proposed
            if self.answer and is_young and is_turn and before and before.playing and not is_asked:
                session.feed.note(self.answer)
            self.answer = ""
            session.typed_again.confirm_nothing_but(keeps_talk=is_enter_same)
        for each in [each for each in events if isinstance(each, CameBack | Reconnected)] if self.answer else ():
            if snapshot.name(each.seat).casefold() in self.answer.casefold():
                self.answer = ""  # it may say that they are gone
        told = session.feed.update(before, snapshot, events, session.settings, drawn=self.is_drawn)
        kinds = set(map(type, events))
        if snapshot.stats and (GameOver in kinds or before is None):
            self._told_at_end.clear()
            if session.player.account:
                session.lobby.tell_rating(session.player.account, snapshot.game, self._rating_told)
        if GameOver in kinds:
            count_game(session, snapshot)
            told += session.invitation
            if snapshot.seat is not None and snapshot.is_kept and self.can_answer:
                self._stop_looking_back()
                self._looking_back = asyncio.create_task(self._look_back(snapshot.game))
        asked = [e for e in events if isinstance(e, GameProposed | GameRefused) and e.seat != snapshot.seat]
        session.typed_again.is_latest &= not asked
        is_dealt_away = GameBegan in kinds and snapshot.away
        if session.side_view is not None and (asked or is_turn or is_dealt_away):
            due = "It is your turn" if is_turn else "A game has begun, and an AI player plays for you"
            wants = {GameProposed: "wants another game (no refuses)", GameRefused: "wants no other game"}
            what = f"{snapshot.name(asked[-1].seat)} {wants[type(asked[-1])]}" if asked else due
            self.answer = f"{what}: leave goes back to the table."
            told.append(self.answer)
        is_called = asked or (snapshot.deadline is not None and is_turn)
        self.told(told, call=self._call if is_called else "", at_once=True)

    def _rating_told(self, standing: Standing) -> None:
        apart, slash, _ = standing.rules.partition("/")
        usual = "rating" if apart == DEFAULT else f"{sentence_case(apart)} rating"
        name = f"{apart} rating, against this table" if slash else usual
        streak = f", {standing.streak} games won in a row" if standing.streak > 1 else ""
        seated = self.session.location.table.names() if self.session.location.table else ()
        guests = "; guests do not count" if any(each.startswith(GUEST_PREFIX) for each in seated) else ""
        more = ", your strength; all begin at 1000" if standing.games == 1 else streak
        self._tell_at_end(standing.game, f"Your {name}: {standing.rating} ({standing.change:+}){more}{guests}.")

    async def _look_back(self, game: str) -> None:
        """Tell what features find out about a game that has just ended, at the player's expense."""

        async def find() -> None:
            async for line in result_lines(self.session, game):
                self._tell_at_end(game, line)

        await self._terminal.payer.run(find())

    @property
    def told_at_end(self) -> str:
        """What the person was told about the game that has just ended; empty if another one has begun."""
        snapshot = self.session.snapshot
        return " ".join(self._told_at_end) if snapshot is not None and snapshot.stats is not None else ""

    def _tell_at_end(self, game: str, sentence: str) -> None:
        """Show a sentence about the game that has ended, beside the others, unless the person has gone on."""
        snapshot, before = self.session.snapshot, {"", self.told_at_end, *self.enter_text}
        if snapshot is None or snapshot.game != game or snapshot.playing:
            return
        self._told_at_end.append(sentence)
        self.told([sentence])
        if self.answer in before:  # Enter may have been pressed as the game ended
            self.show_line(self.told_at_end)

    @property
    def enter_text(self) -> Sequence[str]:
        """What an Enter says that does nothing: what was told at the end, what the next one does, what is awaited."""
        line, snapshot = self.session.enter_line if self.can_answer else "", self.session.snapshot
        if line:
            does = self.told_at_end or f"Enter again does it: {line}."
            return ["Enter again says it." if line.startswith("'") else does]
        return awaited_text(snapshot) if snapshot is not None else ()

    def _stop_looking_back(self) -> None:
        if self._looking_back is not None:
            self._looking_back.cancel()

    def told(self, lines: Sequence[Told], *, call: str = "", at_once: bool = False) -> None:
        if lines:
            self._said = [*self._said, *lines][-SAID_LINES:]
        before, self._enter = self._enter, self.session.enter_line
        if self._mode is not None:
            if before != self._enter:
                self._enter_since = asyncio.get_running_loop().time()
            self._mode.refresh(lines, call=call, at_once=at_once)

    def called(self) -> None:
        self.told((), call=self._call)

    @property
    def _call(self) -> str:
        """What has the terminal call its person."""
        notice = self.session.settings.notice
        return CALLS[notice] if self._terminal.is_tty and (self.wants_screen or notice == "bell") else ""

    def answered(self, asked: str, lines: Sequence[str], *, number_means: str = "", from_end: bool = False) -> None:
        """One line is shown until the next one is typed, more as a page; ``from_end``: its last screen first."""
        if not lines and not self.answer:
            return
        self.answer = lines[0] if len(lines) == 1 else ""
        if len(lines) > 1 and self.wants_screen:
            is_news = self.session.offer is not self._offered and not self.session.at_table
            enter = self.session.offer.line if is_news else ""
            self.session.talk.count_anew()
            self.page = Page(clean(asked), tuple(lines), number_means=number_means, enter=enter)
        if from_end and self.page is not None:
            self.page = last_screen(self.page, *self._terminal.size)
        self.told(lines)

    def progressed(self, line: str, *, instead_of: str) -> None:
        if self.answer in {"", instead_of}:
            self.show_line(line)

    def table_closed(self, why: str) -> None:
        self.answered("", [f"{sentence_case(why)}. You are in the lobby."])

    def ended(self, farewell: str) -> None:
        self.farewell = farewell
        self.has_ended = True
        self._stop_mode()

    # What the typed line asks for; see `Guide`.

    def offer(self) -> str:
        # It is shown faintly, so a player who has asked for contrast is shown none.
        is_shown = self.page is None and self.session.settings.colour != "contrast"
        return self.session.enter_line if is_shown else ""

    def walk(self, line: str, step: int) -> str:
        return walk(self._moves(), line, step)

    def add_copy(self, line: str) -> str:
        return add_copy(self._moves(), line)

    def words(self, line: str) -> list[str]:
        return completions(line, self.session)

    def show_words(self, words: list[str]) -> None:
        self.show_line("  ".join(words))

    def turn_page(self, pages: int) -> bool:
        if self.page is None:
            return False
        after = turned(self.page, pages, *self._terminal.size)
        if after is None and pages and self.page.enter:
            return False  # `note_enter` notes this Enter, when its line is submitted
        self._entered_at = self._terminal.last_input_at
        self.page = after
        self.answer = self.answer or ("" if after else self.told_at_end)
        self.told([])
        return True

    def step(self, key: str) -> bool:
        side_view = self.session.side_view
        command = side_view.place.steps.get(key) if side_view and self.page is None else None
        if command is None:
            return False
        self._submit(side_view, command)
        return True

    def stop_playing(self) -> bool:
        side_view = self.session.side_view
        stopped = side_view is not None and side_view.stop()
        if stopped:
            self.show_line("")
        return stopped

    def step_back(self) -> None:
        if (side_view := self.session.side_view) is not None:
            self._submit(side_view, "leave")
        elif self.answer or self.session.typed_again.proposed:
            self.session.typed_again.confirm_nothing_but()
            self.show_line("")

    def _moves(self) -> list[str]:
        """The moves that can be made now: first what the player was told to play, else a usual one."""
        snapshot, side_view = self.session.snapshot, self.session.side_view
        if snapshot is None or self.page is not None:
            return []
        first = (side_view.to_type if side_view else self.session.feed.hinted) or example_to_type(snapshot)
        return sorted(moves_to_type(snapshot), key=first.__ne__)
