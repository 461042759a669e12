"""Tells the other processes which players are here, and where; `other_processes.py` hears what they tell.

Each change is told with a number, and every few seconds the number of the last change. A process that has missed one
asks for all players. So the messages of a process grow neither with its people nor with those of others.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from math import inf
from typing import Final

from msgspec import json

from server.addresses import address_text
from server.clean_text import clean
from server.cluster.channel import ROOM_BYTES, Channel, loop_time
from server.cluster.other_processes import AskRoster, Beat, Changed, Dismissal, OtherProcesses, Person, Private, Roster
from server.cluster.talk import LINE_LENGTH
from server.limits import NAME_LENGTH
from server.lobby.lobby import Lobby
from server.lobby.peers import Origin
from server.lobby.visitor import LocalVisitor
from server.table.broadcaster import tell_each

TICK_SECONDS: Final = 0.5
"""How soon others are told that a player has gone to another table. Of players who come or leave they hear at once."""
COLLECT_SECONDS: Final = 0.05
"""How long changes are collected before they are told."""
BEAT_SECONDS: Final = 3.0
ALONE_SECONDS: Final = 30.0
"""How often a process says that it runs, and how often if it has known of no other for `LONELY_SECONDS`."""
LONELY_SECONDS: Final = 600.0


class PeopleHere:
    """Tells the other processes who is here."""

    def __init__(self, lobby: Lobby, channel: Channel, others: OtherProcesses) -> None:
        """Call `run` to begin."""
        self._lobby, self._channel, self._others = lobby, channel, others
        self._numbers: dict[object, int] = {}
        self._sessions: dict[int, object] = {}
        """The sessions here, by the numbers under which others know them."""
        self._count = count(1)
        self._told: dict[int, Person] = {}
        self._number = 0
        """The last change of the people here."""
        self._next_beat = 0.0
        self._alone_since = -inf
        self._is_asked = False
        """Whether a process has asked for all people here."""
        self._wake = lobby.visitors.people_changed
        channel.on(AskRoster, self._hear_question)
        channel.on(Private, self._hear_line)
        channel.on(Dismissal, self._hear_dismissal)

    async def run(self) -> None:
        """Tell who is here until cancelled, and forget silent processes."""
        while True:
            self._wake.clear()
            self._others.check()
            self._tell()
            with suppress(TimeoutError):
                until = self._next_beat if self._channel.is_alone else loop_time() + TICK_SECONDS
                async with asyncio.timeout_at(until):
                    await self._wake.wait()
                    await asyncio.sleep(COLLECT_SECONDS)

    def beat_soon(self) -> None:
        """Tell the others soon that this process runs, and whether it is about to stop."""
        self._next_beat = 0.0
        self._wake.set()

    def _tell(self) -> None:
        now = loop_time()
        if not self._channel.is_alone:
            self._tell_changes()
        if now >= self._next_beat:
            if not self._channel.is_alone:
                self._alone_since = now
            is_lonely = now - self._alone_since >= LONELY_SECONDS
            self._next_beat = now + (ALONE_SECONDS if is_lonely else BEAT_SECONDS)
            peers = self._lobby.peers
            self._channel.send(Beat(peers.node, now - peers.began, self._number, self._lobby.drain.seconds_left))
        if self._is_asked:
            self._is_asked = False
            parts = _chunks(self._told) or [{}]
            for part, people in enumerate(parts):
                self._channel.tell(Roster(self._number, part, len(parts), people))

    def _tell_changes(self) -> None:
        people = self._collect()
        changed: dict[int, Person | None] = {n: each for n, each in people.items() if self._told.get(n) != each}
        changed |= dict.fromkeys(self._told.keys() - people.keys())
        self._told = people
        for part in _chunks(changed):
            self._number += 1
            self._channel.tell(Changed(self._number, part))

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
        self._sessions = {number: each for each, number in self._numbers.items()}
        return {self._numbers[each]: person for each, person in found.items()}

    def _hear_question(self, _: Origin, question: AskRoster) -> None:
        if question.of == self._channel.process:
            self._is_asked = True
            self._wake.set()

    def _hear_line(self, _: Origin, told: Private) -> None:
        name, line, way = (
            clean(told.name, NAME_LENGTH),
            clean(told.line, LINE_LENGTH),
            clean(told.invitation, LINE_LENGTH),
        )
        tell_each(self._session(told), lambda visitor: visitor.hear(name, line, way))

    def _hear_dismissal(self, _: Origin, told: Dismissal) -> None:
        farewell = clean(told.farewell, LINE_LENGTH)
        tell_each(self._session(told), lambda visitor: visitor.dismiss(farewell))

    def _session(self, told: Private | Dismissal) -> list[LocalVisitor]:
        """The session here to which the message goes; none if it has ended, or is in another process."""
        session = self._sessions.get(told.session) if told.to == self._channel.process else None
        return [visitor for visitor in self._lobby.visitors.here if visitor is session]


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
