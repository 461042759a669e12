"""`quatch bots`: our AI players at a server from outside, as a program in any language could do it (INTERFACES.md).

Knows no more of the server than its bot protocol tells.
"""

import asyncio
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeAlias

import asyncssh

from engine.cards import CardSet, card_from, card_set
from engine.errors import InputError
from engine.protocol.view_json import view_from_json
from engine.rulesets import DEFAULT, rulesets
from server.ai.pool import AIPool, Question
from server.clean import clean

MOST_BOTS: Final = 20
"""What a server takes from one address by default."""
SLOWEST: Final = 60
"""Seconds for a move."""
FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 4
LOOK_SECONDS: Final = 0.5
"""How often a bot that opened a table looks whether all seats are taken."""
COME_TOO_LATE: Final = frozenset({"stale", "not_your_turn", "wrong_phase", "game_over"})
"""Answers to what was right when it was sent: somebody else began the game, or the clock made the move."""
NOT_THERE: Final = frozenset({"no_such_table", "unknown_rules"})
"""Answers to who looks for an open table, for which there is another rule set to ask for."""
SHOWN_LENGTH: Final = 200

Message: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Errand:
    """What bots are sent for."""

    host: str
    port: int = 2222
    count: int = 1
    level: str = "hard"
    rules: str | None = None
    """The rule set to play; None for any of those built in."""
    table: int | None = None
    """The table to sit at; None for any open one, or a new one where there is none."""
    games: int | None = None
    """How many to play; None for as many as there are."""
    pace: float = 1.0
    """Seconds a bot takes for a move, for show."""

    def check(self) -> None:
        """Raises InputError with what would be right."""
        if not 1 <= self.count <= MOST_BOTS:
            raise InputError("bad_request", f"--count: 1 to {MOST_BOTS}, not {self.count}")
        if self.games is not None and self.games < 1:
            raise InputError("bad_request", f"--games: 1 or more, not {self.games}")
        if not 0 <= self.pace <= SLOWEST:
            raise InputError("bad_request", f"--pace: 0 to {SLOWEST} seconds, not {self.pace:g}")


async def run_bots(errand: Errand, report: Callable[[str], None]) -> None:
    """Have bots play until their games are over, or for ever; ``report`` is told line by line what becomes of them.

    Raises:
        InputError: a number or name that cannot be, or what the server refuses the bots.
        OSError: there is no server, or it goes away.
    """
    errand.check()
    ai_pool = AIPool(os.cpu_count() or 1)
    try:
        async with asyncio.TaskGroup() as bots:
            for number in range(errand.count):
                bot = _Bot(errand, f"{errand.level}{number + 1}", ai_pool, report)
                bots.create_task(bot.run())
                # One after the other, so that the second finds the table that the first has opened.
                await bot.seated.wait()
    except BaseExceptionGroup as errors:
        raise _first_of(errors, errand) from None
    finally:
        await ai_pool.close()


def _first_of(errors: BaseExceptionGroup, errand: Errand) -> BaseException:
    """What went wrong first, in words for whoever sent the bots."""
    first = errors.exceptions[0]
    where = f"{errand.host} port {errand.port}"
    if isinstance(first, asyncssh.Error):
        return ConnectionError(f"{where}: {clean(first.reason, SHOWN_LENGTH)}")
    if isinstance(first, OSError):
        return ConnectionError(f"{where}: {first.strerror or first}")
    return first


class ShownCards:
    """The cards in each hand that everybody saw go there in this game: what a view's JSON leaves to memory."""

    def __init__(self) -> None:
        self._by_seat: dict[int, CardSet] = defaultdict(int)

    def by_seat(self, seats: int) -> list[CardSet]:
        """As `View.public_hands` has them."""
        return [self._by_seat[seat] for seat in range(seats)]

    def notice(self, event: Message) -> None:
        """Remember what an event showed."""
        match event:
            case {"kind": "picked-up", "seat": seat, "cards": cards}:
                self._by_seat[seat] |= _cards(cards)
            case {"kind": "played", "seat": seat, "cards": cards}:
                self._by_seat[seat] &= ~_cards(cards)
            case {"kind": "swapped", "seat": seat, "cards": [given, taken]}:
                self._by_seat[seat] = self._by_seat[seat] & ~_cards([given]) | _cards([taken])


class _Guest(asyncssh.SSHClient):
    """A client without a key: our bots have no name to lose."""

    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(self, name: str, instructions: str, lang: str, prompts: object) -> list[str]:  # noqa: ARG002
        return []


