"""This process among several that share the log. All have one host key: see `check_host_key`."""

import asyncio
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from math import inf
from typing import Any, Final, TypeVar

import structlog
from msgspec import Struct, convert, field, json

from engine.ai import LEVELS
from engine.errors import InputError
from server.addresses import Address, address_text, read_optional_address
from server.clean_text import clean
from server.cluster import other_processes
from server.cluster.channel import ID_LENGTH, ROOM_BYTES, Channel, loop_time
from server.config import NEW_KEY, Config
from server.features import Feature
from server.limits import NAME_LENGTH, TALK_LENGTH
from server.lobby.lobby import Lobby
from server.lobby.peers import Message, OneServer, Origin, OtherProcess, Peers, Seconds
from server.lobby.tables import Tables
from server.lobby.visitor import LocalVisitor, Visitor
from server.lobby.visitors import TAKEN_OVER, Visitors
from server.people.names import looks
from server.people.settings import PACES
from server.process.background_tasks import BackgroundTasks
from server.storage import sql
from server.storage.database import Database, Steps
from server.storage.key_value_store import saved
from server.table import table_events
from server.table.broadcaster import tell_each
from server.table.recent_talk import Said
from server.table.table import Table
from server.transport.host_keys import KEY_NAME, HostKeyError

LINE_LENGTH: Final = 2 * TALK_LENGTH
"""Cells in a line for a player: what another says, with the words that a command puts before it."""


class Line(Struct, frozen=True):
    """Something that was said."""

    name: str
    line: str
    player_id: str = ""
    address: str | None = None
    age: Seconds = 0.0
    """Seconds since it was said."""
    to_spectators: bool = False

    @classmethod
    def of(cls, said: Said, *, to_spectators: bool = False) -> "Line":
        """What was said; ``to_spectators`` if no player in a seat may hear it."""
        age = max(0.0, loop_time() - said.at)
        return cls(said.name, said.line, said.player_id, address_text(said.address), age, to_spectators)

    @property
    def said(self) -> Said:
        """What was said, cleaned. Raises ValueError if the address is none."""
        address = read_optional_address(self.address)
        at = loop_time() - max(0.0, self.age)
        line = clean(self.line, LINE_LENGTH)
        return Said(clean(self.name, NAME_LENGTH), line, clean(self.player_id, ID_LENGTH), address, at)


def lines_of(talk: Sequence[tuple[Said, bool]]) -> list[Line]:
    """The latest talk, as `RecentTalk.kept` has it, as far as it fits into a message."""
    lines, room = list[Line](), ROOM_BYTES
    for said, to_spectators in reversed(talk):
        line = Line.of(said, to_spectators=to_spectators)
        if (room := room - len(json.encode(line)) - 1) < 0:
            break
        lines.insert(0, line)
    return lines


class LobbyTalk(Message, frozen=True, tag="talk"):
    """Something was said in the lobby."""

    said: Line


class AskLobby(Message, frozen=True, tag="ask-lobby"):
    """The sender has started, and does not know what was said in the lobby."""


class LobbyKept(Message, frozen=True, tag="lobby"):
    """What was said in the lobby, for process ``to``."""

    to: str
    talk: list[Line]


class LobbyTalkElsewhere:
    """Tells other processes what is said in the lobby here, and hears what is said there."""

    def __init__(self, channel: Channel, visitors: Visitors) -> None:
        self._channel, self._visitors = channel, visitors
        channel.on(LobbyTalk, lambda _, told: visitors.hear_talk(told.said.said))
        channel.on(AskLobby, self._hear_question)
        channel.on(LobbyKept, self._hear_kept_talk)

    def tell(self, said: Said) -> None:
        """Tell what was said here."""
        self._channel.tell(LobbyTalk(Line.of(said)))

    def _hear_question(self, origin: Origin, _: AskLobby) -> None:
        if talk := self._visitors.recent_talk.kept():
            self._channel.tell(LobbyKept(origin.process, lines_of(talk)))

    def _hear_kept_talk(self, _: Origin, kept: LobbyKept) -> None:
        if kept.to == self._channel.process:
            self._visitors.recent_talk.add_earlier((line.said, line.to_spectators) for line in kept.talk)


