"""The log of a simulated world, and what must hold of every entry in it, checked as it is written.

What is wrong is gathered in `broken`, since an error raised in here would only be one more fault of the log's.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, cast

from engine.events import Event
from server.history.ratings import Standings
from server.people.players import Player
from server.storage import sql
from server.storage.database import EMPTY, FinishedGame, LogEntry, Move, Steps, Write
from server.storage.sqlite_database import MemoryDatabase
from server.table.apply_changes import apply, read_log
from server.table.broadcaster import EVENTS_RECALLED
from server.table.entries import Abandoned, Change, CutOpened, Dealt, Moved, TableSettings, read_change
from server.table.finished_game import is_kept
from server.table.recent_talk import Said
from server.table.snapshot import Snapshot
from server.table.state import TableState
from server.table.table_events import TableEvent
from tests.support.log_entries import entry

GAMES: Final = "SELECT count(*) FROM game"


@dataclass(slots=True)
class Sent:
    """A move that a person sent, and what they were told."""

    player: str
    game: str
    ply: int
    move: str
    arranging: bool
    answer: str = "unknown"
    """``done``, the code of a refusal, or ``unknown`` where no answer came."""

    @property
    def bound_to(self) -> tuple[object, ...]:
        """What only one move can have been made for; while arranging anybody may move in any order."""
        return (self.game, self.player, self.move) if self.arranging else (self.game, self.ply)


@dataclass(slots=True)
class Story:
    """One table from its opening to its closing."""

    state: TableState
    times: list[float]
    """When each entry was written, in the event loop's time."""
    decision_since: float
    beginning: int = 1
    """The last entry with which the log could begin."""
    events: list[Event] = field(default_factory=list)
    dealt_at: dict[str, int] = field(default_factory=dict)
    """How many events there had been when a game was dealt."""
    happened_by: dict[tuple[str, int], int] = field(default_factory=dict)
    """How many events there had been when a game stood at a ply."""

    def since(self, told: int, game: str, happened: int) -> list[list[Event]]:
        """The events that may be told next in this game; from its deal on, if the log reaches back no further."""
        dealt = [number for number in self.dealt_at.values() if number <= self.dealt_at[game]]
        is_cut = len(dealt) > 1 and told <= dealt[-2]
        return [self.events[told:happened], *([self.events[dealt[-1] : happened]] if is_cut else [])]

    def place(self, player_id: str) -> tuple[int | None, int, str]:
        """The seat that a player has, the ply, and the game: what they should see."""
        return self.state.seat_of(player_id), self.state.ply, self.state.deal.game if self.state.deal else ""


