"""The bots of `quatch bots`: each connects to the server, sits down and plays, as AI players move."""

import argparse
import asyncio
import hashlib
import json
import os
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

import asyncssh

from engine.cards import CardSet, card_from, card_set
from engine.errors import InputError, NoSuch
from engine.protocol.view_json import view_from_json
from engine.rulesets import DEFAULT
from server.ai.pool import AIPool, Question
from server.bot_protocol.check import check_bot
from server.clean_text import clean
from server.number_text import read_number
from server.process import logs

MOST_BOTS: Final = 20
"""The most connections that a server accepts from one address by default."""
MOST_PACE: Final = 60
MOST_PORT: Final = 65535
LOGIN_SECONDS: Final = 20
"""How long a server may take to let a bot in; something else may answer at its port, as telnet does."""
FULL_CHECK_SECONDS: Final = 0.5
"""How often a bot that opened a table checks whether all seats are taken."""
LATE_REFUSALS: Final = frozenset({"stale", "not_your_turn", "wrong_phase", "game_over"})
"""Refusals of what was right when it was sent, before another player or the clock acted."""
NO_TABLE_REFUSALS: Final = frozenset({"no_such_table", "unknown_rules"})
"""Refusals that mean that no such table is open, so that the bot asks for another rule set."""
NO_CUT_REFUSAL: Final = "muted"
"""The refusal that means that this bot cannot cut: an op has muted it."""
TOLD_ONLY: Final = frozenset({"slow", "not_saved", "unknown", "internal"})
"""Errors after which the server asks again by itself."""
LONGEST_WAIT: Final = 30.0
"""Seconds between two tries of a bot that has lost its connection; the first wait is a second."""
TRIES: Final = 20
"""How often in a row a bot tries to come back; a server that has banned it never lets it in."""
SHOWN_LENGTH: Final = 200

Message: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class BotOptions:
    """The options of `quatch bots`."""

    host: str
    port: int = 2222
    count: int = 1
    level: str = "hard"
    rules: str | None = None
    """The rule set to play; None for any that is built in."""
    table: int | None = None
    """The table to sit at; None for any open one, or a new one if there is none."""
    games: int | None = None
    """How many games each bot plays; None for no end."""
    pace: float = 1.0
    """Seconds a bot takes for a move, for show."""
    enters: tuple[str, str] | None = None
    """What the bots enter instead of a table: its feature, and its name, empty for the only one that goes on."""
    keys: str | None = None
    """The folder with the keys of the bots: with a key a bot has its name, seat and points again. None for no keys."""

    def check(self) -> None:
        """Raises InputError, which says what would be right."""
        if not 1 <= self.port <= MOST_PORT:
            raise InputError("bad_request", f"--port: 1 to {MOST_PORT}, not {self.port}")
        if not 1 <= self.count <= MOST_BOTS:
            raise InputError("bad_request", f"--count: 1 to {MOST_BOTS}, not {self.count}")
        if self.games is not None and self.games < 1:
            raise InputError("bad_request", f"--games: 1 or more, not {self.games}")
        if not 0 <= self.pace <= MOST_PACE:
            raise InputError("bad_request", f"--pace: 0 to {MOST_PACE} seconds, not {self.pace:g}")
        if self.enters is not None and (self.table is not None or self.games is not None):
            raise InputError("bad_request", "--{0}: a {0} makes its tables and ends by itself".format(*self.enters))


def bots(options: argparse.Namespace) -> int:
    """Run `quatch bots` until its games are over, or Ctrl-C. Raises InputError if no host is named."""
    logs.configure("error")
    if "check" in options:
        return 1 if asyncio.run(check_bot(options.check, lambda line: print(line, flush=True))) else 0
    if "host" not in options:
        raise InputError("bad_request", "HOST is missing: the server to which the bots go")
    given = {field.name: getattr(options, field.name) for field in fields(BotOptions) if field.name in options}
    host, _, port = given["host"].rpartition(":")
    if host and ":" not in host and read_number(port) is not None:  # as people write it
        given |= {"host": host, "port": int(port)}
    with suppress(KeyboardInterrupt):
        asyncio.run(run_bots(BotOptions(**given), lambda line: print(line, flush=True)))
    return 0


async def run_bots(options: BotOptions, report: Callable[[str], None]) -> None:
    """Let bots play until their games are over, or for ever; ``report`` gets a line for each thing that happens.

    A bot that the server sends away ends alone; one that loses its connection comes back. Raises InputError if an
    option is wrong, and InputError or OSError if the server refused all bots, or cannot be reached.
    """
    options.check()
    ai_pool = AIPool(os.cpu_count() or 1)
    ends = list[asyncio.Task[None]]()
    try:
        for number in range(options.count):
            bot = _Bot(options, f"{options.level}{number + 1}", ai_pool, report)
            ends.append(asyncio.create_task(bot.run()))
            # One after the other, so that the second bot finds the table that the first has opened.
            await asyncio.wait(
                (ends[-1], seated := asyncio.create_task(bot.seated.wait())), return_when="FIRST_COMPLETED"
            )
            seated.cancel()
            if not bot.seated.is_set():
                await ends[-1]  # raises why
        await asyncio.gather(*ends)
    finally:
        for end in ends:
            end.cancel()
        await asyncio.gather(*ends, return_exceptions=True)
        await ai_pool.close()


