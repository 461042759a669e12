"""What the boards of one process show: collected once for all of them, and drawn once for those of one size.

While no board is open, nothing is collected.
"""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Final, NamedTuple, Protocol

from msgspec.structs import replace

from engine import events as game
from engine.events import Event
from engine.wording.phrases import quantity
from server.board import BoardSettings
from server.board.frame import Board, BoardSize, BoardTable, Capacity, Shown, draw_board
from server.cells import Row
from server.joining import code_of
from server.language.event_text import SeatNames, as_played, ordinal, sentences
from server.lobby.competitions import Competitions, Held
from server.lobby.lobby import Lobby
from server.people.settings import Settings
from server.render.theme import theme_of
from server.table import table_events
from server.table.broadcaster import tell_each
from server.table.snapshot import Snapshot
from server.table.table import Table

CALL_SECONDS: Final = 6.0
"""How long one page of a call is shown, before the next one or the same again."""
SECONDS: Final = {"clock": 10.0, "tables": 15.0, "table": 20.0, "standings": 12.0, "people": 8.0, "join": 8.0}
"""How long each kind of page is shown."""
LEAST_SECONDS: Final = 5.0
"""No page is left earlier, so that it can be read."""
CLOSE_UP_SECONDS: Final = 8.0
"""How long a table is shown because something has happened there."""
BETTER: Final = 1.17
"""A table is shown in place of another if it promises so many times as much."""
_LAST_CARDS, _ALL_PEOPLE = 6.0, 4.0


class Happened(NamedTuple):
    """Something that a room turns round for."""

    table: int
    at: float
    """The event loop's time."""


