"""What is in no log of a table is the same in all processes: talk, unlogged events, how AI players play."""

from collections.abc import Iterator
from typing import Any, Final, get_args

from msgspec import Struct, convert, field

from engine.ai import LEVELS
from server.addresses import address_text, read_optional_address
from server.cluster.channel import Channel, in_parts, loop_time
from server.lobby.lobby import Lobby
from server.lobby.peers import Message, Origin, Seconds
from server.people.settings import PACES
from server.table import table_events
from server.table.recent_talk import Said

_EVENTS: Final = {event.kind: event for event in get_args(table_events.UnloggedEvent)}


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
    def of(cls, said: Said) -> "Line":
        """What was said."""
        age = loop_time() - said.at
        return cls(said.name, said.line, said.player_id, address_text(said.address), age, said.to_spectators)

    @property
    def said(self) -> Said:
        """What was said. Raises ValueError if the address is none."""
        address, at = read_optional_address(self.address), loop_time() - self.age
        return Said(self.name, self.line, self.player_id, address, at, self.to_spectators)


class LobbyTalk(Message, frozen=True, tag="talk"):
    """Something was said in the lobby."""

    said: Line


class AskLobby(Message, frozen=True, tag="ask-lobby"):
    """The sender has started, and does not know what was said in the lobby."""


class LobbyKept(Message, frozen=True, tag="lobby"):
    """What was said in the lobby."""

    to: str
    talk: list[Line]


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

    @classmethod
    def of(cls, table: int, news: table_events.UnloggedNews) -> "TableTold":
        """What has happened at a table."""
        match news:
            case Said():
                return cls(table, talk=Line.of(news))
            case table_events.AIPlayersSet(pace, ai_level):
                return cls(table, pace=pace, ai_level=ai_level)
            case event:
                return cls(table, event=event.to_json())

    def news(self) -> Iterator[table_events.UnloggedNews]:
        """What has happened. Raises ValueError if it makes no sense."""
        if self.talk is not None:
            yield self.talk.said
        if self.pace is not None:
            if not 0 <= self.pace <= PACES[1] or self.ai_level not in {"", *LEVELS}:
                raise ValueError("no pace or level of AI players")
            yield table_events.AIPlayersSet(self.pace, self.ai_level)
        if self.event:
            if (kind := _EVENTS.get(self.event.get("kind"))) is None:
                raise ValueError("no event of a table")
            yield convert(self.event, kind)


class AskTable(Message, frozen=True, tag="ask-table"):
    """The sender has loaded a table, and does not know what is not in its log."""

    table: int


def hear_talk(peers: Channel, lobby: Lobby) -> None:
    """Hear from now on what other processes tell of the lobby and of tables, and answer what they ask."""
    visitors, tables = lobby.visitors, lobby.tables.here

    def answer_of_lobby(origin: Origin, _: AskLobby) -> None:
        for lines in in_parts(map(Line.of, visitors.recent_talk.kept())):
            peers.tell(LobbyKept(origin.process, lines))

    def hear_of_table(_: Origin, told: TableTold) -> None:
        if (table := tables.get(told.table)) is not None:
            for news in told.news():
                table.hear_of(news)
            table.broadcaster.recent_talk.add_earlier([line.said for line in told.kept])

    def answer_of_table(_: Origin, asked: AskTable) -> None:
        if (table := tables.get(asked.table)) is not None and table.runtime.here:
            peers.tell(TableTold(table.number, pace=table.runtime.pace, ai_level=table.runtime.ai_level))
            for lines in in_parts(map(Line.of, table.broadcaster.recent_talk.kept())):
                peers.tell(TableTold(table.number, lines))

    peers.on(LobbyTalk, lambda _, told: visitors.hear_talk(told.said.said))
    peers.on(AskLobby, answer_of_lobby)
    peers.on(LobbyKept, lambda _, kept: visitors.recent_talk.add_earlier([line.said for line in kept.talk]))
    peers.on(TableTold, hear_of_table)
    peers.on(AskTable, answer_of_table)