def _why(error: OSError | asyncssh.Error, options: BotOptions) -> str:
    """What a connection has failed of, in a line."""
    if isinstance(error, asyncssh.Error):
        why = clean(error.reason, SHOWN_LENGTH)
    else:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror or error)
    return f"{options.host} port {options.port}: {why}"


def _key(folder: Path, name: str) -> asyncssh.SSHKey:
    """The key of a bot, made when it first plays. Raises OSError, and InputError if the file is none."""
    path = folder / name
    try:
        if path.exists():
            return asyncssh.read_private_key(path)
    except asyncssh.KeyImportError as error:
        raise InputError("bad_request", f"{path}: {error}") from None
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = asyncssh.generate_private_key("ssh-ed25519")
    with open(path, "wb", opener=lambda file, flags: os.open(file, flags | os.O_EXCL, 0o600)) as file:
        file.write(key.export_private_key())
    return key


class ShownCards:
    """The cards that all players saw go into each hand: a view's JSON leaves it to bots to remember these."""

    def __init__(self) -> None:
        self._by_seat: dict[int, CardSet] = defaultdict(int)

    def by_seat(self, seats: int) -> list[CardSet]:
        """The cards by seat, as in `View.public_hands`."""
        return [self._by_seat[seat] for seat in range(seats)]

    def observe(self, event: Message) -> None:
        """Note what an event showed."""
        match event:
            case {"kind": "picked-up", "seat": seat, "cards": cards}:
                self._by_seat[seat] |= _cards(cards)
            case {"kind": "played", "seat": seat, "cards": cards}:
                self._by_seat[seat] &= ~_cards(cards)
            case {"kind": "swapped", "seat": seat, "cards": [given, taken]}:
                self._by_seat[seat] = self._by_seat[seat] & ~_cards([given]) | _cards([taken])


