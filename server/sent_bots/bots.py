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
from random import Random
from typing import Any, Final, TypeAlias

import asyncssh

from engine.cards import CardSet, card_from, card_set
from engine.errors import InputError
from engine.protocol.view_json import view_from_json
from engine.rulesets import DEFAULT, ruleset, rulesets
from server.ai.pool import AIPool, Question
from server.clean_text import clean
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
"""The refusal that means that this bot cannot cut: the host of the server has muted it."""
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

    def check(self) -> None:
        """Raises InputError, which says what would be right."""
        if not 1 <= self.port <= MOST_PORT:
            raise InputError("bad_request", f"--port: 1 to {MOST_PORT}, not {self.port}")
        if not 1 <= self.count <= MOST_BOTS:
            raise InputError("bad_request", f"--count: 1 to {MOST_BOTS}, not {self.count}")
        if self.rules is not None:
            ruleset(self.rules)
        if self.games is not None and self.games < 1:
            raise InputError("bad_request", f"--games: 1 or more, not {self.games}")
        if not 0 <= self.pace <= MOST_PACE:
            raise InputError("bad_request", f"--pace: 0 to {MOST_PACE} seconds, not {self.pace:g}")


def bots(options: argparse.Namespace) -> int:
    """Run `quatch bots` until its games are over, or Ctrl-C."""
    logs.configure("error")
    given = {field.name: getattr(options, field.name) for field in fields(BotOptions) if field.name in options}
    with suppress(KeyboardInterrupt):
        asyncio.run(run_bots(BotOptions(**given), lambda line: print(line, flush=True)))
    return 0


async def run_bots(options: BotOptions, report: Callable[[str], None]) -> None:
    """Let bots play until their games are over, or for ever; ``report`` gets a line for each thing that happens.

    Raises InputError if an option is wrong or the server refused a bot, and OSError if the network failed.
    """
    options.check()
    ai_pool = AIPool(os.cpu_count() or 1)
    try:
        async with asyncio.TaskGroup() as bots:
            for number in range(options.count):
                bot = _Bot(options, f"{options.level}{number + 1}", ai_pool, report)
                bots.create_task(bot.run())
                # One after the other, so that the second bot finds the table that the first has opened.
                await bot.seated.wait()
    except BaseExceptionGroup as errors:
        raise _first_error(errors, options) from None
    finally:
        await ai_pool.close()


def _first_error(errors: BaseExceptionGroup, options: BotOptions) -> BaseException:
    first = errors.exceptions[0]
    where = f"{options.host} port {options.port}"
    if isinstance(first, asyncssh.Error):
        return ConnectionError(f"{where}: {clean(first.reason, SHOWN_LENGTH)}")
    if isinstance(first, OSError):
        why = os.strerror(first.errno) if first.errno and first.errno > 0 else first.strerror or first
        return ConnectionError(f"{where}: {why}")
    return first


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
        self._name = name
        self._ai_pool = ai_pool
        self._report = report
        self._process: asyncssh.SSHClientProcess[bytes]
        self._not_asked_for = list(rulesets()) if options.rules is None else [options.rules]
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

    async def run(self) -> None:
        """Connect, play, leave."""
        # Without a key; the empty password is for a challenge that asks nothing.
        async with asyncssh.connect(
            self._options.host, self._options.port, username=self._name, password="", known_hosts=None,
            client_keys=None, agent_path=None, config=None, login_timeout=LOGIN_SECONDS,
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
                self._ask_for_seat()
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
        self._seal_cut()

    def _seal_cut(self) -> None:
        """Cut the cards of the next game so that no one can choose them, the host of the server included."""
        if self._may_cut:
            self._cut_text = secrets.token_hex(16)
            self._send(type="cut", seal=hashlib.sha256(self._cut_text.encode()).hexdigest())

    def _handle_refusal(self, message: Message) -> None:
        code = message["code"]
        if code in NO_TABLE_REFUSALS and not self.seated.is_set() and self._options.table is None:
            self._ask_for_seat()
        elif code == NO_CUT_REFUSAL:
            self._may_cut = False
        elif code not in LATE_REFUSALS:
            raise InputError(str(code), f"{self._name}: {clean(str(message['message']), SHOWN_LENGTH)}")

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
        self._send(type="move", ply=turn["ply"], move=str(await thought))

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
    return f"{how} game {clean(str(over['game']))}"


def _cards(names: Iterable[str]) -> CardSet:
    return card_set(card for name in names if (card := card_from(name)) is not None)
