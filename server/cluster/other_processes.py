"""The other processes of this server and their players, by the messages that `several.py` sends in each process.

After some seconds without a word from a process, its players no longer count.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from math import inf
from typing import Annotated, Final, Protocol, TypeAlias

from msgspec import Meta, Struct, field

from server.addresses import Address, read_optional_address, share_of
from server.clean_text import clean, clean_name
from server.cluster.channel import ID_LENGTH, Channel, loop_time
from server.config import is_fingerprint
from server.lobby.peers import Message, Origin, Seconds
from server.people.players import Caller, Kind, Player
from server.storage.database import Database

SILENT_SECONDS: Final = 9.0
"""After so long without a word from a process, its players no longer count."""
STALLED_SECONDS: Final = 3.0
"""If this process itself has stood still for so long it has not heard the others: they were not silent."""
ASK_SECONDS: Final = 1.0
"""How soon this process asks again for all people of another."""
PROCESSES: Final = 256
NODE_LENGTH: Final = 64
Part: TypeAlias = Annotated[int, Meta(ge=0, le=9999)]
Invitation: TypeAlias = Annotated[str, Meta(pattern=r"^((sit|watch) [0-9]{1,9}( .{1,32})?)?$")]
"""The line that goes to a table, with its word; empty for none. Enter alone is to do this and nothing else."""


class Person(Struct, frozen=True):
    """A session of a player in the sender's process."""

    id: str
    name: str
    """Empty if the session has ended, and its table has not noted that yet."""
    kind: Kind = "person"
    key: str | None = None
    address: str | None = None
    wished: str = ""
    came: Seconds = 0.0
    """By the sender's clock, as `Origin.at`."""
    table: int | None = None
    watching: bool = False
    """Whether the player is at the table without a seat."""

    @property
    def player(self) -> Player:
        """The player, cleaned."""
        return Player(clean(self.id, ID_LENGTH), clean_name(self.name), self.kind)

    @property
    def caller(self) -> Caller:
        """The player's connection. Raises ValueError if the address or the key is none."""
        if self.key is not None and not is_fingerprint(self.key):
            raise ValueError(f"{self.key[:60]!r} is no fingerprint")
        return Caller(clean_name(self.wished), self.key, read_optional_address(self.address))


class Beat(Message, frozen=True, tag="beat"):
    """The process runs. Said every few seconds."""

    node: str
    """The name of its node."""
    up: Seconds
    """Seconds since its start."""
    number: int
    """The number of the last change of its people."""
    draining: Seconds | None = None
    """In how many seconds it stops at the latest; None if it is not about to stop."""


class Changed(Message, frozen=True, tag="changed"):
    """Some of the sender's sessions are new, have changed, or have gone (None)."""

    number: int
    """One more than that of the change before."""
    people: dict[int, Person | None]


class Roster(Message, frozen=True, tag="roster"):
    """All sessions of the sender after one of its changes, in several parts."""

    number: int
    part: Part
    parts: Part
    people: dict[int, Person | None]


class AskRoster(Message, frozen=True, tag="ask-roster"):
    """The sender does not know all sessions of process ``of``, and asks for them."""

    of: str


class Ended(Message, frozen=True, tag="ended"):
    """The process stops now."""


class Private(Message, frozen=True, tag="private"):
    """A line for one session of process ``to``."""

    to: str
    session: int
    name: str
    line: str
    invitation: Invitation = ""


class Dismissal(Message, frozen=True, tag="dismissal"):
    """A session of process ``to`` is to end."""

    to: str
    session: int
    farewell: str


class RemoteVisitor(Struct, eq=False):
    """A session of a player in another process. What is done to it is sent there."""

    channel: Channel
    process: str
    number: int
    """Under which its process knows it."""
    player: Player
    caller: Caller
    came: float
    """When the player came, by the clock of the event loop here."""
    table_number: int | None = None
    is_watching: bool = False
    """Whether the player is at a table without a seat."""

    def hear(self, name: str, line: str, invitation: str = "") -> None:
        """Show the player what somebody has said, or that they invite the player."""
        self.channel.tell(Private(self.process, self.number, name, line, invitation))

    def dismiss(self, farewell: str) -> None:
        """End the session; ``farewell`` says why."""
        self.channel.tell(Dismissal(self.process, self.number, farewell))


class Process(Struct, eq=False):
    """Another process of this server. All times are those of the event loop here."""

    name: str
    heard_at: float
    began: float
    node: str = ""
    stops_at: float | None = None
    """When it stops at the latest; None if it is not about to stop."""
    number: int = 0
    """The last change of its people that is known here; before its first change it has told of nobody."""
    is_behind: bool = False
    """Whether there are later ones."""
    asked_at: float = -inf
    people: dict[int, RemoteVisitor] = field(default_factory=dict)
    parts: dict[tuple[int, int], dict[int, Person | None]] = field(default_factory=dict)
    """The parts of a roster that have come so far, by its number and theirs."""


class ToldOfOthers(Protocol):
    """Is told what is heard of the other processes."""

    def found(self, *, is_first: bool) -> None:
        """A process was heard for the first time; ``is_first``: no other is known."""

    def came_or_changed(self, visitor: RemoteVisitor) -> None:
        """A session in another process has come or has changed."""

    def lost(self, tables: Collection[int | None]) -> None:
        """A process was killed, as it seems, with players at these tables."""

    def went(self, visitor: RemoteVisitor) -> None:
        """A session in another process has ended."""

    def table_changed(self, table: int) -> None:
        """Other players than before are at this table in other processes."""


