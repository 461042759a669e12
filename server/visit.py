"""One player's visit: where they are, what they are told, and their moves. Knows nothing of terminals.

A visit is a member of the table it is at and a visitor of the lobby; whoever shows it to a person passes ``tell``.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

from engine.errors import InputError
from engine.events import Event, GameOver
from engine.legality import legal_moves
from engine.moves import Move, PickUp, Play
from engine.rules import Rules
from engine.view import View
from server.commands import Typed
from server.countdown import Countdown
from server.happenings import CameBack
from server.lesson import Lesson
from server.limits import (
    ACTS_AT_ONCE,
    ACTS_PER_SECOND,
    LINK_TRIES,
    LINK_TRIES_PER_SECOND,
    TALK_AT_ONCE,
    TALK_PER_SECOND,
)
from server.lobby import Lobby
from server.looking_back import LookingBack
from server.names import skeleton
from server.place import Place
from server.playback import Playback
from server.players import Caller, Player, guest_id, new_word
from server.position_words import open_words, seats_words, seconds_words, summons, table_words, turn_words
from server.rate import Rate
from server.reasons import reason
from server.record import Record
from server.replay import OPEN, Eyes, Replay
from server.scene import LINES_KEPT, Scene
from server.table import Table
from server.tips import Tips
from server.update import Listing, Update
from server.words import sentences

BIG_PILE: Final = 8
"""Cards in a pile that one is asked about before picking it up while a play exists."""
SPOKEN_SECONDS: Final = (10, 5)
"""What is left on one's clock when one is told."""


@dataclass(frozen=True, slots=True)
class Behind:
    """A table that somebody looks away from: what there is to see when they look up."""

    update: Update
    log: list[str]