class _Bot:
    """One AI player and its connection."""

    def __init__(self, options: BotOptions, name: str, ai_pool: AIPool, report: Callable[[str], None]) -> None:
        """``name`` is only a wish; the server may give another."""
        self.seated = asyncio.Event()
        self._options = options
        self._login = self._name = name
        self._keys = [_key(Path(options.keys), name)] if options.keys is not None else None
        self._is_in = False
        """Whether the server has let the bot in since it has connected last."""
        self._ai_pool = ai_pool
        self._report = report
        self._process: asyncssh.SSHClientProcess[bytes]
        self._not_asked_for = list[str]()
        """The rule sets of which it has not looked for an open table yet."""
        self._known = list[str]()
        """The rule sets of the server, its house rules among them."""
        self._table = self._seat = 0
        self._opened = False
        """Whether this bot opened its table and so starts the games there."""
        self._playing = False
        self._games = 0
        self._shown = ShownCards()
        self._chance = Random()
        self._cut_text = ""
        """The text of the sealed cut of the next game; known to nobody else before the cuts are closed."""
        self._may_cut = True
        """Whether no cut was refused since it has sat down."""

    async def run(self) -> None:
        """Play until the games are over, or the server sends the bot away.

        Raises OSError and InputError only if it never had a seat.
        """
        tries = 0
        while tries <= TRIES:
            try:
                await self._play()
            except InputError as error:
                if not self.seated.is_set():
                    raise
                self._report(error.message)
            except (OSError, asyncssh.Error) as error:
                problem = _why(error, self._options)
                if not self.seated.is_set():
                    raise ConnectionError(problem) from None
                if self._is_in:
                    self._report(f"{self._name} comes back: {problem}")
                    self._is_in, tries = False, 0
                await asyncio.sleep(min(2.0**tries, LONGEST_WAIT))
                tries += 1
                continue
            return
        self._report(f"{self._name} is not let in any more")

    async def _play(self) -> None:
        """Connect, play, leave. Raises OSError, asyncssh.Error, and InputError if the server sends the bot away."""
        # Without a key the empty password is for a challenge that asks nothing.
        async with asyncssh.connect(
            self._options.host, self._options.port, username=self._login, password="", known_hosts=None,
            client_keys=self._keys, agent_path=None, config=None, login_timeout=LOGIN_SECONDS,
        ) as connection:  # fmt: skip
            self._process = await connection.create_process(subsystem="bot", encoding=None)
            starting = asyncio.create_task(self._start_when_full())
            try:
                while self._options.games is None or self._games < self._options.games:
                    line = await self._process.stdout.readline()
                    if not line:
                        raise ConnectionResetError("the server ended the connection")
                    await self._handle(json.loads(line))
                self._send(type="leave")
                self._process.stdin.write_eof()
                await self._process.wait_closed()
            finally:
                starting.cancel()

    async def _handle(self, message: Message) -> None:
        match message["type"]:
            case "hello":
                self._name = clean(str(message["name"]))
                self._is_in, self._shown = True, ShownCards()
                self._known = [clean(str(rules)) for rules in message["rules"]]
                if self._options.enters is not None:
                    feature, name = self._options.enters
                    self._send(type=feature, name=name, do="join")
                elif message["table"] is None:
                    self._look_for_seat()
            case "joined":
                self._sit_down(message)
            case "tables":
                self._start_if_full(message["tables"])
            case "event":
                self._shown.observe(message["event"])
            case "open":
                self._send(type="cut", open=self._cut_text)
            case "turn":
                await self._move(message)
            case "over":
                self._finish(message)
            case "error" | "refused":
                self._handle_refusal(message)
            case kind if self._options.enters is not None and kind == self._options.enters[0]:
                self._report(f"{self._name} is in {clean(str(message[kind]['name']))}")
                self.seated.set()

    def _look_for_seat(self) -> None:
        self._table, self._opened, self._playing = 0, False, False
        if self._options.rules not in {None, *self._known}:
            raise NoSuch("unknown_rules", "rule set", self._options.rules or "", self._known)
        self._not_asked_for = self._known.copy() if self._options.rules is None else [self._options.rules]
        self._ask_for_seat()

    def _ask_for_seat(self) -> None:
        if self._options.table is not None:
            self._send(type="join", table=self._options.table)
        elif self._not_asked_for:
            self._send(type="join", rules=self._not_asked_for.pop(0))
        else:
            self._opened = True
            seats = min(max(self._options.count, 2), 4)
            self._send(type="new", rules=self._options.rules or DEFAULT, seats=seats)

    def _sit_down(self, message: Message) -> None:
        self._table, self._seat = message["table"], message["seat"]
        where = f"table {self._table}, seat {self._seat + 1} of {message['seats']}"
        self._report(f"{self._name} sits at {where}, {clean(str(message['rules']))}")
        self.seated.set()
        self._may_cut = True
        self._seal_cut()

    def _seal_cut(self) -> None:
        """Cut the cards of the next game so that no one can choose them, the host of the server included."""
        if self._may_cut:
            self._cut_text = secrets.token_hex(16)
            self._send(type="cut", seal=hashlib.sha256(self._cut_text.encode()).hexdigest())

    def _handle_refusal(self, message: Message) -> None:
        code, plays_rounds = message["code"], self._options.enters is not None
        problem = f"{self._name}: {clean(str(message['message']), SHOWN_LENGTH)}"
        looks = not (plays_rounds or self._table or self._opened or self._options.table is not None)
        if code in NO_TABLE_REFUSALS and looks:
            self._ask_for_seat()
        elif code == NO_CUT_REFUSAL:
            self._may_cut = False
        elif code == "away":
            self._send(type="back")
        elif code == "closed":  # its table, or its connection, which ends then
            self._report(problem)
            if not plays_rounds:
                self._look_for_seat()
        elif code == "too_fast":
            if not self._table:  # else it asks again by itself whether the game can begin
                asyncio.get_running_loop().call_later(message["retry_s"], self._look_for_seat)
        elif code == "bad_request" and plays_rounds and self.seated.is_set():
            pass  # it is in already
        elif code not in LATE_REFUSALS | TOLD_ONLY:
            raise InputError(str(code), problem)

    async def _start_when_full(self) -> None:
        """Check every now and then whether the table that this bot opened is full."""
        while True:
            await asyncio.sleep(FULL_CHECK_SECONDS)
            if self._opened and not self._playing:
                self._send(type="tables")

    def _start_if_full(self, tables: Iterable[Message]) -> None:
        if any(table["table"] == self._table and not table["open"] and table["state"] == "open" for table in tables):
            self._send(type="start")

    async def _move(self, turn: Message) -> None:
        self._playing = True
        view = view_from_json(turn["view"], self._seat, self._shown.by_seat(len(turn["view"]["seats"])))
        question = Question(self._options.level, "plain", view, self._seat, str(self._chance.random()))
        thought = self._ai_pool.think(question)
        await asyncio.sleep(self._options.pace)
        self._send(type="move", ply=turn["ply"], move=str((await thought).move))

    def _finish(self, message: Message) -> None:
        self._playing = False
        self._games += 1
        self._shown = ShownCards()
        self._seal_cut()
        self._report(f"{self._name} has {result_words(message, self._seat)}")

    def _send(self, **request: object) -> None:
        self._process.stdin.write(json.dumps(request).encode() + b"\n")


def result_words(over: Message, seat: int) -> str:
    """How a game ended for a seat: "won game 8F3K2Q"."""
    outcome = over["outcome"]
    is_first = over["ranks"][seat] == 1
    how = "drawn" if outcome["kind"] == "drawn" else "won" if is_first else "not won"
    game = f"game {clean(str(over['game']))}" if over["game"] else "a game that is not kept"
    return f"{how} {game}"


def _cards(names: Iterable[str]) -> CardSet:
    return card_set(card for name in names if (card := card_from(name)) is not None)