TICK_SECONDS: Final = 0.5
"""How soon others are told that a player has gone to another table. Of players who come or leave they hear at once."""
COLLECT_SECONDS: Final = 0.05
"""How long changes are collected before they are told."""
BEAT_SECONDS: Final = 3.0
ALONE_SECONDS: Final = 30.0
"""How often a process says that it runs, and how often if it has known of no other for `LONELY_SECONDS`."""
LONELY_SECONDS: Final = 600.0


class PeopleHere:
    """Tells the other processes which players are here, and where; `other_processes.py` hears what they tell.

    Each change is told with a number, and every few seconds the number of the last change. A process that has missed
    one asks for all players. So the messages of a process grow neither with its people nor with those of others.
    """

    def __init__(self, lobby: Lobby, channel: Channel, others: other_processes.OtherProcesses) -> None:
        """Call `run` to begin."""
        self._lobby, self._channel, self._others = lobby, channel, others
        self._numbers: dict[object, int] = {}
        self._sessions: dict[int, object] = {}
        """The sessions here, by the numbers under which others know them."""
        self._count = count(1)
        self._told: dict[int, other_processes.Person] = {}
        self._number = 0
        """The last change of the people here."""
        self._next_beat = 0.0
        self._alone_since = -inf
        self._is_asked = False
        """Whether a process has asked for all people here."""
        self._wake = lobby.visitors.people_changed
        channel.on(other_processes.AskRoster, self._hear_question)
        channel.on(other_processes.Private, self._hear_line)
        channel.on(other_processes.Dismissal, self._hear_dismissal)

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
            self._channel.send(
                other_processes.Beat(peers.node, now - peers.began, self._number, self._lobby.drain.seconds_left)
            )
        if self._is_asked:
            self._is_asked = False
            parts = _chunks(self._told) or [{}]
            for part, people in enumerate(parts):
                self._channel.tell(other_processes.Roster(self._number, part, len(parts), people))

    def _tell_changes(self) -> None:
        people = self._collect()
        changed: dict[int, other_processes.Person | None] = {
            n: each for n, each in people.items() if self._told.get(n) != each
        }
        changed |= dict.fromkeys(self._told.keys() - people.keys())
        self._told = people
        for part in _chunks(changed):
            self._number += 1
            self._channel.tell(other_processes.Changed(self._number, part))

    def _collect(self) -> dict[int, other_processes.Person]:
        """The sessions here as others are told of them, by number."""
        at: dict[object, int] = {}
        found: dict[object, other_processes.Person] = {}
        for subscriber, table, player_id in self._lobby.tables.subscribers():
            at[subscriber] = table.number
            found[subscriber] = other_processes.Person(player_id, "", table=table.number)
        for visitor in self._lobby.visitors.here:
            found[visitor] = _person(visitor, self._lobby.visitors.came[visitor], at.get(visitor))
        self._numbers = {each: self._numbers.get(each) or next(self._count) for each in found}
        self._sessions = {number: each for each, number in self._numbers.items()}
        return {self._numbers[each]: person for each, person in found.items()}

    def _hear_question(self, _: Origin, question: other_processes.AskRoster) -> None:
        if question.of == self._channel.process:
            self._is_asked = True
            self._wake.set()

    def _hear_line(self, _: Origin, told: other_processes.Private) -> None:
        line, way = clean(told.line, LINE_LENGTH), clean(told.invitation, LINE_LENGTH)
        tell_each(self._session(told), lambda visitor: visitor.hear(clean(told.name, NAME_LENGTH), line, way))

    def _hear_dismissal(self, _: Origin, told: other_processes.Dismissal) -> None:
        farewell = clean(told.farewell, LINE_LENGTH)
        tell_each(self._session(told), lambda visitor: visitor.dismiss(farewell))

    def _session(self, told: other_processes.Private | other_processes.Dismissal) -> list[LocalVisitor]:
        """The session here to which the message goes; none if it has ended, or is in another process."""
        session = self._sessions.get(told.session) if told.to == self._channel.process else None
        return [visitor for visitor in self._lobby.visitors.here if visitor is session]


def _chunks(people: Mapping[int, other_processes.Person | None]) -> list[dict[int, other_processes.Person | None]]:
    """People in parts that fit into a message each."""
    parts: list[dict[int, other_processes.Person | None]] = []
    room = 0
    for number, person in people.items():
        size = len(json.encode(person)) + 24
        if size > room:
            parts.append({})
            room = ROOM_BYTES
        parts[-1][number] = person
        room -= size
    return parts


