"""A simulated world: several servers on one log, people, faults, and a watchman that notices every stall."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from random import Random
from typing import Final

import pytest

from engine.ai import LEVELS
from engine.errors import InputError
from engine.legality import legal_moves
from engine.moves import Move, parse_move
from engine.rulesets import rulesets
from server.cluster.several import SILENT_SECONDS, Several
from server.config import Config
from server.lobby.listed_tables import FORLORN_SECONDS
from server.lobby.lobby import Lobby
from server.lobby.tables import READ_SECONDS
from server.people.players import Player
from server.process.background_tasks import attempt
from server.records.fairness import seal_of
from server.storage.database import NotSaved, OutcomeUnknown
from server.table.entries import TableSettings
from server.table.recent_talk import Said
from server.table.snapshot import Snapshot, Subscriber
from server.table.state import TableState
from server.table.table import Table
from server.table.table_events import LOST, TO_LOBBY
from tests.support.simulated_log import Faults, SimulatedLog, World
from tests.support.simulated_truth import Onlooker, Sent, Story, Truth
from tests.support.virtual_time import now

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


upkeep = pytest.importorskip("server.retention", reason="old games are deleted meanwhile")

PACE: Final = 0.4
GRACE: Final = 10.0
SLACK: Final = 5.0
"""Seconds by which anything may be later than it should."""
SKEW: Final = 0.3
"""The most by which a server's clock is wrong."""
CONFIG: Final = Config(pace=PACE, grace=GRACE, keep_table=60.0, keep_seat=180.0, workers=0)
BAD: Final = Faults(
    latency=0.04, not_saved=0.005, unknown_before=0.01, unknown_after=0.01, bell_lost=0.2, bell_again=0.1, bell_late=0.2
)
CALM: Final = Faults(latency=0.02)
CALM_SECONDS: Final = 3600.0
"""In such a time after the last fault all has come to its end."""
PEOPLE: Final = {"ana": "SHA256", "bo": "guest", "cy": "SHA256", "di": "guest", "eve": "SHA256"}
KEEP_GAMES: Final = 120.0
DELETE_SECONDS: Final = 20.0
"""How long a finished game is kept, and how often each server deletes older ones."""
FREEZES: Final = (0.5, 2.0, 5.0, 8.0, 13.0, 20.0, 40.0, 300.0)
"""Seconds; in the longest, others may begin several games at a table."""
OUTAGES: Final = (0.5, 3.0, 8.0, 20.0, 40.0)
"""Seconds in which nothing can be saved; in the longest, servers are silent for longer than they are believed."""
FAULT_KINDS: Final = ("kill", "freeze", "freeze", "disk")


@dataclass(slots=True)
class Node:
    """A server that runs."""

    name: str
    lobby: Lobby
    log: SimulatedLog
    deleting: asyncio.Task[None]
    well_since: float
    frozen: bool = False