class Truth(MemoryDatabase):
    """What has really been written, by whatever node."""

    def __init__(self) -> None:
        super().__init__()
        self.broken: list[str] = []
        self.stories: dict[int, Story] = {}
        self.sent: list[Sent] = []
        self.moves = 0
        self.cuts = self.slept = self.woken = 0
        self.deleted = 0
        """How many finished games were deleted."""
        self.opened = 0
        """How many sealed cuts were opened."""
        self.closing: Callable[[int], None] = lambda _: None
        """Called with the number of a table when it closes or its game is given up."""
        self._story_of: dict[str, Story] = {}
        self._made: list[tuple[object, ...]] = []
        """The moves of persons, as `Sent` has them."""
        self.ended: list[FinishedGame] = []
        """Every finished game in its order, also those that were deleted since."""
        self.passed_over: list[str] = []
        """The games that have ended and are not kept."""

    async def append_move(self, move: Move) -> bool:
        """See `Database`."""
        is_done = await super().append_move(move)
        if is_done:
            await self._check_entry(move.entry, None)
        return is_done

    async def write(self, write: Write, table: int | None = None) -> None:
        """See `Database`. What it has done is seen by its statements."""
        done = dict[str, tuple[Any, ...]]()
        games = await self.select(GAMES)
        asleep = table is not None and any(state.due is not None for state in await self.states([(table,)]))

        def watched() -> Steps:
            steps, rows = write(), cast(Any, None)
            with suppress(StopIteration):
                while True:
                    statement, *values = steps.send(rows)
                    done[statement] = tuple(values)
                    rows = yield (statement, *values)

        await super().write(watched, table)
        game = FinishedGame(*done[sql.KEEP_GAME]) if sql.KEEP_GAME in done else None
        if sql.ADD_ENTRY in done:
            await self._check_entry(LogEntry(*done[sql.ADD_ENTRY]), game)
        elif sql.CLOSE in done:
            self._check_closing(done[sql.CLOSE][0], game)
        elif sql.SLEEP in done:
            falls_asleep = done[sql.SLEEP][1] is not None
            self.slept += falls_asleep
            self.woken += asleep and not falls_asleep
        elif sql.DELETE_GAMES in done:
            self.deleted += games[0][0] - (await self.select(GAMES))[0][0]

    async def _check_entry(self, entry: LogEntry, game: FinishedGame | None) -> None:
        change, now = read_change(entry.data), asyncio.get_running_loop().time()
        if isinstance(change, TableSettings):
            self.stories[entry.table] = Story(TableState.of(change), [now], now)
            return
        story = self.stories[entry.table]
        before = story.state
        self.opened += isinstance(change, CutOpened)
        if isinstance(change, Dealt):
            await self._check_cut(entry, story, change)
        story.state, events = apply(before, change, entry.at)
        story.times.append(now)
        self.must(story.state.digest() == entry.hash, f"table {entry.table} parts at {entry.seq}: {change}")
        self.must(entry.seq == len(story.times), f"table {entry.table} has a gap before {entry.seq}")
        if _decision(story.state) != _decision(before):
            story.decision_since = now
        ids = Counter(seat.player.id for seat in story.state.seats if seat)
        self.must(max(ids.values(), default=0) < 2, f"somebody has two seats of table {entry.table}: {change}")
        self._note_game(entry.table, before, change, game)
        story.events += _of_the_game(events)
        if story.state.deal:
            story.happened_by[story.state.deal.game, story.state.ply] = len(story.events)

    async def _check_cut(self, entry: LogEntry, story: Story, dealt: Dealt) -> None:
        """With this deal alone the table can be read, and so it can with the first entry that the log still has."""
        self.must(dealt.checkpoint == story.state.checkpoint(), f"table {entry.table} was not like this: {dealt}")
        log = await self.read(entry.table)
        after = apply(story.state, dealt, entry.at)[0]
        self.must(read_log([entry])[0] == after == read_log(log)[0], f"table {entry.table} cannot begin at {entry.seq}")
        self.must(log[0].seq == story.beginning, f"table {entry.table} begins at {log[0].seq}, not {story.beginning}")
        story.beginning = entry.seq
        self.cuts += 1

    def _note_game(self, number: int, before: TableState, change: Change, game: FinishedGame | None) -> None:
        story = self.stories[number]
        state = story.state
        if isinstance(change, Dealt) and state.deal:
            self.must(state.deal.game not in self._story_of, f"two games are {state.deal.game}")
            self._story_of[state.deal.game] = story
            story.dealt_at[state.deal.game] = len(story.events)
        self._note_end(change, state, game, has_ended=before.playing and not state.playing)
        if isinstance(change, Abandoned):
            self.closing(number)
        if isinstance(change, Moved) and before.deal:
            self.moves += 1
            seat = before.seats[change.seat]
            if seat and not seat.played_by_ai:
                made = Sent(seat.player.id, before.deal.game, before.ply, change.move, before.arranging)
                self._made.append((*made.bound_to, made.player, made.move))

    def _check_closing(self, table: int, game: FinishedGame | None) -> None:
        before = self.stories.pop(table).state
        abandoned = Abandoned()
        state = apply(before, abandoned, 0.0)[0] if before.playing else before
        self._note_end(abandoned, state, game, has_ended=before.playing)
        self.closing(table)

    def _note_end(self, change: Change, state: TableState, game: FinishedGame | None, *, has_ended: bool) -> None:
        """A game that ends is written with the entry that ends it, unless it is one that is not kept."""
        kept = has_ended and is_kept(state)
        self.must((game is not None) == kept, f"{change} {'ends' if kept else 'does not end'} a game that is kept")
        if game is not None:
            self.must(state.deal is not None and state.deal.game == game.id, f"{game.id} is another game")
            self.ended.append(game)
        elif has_ended and state.deal:
            self.passed_over.append(state.deal.game)

    def must(self, holds: bool, otherwise: str) -> None:  # noqa: FBT001
        """Something that has to be so."""
        if not holds:
            self.broken.append(otherwise)

    async def check_whole(self) -> None:
        """What must hold of a world that has ended: each move counts as its sender was told, each game is kept once."""
        made = Counter(self._made)
        done = Counter((*sent.bound_to, sent.player, sent.move) for sent in self.sent if sent.answer == "done")
        unknown = Counter((*sent.bound_to, sent.player, sent.move) for sent in self.sent if sent.answer == "unknown")
        self.must(done <= made, f"acknowledged and not in the log, or twice for one: {done - made}")
        self.must(made <= done + unknown, f"in the log and never sent, or refused: {made - done - unknown}")
        dealt, ended = sorted(self._story_of), [game.id for game in self.ended]
        self.must(dealt == sorted([*ended, *self.passed_over]), f"games dealt, ended: {dealt}, {ended}")
        kept = [game.id for _, game in await self.games(0, 1_000_000)]
        self.must(kept == ended[-len(kept) :], f"games ended, kept: {ended}, {kept}")
        await self._check_ratings()

    async def _check_ratings(self) -> None:
        """The ratings are those of somebody who has counted every game once, though old games were deleted."""
        every = MemoryDatabase()
        for number, game in enumerate(self.ended, 1):
            await every.append(EMPTY, entry(number, 1), game)
        for log in (self, every):
            await Standings(log).count_all()
        ratings, right = [await log.select(sql.BEST, 1_000) for log in (self, every)]
        self.must(ratings == right, f"ratings: {ratings}, not {right}")

    # What members are told.

    def story_of(self, snapshot: Snapshot) -> tuple[Story | None, int]:
        """The story that an update tells, and how many of its events have happened by then."""
        story = self._story_of.get(snapshot.game)
        return story, 0 if story is None else story.happened_by[snapshot.game, snapshot.ply]


