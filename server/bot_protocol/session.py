"""The bot protocol: a player session as JSON, one object a line, for programs in any language.

A bot is told exactly what a person in its seat would be shown, and its moves go the same way as theirs.
"""

import asyncio
from contextlib import suppress
from typing import Final

import structlog
from msgspec import UNSET

from engine.errors import InputError, Refused
from engine.events import Event, GameOver
from engine.moves import parse_move
from engine.rules import Json
from engine.rulesets import DEFAULT
from server import VERSION
from server.bot_protocol import messages, requests
from server.bot_protocol.messages import for_bots
from server.clean_text import clean
from server.commands.registry import Answer, Command, Context, declared_in
from server.fair_queue import HAS_TO_WAIT
from server.features import Feature
from server.language.table_settings import table_settings
from server.ledger import Rate, RateLimit, Resource
from server.limits import LINES_WAITING, WORD_LENGTH
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.player.player_session import FrontEnd, PlayerSession
from server.session.bot_requests import BotMessage, BotRequest, LineSplitter, Request
from server.session.exec_commands import OwnSession
from server.table.entries import TableSettings
from server.table.snapshot import Listing, Snapshot
from server.table.table import Table
from server.table.table_events import TableEvent
from server.terminal.terminal import Terminal

PROTOCOL: Final = 1
"""The version of the protocol, told in the first message."""
SERVERS_ERRORS: Final = {"not_saved", "unknown", "internal"}
"""Errors that no bot can avoid, so that they do not count among those in a row."""
RETRY_SECONDS: Final = 0.1
"""What a bot that is too fast is told to wait at least."""
ASK_AGAIN_SECONDS: Final = 1.0

NEW_TABLES: Final = Resource(
    "new-tables-of-a-bot",
    "session",
    RateLimit(5, 0.2),
    refusal="you open tables too fast: again begins another game at the same one",
)
ERRORS: Final = 10
"""Errors in a row that end a bot's connection."""

log = structlog.get_logger("quatch.bot")


