"""This process among several that share the log: it tells the others which players are here, and knows theirs.

Each change of the people of a process is told with a number, and every few seconds the number of the last change. A
process that has missed one asks for all. So the messages of a process grow neither with its people nor with those of
others. All processes have one host key: see `host_key_check.py`.
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from math import inf
from typing import Final

from server.addresses import Address, share_of
from server.cluster.channel import Channel, in_parts, log, loop_time
from server.cluster.host_key_check import check_host_key
from server.cluster.other_processes import (
    AskRoster,
    Beat,
    Changed,
    Dismissal,
    Ended,
    Person,
    Private,
    Process,
    RemoteVisitor,
    Roster,
)
from server.cluster.talk import AskLobby, AskTable, Line, LobbyTalk, TableTold, hear_talk
from server.features import Feature
from server.lobby.lobby import Lobby
from server.lobby.peers import OneServer, Origin
from server.lobby.visitor import LocalVisitor, Visitor
from server.lobby.visitors import TAKEN_OVER
from server.people.names import looks
from server.process.background_tasks import BackgroundTasks
from server.storage.database import Database
from server.table.broadcaster import tell_each
from server.table.recent_talk import Said
from server.table.table_events import UnloggedNews

TICK_SECONDS: Final = 0.5
"""How soon others are told that a player has gone to another table. Of players who come or leave they hear at once."""
COLLECT_SECONDS: Final = 0.05
"""How long changes are collected before they are told."""
BEAT_SECONDS: Final = 3.0
ALONE_SECONDS: Final = 30.0
"""How often a process says that it runs, and how often if it has known of no other for `LONELY_SECONDS`."""
LONELY_SECONDS: Final = 600.0
SILENT_SECONDS: Final = 9.0
"""After so long without a word from a process, its players no longer count."""
STALLED_SECONDS: Final = 3.0
"""If this process itself has stood still for so long it has not heard the others: they were not silent."""
ASK_SECONDS: Final = 1.0
"""How soon this process asks again for all people of another."""
SAME_TIME_SECONDS: Final = 1.0
"""Of two players who have come within this time in two processes, it is not certain which one came first."""


class Several(Channel):
    """The other processes of this server; see `lobby.peers.Peers`."""

    def __init__(self, store: Database, node: str, process: str = "") -> None:
        """See `Channel`; the name of the process is a random one by default."""
        super().__init__(store, node, process or secrets.token_hex(6))
        self.by_name: dict[str, Process] = {}
        """The others, as far as they are known."""
        self._elsewhere: dict[object, dict[RemoteVisitor, str]] = {}
        """The ids of players in other processes, by their tables, and by `share_of` their addresses."""
        self._noting = set[int]()
        """The tables that are about to note which players are elsewhere."""
        self._checked_at = self._alone_since = -inf
        self._numbers: dict[object, int] = {}
        """The sessions here, with the numbers under which others know them."""
        self._count = count(1)
        self._told: dict[int, Person] = {}
        self._number = 0
        """The last change of the people here."""
        self._next_beat = 0.0
        self._drains = self._is_asked = False
        """Whether the others know that this process is about to stop."""
        self._background = BackgroundTasks()
        self._lobby: Lobby
        self._wake: asyncio.Event

    def join(self, lobby: Lobby) -> None:
        """Belong to this lobby, which has this as its `peers`: called before it opens."""
        self._lobby, self._wake = lobby, lobby.visitors.people_changed
        hear_talk(self, lobby)
        self.on(Beat, self._hear_beat)
        self.on(Changed, self._hear_change)
        self.on(Roster, self._hear_roster)
        self.on(AskRoster, self._hear_question)
        self.on(Ended, lambda origin, _: self._forget(origin.process))
        self.on(
            Private, lambda _, told: self._tell_one(told, lambda its: its.hear(told.name, told.line, told.invitation))
        )
        self.on(Dismissal, lambda _, told: self._tell_one(told, lambda its: its.dismiss(told.farewell)))

    async def check_host_key(self, fingerprint: str, *, only_look: bool = False) -> None:
        await check_host_key(self._store, fingerprint, self._lobby.config, only_look=only_look)

    def open(self) -> None:
        super().open()
        self._background.begin(self._run(), "telling others who is here")

    async def close(self) -> None:
        await super().close()
        await self._background.stop()
        self.tell(Ended())

    @property
    def others(self) -> Sequence[Process]:
        return [*self.by_name.values()]

    @property
    def turn(self) -> int:
        return sum(name < self.process for name in self.by_name)

    def at(self, table: int) -> frozenset[str]:
        return frozenset(self._elsewhere.get(table, {}).values())

    def sessions_from(self, address: Address) -> int:
        return len(self._elsewhere.get(share_of(address), ()))

    def tell_of_talk(self, said: Said) -> None:
        self.tell(LobbyTalk(Line.of(said)))

    def tell_of_table(self, table: int, news: UnloggedNews) -> None:
        self.tell(TableTold.of(table, news))

    def loaded(self, table: int) -> None:
        self.tell(AskTable(table))

    # The people here.

    async def _run(self) -> None:
        """Tell who is here until cancelled, and forget silent processes."""
        while True:
            self._wake.clear()
            self.check()
            self._tell_who_is_here()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(loop_time() + TICK_SECONDS if self.by_name else self._next_beat):
                    await self._wake.wait()
                    await asyncio.sleep(COLLECT_SECONDS)

    def _tell_who_is_here(self) -> None:
        now = loop_time()
        if self.by_name:
            self._alone_since = now
            self._tell_changes()
        if now >= self._next_beat or self._drains != self._lobby.drain.is_active:
            self._drains = self._lobby.drain.is_active
            self._next_beat = now + (BEAT_SECONDS if now - self._alone_since < LONELY_SECONDS else ALONE_SECONDS)
            self.send(Beat(self.node, now - self.began, self._number, self._lobby.drain.seconds_left))
        if self._is_asked:
            self._is_asked = False
            self._tell_all()

    def _hear_question(self, *_: object) -> None:
        self._is_asked = True
        self._wake.set()

    def _tell_changes(self) -> None:
        people = self._collect()
        changed: dict[int, Person | None] = {n: each for n, each in people.items() if self._told.get(n) != each}
        changed |= dict.fromkeys(self._told.keys() - people.keys())
        self._told = people
        for part in in_parts(changed.items()):
            self._number += 1
            self.tell(Changed(self._number, dict(part)))

    def _tell_all(self, *_: object) -> None:
        """Tell all people of whom the changes so far have told: a process has missed one."""
        parts = in_parts(self._told.items()) or [[]]
        for part, people in enumerate(parts):
            self.tell(Roster(self._number, part, len(parts), dict(people)))

    def _collect(self) -> dict[int, Person]:
        """The sessions here as others are told of them, by number."""
        found: dict[object, Person] = {}
        for subscriber, table, player_id in self._lobby.tables.subscribers():
            found[subscriber] = Person(player_id, "", table=table.number)
        for visitor in self._lobby.visitors.here:
            at = found.get(visitor)
            found[visitor] = Person.of(visitor, self._lobby.visitors.came[visitor], at.table if at else None)
        self._numbers = {each: self._numbers.get(each) or next(self._count) for each in found}
        return {self._numbers[each]: person for each, person in found.items()}

    def _tell_one(self, told: Private | Dismissal, tell: Callable[[LocalVisitor], None]) -> None:
        """Tell the session to which a message goes, unless it has ended."""
        tell_each((each for each in self._lobby.visitors.here if self._numbers.get(each) == told.session), tell)

    # The people elsewhere.

    def check(self) -> None:
        """Forget silent processes. Ask a process for all its players if a message of it was missed."""
        now = loop_time()
        if now - self._checked_at > STALLED_SECONDS or self._store.problem:
            for process in self.by_name.values():
                process.heard_at = now
        self._checked_at = now
        for process in self.others:
            if now - process.heard_at >= SILENT_SECONDS:
                log.warning("a process is silent: it has died, or hangs", node=process.node)
                people = process.people.values()
                self._lobby.tables.await_people({each.table_number for each in people if not each.is_watching})
                self._forget(process.name)
            elif process.is_behind and now - process.asked_at >= ASK_SECONDS:
                process.asked_at = now
                self.tell(AskRoster(process.name))

    def _process(self, origin: Origin) -> Process:
        """The process that this comes from."""
        now = loop_time()
        if (process := self.by_name.get(origin.process)) is None:
            process = self.by_name[origin.process] = Process(origin.process, now)
            self._greet()
        process.heard_at = now
        return process

    def _greet(self) -> None:
        """Tell a new process who is here. If it is the only other one, read what it has written, and ask it."""
        self._next_beat = 0.0
        self._wake.set()
        self._lobby.tables.limits.tell_all()
        if len(self.by_name) == 1:
            self._lobby.log_follower.read_soon()
            for question in (AskLobby(), *map(AskTable, self._lobby.tables.here)):
                self.tell(question)

    def _hear_beat(self, origin: Origin, beat: Beat) -> None:
        process, now = self._process(origin), loop_time()
        process.node, process.began = beat.node, now - beat.up
        process.stops_at = None if beat.draining is None else now + beat.draining
        self._note_number(process, beat.number)

    def _hear_change(self, origin: Origin, change: Changed) -> None:
        process = self._process(origin)
        if change.number == process.number + 1:
            process.number = change.number
            self._note(process, change.people, origin.at)
        self._note_number(process, change.number)

    def _note_number(self, process: Process, number: int) -> None:
        """Note the last change of a process, and ask soon for all its people if one was missed."""
        process.is_behind = number != process.number
        if process.is_behind:
            self._wake.set()

    def _hear_roster(self, origin: Origin, roster: Roster) -> None:
        process = self._process(origin)
        if not process.is_behind:
            return  # another process has asked for it
        process.parts = {key: part for key, part in process.parts.items() if key[0] == roster.number}
        process.parts[roster.number, roster.part] = roster.people
        if len(process.parts) == roster.parts:
            people: dict[int, Person | None] = dict.fromkeys(process.people)
            for part in process.parts.values():
                people |= part
            process.number, process.is_behind, process.parts = roster.number, False, {}
            self._note(process, people, origin.at)

    def _note(self, process: Process, people: Mapping[int, Person | None], at: float = 0.0) -> None:
        """Note the sessions of a process that are new, have changed or have gone, as was told at this time there.

        The tables where they are, or were, note it too.
        """
        tables = set[int | None]()
        for number, person in people.items():
            visitor = process.people.pop(number, None) or RemoteVisitor(self, process.name, number)
            tables.add(visitor.table_number)
            for place in visitor.places:
                del self._elsewhere[place][visitor]
                if not self._elsewhere[place]:
                    del self._elsewhere[place]
            if person is not None:
                visitor.become(person, at)
                tables.add(visitor.table_number)
                process.people[number] = visitor
                for place in visitor.places:
                    self._elsewhere.setdefault(place, {})[visitor] = visitor.player.id
            if person is not None and person.name:
                self._note_visitor(visitor)
            else:
                self._lobby.visitors.forget_elsewhere(visitor)
        here = self._lobby.tables.here
        for number in (here.keys() & tables) - self._noting:
            self._noting.add(number)
            here[number].note_elsewhere().then(partial(self._noting.discard, number))

    def _forget(self, name: str) -> None:
        """Forget a process and its people."""
        if (process := self.by_name.pop(name, None)) is not None:
            self._note(process, dict.fromkeys(process.people))

    def _note_visitor(self, visitor: RemoteVisitor) -> None:
        """Note a session that has come or has changed, and end or rename sessions here if they clash.

        Two sessions of one player, or two players of one name, may be in processes that did not know of each other.
        Both processes decide the same, each about its own sessions.
        """
        visitors, player = self._lobby.visitors, visitor.player
        visitors.note(visitor, visitor.came)
        same = [mine for mine in visitors.here if mine.player.id == player.id]
        tell_each((mine for mine in same if self._came_first(mine, visitor)), lambda mine: mine.dismiss(TAKEN_OVER))
        if not visitors.names_in_use.is_free(player.name, player.id):
            alike = [mine for mine in visitors.here if not looks(player.name).isdisjoint(looks(mine.player.name))]
            others = (mine for mine in alike if mine not in same and not self._keeps_name(mine, visitor))
            tell_each(others, self._lobby.names.give_another)

    def _came_first(self, mine: Visitor, other: RemoteVisitor) -> bool:
        """Whether a visitor here came before one elsewhere."""
        later = other.came - self._lobby.visitors.came[mine]
        return later > 0 if abs(later) > SAME_TIME_SECONDS else self.process < other.process

    def _keeps_name(self, mine: Visitor, other: RemoteVisitor) -> bool:
        """Whether a visitor here keeps a name like that of another elsewhere; if not, the other one keeps it.

        A player with a key keeps it before a guest; of two of a kind the one at a table, or the one who came first.
        """
        own, others = ((bool(each.player.account), bool(each.table_number)) for each in (mine, other))
        return own > others if own != others else self._came_first(mine, other)


FEATURE: Final = Feature("cluster", (OneServer(Several),))