class Visit:
    """A player in the lobby or at a table."""

    def __init__(
        self,
        lobby: Lobby,
        caller: Caller,
        tell: Callable[[list[str]], None],
        answer: Callable[[str, list[str]], None],
        call: Callable[[], None],
        end: Callable[[str], None],
    ) -> None:
        """A visit begins with `begin`.

        Args:
            lobby: where it takes place.
            caller: who has come in.
            tell: shows lines.
            answer: shows what was asked for and took its time, and the lines of the answer.
            call: calls somebody back who may be looking elsewhere: others wait for them.
            end: ends it all, saying why.
        """
        self.lobby = lobby
        self.caller = caller
        self._resume_word = new_word()
        """What a guest says to be known again."""
        self.player = self._who()
        self.scene = Scene(self.player.name, lobby.rulebook, lobby.settings_of(self.player))
        self._show_word()
        self.reminder = ""
        """That a seat waits for somebody who may be this guest; empty where none does."""
        self.scene.is_op = caller.key in lobby.config.ops
        self.ignored: set[str] = set()
        """The looks of the names that this player does not want to hear from."""
        self._tell = tell
        self._call = call
        self._end = end
        self._place = Place(lobby, self, outside="you are in the lobby: say play, or sit N")
        self._asked = ""
        """What somebody was asked about since it costs much: typed once more it is meant."""
        self.playback: Playback | Lesson | None = None
        """The finished game that the player looks at, or the lesson they take."""
        self.came_back: list[str] = []
        """What they were told who came in again and has a seat that was played for them; heard before all else."""
        self.last_game = ""
        """The last game that was over while the player was there."""
        self.looking_back = LookingBack(lobby.thinker, self.scene, answer)
        self._behind: Behind | None = None
        """The table that they look away from meanwhile, if they are at one."""
        self._finished = 0
        """Games that they have seen to their end, in a seat."""
        self._tips = Tips()
        self._countdown = Countdown(self._tick)
        self._acts = Rate(ACTS_AT_ONCE, ACTS_PER_SECOND)
        self._talk = Rate(TALK_AT_ONCE, TALK_PER_SECOND)
        self.words_tried = Rate(LINK_TRIES, LINK_TRIES_PER_SECOND)
        """How often they may try whether a word links their key."""

    async def begin(self) -> None:
        """Come in, and take again the seat that a table has kept."""
        self.lobby.enter(self)
        kept = self._place.kept_seat()
        name = None if kept or self.player.identity else self.lobby.seat_kept_for(self.caller)
        self.reminder = f"A seat is kept for {name}: say resume WORD to take it." if name else ""
        if kept is not None:
            self._tips.known()
            try:
                await self.enter(*kept)
            except InputError as error:
                self._tell([error.message])

    async def finish(self) -> None:
        """Go; a seat in a running game is kept."""
        self.lobby.leave(self)
        await self.leave_table(for_good=False)

    async def resume(self, word: str) -> None:
        """Be again the guest who was told this word. Raises InputError where no seat is kept for them."""
        player_id = guest_id(word)
        table = self.lobby.kept_seat(player_id)
        name = table and table.seat_name(player_id)
        if player_id == self.player.id:
            raise InputError("bad_request", "that is your own word: it is for coming in again")
        if self.player.identity or not name:
            raise InputError(
                "bad_request", "no seat is kept under that word: look at it again, or the game has been given up since"
            )
        if self.at_table and self.in_game and set(self.table.names()) - {self.player.id}:
            raise InputError("bad_request", "you play with others here: say leave first")
        await self.leave_table(for_good=True)
        self._resume_word = word
        await self._come_in_as(Player(player_id, name))

    async def come_in_again(self) -> None:
        """The key counts as another account now: be who one is by that."""
        player = self._who()
        self.scene.settings = self.lobby.settings_of(player)
        await self._come_in_as(player)

    async def _come_in_as(self, player: Player) -> None:
        self.lobby.leave(self)
        self.player = player
        self.scene.name = player.name
        self._show_word()
        await self.begin()

    def _who(self) -> Player:
        player_id = self.lobby.accounts.of(self.caller.key) or guest_id(self._resume_word)
        return Player(player_id, self.lobby.name_for(player_id, self.caller.wished_name))

    async def rename(self, name: str) -> None:
        """Go by another name, this time and the next."""
        self.player = replace(self.player, name=name)
        self.scene.name = name
        await self.lobby.names.remember(self.player)
        self.lobby.changed()

    async def has_finished_a_game(self) -> bool:
        """Whether they have come to the end of a game: guests in this visit, others ever."""
        return self._finished > 0 or await self.lobby.has_finished(self.player)

    async def choose(self, key: str, value: str) -> str:
        """Change a setting, for this time and the next; where it does not count yet. Raises InputError."""
        self.scene.settings = settings = self.scene.settings.changed(key, value)
        await self.lobby.remember_settings(self.player, settings)
        if key == "pace" and settings.pace is not None and self.at_table:
            try:
                await self.table.set_pace(self, settings.pace)
            except InputError:
                return ", for tables that you open: this one is somebody else's"
        return ""

    @property
    def view(self) -> View | None:
        """The game as the player knows it; None where they are at none."""
        return self.scene.update.view if self.scene.update else None

    @property
    def ply(self) -> int:
        """Where the game stands as the player sees it."""
        return self.scene.update.ply if self.scene.update else 0

    @property
    def game(self) -> str:
        """The game that the player sees."""
        return self.scene.update.game if self.scene.update else ""

    async def move(self, move: Move, text: str, ply: int, game: str) -> list[str]:
        """Make a move, bound to the game and the ply at which the line was typed. A costly slip is asked about first.

        Raises InputError where it cannot be.
        """
        asked, self._asked = self._asked, ""
        if asked != str(move) and self.view is not None and _is_costly(move, self.view):
            self._asked = str(move)
            return [f"You can play, and the pile would be yours: type {text} again to take it."]
        await self.table.move(self, ply, move, game)
        return []

    def hears(self, meant: Move | Typed) -> None:
        """Something was typed: unless it is what was asked about, the answer is no."""
        if self._asked != (meant.name if isinstance(meant, Typed) else str(meant)):
            self._asked = ""

    def is_meant(self, what: str) -> bool:
        """Whether this was typed again after it was asked about; if not, it is to be asked about now."""
        asked, self._asked = self._asked, what
        return asked == what

    async def wait_for_turn(self) -> None:
        """Who changes things without a pause has to wait."""
        await asyncio.sleep(self._acts.take())

    def must_be_free_to_talk(self) -> None:
        """Raises InputError where the player may not say one more thing now."""
        address = None if self.player.identity else self.caller.address
        if mute := self.lobby.mutes.on((self.player.id,), address):
            raise InputError("muted", f"the host of this server has muted you {mute.words}")
        if not self._talk.take_if_free():
            raise InputError("too_fast", "you talk too fast: wait a few seconds")

    # Where they are.

    @property
    def at_table(self) -> bool:
        """Whether the player is at a table, else in the lobby."""
        return self._place.at_table

    @property
    def in_game(self) -> bool:
        """Whether they have a seat in a game that is going on, and cards in it still."""
        update = self.scene.update
        view = update.view if update and self.at_table and self.playback is None else None
        return view is not None and view.phase != "over" and view.seat is not None and view.seat not in view.places

    @property
    def table(self) -> Table:
        """The table the player is at. Raises InputError in the lobby."""
        return self._place.table

    def must_be_in_lobby(self) -> None:
        """Raises InputError at a table, at a replay or in a lesson."""
        if self.at_table or self.playback is not None:
            where = (
                "in a lesson" if isinstance(self.playback, Lesson) else "at a replay" if self.playback else "at a table"
            )
            raise InputError("bad_request", f"you are {where}: say leave first")

    def must_be_between_games(self) -> None:
        """Raises InputError in a lesson, and at a table where a game is going on."""
        if isinstance(self.playback, Lesson):
            self.must_be_in_lobby()
        if self.scene.update is not None and self.playback is None and self.scene.update.playing:
            raise InputError("bad_request", "a game is going on here: say leave first, or wait for its end")

    def look_at(self, record: Record, eyes: Eyes = OPEN) -> None:
        """Look at a finished game. Raises InputError where its record is no game, or there is no such seat."""
        replay = Replay(record, eyes)
        if self.at_table and self.scene.update is not None and self.playback is None:
            self._behind = Behind(self.scene.update, list(self.scene.log))
        self.playback = Playback(replay, self.scene, self._tell)

    def look_up(self) -> str:
        """Look at the finished game or the lesson no more; where one is then."""
        behind, self._behind, self.playback = self._behind, None, None
        if behind is None:
            self._be_in_lobby()
            return "in the lobby"
        self.scene.update, self.scene.progress = behind.update, None
        self.scene.log.clear()
        self.scene.log.extend(behind.log)
        self._watch_clock()
        return f"at table {behind.update.table}"

    def learn(self, rules: Rules, name: str) -> None:
        """Begin a lesson in these rules, called so by who asked. Raises InputError where there is none."""
        self.scene.talk.clear()
        self.playback = Lesson(rules, self.scene, self._tell, self._be_in_lobby, name)

    async def enter(self, table: Table, enter: Callable[[], Awaitable[None]]) -> None:
        """Go to a table in this way. Raises InputError where that cannot be: then the player is in the lobby still."""
        self.looking_back.stop()
        self.scene.log.clear()
        self.scene.talk.clear()
        self.scene.reason = ""
        try:
            await self._place.enter(table, enter)
        except InputError:
            self._be_in_lobby()
            raise
        # What the lobby looked like just now: kept by everybody at a table, it would be most of what they take.
        self.scene.tables, self.scene.people = (), ()

    async def leave_table(self, *, for_good: bool) -> None:
        """Go back to the lobby."""
        was_at_table = self.at_table
        self._be_in_lobby()
        await self._place.leave(for_good=for_good)
        if was_at_table:
            self.lobby_changed(self.lobby.tables(), self.lobby.people())

    def tell_resume_word(self) -> None:
        """Tell a guest how to be known again."""
        if self.player.identity is None:
            self.note(self.resume_words)

    @property
    def resume_words(self) -> str:
        """How to have one's seat again after the connection was lost."""
        if self.player.identity is not None:
            return "You are known by your ssh key: come in again with it, and your seat is yours."
        return f"If the connection is lost: come in again and say resume {self._resume_word}"

    @property
    def kept_words(self) -> str:
        """What becomes of the seat of who hangs up."""
        how = "" if self.player.identity is not None else f" and say resume {self._resume_word}"
        return f"If you hang up an AI player plays on for you until you come in again{how}."

    def parting_words(self) -> list[str]:
        """What a guest is told who goes, where a seat is kept for them: their screen is gone, this line stays."""
        if self.player.identity is not None or self not in self.lobby.visitors or not self.in_game:
            return []
        return [f"Your seat is kept for a while: come in again and say resume {self._resume_word}"]

    def _show_word(self) -> None:
        self.scene.resume_word = "" if self.player.identity is not None else self._resume_word

    def _be_in_lobby(self) -> None:
        self.looking_back.stop()
        self.playback = self._behind = None
        self.scene.update = self.scene.progress = None
        self.scene.talk.clear()
        self._watch_clock()

    # What tables and the lobby tell.

    def push(self, update: Update, events: tuple[Event, ...]) -> None:
        """See `update.Member`."""
        if not self.at_table:
            return
        if self._behind is not None and not update.playing:
            self._behind = replace(self._behind, update=update)
            return
        if self._behind is not None:
            self.look_up()
        before, self.scene.update = self.scene.update, update
        if _is_over_with(before, update):
            self.scene.answer = ""
        told = sentences(events, update)
        if why := reason(update, events):
            self.scene.reason = why
        if self.scene.settings.tips == "on" and (tip := self._tips.tip(before, update, events, drawn=self.scene.drawn)):
            told.append(tip)
        self.scene.log.extend(told)
        if any(isinstance(event, GameOver) for event in events):
            self.last_game = update.game
            self._finished += update.seat is not None
            # The screen of results says it as well.
            told += _afterwards(update)
        self._watch_clock()
        is_called = _is_new_turn(before, update)
        self.came_back = told if before is None else []
        self._tell([*told, *self._then(before, update, events, is_called=is_called)])
        if is_called and update.deadline is not None:
            self._call()

    def recall(self, update: Update, events: tuple[Event, ...]) -> None:
        """See `update.Member`."""
        before = sentences(events, update)
        room = LINES_KEPT - len(self.scene.log)
        self.scene.log.extendleft(reversed(before[max(0, len(before) - room) :]))
        self._tell([])

    def note(self, line: str) -> None:
        """See `update.Member`."""
        if not self.at_table:
            return
        (self._behind.log if self._behind else self.scene.log).append(line)
        self._tell([line])

    def hear(self, name: str, line: str) -> None:
        """See `update.Member`."""
        if skeleton(name) in self.ignored:
            return
        said = f"{name}: {line}"
        self.scene.talk.append(said)
        self._tell([said])

    def closed(self) -> None:
        """See `update.Member`."""
        if not self.at_table:
            return
        self._place.forget()
        self._be_in_lobby()
        self._tell(["The table has closed; you are in the lobby."])

    def lobby_changed(self, tables: tuple[Listing, ...], people: tuple[str, ...]) -> None:
        """See `lobby.Visitor`."""
        self.scene.tables, self.scene.people = tables, people
        self._tell([])

    def dismiss(self, farewell: str) -> None:
        """See `lobby.Visitor`."""
        self._end(farewell)

    def taken_over(self) -> None:
        """See `lobby.Visitor`."""
        self._end("You have come in from another terminal; this one is let go.")

    # The clock.

    def _watch_clock(self) -> None:
        """Count down to what the table, or none, says now."""
        deadline = self.scene.update.deadline if self.scene.update else None
        self._countdown.watch(deadline, by_seconds=self.scene.settings.motion == "full")
        self.scene.clock_left = self._countdown.left

    def _tick(self) -> None:
        left = self.scene.clock_left = self._countdown.left
        is_mine = self.scene.update is not None and self.scene.update.my_turn
        self._tell([f"{left} seconds left."] if is_mine and left in SPOKEN_SECONDS else [])

    def _then(self, before: Update | None, update: Update, events: tuple[Event, ...], *, is_called: bool) -> list[str]:
        """What is said after the news: what there is to decide, or where one stands who has just come back."""
        left = self.scene.clock_left
        if is_called:
            return list(summons(update, left))
        if update.view is not None and any(isinstance(e, CameBack) and e.seat == update.seat for e in events):
            return [turn_words(update, left), *open_words(update.view)]
        if before is not None and before.deadline is None and left is not None and update.my_turn and not update.away:
            return [f"You have {seconds_words(left)}: you are no longer the only person."]
        return []

    def tell_table(self) -> None:
        """Say in lines what the table is that one has come to, and how its game stands."""
        update = self.scene.update
        if update is not None:
            self._tell([*seats_words(update), *(table_words(update, self.scene.clock_left) if update.view else [])])