class BotSession(FrontEnd):
    """One bot, from `hello` to the end of its connection."""

    def __init__(
        self, lobby: Lobby, terminal: Terminal, caller: Caller, ask_again_seconds: float = ASK_AGAIN_SECONDS
    ) -> None:
        """``ask_again_seconds``: how soon the bot is asked again for a move that was not saved, or perhaps not."""
        self.player_session = PlayerSession(lobby, caller, self, "bot")
        self.terminal = terminal
        self._lobby = lobby
        self._seq = 0
        """How many events the bot was told."""
        self._asked: tuple[str, object] | None = None
        """The decision that the bot was asked for last."""
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._splitter = LineSplitter()
        self._errors = 0
        """Errors in a row."""
        self._done = False
        self.is_busy = False
        self._asking_again: asyncio.TimerHandle | None = None
        self._ask_again_seconds = ask_again_seconds
        self._new_tables = Rate(NEW_TABLES.share)

    async def run(self) -> None:
        """Say hello, take the seat again that was kept, carry out requests until the bot goes.

        `PlayerSession.identify` comes before it.
        """
        self.terminal.attach(data=self._feed, input_end=lambda: self._lines.put_nowait(None), drained=lambda: None)
        player, rules = self.player_session.player, tuple(self._lobby.rulebook.names)
        table = next(iter(self.player_session.own_seats), None)
        self.terminal.payer.when_waiting(lambda: self._tell(messages.Error("slow", HAS_TO_WAIT)))
        self._tell(messages.Hello(PROTOCOL, f"quatch {VERSION}", player.name, rules, table))
        try:
            await self.player_session.begin()
            while not self._done and (line := await self._lines.get()) is not None:
                self.terminal.hold(held=self._lines.qsize() >= LINES_WAITING)
                self.is_busy = True
                await self._execute(line)
                self.is_busy = not self._lines.empty()
                if self._errors >= ERRORS:
                    self.ended(f"{ERRORS} errors in a row are enough")
        finally:
            self.terminal.detach()
            self._expect_move()
            await self.player_session.finish()

    # What the bot sends.

    def _feed(self, data: bytes) -> None:
        for line in self._splitter.feed(data):
            self._lines.put_nowait(line)
        if self._lines.qsize() >= LINES_WAITING:
            self.terminal.hold(held=True)

    async def _execute(self, line: bytes) -> None:
        """Carry out one line. If anything is wrong with it, the bot is told so in one line."""
        request: Request | None = None
        try:
            request = requests.read_request(line, self._lobby.features)
            await self._carry_out(request)
        except requests.MalformedMove as error:
            self._refuse(error.ply, error)
        except InputError as error:
            if isinstance(request, requests.Move):
                self._refuse(request.ply, error)
            else:
                self._error(error)
        except Exception:
            log.exception("bot's request failed", name=self.player_session.player.name)
            self._error(InputError("internal", "that went wrong here and is logged"))
        else:
            self._errors = 0

    async def _carry_out(self, request: Request) -> None:
        session = self.player_session
        await session.wait_for_turn()
        match request:
            case requests.New():
                await self._new(request)
            case requests.Join():
                await self._join(request)
            case requests.Start():
                await self._table.start(session)
            case requests.Again():
                await self._again()
            case requests.Move():
                await self._move(request)
            case requests.Cut():
                await self._cut(request)
            case requests.Back():
                await self._table.back(session)
            case requests.Leave():
                table, self._asked = self._table.number, None
                await session.leave_table()
                self._tell(messages.Left(table))
            case requests.Tables():
                await self._lobby.read_on()
                self._tell(messages.Tables([*map(messages.ListedTable.of, self._lobby.tables.listings())]))
            case requests.Ping():
                self._tell(messages.Pong(request.id))
            case _:
                given = self._lobby.features.all(BotRequest)
                answer = next(each.answer for each in given if each.kind is type(request))
                self._tell(await answer(session, request))

    async def _new(self, request: requests.New) -> None:
        self._must_be_in_lobby()
        settings = _settings_of(request, self._lobby)
        if not self._new_tables.take_if_free():
            raise NEW_TABLES.refuse(self._new_tables.wait())
        session = self.player_session
        table = await self._lobby.tables.open_table(settings, session.caller, session.player.id)
        await session.enter(table, table.sit, settings.word, is_own=True)
        if request.fill is not None:
            await table.start(session)

    async def _join(self, request: requests.Join) -> None:
        self._must_be_in_lobby()
        if request.table != "any":
            await self._sit(request.table, request.key)
            return
        await self._lobby.read_on()
        for listing in _open_tables(request.rules, self._lobby):
            with suppress(InputError):  # another player was quicker
                await self._sit(listing.number)
                return
        raise InputError("no_such_table", "no open table like that: send new to make one")

    async def _sit(self, number: int, key: str | None = None) -> None:
        table = await self._lobby.tables.bring_up(str(number), self.player_session.caller)
        await self.player_session.sit(table, clean(key or "", WORD_LENGTH))

    async def _again(self) -> None:
        """Start another game, unless another player has done so, perhaps at another server at the same moment."""
        if not self._game_is_on:
            try:
                await self._table.start(self.player_session)
            except InputError:
                if not self._game_is_on:
                    raise

    async def _cut(self, request: requests.Cut) -> None:
        self._lobby.imposed.refuse_if_muted(self.player_session.player, self.player_session.caller)
        match request:
            case requests.Cut(seal=str(seal), open=None):
                await self._table.seal_cut(self.player_session, seal)
            case requests.Cut(seal=None, open=str(text)):
                await self._table.open_cut(self.player_session, text)
            case _:
                raise InputError("bad_request", "a cut has either seal or open")

    async def _move(self, request: requests.Move) -> None:
        self._expect_move()
        session, asked = self.player_session, self._asked
        await self._table.move(session, request.ply, parse_move(request.move), session.game)
        if session.snapshot is not None and self._asked == asked:
            # Nothing has changed, as when the same cards are laid again; the bot is asked for another move anyway.
            self._asked = None
            self._ask(session.snapshot, session.snapshot)

    @property
    def _game_is_on(self) -> bool:
        """Whether a game is going on at the bot's table, or is about to begin."""
        snapshot = self.player_session.snapshot
        return snapshot is not None and (snapshot.playing or snapshot.opening)

    @property
    def _table(self) -> Table:
        if not self.player_session.at_table:
            raise InputError("bad_request", "you are at no table: send new or join")
        return self.player_session.table

    def _must_be_in_lobby(self) -> None:
        if self.player_session.at_table:
            raise InputError("bad_request", "you are at a table: send leave first")

    # What the player session tells; a bot reads no sentences and gives no commands.

    def updated(self, before: Snapshot | None, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        if snapshot.seat is not None and (before is None or before.seat != snapshot.seat):
            self._tell(messages.Joined.of(snapshot, snapshot.seat))
        for event in events:
            if not isinstance(event, TableEvent):  # the protocol has the events of the game alone
                self._seq += 1
                self._tell(messages.Event(snapshot.table, self._seq, event.to_json()))
        view = snapshot.view
        if view and view.outcome and any(isinstance(event, GameOver) for event in events):
            ranks = snapshot.stats.ranks if snapshot.stats else ()
            left = tuple(map(view.cards_of, view.seats))
            game = snapshot.game if snapshot.is_kept else None
            self._tell(messages.Over(snapshot.table, view.outcome.to_json(), view.places, game, ranks, left))
        if snapshot.deal is not None and snapshot.must_open and not (before and before.must_open):
            self._tell(messages.Open.of(snapshot.table, snapshot.deal, messages.seconds_left(snapshot)))
        self._ask(snapshot, before)

    def _ask(self, snapshot: Snapshot, before: Snapshot | None) -> None:
        """Ask for a decision, once for each, and again after the seat was given back."""
        view = snapshot.view
        if snapshot.away and not (before and before.away):
            self._tell(messages.Error("away", "an AI player plays your seat: send back, or any move, to take it"))
        if view is None or view.seat is None or not snapshot.my_turn or snapshot.away:
            self._asked = None
            return
        # While arranging, what others do is no new decision.
        own = (view.hands[view.seat], view.ups[view.seat], view.reserves[view.seat])
        asked = (snapshot.game, own if view.phase == "arrange" else snapshot.ply)
        if asked == self._asked:
            return
        self._asked = asked
        left = messages.seconds_left(snapshot)
        self._tell(messages.Turn.of(snapshot.game, snapshot.table, snapshot.ply, view, view.seat, left))

    def refused(self, error: InputError) -> None:
        self._tell(messages.Error(error.code, for_bots(error.message)))

    def table_closed(self, why: str) -> None:
        self._asked = None
        self._tell(messages.Error("closed", for_bots(why)))

    def ended(self, farewell: str) -> None:
        self._tell(messages.Error("closed", farewell))
        self._done = True
        self._lines.put_nowait(None)

    # What the bot is sent.

    def _error(self, error: InputError) -> None:
        self._errors += error.code not in SERVERS_ERRORS
        retry = round(max(error.retry_s or 0.0, RETRY_SECONDS), 3) if error.code == "too_fast" else UNSET
        self._tell(messages.Error(error.code, for_bots(error.message), retry))

    def _refuse(self, ply: Json, error: InputError) -> None:
        self._errors += error.code not in SERVERS_ERRORS
        self._tell(messages.Refused(ply, error.code, getattr(error, "clause", None), _why(error)))
        if error.code in SERVERS_ERRORS:  # perhaps nothing changes at the table, so that nothing else asks the bot
            self._asking_again = asyncio.get_running_loop().call_later(
                self._ask_again_seconds, self._ask_again, self._asked
            )

    def _ask_again(self, asked: object) -> None:
        """Ask the bot once more, unless it was asked for another decision meanwhile."""
        if (snapshot := self.player_session.snapshot) is not None and self._asked == asked:
            self._asked = None
            self._ask(snapshot, snapshot)

    def _expect_move(self) -> None:
        """Do not ask again for a move that the bot makes by itself, or that nobody waits for any more."""
        if self._asking_again is not None:
            self._asking_again.cancel()

    def _tell(self, message: BotMessage) -> None:
        self.terminal.write_lines(messages.write_message(message))


def _settings_of(request: requests.New, lobby: Lobby) -> TableSettings:
    """The settings of the table that a bot wants to open. Raises InputError if one of them is wrong."""
    given = {"seats": request.seats, "level": request.fill, "clock": request.clock, "key": request.key}
    texts = {key: str(value) for key, value in given.items() if value is not None}
    rules = lobby.rulebook.find(DEFAULT if request.rules is None else request.rules)
    return table_settings(rules, lobby.rulebook.name_of(rules), request.options or {}, texts, lobby.config)


def _open_tables(wanted: str | None, lobby: Lobby) -> list[Listing]:
    """The tables where a bot can sit down and somebody waits; with these rules, or with any for None.

    Last are those where it is not known yet who has come, since that was at another server just now. Raises InputError
    if there are no such rules.
    """
    rules = None if wanted is None else lobby.rulebook.find(wanted).name
    tables = [each for each in lobby.tables.listings() if lobby.tables.is_awake(each.number)]
    found = [each for each in tables if each.open_seats and not each.playing and not each.private]
    return sorted((each for each in found if rules in (None, each.rules)), key=lambda each: each.asleep)


def _why(error: InputError) -> str:
    """Why a move is refused. What the rules allow instead is in the bot's `turn`, as moves."""
    if isinstance(error, Refused):
        return f"{error.message.partition('. ')[0].rstrip('.')}: send a move that turn has in legal, or means by may"
    return for_bots(error.message)


@Command("bot", section="yourself", where=(), ssh="bot")
async def bot(_: Context, __: str) -> Answer:
    """For programs: one JSON object a line."""
    raise InputError("bad_request", "this is for programs: ssh HOST bot")


FEATURE: Final = Feature("bot_protocol", (*declared_in(__name__), OwnSession("bot", BotSession), NEW_TABLES))