class _Bot:
    """One AI player and its connection."""

    def __init__(self, errand: Errand, name: str, ai_pool: AIPool, report: Callable[[str], None]) -> None:
        """``name`` is the one wished for."""
        self.seated = asyncio.Event()
        self._errand = errand
        self._name = name
        self._ai_pool = ai_pool
        self._report = report
        self._process: asyncssh.SSHClientProcess[bytes]
        self._wanted = list(rulesets()) if errand.rules is None else [errand.rules]
        """The rule sets still to ask for."""
        self._table = self._seat = 0
        self._opened = False
        """Whether this bot opened its table, and so begins the games there."""
        self._playing = False
        self._games = 0
        self._shown = ShownCards()
        self._chance = Random()

    async def run(self) -> None:
        """Come, play, go."""
        async with asyncssh.connect(
            self._errand.host, self._errand.port, username=self._name, client_factory=_Guest, known_hosts=None,
            client_keys=None, agent_path=None, config=None,
        ) as connection:  # fmt: skip
            self._process = await connection.create_process(subsystem="bot", encoding=None)
            beginning = asyncio.create_task(self._keep_beginning())
            try:
                while self._errand.games is None or self._games < self._errand.games:
                    line = await self._process.stdout.readline()
                    if not line:
                        raise ConnectionResetError("the server ended the connection")
                    await self._heed(json.loads(line))
                self._send(type="leave")
                self._process.stdin.write_eof()
                await self._process.wait_closed()
            finally:
                beginning.cancel()

    async def _heed(self, message: Message) -> None:
        match message["type"]:
            case "hello":
                self._name = clean(str(message["name"]))
                self._ask_for_seat()
            case "joined":
                self._sit_down(message)
            case "tables":
                self._begin_if_full(message["tables"])
            case "event":
                self._shown.notice(message["event"])
            case "turn":
                await self._move(message)
            case "over":
                self._finish(message)
            case "error" | "refused":
                self._take_refusal(message)

    # Coming to a table.

    def _ask_for_seat(self) -> None:
        if self._errand.table is not None:
            self._send(type="join", table=self._errand.table)
        elif self._wanted:
            self._send(type="join", rules=self._wanted.pop(0))
        else:
            self._opened = True
            seats = min(max(self._errand.count, FEWEST_SEATS), MOST_SEATS)
            self._send(type="new", rules=self._errand.rules or DEFAULT, seats=seats)

    def _sit_down(self, message: Message) -> None:
        self._table, self._seat = message["table"], message["seat"]
        where = f"table {self._table}, seat {self._seat + 1} of {message['seats']}"
        self._report(f"{self._name} sits at {where}, {clean(str(message['rules']))}")
        self.seated.set()

    def _take_refusal(self, message: Message) -> None:
        code = message["code"]
        if code in NOT_THERE and not self.seated.is_set() and self._errand.table is None:
            self._ask_for_seat()
        elif code not in COME_TOO_LATE:
            raise InputError(str(code), f"{self._name}: {clean(str(message['message']), SHOWN_LENGTH)}")

    # Playing.

    async def _keep_beginning(self) -> None:
        """Look now and then whether the table that this bot opened can begin."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self._opened and not self._playing:
                self._send(type="tables")

    def _begin_if_full(self, tables: Iterable[Message]) -> None:
        if any(table["table"] == self._table and not table["open"] and table["state"] == "open" for table in tables):
            self._send(type="start")

    async def _move(self, turn: Message) -> None:
        self._playing = True
        view = view_from_json(turn["view"], self._seat, self._shown.by_seat(len(turn["view"]["seats"])))
        question = Question(self._errand.level, "plain", view, self._seat, str(self._chance.random()))
        thought = self._ai_pool.think(question)
        await asyncio.sleep(self._errand.pace)
        self._send(type="move", ply=turn["ply"], move=str(await thought))

    def _finish(self, message: Message) -> None:
        self._playing = False
        self._games += 1
        self._shown = ShownCards()
        won = message["outcome"].get("winner") == self._seat
        self._report(f"{self._name} has {'won' if won else 'not won'} game {clean(str(message['game']))}")

    def _send(self, **request: object) -> None:
        self._process.stdin.write(json.dumps(request).encode() + b"\n")


def _cards(names: Iterable[str]) -> CardSet:
    return card_set(card for name in names if (card := card_from(name)) is not None)
