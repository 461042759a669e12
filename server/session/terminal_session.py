"""A person at a terminal: the lines they type, carried out one after the other, from hello to good-bye."""

import asyncio
from typing import Final, NamedTuple, TypeAlias

import structlog

from engine.errors import InputError, Refused
from engine.moves import Move, PickUp
from engine.wording.phrases import listed, quantity
from server import limits
from server.clean_text import clean, clean_name
from server.commands.finding import READS, DidYouMean, spoken
from server.commands.registry import Answer
from server.commands.typed_line import ParsedCommand, execute, parse
from server.commands.yourself import GOOD_BYE, name_in, propose_name
from server.fair_queue import HAS_TO_WAIT
from server.language.parsing import are_cards
from server.language.position_text import awaited_text
from server.ledger import Rate
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.player.player_session import KEY_SECONDS, PlayerSession, SideView, is_costly, kept_seat_text, parting_lines
from server.render.scene import PLAY
from server.session.display import Display
from server.table.inbox import Reply
from server.table.place import TABLE
from server.terminal.terminal import END_OF_INPUT, INTERRUPT, Terminal

WARNING: Final = "Are you still there? In {} you are disconnected: press a key to stay."
ANSWER_SECONDS: Final = 0.02
"""How long a line that was sent stays on the screen for its answer, so that one frame empties the line and has both."""
HASTE_SECONDS: Final = 1.0
"""Enter alone does nothing so soon after the last Enter, or after what it does has changed: nobody has read that."""
SAVING: Final = "Saving..."
WORKING: Final = "One moment..."
LATE_SECONDS: Final = 1.0
"""What a person is told after so many seconds: a move is not saved, since the database is slow; a hint not found."""
AS_ENTER: Final = ("ok", "next", "next page", "more", "continue")
"""What people type at a page in place of Enter."""
GOES: Final = ("quit", "exit", "leave", "stop", "bye")
CLOSES: Final = ("q", "close", "back", "go back", "done")
"""What people type at a page to close it; some of it would mean more without a page."""
IDLE_FAREWELL: Final = "Disconnected: you typed nothing for a long time. Come again soon."

Later: TypeAlias = Reply | asyncio.Task[Answer] | asyncio.Task[None]
"""An answer that takes its time: the table's reply to a move, or the task of a command."""
Begun: TypeAlias = Answer | Later
"""What comes of a line."""

log = structlog.get_logger("quatch.session")


class _Seen(NamedTuple):
    """What the person saw when they typed: what matters of it, for a snapshot is large."""

    at: float
    """When the input came."""
    game: str | None
    """None away from tables: a move is then meant for the game that a line before it begins."""
    ply: int
    enter: str
    """What Enter alone stood for; see `PlayerSession.next_step`."""


class _Line(NamedTuple):
    """A line on its way."""

    text: str
    seen: _Seen
    is_hasty: bool
    """Whether it came before the person could read what Enter alone does."""
    only_in: SideView | None
    """The side view for which a key stands for this line; None if it was typed."""