def _person(visitor: LocalVisitor, came: float, table: int | None) -> other_processes.Person:
    player, caller = visitor.player, visitor.caller
    return other_processes.Person(
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


_EVENTS: Final[dict[object, type[table_events.UnloggedEvent]]] = {
    event.kind: event
    for event in (
        table_events.Disconnected,
        table_events.Reconnected,
        table_events.GameProposed,
        table_events.ReaderAwaited,
        table_events.GameRefused,
        table_events.AIPlayerAdded,
    )
}


class TableTold(Message, frozen=True, tag="table"):
    """What happened at a table and is not in its log; each field is left out if there is nothing new."""

    table: int
    kept: list[Line] = field(default_factory=list)
    """What was said lately, for a process that has just loaded the table."""
    talk: Line | None = None
    event: dict[str, Any] = field(default_factory=dict)
    """An event of the table, as JSON."""
    pace: float | None = None
    ai_level: str = ""
    """Together with ``pace``, how AI players play."""


class AskTable(Message, frozen=True, tag="ask-table"):
    """The sender has loaded a table, and does not know what is not in its log."""

    table: int


class TablesElsewhere:
    """Keeps what is in no log of a table the same in all processes: who is present, talk, how AI players play."""

    def __init__(self, channel: Channel, tables: Tables, others: other_processes.OtherProcesses) -> None:
        self._channel, self._tables, self._others = channel, tables, others
        self._noting = set[int]()
        """The tables that are about to note which players are elsewhere."""
        channel.on(TableTold, self._hear)
        channel.on(AskTable, self._hear_question)

    def ask(self) -> None:
        """Ask for what is not in the logs of the tables here."""
        for number in self._tables.here:
            self._channel.tell(AskTable(number))

    def loaded(self, table: Table) -> None:
        """A table was loaded: ask for what is not in its log."""
        self._channel.tell(AskTable(table.number))

    def note_players(self, number: int) -> None:
        """Have a table note who is at it in other processes."""
        if (table := self._tables.here.get(number)) is not None and number not in self._noting:
            self._noting.add(number)
            self._tables.background.begin(self._note(table), f"players of table {number}")

    async def _note(self, table: Table) -> None:
        def elsewhere() -> frozenset[str]:
            self._noting.discard(table.number)  # what changes from now on is to be noted again
            return self._others.at(table.number)

        try:
            await table.note_elsewhere(elsewhere)
        except InputError:  # it has just closed
            self._noting.discard(table.number)

    def tell(self, number: int, news: table_events.UnloggedNews) -> None:
        """Tell what has happened at a table here and is not in its log."""
        match news:
            case table_events.TableTalk(said, to_spectators):
                message = TableTold(number, talk=Line.of(said, to_spectators=to_spectators))
            case table_events.AIPlayersSet(pace, ai_level):
                message = TableTold(number, pace=pace, ai_level=ai_level)
            case event:
                message = TableTold(number, event=event.to_json())
        self._channel.tell(message)

    def _hear(self, _: Origin, told: TableTold) -> None:
        if (table := self._tables.here.get(told.table)) is None:
            return
        for news in _news(told):
            table.hear_of(news)
        if told.kept:
            kept = [(line.said, line.to_spectators) for line in told.kept]
            table.broadcaster.recent_talk.add_earlier(kept)

    def _hear_question(self, _: Origin, question: AskTable) -> None:
        if (table := self._tables.here.get(question.table)) is not None and table.runtime.here:
            kept = lines_of(table.broadcaster.recent_talk.kept())
            self._channel.tell(TableTold(table.number, kept, pace=table.runtime.pace, ai_level=table.runtime.ai_level))


def _news(told: TableTold) -> Iterator[table_events.UnloggedNews]:
    """What a message tells. Raises ValueError if it makes no sense."""
    if told.talk is not None:
        yield table_events.TableTalk(told.talk.said, told.talk.to_spectators)
    if told.pace is not None:
        if not 0 <= told.pace <= PACES[1] or told.ai_level not in {"", *LEVELS}:
            raise ValueError("no pace or level of AI players")
        yield table_events.AIPlayersSet(told.pace, told.ai_level)
    if told.event:
        texts = {
            key: clean(value, NAME_LENGTH) if isinstance(value, str) else value for key, value in told.event.items()
        }
        if (kind := _EVENTS.get(told.event.get("kind"))) is None:
            raise ValueError("no event of a table")
        yield convert(texts, kind)


SAME_TIME_SECONDS: Final = 1.0
"""Of two players who have come within this time in two processes, it is not certain which one came first."""
HOST_KEY: Final = "hostkey"
"""The kind and the key of the text that has the fingerprint of the host key."""

log = structlog.get_logger("quatch.host_key")

M = TypeVar("M", bound=Message)


class Several(Peers):
    """The other processes of this server; see `lobby.peers.Peers`."""

    def __init__(self, store: Database, node: str, process: str = "") -> None:
        """``store`` is the log that all share, ``node`` the name of the node that this process belongs to.

        ``process`` is its own name among the others, by default a random one.
        """
        super().__init__(node)
        self._store = store
        self.process = process or secrets.token_hex(6)
        self.channel = Channel(store, self.process)
        self.by_others = other_processes.OtherProcesses(self.channel, store, self)
        self._background = BackgroundTasks()
        self._lobby: Lobby
        self._people_here: PeopleHere
        self._tables: TablesElsewhere
        self._lobby_talk: LobbyTalkElsewhere

    def join(self, lobby: Lobby) -> None:
        """Belong to this lobby, which has this as its `peers`: called before it opens."""
        self._lobby = lobby
        self._lobby_talk = LobbyTalkElsewhere(self.channel, lobby.visitors)
        self._people_here = PeopleHere(lobby, self.channel, self.by_others)
        self._tables = TablesElsewhere(self.channel, lobby.tables, self.by_others)

    async def check_host_key(self, fingerprint: str, *, only_look: bool = False) -> None:
        """See `Peers`."""
        await check_host_key(self._store, fingerprint, self._lobby.config, only_look=only_look)

    @property
    def others(self) -> Sequence[OtherProcess]:
        """The others, as far as they are known."""
        return [*self.by_others.by_name.values()]

    @property
    def turn(self) -> int:
        """See `Peers`."""
        return sum(name < self.process for name in self.by_others.by_name)

    def open(self) -> None:
        """Begin to hear the others, and to tell them who is here."""
        super().open()
        self.channel.open()
        self._background.begin(self._people_here.run(), "telling others who is here")

    async def close(self) -> None:
        """Hear the others no more."""
        self.channel.close()
        await self._background.stop()

    def end(self) -> None:
        """Tell the others that this process stops now, so that they need not wait for its silence."""
        self.channel.tell(other_processes.Ended())

    def on(self, kind: type[M], handler: Callable[[Origin, M], object]) -> None:
        """Handle messages of this kind."""
        self.channel.on(kind, handler)

    def tell(self, message: Message) -> None:
        """Send a message to all others, if there are any."""
        self.channel.tell(message)

    def tell_of_talk(self, said: Said) -> None:
        """Tell what was said in the lobby."""
        self._lobby_talk.tell(said)

    def at(self, table: int) -> frozenset[str]:
        """The ids of the players who are at a table in other processes, as far as is known."""
        return self.by_others.at(table)

    def sessions_from(self, address: Address) -> int:
        """How many sessions an address has in other processes, as far as is known."""
        return self.by_others.sessions_from(address)

    def loaded(self, table: Table) -> None:
        """A table was loaded or opened here."""
        self._tables.loaded(table)

    def tell_of_table(self, table: int, news: table_events.UnloggedNews) -> None:
        """Tell what has happened at a table here and is not in its log."""
        self._tables.tell(table, news)

    def drain_changed(self) -> None:
        """Tell the others soon."""
        self._people_here.beat_soon()

    # What is told of the others; see `other_processes.ToldOfOthers`.

    def found(self, *, is_first: bool) -> None:
        """Tell a new process who is here. If it is the first one, read what it has written, and ask for the rest."""
        self._people_here.beat_soon()
        self._lobby.tables.limits.tell_all()
        if is_first:
            self._lobby.log_follower.read_soon()
            self.channel.tell(AskLobby())
            self._tables.ask()

    def came_or_changed(self, visitor: other_processes.RemoteVisitor) -> None:
        """A session in another process has come or has changed."""
        note_elsewhere(self._lobby, visitor)

    def lost(self, tables: Collection[int | None]) -> None:
        """Have the tables of a process that was killed wait for its players."""
        self._lobby.tables.await_people(tables)

    def went(self, visitor: other_processes.RemoteVisitor) -> None:
        """A session in another process has ended."""
        self._lobby.visitors.forget_elsewhere(visitor)

    def table_changed(self, table: int) -> None:
        """Other players than before are at this table in other processes."""
        self._tables.note_players(table)


def note_elsewhere(lobby: Lobby, visitor: other_processes.RemoteVisitor) -> None:
    """Note a session in another process that has come or has changed, and end or rename sessions here if they clash.

    Two sessions of one player, or two players of one name, may be in processes that did not know of each other. Both
    processes decide the same, each about its own sessions.
    """
    is_new = visitor not in lobby.visitors.came
    lobby.visitors.note(visitor, visitor.came)
    if is_new:
        same = [mine for mine in lobby.visitors.here if mine.player.id == visitor.player.id]
        tell_each((mine for mine in same if _came_first(lobby, mine, visitor)), lambda mine: mine.dismiss(TAKEN_OVER))
    if not lobby.visitors.names_in_use.is_free(visitor.player.name, visitor.player.id):
        tell_each(_clashing(lobby, visitor), lobby.names.give_another)


def _came_first(lobby: Lobby, mine: Visitor, other: other_processes.RemoteVisitor) -> bool:
    """Whether a visitor here came before one elsewhere."""
    later = other.came - lobby.visitors.came[mine]
    return later > 0 if abs(later) > SAME_TIME_SECONDS else lobby.peers.process < other.process


def _clashing(lobby: Lobby, other: other_processes.RemoteVisitor) -> list[LocalVisitor]:
    """The visitors here with a name like that of another elsewhere, who keeps it.

    A player with a key keeps it before a guest; of two of a kind the one at a table, or the one who came first.
    """
    taken, is_guest = looks(other.player.name), other.player.account is None

    def keeps(mine: LocalVisitor) -> bool:
        if (mine.player.account is None) != is_guest:
            return is_guest
        at_table = bool(mine.table_number)
        return _came_first(lobby, mine, other) if at_table == bool(other.table_number) else at_table

    others = (mine for mine in lobby.visitors.here if mine.player.id != other.player.id)
    return [mine for mine in others if not taken.isdisjoint(looks(mine.player.name)) and not keeps(mine)]


async def check_host_key(store: Database, fingerprint: str, config: Config, *, only_look: bool = False) -> None:
    """Compare the host key of this server with that of the database; the first server to start writes its own there.

    A player's ssh remembers one key for all servers on a database, and warns of another. The check also finds out if
    two clusters use one database by mistake. A key takes the place of another only if ``config.new_host_key`` names it.
    If two servers with different keys make the first start at the same time, the second to write is refused.
    ``only_look``: nothing is written. Raises HostKeyError if players know another key, NotSaved if it cannot be read.
    """
    known = await store.text(HOST_KEY, HOST_KEY)
    if known is None or (known != fingerprint and config.new_host_key in {NEW_KEY, fingerprint}):
        if only_look:
            return
        old = known

        def replace_old() -> Steps:
            rows = yield sql.TEXT, HOST_KEY, HOST_KEY
            if (rows[0][0] if rows else None) == old:  # and not that of a server that starts at the same time
                yield from store.put_text_steps(HOST_KEY, HOST_KEY, fingerprint)

        async def is_done() -> bool:
            return await store.text(HOST_KEY, HOST_KEY) == fingerprint

        try:
            await saved(store.write(replace_old), is_done)
        except InputError as error:  # the next start will do it
            log.warning("host key not kept for other servers", problem=str(error))
            return
        known = await store.text(HOST_KEY, HOST_KEY)
        if old is not None and known == fingerprint:
            log.warning("host key replaced", old=old, new=fingerprint)
    if known == fingerprint:
        return
    raise HostKeyError(
        f"the host key in {config.hostkeys} is {fingerprint}, but players know {known}: put the {KEY_NAME} of that one "
        f"there, as the other servers on this database have it; or start with --new-host-key {NEW_KEY}, and the ssh of "
        "everybody who was here refuses to come, until they type ssh-keygen -R with the name of this host"
    )


FEATURE: Final = Feature("cluster", (OneServer(Several),))