class OtherProcesses:
    """All other processes by name, with the players there."""

    def __init__(self, channel: Channel, store: Database, told: ToldOfOthers) -> None:
        self.by_name: dict[str, Process] = {}
        self._channel, self._store, self._told = channel, store, told
        self._checked_at = -inf
        self._at: dict[int, dict[RemoteVisitor, str]] = {}
        """The ids of players in other processes, by table."""
        self._from = Counter[object]()
        """How many sessions there are in other processes, by `share_of` their address."""
        channel.on(Beat, self._hear_beat)
        channel.on(Changed, self._hear_change)
        channel.on(Roster, self._hear_roster)
        channel.on(Ended, lambda origin, _: self._forget(origin.process))

    def at(self, table: int) -> frozenset[str]:
        """The ids of the players who are at a table in other processes, as far as is known."""
        return frozenset(self._at.get(table, {}).values())

    def sessions_from(self, address: Address) -> int:
        """How many sessions an address has in other processes, as far as is known."""
        return self._from[share_of(address)]

    def check(self) -> None:
        """Forget silent processes. Ask a process for all its players if a message of it was missed."""
        now = loop_time()
        if now - self._checked_at > STALLED_SECONDS or self._store.problem:
            for process in self.by_name.values():
                process.heard_at = now
        self._checked_at = now
        for process in list(self.by_name.values()):
            if now - process.heard_at >= SILENT_SECONDS:
                self._told.lost({each.table_number for each in process.people.values()})
                self._forget(process.name)
            else:
                self._ask_if_behind(process)

    def _ask_if_behind(self, process: Process) -> None:
        """Ask a process for all its players if a message was missed, unless it was asked just now."""
        now = loop_time()
        if process.is_behind and now - process.asked_at >= ASK_SECONDS:
            process.asked_at = now
            self._channel.tell(AskRoster(process.name))

    def _process(self, origin: Origin) -> Process:
        """The process that this comes from. Raises ValueError if there are too many."""
        now = loop_time()
        if (process := self.by_name.get(origin.process)) is None:
            if len(self.by_name) >= PROCESSES:
                raise ValueError("there are too many processes")
            process = self.by_name[origin.process] = Process(origin.process, now, now)
            is_first, self._channel.is_alone = self._channel.is_alone, False
            self._told.found(is_first=is_first)
        process.heard_at = now
        return process

    def _hear_beat(self, origin: Origin, beat: Beat) -> None:
        process, now = self._process(origin), loop_time()
        process.node, process.began = clean(beat.node, NODE_LENGTH), now - max(0.0, beat.up)
        process.stops_at = None if beat.draining is None else now + beat.draining
        process.is_behind = beat.number != process.number
        self._ask_if_behind(process)

    def _hear_change(self, origin: Origin, change: Changed) -> None:
        process = self._process(origin)
        if change.number == process.number + 1:
            process.number = change.number
            self._note(process, origin, change.people)
        else:
            process.is_behind = True
            self._ask_if_behind(process)

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
            self._note(process, origin, people)

    def _note(self, process: Process, origin: Origin, people: Mapping[int, Person | None]) -> None:
        """Note the sessions of a process that are new, have changed or have gone."""
        tables = set[int | None]()
        for number, person in people.items():
            before = process.people.pop(number, None)
            if before is not None:
                tables.add(before.table_number)
                self._take_out(before)
            if person is not None:
                tables.add(person.table)
                self._put(process, number, before, person, loop_time() - max(0.0, origin.at - person.came))
            elif before is not None:
                self._told.went(before)
        self._tell_tables(tables)

    def _put(self, process: Process, number: int, known: RemoteVisitor | None, person: Person, came: float) -> None:
        """Note a session that is new, or has changed if it is ``known``."""
        try:
            player, caller = person.player, person.caller
        except ValueError:
            return  # none of this program's processes tells that
        remote = known or RemoteVisitor(self._channel, process.name, number, player, caller, came)
        remote.player, remote.caller = player, caller
        remote.table_number, remote.is_watching = person.table, person.watching
        process.people[number] = remote
        self._put_in(remote)
        if player.name:
            self._told.came_or_changed(remote)
        else:
            self._told.went(remote)

    def _forget(self, name: str) -> None:
        """Forget a process and its people."""
        if (process := self.by_name.pop(name, None)) is None:
            return
        self._channel.is_alone = not self.by_name
        for remote in process.people.values():
            self._take_out(remote)
            self._told.went(remote)
        self._tell_tables({remote.table_number for remote in process.people.values()})

    def _put_in(self, remote: RemoteVisitor) -> None:
        """Count a session at its table and for its address."""
        if remote.table_number is not None:
            self._at.setdefault(remote.table_number, {})[remote] = remote.player.id
        if remote.caller.address is not None:
            self._from[share_of(remote.caller.address)] += 1

    def _take_out(self, remote: RemoteVisitor) -> None:
        """Count a session no more at its table and for its address."""
        if remote.caller.address is not None:
            network = share_of(remote.caller.address)
            self._from[network] -= 1
            if not self._from[network]:
                del self._from[network]
        if remote.table_number is not None:
            there = self._at[remote.table_number]
            del there[remote]
            if not there:
                del self._at[remote.table_number]

    def _tell_tables(self, tables: set[int | None]) -> None:
        for table in tables:
            if table is not None:
                self._told.table_changed(table)