class SimulatedCluster:
    """Everything from one seed."""

    def __init__(self, seed: int, moves: int, *, seals: bool) -> None:
        """``seals``: persons seal their cuts."""
        self.chance = Random(f"city {seed}")
        self.world = World(seed, BAD)
        self.truth = self.world.log = Truth()
        self.truth.closing = self._must_be_empty
        self.nodes: dict[str, Node] = {}
        self.people = [
            Person(Player(f"{kind}:{name}", name), self.truth, Random(f"{name} {seed}"), seals=seals)
            for name, kind in PEOPLE.items()
        ]
        self.faults_seen = Counter[str]()
        self._moves = moves
        self._names = [f"n{number}" for number in range(self.chance.randint(2, 4))]
        self._born = 0
        self._outages = 0
        """While there is one nothing can be saved."""
        self._attended: dict[tuple[str, int], float] = {}
        """Since when a player has been at a table on a healthy server."""
        self._awake = set[int]()
        """The tables that are awake by the log."""
        self._asleep: dict[int, float] = {}
        """Since when each table has been asleep by the log."""
        self._missing: dict[tuple[str, int], float] = {}
        """Since when a server has not listed a table that is awake."""
        self._forlorn: dict[int, float] = {}
        """Since when each table that is awake has run on no healthy server."""
        self._awaiting: dict[tuple[str, int], float] = {}
        """When a table on a server last waited for people who were cut off by a kill: no clock has run until then."""
        self._there: dict[tuple[str, int], set[Subscriber]] = {}
        """The subscribers there at the last look. If all are others now, there may have been nobody for a moment."""
        self._seen: dict[tuple[int, str], float] = {}
        """When a player was last at a table."""

    async def run(self) -> None:
        """Let it all happen, then calm down and see how it ends."""
        for name in self._names:
            await self._start(name)
        tasks = [asyncio.create_task(self._live(person)) for person in self.people]
        tasks.append(asyncio.create_task(self._watch()))
        injected = set[asyncio.Task[None]]()
        while self.truth.moves < self._moves and not self.truth.broken:
            await asyncio.sleep(self.chance.expovariate(1 / 15))
            injected.add(asyncio.create_task(self._inject_fault()))
        await asyncio.gather(*injected)
        self.world.faults = CALM
        for person in self.people:
            person.finishing = True
        end = now() + CALM_SECONDS
        while self.truth.stories and now() < end and not self.truth.broken:
            await asyncio.sleep(1)
        self.truth.must(not self.truth.stories, f"tables are left: {[*self.truth.stories]}")
        for task in tasks:
            task.cancel()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            self.truth.must(isinstance(result, asyncio.CancelledError), repr(result))
        for node in [*self.nodes.values()]:
            await self._kill(node)
        await self.truth.check_whole()

    async def _live(self, person: Person) -> None:
        while True:
            await asyncio.sleep(person.pause)
            await person.act([node.lobby for node in self.nodes.values()])

    # Faults.

    async def _start(self, name: str) -> None:
        self._born += 1
        log = self.world.node(f"{name} {self._born}")
        skew, chance = self.chance.uniform(-SKEW, SKEW), Random(self.chance.random())

        def wall() -> float:
            return 1e9 + skew + now()

        peers = Several(log, name, f"{chance.getrandbits(48):012x}")
        lobby = Lobby(CONFIG, log, new_seed=lambda: f"{chance.getrandbits(64):x}", wall=wall, peers=peers)
        while True:
            try:
                await lobby.open()
            except (NotSaved, OutcomeUnknown):
                await asyncio.sleep(1)
            else:
                deleting = asyncio.create_task(self._delete_games(log, wall))
                self.nodes[name] = Node(name, lobby, log, deleting, now())
                return

    async def _delete_games(self, log: SimulatedLog, wall: Callable[[], float]) -> None:
        while True:
            await attempt(upkeep.delete_old_games(log, KEEP_GAMES / upkeep.DAY, wall), "deleting old games")
            await asyncio.sleep(DELETE_SECONDS)

    async def _kill(self, node: Node) -> None:
        """All that it was doing is cut off, before or after it was written."""
        del self.nodes[node.name]
        del self.world.nodes[next(name for name, log in self.world.nodes.items() if log is node.log)]
        node.deleting.cancel()
        await node.lobby.close()

    async def _inject_fault(self) -> None:
        kind, node = self.chance.choice(FAULT_KINDS), self.nodes.get(self.chance.choice(self._names))
        if kind == "kill" and node and len(self.nodes) > 1:
            await self._kill(node)
            await asyncio.sleep(self.chance.uniform(0, 20))
            await self._start(node.name)
        elif kind == "freeze" and node and not node.frozen:
            node.frozen = True
            node.log.freeze()
            await asyncio.sleep(self.chance.choice(FREEZES))
            node.log.thaw()
            node.frozen, node.well_since = False, now()
        elif kind == "disk":
            self._outages += 1
            self.world.faults = replace(BAD, not_saved=1)
            await asyncio.sleep(self.chance.choice(OUTAGES))
            self._outages -= 1
            if not self._outages:
                self.world.faults = BAD
                for each in self.nodes.values():
                    each.well_since = now()
        else:
            return
        self.faults_seen[kind] += 1

    # The watchman.

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(1)
            attended, there = dict[tuple[str, int], float](), dict[tuple[str, int], set[Subscriber]]()
            for node in self.nodes.values():
                running = Counter(task.get_name() for task in node.lobby.tables.background.tasks)
                self._must(max(running.values(), default=1) == 1, f"{node.name} does something twice: {running}")
                for number, table in node.lobby.tables.here.items():
                    waited = self._awaiting.get((node.name, number), 0.0)
                    self._awaiting[node.name, number] = max(waited, min(table.runtime.awaited_until, now()))
                    self._seen |= {(number, player_id): now() for player_id in table.runtime.here}
                    if table.runtime.here and self._is_well(node):
                        place = node.name, number
                        there[place] = {*table.broadcaster.player_ids}
                        has_stayed = there[place] & self._there.get(place, set())
                        attended[place] = self._attended.get(place, now()) if has_stayed else now()
            self._attended, self._there = attended, there
            self._awake = {*await self.truth.awake()}
            asleep = self.truth.stories.keys() - self._awake
            self._asleep = {number: self._asleep.get(number, now()) for number in asleep}
            missing = {
                (name, number)
                for name, node in self.nodes.items()
                for number in self._awake - {*node.lobby.tables.here, *node.lobby.tables.listed}
            }
            self._missing = {each: self._missing.get(each, now()) for each in missing}
            well = [node.lobby.tables for node in self.nodes.values() if self._is_well(node)]
            forlorn = self._awake.difference(*(tables.here for tables in well))
            self._forlorn = {number: self._forlorn.get(number, now()) for number in forlorn}
            for number, story in self.truth.stories.items():
                for node in self.nodes.values():
                    if self._is_well(node) and now() - node.well_since > SLACK:
                        self._look(node, number, story)

    def _is_well(self, node: Node) -> bool:
        return not (node.frozen or self._outages)

    def _must(self, holds: bool, otherwise: str) -> None:  # noqa: FBT001
        self.truth.must(holds, f"{now():.0f}: {otherwise}")

    def _look(self, node: Node, number: int, story: Story) -> None:
        table, written = node.lobby.tables.here.get(number), len(story.times)
        row = node.lobby.tables.listed.row(number)
        known = table.journal.head.seq if table else row.head.seq if row else 0
        behind = 0 < known < written and now() - story.times[known] > SLACK
        self._must(not behind, f"{node.name} has table {number} at {known}, not {written}")
        missing = max(self._missing.get((node.name, number), inf), node.well_since)
        self._must(now() - missing <= SLACK, f"{node.name} does not list table {number}, which is awake")
        forlorn = max(self._forlorn.get(number, inf), node.well_since)
        latest = forlorn + SILENT_SECONDS + FORLORN_SECONDS * len(self.nodes)
        self._must(now() - latest <= SLACK, f"table {number} is awake and runs nowhere")
        if table and known == written:
            for subscriber, player_id in table.broadcaster.player_ids.items():
                assert isinstance(subscriber, Onlooker)
                right = subscriber.place in {None, story.place(player_id)}  # None while they are coming in
                self._must(right or subscriber.gone, f"{player_id} sees {subscriber.place}")
        attended = self._attended.get((node.name, number))
        if attended is not None:
            asleep = max(attended, node.well_since, self._asleep.get(number, inf))
            self._must(now() - asleep <= SLACK, f"table {number} is asleep, and somebody is there at {node.name}")
            began = max(attended, node.well_since, story.decision_since)
            awaiting = self._awaiting.get((node.name, number), 0.0)
            stalls = self._should_be_over(story.state, number, began, awaiting) + SLACK < now()
            self._must(not stalls, f"table {number} stalls at {written} on {node.name}")

    def _should_be_over(self, state: TableState, number: int, began: float, awaiting: float) -> float:
        """When a decision that is waited for since then should be made.

        ``awaiting``: until when the table has waited for people who were cut off by a kill.
        """
        deciding = [seat for number in state.deciding if (seat := state.seats[number])]
        waits_for_players = state.arranging and not all(seat.played_by_ai for seat in deciding)
        if any(seat.played_by_ai and not (waits_for_players and seat.away) for seat in deciding):
            return began + PACE
        began = max(began, awaiting)
        if state.clock is not None:
            return began + state.clock
        # A person may think as long as they like, while they are there.
        seen = [self._seen.get((number, seat.player.id), 0.0) for seat in deciding]
        return max([began, *seen]) + SILENT_SECONDS + READ_SECONDS + GRACE if seen else inf

    def _must_be_empty(self, number: int) -> None:
        """A table closes only if no server that has been healthy for a while has a player there."""
        for node in self.nodes.values():
            table = node.lobby.tables.here.get(number)
            if self._is_well(node) and now() - node.well_since > SILENT_SECONDS:
                is_empty = table is None or not table.runtime.here
                self._must(is_empty, f"table {number} closes under those at {node.name}")
