"""Keeps what is not in the logs of tables the same in all processes: who is present, talk, how AI players play."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec import convert, field

from engine.ai import LEVELS
from engine.errors import InputError
from server.clean_text import clean
from server.cluster.channel import Channel
from server.cluster.other_processes import OtherProcesses
from server.cluster.talk import Line, lines_of
from server.limits import NAME_LENGTH
from server.lobby.peers import Message, Origin
from server.lobby.tables import Tables
from server.people.settings import PACES
from server.table.table import Table
from server.table.table_events import (
    AIPlayerAdded,
    AIPlayersSet,
    Disconnected,
    GameProposed,
    GameRefused,
    Reconnected,
    TableTalk,
    UnloggedEvent,
    UnloggedNews,
)

_EVENTS: Final[dict[object, type[UnloggedEvent]]] = {
    event.kind: event for event in (Disconnected, Reconnected, GameProposed, GameRefused, AIPlayerAdded)
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
    """Tells other processes what happens at tables here, and hears what happens there."""

    def __init__(self, channel: Channel, tables: Tables, others: OtherProcesses) -> None:
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

    def tell(self, number: int, news: UnloggedNews) -> None:
        """Tell what has happened at a table here and is not in its log."""
        match news:
            case TableTalk(said, to_spectators):
                message = TableTold(number, talk=Line.of(said, to_spectators=to_spectators))
            case AIPlayersSet(pace, ai_level):
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


def _news(told: TableTold) -> Iterator[UnloggedNews]:
    """What a message tells. Raises ValueError if it makes no sense."""
    if told.talk is not None:
        yield TableTalk(told.talk.said, told.talk.to_spectators)
    if told.pace is not None:
        if not 0 <= told.pace <= PACES[1] or told.ai_level not in {"", *LEVELS}:
            raise ValueError("no pace or level of AI players")
        yield AIPlayersSet(told.pace, told.ai_level)
    if told.event:
        texts = {
            key: clean(value, NAME_LENGTH) if isinstance(value, str) else value for key, value in told.event.items()
        }
        if (kind := _EVENTS.get(told.event.get("kind"))) is None:
            raise ValueError("no event of a table")
        yield convert(texts, kind)