def _afterwards(update: Update) -> list[str]:
    """What can be done after a game, and with it."""
    again = ["Say start for another game."] if update.seat is not None else []
    played = "review tells what your moves cost, " if update.seat is not None else ""
    return [*again, f"{played}replay {update.game} shows this game again, verify {update.game} checks its deal."]


def _is_costly(move: Move, view: View) -> bool:
    """Whether a move takes a big pile although a play exists: the slip that hurts most."""
    if not isinstance(move, PickUp) or len(view.pile) < BIG_PILE or view.seat is None:
        return False
    legal = legal_moves(view, view.seat)
    return move in legal and any(isinstance(other, Play) for other in legal)


def _is_over_with(before: Update | None, update: Update) -> bool:
    """Whether what was answered last is about what is no more: another game or phase has begun, or one's turn."""
    if before is None or update.view is None:
        return False
    if before.view is None or (before.game, before.view.phase) != (update.game, update.view.phase):
        return True
    return _is_new_turn(before, update)


def _is_new_turn(before: Update | None, update: Update) -> bool:
    """Whether there is something to decide that there was not before."""
    if not update.my_turn or update.away or update.view is None:
        return False
    if before is None or before.view is None or before.view.phase != update.view.phase or before.away:
        return True
    return update.view.phase == "play" and before.ply != update.ply
