"""Persons of a simulated world: they sit down anywhere, move, dawdle, drop, return elsewhere, talk and leave."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from random import Random
from typing import Final

from engine.ai import LEVELS
from engine.errors import InputError
from engine.legality import legal_moves
from engine.moves import Move, parse_move
from engine.rulesets import rulesets
from server.lobby.lobby import Lobby
from server.people.players import Player
from server.records.fairness import seal_of
from server.table.entries import TableSettings
from server.table.recent_talk import Said
from server.table.snapshot import Snapshot
from server.table.table import Table
from server.table.table_events import LOST, TO_LOBBY
from tests.support.simulated_truth import Onlooker, Sent, Truth

CLOCK: Final = 20.0
PATIENCE: Final = 8.0
"""Seconds without an answer after which a person hangs up."""
TABLES_WANTED: Final = 2
GAMES: Final = tuple(
    (name, seats) for name, rules in rulesets().items() for seats in (rules.seats_min, rules.seats_max)
)


class Person:
    """One player, in one place at a time; what was asked of a place that they have left may still be done."""

    def __init__(self, player: Player, truth: Truth, chance: Random, *, seals: bool) -> None:
        """``seals``: the person seals cuts."""
        self.player = player
        self.lobby: Lobby | None = None
        self.table: Table | None = None
        self.subscriber = Onlooker(truth, player)
        self.finishing = False
        """Plays what has begun to its end, and then goes for good."""
        self.refusals = 0
        self._truth = truth
        self._chance = chance
        self._seals = seals
        self._asked: set[asyncio.Task[None]] = set()

    async def act(self, lobbies: list[Lobby]) -> None:
        """Do one thing or nothing."""
        if self.lobby not in lobbies:
            self.hang_up()
            self.lobby = self._chance.choice(lobbies)
        elif self.table is None or self.subscriber.left_out:
            await self._go_to_a_table(self.lobby)
        elif self._happens(0.0 if self.finishing else 0.012):
            self.hang_up()
        elif self.subscriber.snapshot is not None:
            await self._at(self.table, self.subscriber.snapshot)

    def hang_up(self) -> None:
        """Lose the connection. Where one was will hear of it, if it lives."""
        table, subscriber = self.table, self.subscriber
        self.lobby = self.table = None
        subscriber.gone = True
        if table is not None:
            self._begin(table.leave(subscriber, LOST))

    @property
    def pause(self) -> float:
        """How long the person does nothing now; sometimes longer than any clock."""
        if self._happens(0.0 if self.finishing else 0.01):
            return CLOCK * 2.5
        return self._chance.expovariate(2.0)

    # Where to.

    async def _go_to_a_table(self, lobby: Lobby) -> None:
        self.subscriber = Onlooker(self._truth, self.player)
        if seats := await lobby.tables.seats_of(self.player.id):
            await self._go_to(lobby, next(iter(seats)), sits=0.3)
        elif not self.finishing:
            tables = lobby.tables.listings()
            if len(tables) < TABLES_WANTED:
                await self._open_one(lobby)
            else:
                await self._go_to(lobby, self._chance.choice(tables).number, sits=0.8)

    async def _go_to(self, lobby: Lobby, number: int, sits: float) -> None:
        found: list[Table] = []

        async def find() -> None:
            found.append(await lobby.tables.bring_up(str(number)))

        if await self._ask(find()) == "done":
            way = found[0].sit if self._happens(sits) else found[0].come
            await self._enter(found[0], way(self.subscriber, self.player))

    async def _open_one(self, lobby: Lobby) -> None:
        rules, seats = self._chance.choice(GAMES)
        opened: list[Table] = []

        async def open_one() -> None:
            opened.append(await lobby.tables.open_table(TableSettings(rules, {}, seats, "easy", clock=CLOCK)))

        if await self._ask(open_one()) == "done":
            await self._enter(opened[0], opened[0].sit(self.subscriber, self.player))

    async def _enter(self, table: Table, way: Awaitable[None]) -> None:
        self.table = table
        answer = await self._ask(way)
        if answer == "done":
            self._truth.must(self.subscriber.snapshot is not None, f"{self.player.name} came in and sees nothing")
        elif answer != "unknown":
            self.table = None
            is_there = self.subscriber in table.broadcaster.player_ids
            self._truth.must(
                not is_there or answer == "closed", f"{self.player.name} was refused and is there: {answer}"
            )

    # At a table.

    async def _at(self, table: Table, snapshot: Snapshot) -> None:
        if snapshot.playing and snapshot.my_turn:
            await self._take_turn(table, snapshot)
        elif not snapshot.playing and self.finishing:
            await self._leave_for_good(table)
        elif self._happens(0.02):
            table.broadcaster.say(self.subscriber, Said(self.player.name, "well"))
        elif self._happens(0.0 if self.finishing else 0.004):
            await self._leave_for_good(table)
        elif not snapshot.playing:
            await self._between_games(table, snapshot)
        elif self.finishing and snapshot.seat is None:
            await self._leave_for_good(table)

    async def _between_games(self, table: Table, snapshot: Snapshot) -> None:
        if snapshot.seat is None or self._happens(0.05):
            await self._ask(table.sit(self.subscriber, self.player))
        elif snapshot.must_open:
            await self._ask(table.open_cut(self.subscriber, "lucky"))
        elif self._happens(0.1):
            await self._ask(table.cut(self.subscriber, "lucky"))
        elif self._seals and self._happens(0.3):
            await self._ask(table.seal_cut(self.subscriber, seal_of("lucky")))
        elif self._happens(0.05):
            await self._ask(table.add(self.subscriber, "easy"))
        elif self._happens(0.05):
            await self._ask(table.remove(self.subscriber, self._chance.randrange(len(snapshot.sitters))))
        elif self._happens(0.2):
            await self._ask(table.start(self.subscriber))

    async def _leave_for_good(self, table: Table) -> None:
        self.table, subscriber = None, self.subscriber
        answer = await self._ask(table.leave(subscriber, TO_LOBBY))
        subscriber.gone = True
        self._truth.must(answer != "stale", f"{self.player.name} may not leave")

    async def _take_turn(self, table: Table, snapshot: Snapshot) -> None:
        if snapshot.away and self._happens(0.5):
            await self._ask(table.back(self.subscriber))
            return
        ply = snapshot.ply - 1 if self._happens(0.05) else snapshot.ply
        move = self._move(snapshot)
        arranging = snapshot.view is not None and snapshot.view.phase == "arrange"
        sent = Sent(self.player.id, snapshot.game, ply, str(move), arranging)
        self._truth.sent.append(sent)

        async def make() -> None:
            try:
                await table.move(self.subscriber, ply, move)
            except InputError as error:
                # A table that closes has not said what became of it.
                sent.answer = "unknown" if error.code in {"unknown", "closed"} else error.code
                raise
            sent.answer = "done"

        await self._ask(make())

    def _move(self, snapshot: Snapshot) -> Move:
        assert snapshot.view is not None
        assert snapshot.seat is not None
        if self._happens(0.02):
            return parse_move(self._chance.choice(("play 2 2 2", "flip 1", "pickup", "ready", "pass")))
        if snapshot.view.phase == "play" and self._happens(0.3):
            return self._chance.choice(legal_moves(snapshot.view, snapshot.seat))
        return LEVELS["easy"](snapshot.view, self._chance)

    # Asking.

    async def _ask(self, request: Awaitable[None]) -> str:
        """Wait for an answer. Without one the person hangs up, and the request may still be carried out."""
        asked = self._begin(request)
        await asyncio.wait([asked], timeout=PATIENCE)
        if not asked.done():
            self.hang_up()
            return "unknown"
        error = asked.exception()
        if error is None:
            return "done"
        assert isinstance(error, InputError)
        self._truth.must(error.code != "internal", f"{error.message}")
        self.refusals += 1
        return error.code

    def _begin(self, request: Awaitable[None]) -> "asyncio.Task[None]":
        async def run() -> None:
            with suppress(asyncio.CancelledError):
                await request

        task = asyncio.create_task(run())
        self._asked.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._asked.discard(task)
        if not task.cancelled():
            task.exception()  # who hung up does not hear of it

    def _happens(self, chance: float) -> bool:
        return self._chance.random() < chance