class TerminalSession:
    """One person at one terminal."""

    def __init__(self, lobby: Lobby, terminal: Terminal, caller: Caller, first: str = "") -> None:
        self.terminal = terminal
        self.first = first
        """The line that is carried out before what the person types; empty for none."""
        self.display = Display(lobby, terminal, caller, self._submit)
        self.player_session = self.display.session
        self._typed: list[_Line] = []
        """Lines that wait to be carried out, the next one first."""
        self._seen = _Seen(0.0, None, 0, "")
        """What the person saw when input came last: they typed all lines of it before they saw more."""
        self._asked_at = float("nan")
        """When the person was last asked to type something again (NaN: never): what they sent before is no answer."""
        self._work: Later | None = None
        """What carries out a line; None while none does."""
        self._text = ""
        """The line that is carried out."""
        self._meant: Move | ParsedCommand | None = None
        """What it means; None if that is not known yet."""
        self._late: asyncio.TimerHandle | None = None
        """Rings if the answer takes long."""
        self._held = False
        """Whether the other side has to wait, since too many lines have been typed ahead."""
        self.line_rate = Rate(limits.LINES.share)
        self._rest: asyncio.TimerHandle | None = None
        """The rest after a line, which slows a flood down."""

    async def run(self) -> None:
        """Greet the person, carry out what they type until they quit or are gone, say good-bye.

        `PlayerSession.identify` comes before it.
        """
        session = self.player_session
        idle_timeout = IdleTimeout(session, self.terminal)
        try:
            await session.begin()
            self._greet(session)
            await self.display.run()
        finally:
            idle_timeout.stop()
            self._typed.clear()
            work, self._work = self._work, None
            self._stop_late()
            if isinstance(work, asyncio.Task):
                work.cancel()
                await asyncio.gather(work, return_exceptions=True)
            parting = parting_lines(session)
            await session.finish()
        self.terminal.write_lines(*parting, self.display.farewell)

    def _greet(self, session: PlayerSession) -> None:
        """Remind the person of what they may need to know, ask for a name if need be, and begin the first line."""
        may_remind = not (self.first or session.at_table) and session.offer is PLAY
        session.asks_name &= may_remind and session.front_end.can_answer
        is_guest = not (session.player.account or session.caller.is_alone)
        if session.asks_name or (may_remind and is_guest):
            who = "a guest, so your games are not rated" if is_guest else "new here"
            asked = f"type your name, or go on as {session.player.name}"
            way = f": {asked}" if session.asks_name else ": type name Ann to be called Ann"
            way = "" if session.caller.token else way  # a program that keeps a token has asked for the name
            wished = clean_name(session.caller.wished_name)
            is_changed = wished not in {"", session.player.name} and not session.lobby.names.means_something(wished)
            given = session.lobby.imposed.given_name(session.player.id, session.caller)
            if is_changed and not (session.reminder or given):
                session.reminder = f"Another player has the name {wished}."
            session.reminder = f"{session.reminder} You are {who}{way}.".lstrip()
        self.display.show_line(session.reminder)
        self.terminal.payer.when_waiting(lambda: self.display.answered("", [HAS_TO_WAIT]))
        if self.first:
            # On a screen its answer takes the place of the reminder; if it leads to no table, the talk has that.
            if session.reminder and self.display.wants_screen:
                session.hear("server", session.reminder)
            self._submit(None, self.first)

    @property
    def awaits_line(self) -> bool:
        """Whether all lines are answered, and in a game it is the person's turn."""
        if self._typed or self._work or self._rest or not self.display.running.done():
            return False
        snapshot = self.player_session.snapshot
        return snapshot is None or not snapshot.playing or snapshot.my_turn or snapshot.seat is None

    def _submit(self, only_in: SideView | None, text: str) -> None:
        """Take a line that was typed, or for which a key stands. If too many wait, the other side has to stop sending.

        ``only_in``: forget it if this side view is not shown any more when its turn comes.
        """
        is_hasty = self.display.note_enter(HASTE_SECONDS)
        if not text.strip() and self._work is not None:
            return  # Enter for an answer that is awaited: it would show another one instead
        if self._seen.at != (at := self.terminal.last_input_at):
            seen = self.player_session.snapshot
            game, ply = (seen.game, seen.ply) if seen else (None, 0)
            self._seen = _Seen(at, game, ply, self.player_session.next_step)
        searches = isinstance(self._meant, ParsedCommand) and self._meant.command.name in {"hint", "odds"}
        if searches and isinstance(self._work, asyncio.Task) and are_cards(text) and self.display.can_answer:
            self._work.cancel()  # a person who plays a card wants no hint any more
        self._typed.append(_Line(text, self._seen, is_hasty, only_in))
        if len(self._typed) >= limits.LINES_WAITING:
            self._held = True
            self.terminal.hold(held=True)
        self._execute_next()

    def _go_on(self, _: object = None) -> None:
        """Carry out the line that waits longest, when it is this session's turn."""
        self.terminal.payer.call(self._execute_next)

    def _execute_next(self) -> None:
        """Carry out the line that waits longest, unless another one is carried out. If that fails, the session ends."""
        try:
            while self._typed and self._work is None and self._rest is None and not self.display.has_ended:
                if not self.display.running.done():  # one mode gives way to the other
                    self.display.running.add_done_callback(self._go_on)
                    break
                self._execute(self._typed.pop(0))
        except Exception:
            log.exception("typed lines were not carried out")
            self.display.ended(GOOD_BYE)
        if self._held and len(self._typed) < limits.LINES_WAITING:
            self._held = False
            self.terminal.hold(held=False)  # more lines may come at once, which are carried out after this one

    def _execute(self, line: _Line) -> None:
        is_blind = line.seen.at <= self._asked_at and line.text not in {END_OF_INPUT, INTERRUPT}
        if is_blind or line.only_in not in {None, self.player_session.side_view}:
            return
        self._text, self._meant = line.text, None
        try:
            begun = self._begin(line)
        except Exception as error:  # noqa: BLE001 - it is told and logged
            problem = self._problem(error)
            begun = Answer([f"{line} {self._choices(line)}".rstrip() for line in problem.lines])
        if isinstance(begun, Answer):
            self._show(begun)
        else:
            self._work = begun
            if isinstance(begun, Reply):
                begun.then(self._finish)
            else:
                begun.add_done_callback(self._finish_in_turn)
            if self._work is not None:
                self.display.hold()
                self._late = asyncio.get_running_loop().call_later(ANSWER_SECONDS, self._answer_is_late)

    def _answer_is_late(self) -> None:
        self.display.go_on()
        said = SAVING if isinstance(self._work, Reply) else WORKING
        left = LATE_SECONDS - ANSWER_SECONDS
        self._late = asyncio.get_running_loop().call_later(left, self.display.answered, "", [said])

    def _begin(self, line: _Line) -> Begun:
        """Begin to carry out a line. Raises InputError."""
        text = line.text
        if text == END_OF_INPUT:
            self.display.ended(GOOD_BYE)
            return Answer()
        page = self.display.page
        self.display.hides_news &= page is not None
        if page is not None:
            # Enter turns the page or, at its end, does what it says there, if it was read; all but talk puts it away.
            text = "" if spoken(text) in AS_ENTER else text
            if not text.strip() and (self.display.turn_page(1) or line.is_hasty):
                return Answer()
            if not (READS.match(said := spoken(text)) or said[:1] in {"/", "'"}):
                self.display.turn_page(0)
            if said in GOES and (said != "leave" or self.player_session.in_game):
                return Answer([f"The page is closed now: type {said} again to go."])
            if said in CLOSES:
                return Answer([self.display.answer] if self.display.answer else ())  # as it was behind the page
            text = page.line_for(text) if text.strip() else page.enter
        if not text.strip() and self.display.stop_playing():  # a typed character has stopped it already
            return Answer(["Stopped. Type play to go on."])
        session = self.player_session
        if text == INTERRUPT:
            if line.seen.at > self._asked_at + KEY_SECONDS:
                session.typed_again.confirm_nothing_but()
            if session.typed_again.asked != "quit":
                session.typed_again.confirm_or_ask("quit")
                what = "go back" if session.side_view else "hang up"
                kept = f" {kept_seat_text(session)}" if session.in_game else ""
                return Answer([f"Press the key again within {KEY_SECONDS} seconds to {what}.{kept}"])
            text = "quit"  # so a seat is kept; in a game it asks
        return self._begin_meant(clean(text, limits.LINE_LENGTH), line)

    def _begin_meant(self, typed: str, line: _Line) -> Begun:
        """Begin what a line means: a move at the table at once, all else in a task. Raises InputError."""
        session, seen = self.player_session, line.seen
        typed = typed or ("" if line.is_hasty else session.typed_again.proposed)
        if not typed and session.typed_again.asked != "start":
            session.typed_again.asked = ""  # Enter alone answers no other question
        if not typed and session.side_view is None:
            # What another process or player has changed meanwhile is seen first.
            is_read = seen.enter == session.next_step and not line.is_hasty
            typed = seen.enter if is_read and session.front_end.can_answer else ""
            if not typed:
                return Answer(self.display.enter_text)
            awaited = _awaited(session) if typed == "start" else ()
            if awaited and not session.typed_again.confirm_or_ask(typed):
                return Answer([f"{listed(awaited)} may come still: Enter again deals without them."])
            session.offer = PLAY if typed == session.offer.line else session.offer
        try:
            meant = parse(typed, session)
        except InputError as error:
            self._be_back()
            if not (name := name_in(typed, error, session)):
                raise
            session.typed_again.confirm_nothing_but()
            return propose_name(name, session)
        is_due = (snapshot := session.snapshot) is not None and snapshot.my_turn
        if is_due and self.display.hides_news and not isinstance(meant, ParsedCommand):
            return Answer([f"The table has changed behind the page: type {typed} again to play it."])
        if isinstance(meant, ParsedCommand) and not meant.command.goes:
            self._be_back()
        self._meant = meant
        self.display.begin_line(is_move=not isinstance(meant, ParsedCommand))
        if isinstance(meant, ParsedCommand) or session.side_view is not None:
            return asyncio.create_task(self._carry_out(meant))
        session.typed_again.confirm_nothing_but(str(meant))
        is_costly_pickup = isinstance(meant, PickUp) and is_costly(meant, session.view)
        if is_costly_pickup and not session.typed_again.confirm_or_ask(str(meant)):
            return Answer([f"You can play, and the pile would be yours: type {typed} again to take it."])
        return session.move(meant, seen.ply, seen.game)

    def _be_back(self) -> None:
        """Give a player their seat back if an AI player plays for them: they type something at the table."""
        session = self.player_session
        if session.place == TABLE and session.snapshot is not None and session.snapshot.away:
            session.table.back(session)

    async def _carry_out(self, meant: Move | ParsedCommand) -> Answer:
        return await self.terminal.payer.run(execute(meant, self.player_session))

    def _finish_in_turn(self, _: object) -> None:
        self.terminal.payer.call(self._finish)

    def _finish(self) -> None:
        """Show the answer to the line that was carried out, and go on with the next one."""
        work = self._work
        if work is None:  # the session ends
            return
        if not self.display.running.done():
            self.display.running.add_done_callback(self._finish_in_turn)
            return
        self._work = None
        self._stop_late()
        try:
            answer = work.result() or Answer()
        except asyncio.CancelledError:
            answer = Answer()
        except Exception as error:  # noqa: BLE001 - it is told and logged
            answer = self._problem(error)
        self._show(answer)
        if isinstance(work, asyncio.Task):
            self.display.stop_mode_if_not_due()  # a command may have changed a setting

    def _stop_late(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _problem(self, error: BaseException) -> Answer:
        """What to say of what went wrong."""
        if isinstance(error, InputError):
            typed_again = self.player_session.typed_again
            typed_again.confirm_nothing_but()  # a typo between two confirms nothing
            typed_again.proposed = error.line if isinstance(error, DidYouMean) else ""
            if isinstance(error, Refused):
                self.player_session.feed.refused = error.sentence
            return Answer([error.sentence])
        log.error("command failed", command=clean(self._text).partition(" ")[0], exc_info=error)
        return Answer(["That went wrong here; it is logged and nothing is lost."])

    def _choices(self, said: str) -> str:
        """What the person can play, if this refusal, which stands in its place on a screen, does not say so."""
        session, snapshot = self.player_session, self.player_session.snapshot
        if session.side_view or snapshot is None or snapshot.view is None or not snapshot.my_turn:
            return ""
        choices = " ".join(awaited_text(snapshot))
        return choices if snapshot.view.phase == "play" and choices not in said else ""

    def _show(self, answer: Answer) -> None:
        title, means = answer.title or self._text, answer.number_means
        lines = self.player_session.lobby.join_lines.named_in(answer.lines)
        self.display.answered(title, lines, number_means=means, from_end=answer.from_end)
        self.display.go_on()
        self.player_session.be_awaited_if_reading()
        if self.player_session.typed_again.asked and self.display.can_answer:
            self._asked_at = asyncio.get_running_loop().time()
        # Others get their turn between the lines of a long script, and a flood is slowed down.
        if (delay := self.line_rate.take()) or self._typed:
            self._rest = asyncio.get_running_loop().call_later(delay, self._rested)

    def _rested(self) -> None:
        self._rest = None
        self._go_on()


def _awaited(session: PlayerSession) -> list[str]:
    """The names of the players here whom the player has invited to this table and who may still take a seat at it."""
    invited = filter(None, map(session.lobby.visitors.named, session.talk.invited_here))
    is_open, seated = session.table.listing().open_seats, session.table.names()
    return sorted(each.player.name for each in invited if is_open and each.player.id not in seated)


class IdleTimeout:
    """Ends the session of a player who sits in the lobby and types nothing for a long time, after a warning."""

    def __init__(self, session: PlayerSession, terminal: Terminal) -> None:
        """Watch the session until it has been ended, or until `stop`."""
        self._session = session
        self._terminal = terminal
        self._in_lobby_since = asyncio.get_running_loop().time()
        self._warned = False
        self._timer: asyncio.TimerHandle
        self._look()

    def stop(self) -> None:
        """Watch no more."""
        self._timer.cancel()

    def _look(self) -> None:
        """Warn the player or end the session if it is time, and look again later."""
        loop, seconds = asyncio.get_running_loop(), self._session.lobby.config.idle
        warning_seconds = min(limits.IDLE_WARNING_SECONDS, seconds / 2)
        if self._session.at_table:
            self._in_lobby_since = loop.time()
        left = max(self._in_lobby_since, self._terminal.last_input_at) + seconds - loop.time()
        if left <= 0 and self._warned:
            self._session.dismiss(IDLE_FAREWELL)
            return
        left = left if self._warned else max(left, warning_seconds)  # a reload may have made the time shorter
        until_warning = left - warning_seconds
        if until_warning <= 0 and not self._warned:
            self._session.front_end.answered("", [WARNING.format(quantity(round(warning_seconds), "second"))])
        self._warned = until_warning <= 0
        self._timer = loop.call_later(min(left if self._warned else until_warning, warning_seconds), self._look)