def _of_the_game(events: Iterable[Event]) -> tuple[Event, ...]:
    """What has happened in the game: that alone can be told by its ply."""
    return tuple(event for event in events if not isinstance(event, TableEvent))


def _decision(state: TableState) -> object:
    """The pending decision, its seats, and since when it is pending."""
    by = [(number, seat.played_by_ai) for number in state.deciding if (seat := state.seats[number])]
    return state.ply if by and all(ai for _, ai in by) else None, state.since, by


class Onlooker:
    """A member that checks all it is told: every event once, in order, with nothing that is not for its eyes."""

    def __init__(self, truth: Truth, player: Player) -> None:
        self.snapshot: Snapshot | None = None
        self.gone = False
        """The connection is lost: what is told now goes nowhere."""
        self.left_out = False
        """The table has closed."""
        self._truth = truth
        self._player = player
        self._told: int | None = None

    @property
    def place(self) -> tuple[int | None, int, str] | None:
        """The seat, the ply and the game that are seen."""
        return None if self.snapshot is None else (self.snapshot.seat, self.snapshot.ply, self.snapshot.game)

    def push(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """See `snapshot.Subscriber`."""
        if self.gone:
            return
        story, happened = self._truth.story_of(snapshot)
        viewpoint = None if snapshot.view is None else snapshot.view.seat
        if story and self._told is not None:
            self._must(happened >= self._told, "is told older things")
            self._must_be(_of_the_game(events), story.since(self._told, snapshot.game, happened), viewpoint)
        self._must(viewpoint in {None, snapshot.seat}, "sees through other eyes")
        self._must(
            snapshot.seat is None or snapshot.name(snapshot.seat) == self._player.name, "has somebody else's seat"
        )
        self._must(all(event == event.seen_by(viewpoint) for event in events), "is told what is not for them")
        self.snapshot, self._told = snapshot, happened

    def recall(self, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """See `snapshot.Subscriber`."""
        story, happened = self._truth.story_of(snapshot)
        if story is not None and not self.gone:
            in_this_game = story.events[story.dealt_at[snapshot.game] : happened]
            viewpoint = None if snapshot.view is None else snapshot.view.seat
            known = _of_the_game(events)
            if len(events) == EVENTS_RECALLED:
                in_this_game = in_this_game[len(in_this_game) - len(known) :]
            self._must_be(known, [in_this_game], viewpoint)

    def recall_talk(self, said: Sequence[Said]) -> None:
        """See `snapshot.Subscriber`."""

    def hear(self, name: str, line: str, invitation: str = "") -> None:
        """See `snapshot.Subscriber`."""

    def closed(self, why: str = "the table has closed") -> None:  # noqa: ARG002
        """See `snapshot.Subscriber`."""
        self.left_out = True

    def _must(self, holds: bool, otherwise: str) -> None:  # noqa: FBT001
        self._truth.must(holds, f"{self._player.name} {otherwise}: {self.snapshot and self.snapshot.ply}")

    def _must_be(self, events: tuple[Event, ...], possible: list[list[Event]], viewpoint: int | None) -> None:
        expected = [tuple(event.seen_by(viewpoint) for event in happened) for happened in possible]
        self._must(events in expected, f"is told {events}, not {expected[0]}")