class Director:
    """What all boards of one size show: it turns from one page to the next, and to where something happens.

    The times are the event loop's.
    """

    def __init__(self, capacity: Capacity) -> None:
        self._size, self._most, self._most_calls = capacity
        self.shown = Shown("tables")
        """What to show now."""
        self._since = self._until = -inf
        self._featured = 0
        """The table that was chosen last to be shown by itself."""

    def turn(self, board: Board, happened: Happened | None, now: float) -> Shown:
        """Go on to another page if it is time for that, and return what to show; ``happened`` is the latest."""
        if board.competition is not None and (calls := board.competition.calls):
            if self.shown.kind != "call" or now >= self._until:
                pages = -(-len(calls) // self._most_calls)
                page = (self.shown.at + 1) % pages if self.shown.kind == "call" else 0
                self._show(Shown("call", page), now, CALL_SECONDS)
            return self.shown
        program, kind = self._program(board), self.shown.kind
        is_there = self.shown in program if kind != "table" else board.table(self.shown.at) is not None
        is_read = now >= self._since + LEAST_SECONDS or not is_there
        shown = [each.snapshot.table for each in board.tables]
        is_new = happened is not None and self._since < happened.at > now - CLOSE_UP_SECONDS
        if happened and is_new and happened.table in shown and is_read:
            with_others = Shown("tables", shown.index(happened.table) // self._most)
            close_up = with_others if self._size == BoardSize.LARGE else Shown("table", happened.table)
            self._show(close_up, now, CLOSE_UP_SECONDS)
        elif now >= self._until or not is_there:
            same = [at for at, each in enumerate(program) if each == self.shown or each.kind == kind == "table"]
            has_begun = self._since > -inf
            following = program[(same[-1] + 1) % len(program)] if same and has_begun else program[0]
            self._show(following, now, SECONDS[following.kind])
        return self.shown

    def _show(self, shown: Shown, now: float, seconds: float) -> None:
        if shown.kind == "table":
            self._featured = shown.at
        self.shown, self._since, self._until = shown, now, now + seconds

    def _program(self, board: Board) -> list[Shown]:
        """All pages in their order; at least one."""
        tables = [Shown("tables", page) for page in range(-(-len(board.tables) // self._most))]
        if self._size == BoardSize.LARGE:
            return tables or [Shown("tables")]
        featured = [Shown("table", table.snapshot.table) for table in self._best(board.tables)]
        if self._size == BoardSize.SMALL or len(board.tables) == 1:
            tables = []
        its = board.competition
        standings = [Shown("standings")] if its is not None else []
        if self._size == BoardSize.SMALL and its is not None and its.left is not None:
            standings = [Shown("clock"), *standings]
        return [*tables, *featured, *standings, *([] if tables or featured else [Shown("people")]), Shown("join")]

    def _best(self, tables: Sequence[BoardTable]) -> list[BoardTable]:
        """The table to show by itself: the one that promises most. It stays unless another promises clearly more."""
        if not tables:
            return []
        best = max(tables, key=promise)
        before = next((each for each in tables if each.snapshot.table == self._featured), None)
        return [best if before is None or promise(best) > BETTER * promise(before) else before]


def people_at(snapshot: Snapshot) -> int:
    """How many people have a seat, whom others in the room may know: no AI players and no bots."""
    return sum(sitter is not None and not (sitter.is_ai or sitter.bot) for sitter in snapshot.sitters)


def promise(table: BoardTable) -> float:
    """How much there is to see at a table: people who play, and more if one of them is close to the end."""
    snapshot, view = table.snapshot, table.snapshot.view
    people = people_at(snapshot)
    if view is None or not snapshot.playing:
        return people / 10
    is_close = any(view.hand_counts[seat] == view.up_counts[seat] == 0 for seat in view.seats)
    is_all_people = people == len(snapshot.sitters)
    return 1.0 + people + _LAST_CARDS * is_close + _ALL_PEOPLE * is_all_people


REDRAW_SECONDS: Final = 0.25
"""The shortest time between two pictures."""
AFTER_SECONDS: Final = 0.05
"""How long boards wait at least when something has happened: the players at the table come first."""
TICK_SECONDS: Final = 1.0
"""How often clocks are shown anew, and people and new tables looked for."""
LINES_KEPT: Final = 40
FINAL_SECONDS: Final = 900.0
"""How long boards show the final standings of a competition, unless another one is opened."""
HEADLINES_AT_ONCE: Final = 3
"""The most headlines of one change, as when a table is found whose game has gone on for long."""
BIG_PILE: Final = 6
"""A pile of at least so many cards that is picked up or burned makes a headline."""
MESSAGE_SECONDS: Final = 120.0
"""How long an announcement of an op stands on the boards."""
TALK_SECONDS: Final = 300.0


class BoardLook(NamedTuple):
    """What decides which picture a board shows. Boards that look alike share one."""

    columns: int
    rows: int
    has_signs: bool = False
    table: int | None = None
    """The table to which it keeps; None if it turns pages."""
    competition: str = ""
    """The id of the competition to which it keeps; empty if it shows all tables."""

    @property
    def kind(self) -> tuple[str, Capacity]:
        """Boards with the same one turn their pages together."""
        return self.competition, Capacity.of(self.columns, self.rows)


class OpenBoard(Protocol):
    """A connection that shows a board."""

    competition: Held | None
    """The competition to which it keeps; None if it shows all tables."""

    @property
    def look(self) -> BoardLook:
        """Which picture it shows now."""

    def refresh(self) -> None:
        """The picture may have changed."""


class BoardFeed:
    """Everything that the open boards of this process show."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self.boards = set[OpenBoard]()
        self._tables: dict[int, _Followed] = {}
        self._news = deque[tuple[str, str]](maxlen=LINES_KEPT)
        """The latest headlines, each with the id of its competition, empty if it is of none."""
        self._happened: Happened | None = None
        self._competitions: dict[str, Held] = {}
        """The competitions that go on or ended lately, by id."""
        self._contents: dict[str, Board] = {}
        """What is shown of each competition that a board keeps to, and under "" what the other boards show."""
        self._directors: dict[tuple[str, Capacity], Director] = {}
        """One for each competition and each capacity of a board."""
        self._pictures: dict[BoardLook, tuple[Row, ...]] = {}
        self._drawn_at = -math.inf
        self._timer: asyncio.TimerHandle | None = None

    def open(self, board: OpenBoard) -> None:
        """Begin to tell a board of changes."""
        if not self.boards:
            self._lobby.tables.begin_viewing(self)
        self.boards.add(board)
        self._update()

    def close(self, board: OpenBoard) -> None:
        """Tell it no more. When the last one has gone, nothing is collected."""
        self.boards.discard(board)
        if not self.boards:
            self._lobby.tables.end_viewing(self)
            if self._timer is not None:
                self._timer.cancel()
            for followed in self._tables.values():
                followed.stop()
            self._tables.clear()

    def picture(self, look: BoardLook) -> tuple[Row, ...]:
        """The newest picture for a board that looks like this, drawn when it is asked for first."""
        if look not in self._pictures:
            shown = self._director(look).shown if look.table is None else Shown("table", look.table)
            theme = theme_of(Settings(), has_signs=look.has_signs)
            board = self._contents.get(look.competition, Board(time=""))
            board = board if look.has_signs else replace(board, code=())
            self._pictures[look] = draw_board(board, shown, look.columns, look.rows, theme)
        return self._pictures[look]

    # Collecting.

    def _update(self) -> None:
        """Collect what boards show, turn their pages if it is time for that, and have them show what has changed."""
        now = asyncio.get_running_loop().time()
        # First, so that the boards go on if something below fails.
        self._drawn_at = now
        self._update_at(now + TICK_SECONDS)
        self._follow_tables()
        self._follow_competitions()
        looks = {each.look for each in self.boards}
        contents = {kept_to: self._collect(now, kept_to) for kept_to in {look.competition for look in looks}}
        # What no board looks like any more is forgotten, or a window that changes its size would fill the memory.
        self._directors = {look.kind: self._director(look) for look in looks}
        before = [director.shown for director in self._directors.values()]
        after = [each.turn(contents[key[0]], self._happened, now) for key, each in self._directors.items()]
        is_new = contents != self._contents or before != after
        self._contents = contents
        self._pictures = {} if is_new else {look: self._pictures[look] for look in looks & self._pictures.keys()}
        tell_each(self.boards, lambda each: each.refresh())

    def _director(self, look: BoardLook) -> Director:
        return self._directors.setdefault(look.kind, Director(look.kind[1]))

    def update_soon(self) -> None:
        """Show what has happened, but not too soon after the last picture, and when players have seen it.

        However often that is asked for, as by a window that changes its size, it costs no more.
        """
        now = asyncio.get_running_loop().time()
        self._update_at(max(now + AFTER_SECONDS, self._drawn_at + REDRAW_SECONDS))

    def _update_at(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(when, self._update)

    def _follow_tables(self) -> None:
        """Follow the tables that anybody may watch, as far as players are present there."""
        public = {
            table.number: table
            for table in self._lobby.tables.here.values()
            if table.is_public and not table.runtime.deserted
        }
        for number, followed in list(self._tables.items()):
            if public.get(number) is not followed.table:
                self._tables.pop(number).stop()
        for number, table in public.items():
            if number not in self._tables:
                self._tables[number] = _Followed(table, self._tell)

    def _follow_competitions(self) -> None:
        """Follow those that go on; one that is over is shown for a while."""
        lobby = self._lobby
        running = {its.id: its for holder in lobby.features.all(Competitions) for its in holder.held(lobby)}
        ended = {
            each: its
            for each, its in self._competitions.items()
            if each not in running and (ago := its.now().ended) is not None and ago < FINAL_SECONDS
        }
        self._competitions = ended | running

    def _tell(self, followed: "_Followed", told: list[str]) -> None:
        """Something has happened at this table, which makes these headlines; without people only if none play."""
        table = followed.table
        if told and (followed.people or not any(each.people for each in self._tables.values())):
            self._news.extend((_competition_of(table), f"table {table.number}  {headline}") for headline in told)
            self._happened = Happened(table.number, asyncio.get_running_loop().time())
        self.update_soon()

    def _shown_by_itself(self) -> Held | None:
        """The competition with players that was opened last; if none has any, the last one."""
        latest_first = [*reversed(self._competitions.values())]
        return next((its for its in latest_first if its.now().standings.rows), next(iter(latest_first), None))

    def _collect(self, now: float, competition: str) -> Board:
        """What boards show that keep to this competition, or (empty) to none; those show the last with players."""
        lobby = self._lobby
        kept = {its.id: its for each in self.boards if (its := each.competition) is not None}
        its = kept.get(competition) if competition else self._shown_by_itself()
        tables = [
            followed.table_now(now)
            for _, followed in sorted(self._tables.items(), key=lambda each: (not each[1].people, each[0]))
            if not competition or _competition_of(followed.table) == competition
        ]
        listings, clock = lobby.tables.listings(), time.localtime()
        listed = {each.number for each in listings}
        said = lobby.visitors.said_after(now - TALK_SECONDS)
        messages = [each.line for each in said if not each.player_id and each.at > now - MESSAGE_SECONDS]
        talk = [f"{each.name}: {each.line}" for each in said if each.player_id]
        return Board(
            time=f"{clock.tm_hour}:{clock.tm_min:02}",
            join=next(iter(lobby.join_lines.lines), ""),
            code=code_of(lobby.join_lines.link),
            page=lobby.join_lines.link if lobby.join_lines.opens_anywhere else "",
            key=lobby.join_lines.key,
            tables=tuple(tables),
            private=sum(each.private and not each.asleep for each in listings),
            people=tuple((each.name, each.seen_from(listed)) for each in lobby.visitors.people()),
            news=tuple(headline for of, headline in self._news if not competition or of == competition),
            talk=tuple(talk) if lobby.config.of(BoardSettings).board_talk else (),
            message=messages[-1] if messages else "",
            competition=None if its is None else its.now(),
        )


def _competition_of(table: Table) -> str:
    """The id of the competition of which a table is a part; empty if it is part of none."""
    occasion = table.occasion
    return occasion.part_of if occasion else ""


class _Followed:
    """A table that is shown on boards, with what has happened there."""

    def __init__(self, table: Table, tell: Callable[["_Followed", list[str]], None]) -> None:
        """``tell`` is given the headlines of each change."""
        self.table = table
        self._log = deque[str](maxlen=LINES_KEPT)
        self._tell = tell
        self._snapshot: Snapshot
        self.people: int
        """See `people_at`."""
        table.broadcaster.observe(self._observe)

    def stop(self) -> None:
        """Follow it no more."""
        self.table.broadcaster.observers.discard(self._observe)

    def table_now(self, now: float) -> BoardTable:
        """The table, with the seconds that are left at this time of the event loop."""
        deadline = self._snapshot.deadline
        left = None if deadline is None else max(0, math.ceil(deadline - now))
        return BoardTable(self._snapshot, left, tuple(self._log))

    def _observe(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        self._snapshot, self.people = snapshot, people_at(snapshot)
        # What players type as their cut is not for a projector.
        told = [each for each in events if not isinstance(each, table_events.CardsCut | table_events.CutOpened)]
        self._log.extend(sentences(told, snapshot))
        self._tell(self, [*headlines(events, snapshot)][-HEADLINES_AT_ONCE:])


def headlines(events: Sequence[game.Event], snapshot: Snapshot) -> Iterator[str]:
    """What a room of people wants to hear of these events, without a full stop; most events make none.

    ``snapshot`` is a spectator's, so that no headline can tell a hidden card.
    """
    who = SeatNames(snapshot)
    for event in events:
        match event:
            case game.Burned(seat, count) if count >= BIG_PILE:
                yield f"{who.name(seat)} burns {quantity(count, 'card')}"
            case game.PickedUp(seat, cards) if len(cards) >= BIG_PILE:
                yield f"{who.name(seat)} picks up {quantity(len(cards), 'card')}"
            case table_events.LastCard(seat):
                yield f"{who.name(seat)} has one card left"
            case game.WentOut(seat, place):
                yield f"{who.name(seat)} is out {ordinal(place)}"
            case game.GameOver(winner):
                played = SeatNames(as_played(snapshot))
                by_cards = "the game is drawn" if winner is None else f"{played.name(winner)} wins the game"
                yield played.won().rstrip(".") or by_cards
            case table_events.GameBegan():
                yield f"a new game: {who.everybody}"
            case table_events.SatDown(_, name, None):
                yield f"{name} sits down"
