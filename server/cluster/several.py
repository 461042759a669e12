"""This process among several that share the log: it tells the others which players are here, and knows theirs.

Each change of the people of a process is told with a number, and every few seconds the number of the last change. A
process that has missed one asks for all. So the messages of a process grow neither with its people nor with those of
others. All processes have one host key: see `host_key_check.py`.
"""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from math import inf
from typing import Final

from msgspec import json

from server.addresses import Address, address_text, share_of
from server.clean_text import clean
from server.cluster.channel import ID_LENGTH, ROOM_BYTES, Channel, log, loop_time
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
from server.cluster.talk import LINE_LENGTH, AskLobby, AskTable, Line, LobbyTalk, TableTold, hear_talk
from server.features import Feature
from server.limits import NAME_LENGTH
from server.lobby.lobby import Lobby
from server.lobby.peers import OneServer, Origin
from server.lobby.visitor import LocalVisitor, Visitor
from server.lobby.visitors import TAKEN_OVER
from server.people.names import looks
from server.process.background_tasks import BackgroundTasks
from server.storage.database import Database
from server.table.broadcaster import tell_each
from server.table.recent_talk import Said
from server.table.table import Table
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
        """Whether the others know that this process is about to stop, and whether one has asked for all people here."""
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
        self.on(Private, self._hear_line)
        self.on(Dismissal, self._hear_dismissal)

    async def check_host_key(self, fingerprint: str, *, only_look: bool = False) -> None:
        """See `Peers`."""
        await check_host_key(self._store, fingerprint, self._lobby.config, only_look=only_look)

    def open(self) -> None:
        """Begin to hear the others, and to tell them who is here."""
        super().open()
        self._background.begin(self._run(), "telling others who is here")

    async def close(self) -> None:
        """Hear the others no more."""
        await super().close()
        await self._background.stop()

    def end(self) -> None:
        """See `Peers`."""
        self.tell(Ended())

    @property
    def others(self) -> Sequence[Process]:
        """See `Peers`."""
        return [*self.by_name.values()]

    @property
    def turn(self) -> int:
        """See `Peers`."""
        return sum(name < self.process for name in self.by_name)

    def at(self, table: int) -> frozenset[str]:
        """See `Peers`."""
        return frozenset(self._elsewhere.get(table, {}).values())

    def sessions_from(self, address: Address) -> int:
        """See `Peers`."""
        return len(self._elsewhere.get(share_of(address), ()))

    def tell_of_talk(self, said: Said) -> None:
        """See `Peers`."""
        self.tell(LobbyTalk(Line.of(said)))

    def tell_of_table(self, table: int, news: UnloggedNews) -> None:
        """See `Peers`."""
        self.tell(TableTold.of(table, news))

    def loaded(self, table: Table) -> None:
        """See `Peers`; ask for what is not in its log."""
        self.tell(AskTable(table.number))

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
            parts = _chunks(self._told) or [{}]
            for part, people in enumerate(parts):
                self.tell(Roster(self._number, part, len(parts), people))

    def _tell_changes(self) -> None:
        people = self._collect()
        changed: dict[int, Person | None] = {n: each for n, each in people.items() if self._told.get(n) != each}
        changed |= dict.fromkeys(self._told.keys() - people.keys())
        self._told = people
        for part in _chunks(changed):
            self._number += 1
            self.tell(Changed(self._number, part))

    def _collect(self) -> dict[int, Person]:
        """The sessions here as others are told of them, by number."""
        at: dict[object, int] = {}
        found: dict[object, Person] = {}
        for subscriber, table, player_id in self._lobby.tables.subscribers():
            at[subscriber] = table.number
            found[subscriber] = Person(player_id, "", table=table.number)
        for visitor in self._lobby.visitors.here:
            found[visitor] = _person(visitor, self._lobby.visitors.came[visitor], at.get(visitor))
        self._numbers = {each: self._numbers.get(each) or next(self._count) for each in found}
        return {self._numbers[each]: person for each, person in found.items()}

    def _hear_question(self, _: Origin, question: AskRoster) -> None:
        if question.of == self.process:
            self._is_asked = True
            self._wake.set()

    def _hear_line(self, _: Origin, told: Private) -> None:
        line, way = clean(told.line, LINE_LENGTH), clean(told.invitation, LINE_LENGTH)
        tell_each(self._session(told), lambda visitor: visitor.hear(clean(told.name, NAME_LENGTH), line, way))

    def _hear_dismissal(self, _: Origin, told: Dismissal) -> None:
        farewell = clean(told.farewell, LINE_LENGTH)
        tell_each(self._session(told), lambda visitor: visitor.dismiss(farewell))

    def _session(self, told: Private | Dismissal) -> list[LocalVisitor]:
        """The session here to which the message goes; none if it has ended, or is in another process."""
        here = self._lobby.visitors.here if told.to == self.process else ()
        return [visitor for visitor in here if self._numbers.get(visitor) == told.session]

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
                self._lobby.tables.await_people({each.table_number for each in process.people.values()})
                self._forget(process.name)
            elif process.is_behind and now - process.asked_at >= ASK_SECONDS:
                process.asked_at = now
                self.tell(AskRoster(process.name))

    def _process(self, origin: Origin) -> Process:
        """The process that this comes from."""
        now = loop_time()
        if (process := self.by_name.get(origin.process)) is None:
            process = self.by_name[origin.process] = Process(origin.process, now, now)
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
        process.node, process.began = clean(beat.node, ID_LENGTH), now - max(0.0, beat.up)
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
        """Note the sessions of a process that are new, have changed or have gone, as was told at this time there."""
        tables = set[int | None]()
        for number, person in people.items():
            before = process.people.pop(number, None)
            if before is not None:
                tables.add(before.table_number)
                self._take_out(before)
            if person is not None:
                tables.add(person.table)
                self._put(process, number, before, person, loop_time() - max(0.0, at - person.came))
            elif before is not None:
                self._lobby.visitors.forget_elsewhere(before)
        self._tell_tables(tables)

    def _put(self, process: Process, number: int, known: RemoteVisitor | None, person: Person, came: float) -> None:
        """Note a session that is new, or has changed if it is ``known``."""
        player, caller = person.player, person.caller
        remote = known or RemoteVisitor(self, process.name, number, player, caller, came)
        remote.player, remote.caller = player, caller
        remote.table_number, remote.is_watching = person.table, person.watching
        process.people[number] = remote
        for place in _places(remote):
            self._elsewhere.setdefault(place, {})[remote] = player.id
        if player.name:
            self._note_visitor(remote)
        else:
            self._lobby.visitors.forget_elsewhere(remote)

    def _take_out(self, remote: RemoteVisitor) -> None:
        for place in _places(remote):
            del self._elsewhere[place][remote]
            if not self._elsewhere[place]:
                del self._elsewhere[place]

    def _forget(self, name: str) -> None:
        """Forget a process and its people."""
        if (process := self.by_name.pop(name, None)) is not None:
            self._note(process, dict.fromkeys(process.people))

    def _tell_tables(self, numbers: set[int | None]) -> None:
        """Have tables note who is at them in other processes."""
        here = self._lobby.tables.here
        for number in (here.keys() & numbers) - self._noting:
            self._noting.add(number)
            here[number].note_elsewhere().then(partial(self._noting.discard, number))

    def _note_visitor(self, visitor: RemoteVisitor) -> None:
        """Note a session that has come or has changed, and end or rename sessions here if they clash.

        Two sessions of one player, or two players of one name, may be in processes that did not know of each other.
        Both processes decide the same, each about its own sessions.
        """
        lobby, player = self._lobby, visitor.player
        is_new = visitor not in lobby.visitors.came
        lobby.visitors.note(visitor, visitor.came)
        if is_new:
            same = [mine for mine in lobby.visitors.here if mine.player.id == player.id]
            tell_each((mine for mine in same if self._came_first(mine, visitor)), lambda mine: mine.dismiss(TAKEN_OVER))
        if not lobby.visitors.names_in_use.is_free(player.name, player.id):
            tell_each(self._clashing(visitor), lobby.names.give_another)

    def _came_first(self, mine: Visitor, other: RemoteVisitor) -> bool:
        """Whether a visitor here came before one elsewhere."""
        later = other.came - self._lobby.visitors.came[mine]
        return later > 0 if abs(later) > SAME_TIME_SECONDS else self.process < other.process

    def _clashing(self, other: RemoteVisitor) -> list[LocalVisitor]:
        """The visitors here with a name like that of another elsewhere, who keeps it.

        A player with a key keeps it before a guest; of two of a kind the one at a table, or the one who came first.
        """
        taken, is_guest = looks(other.player.name), other.player.account is None

        def keeps(mine: LocalVisitor) -> bool:
            if (mine.player.account is None) != is_guest:
                return is_guest
            at_table = bool(mine.table_number)
            return self._came_first(mine, other) if at_table == bool(other.table_number) else at_table

        others = (mine for mine in self._lobby.visitors.here if mine.player.id != other.player.id)
        return [mine for mine in others if not taken.isdisjoint(looks(mine.player.name)) and not keeps(mine)]


def _places(remote: RemoteVisitor) -> list[object]:
    """Where a session elsewhere counts: at its table, and for its address."""
    address = remote.caller.address
    return [each for each in (remote.table_number, address and share_of(address)) if each is not None]


def _chunks(people: Mapping[int, Person | None]) -> list[dict[int, Person | None]]:
    """People in parts that fit into a message each."""
    parts: list[dict[int, Person | None]] = []
    room = 0
    for number, person in people.items():
        size = len(json.encode(person)) + 24
        if size > room:
            parts.append({})
            room = ROOM_BYTES
        parts[-1][number] = person
        room -= size
    return parts


def _person(visitor: LocalVisitor, came: float, table: int | None) -> Person:
    player, caller = visitor.player, visitor.caller
    return Person(
        player.id,
        player.name,
        player.kind,
        caller.key,
        address_text(caller.address),
        caller.wished_name,
        came,
        table,
        watching=table is not None and visitor.is_watching,
    )


FEATURE: Final = Feature("cluster", (OneServer(Several),))
