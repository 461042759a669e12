"""Looking at a finished game again, move by move: with the eyes of one seat, of a spectator, or with all cards open.

Shows what a table shows, a `Snapshot` and sentences, so whatever draws a table draws this.
Holds the whole truth of its game, which is over: its record tells everything.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

from engine.errors import InputError
from engine.events import Burned, Event, PickedUp, WentOut
from engine.moves import Move, parse_move
from engine.protocol.position_json import position_json
from engine.rules import Json
from engine.state import State
from engine.view import View, view_of
from engine.wording.phrases import listed
from server.clean import clean, clean_name
from server.language.event_text import sentences
from server.language.position_text import table_words
from server.people.players import Player
from server.records.fairness import commitment
from server.records.record import KINDS, Note, Record, positions
from server.records.text_lines import time_text
from server.table.fold import derived_events
from server.table.snapshot import REPLAY, Sitter, Snapshot

OPEN: Final = "open"
Viewpoint: TypeAlias = int | Literal["open"] | None
"""Who looks: a seat, `OPEN` for one who may see every card, None for a spectator."""

WORTH_SEEING: Final = (Burned, PickedUp, WentOut)


@dataclass(frozen=True, slots=True)
class Moment:
    """The game after a ply, as one looks at it."""

    snapshot: Snapshot
    events: tuple[Event, ...]
    """What that ply brought about."""
    sentences: tuple[str, ...]
    """The same in words, and what happened besides moves before the next one."""


class Replay:
    """A finished game and the ply that is being looked at: 0 is the deal, `length` the end.

    Every state is kept, 1.4 KB a ply: stepping back costs what stepping forward does.
    """

    def __init__(self, record: Record, viewpoint: Viewpoint = OPEN) -> None:
        """Raises InputError where a move is not possible, or there is no such seat."""
        seats = len(record.players)
        if isinstance(viewpoint, int) and not 0 <= viewpoint < seats:
            raise InputError("bad_request", f"there are seats 1 to {seats}, not {viewpoint + 1}")
        self.viewpoint: Viewpoint = viewpoint
        self.ply = 0
        self.record = record
        self._positions = list(positions(replace(record, title=clean(record.title))))
        self._notes = _notes(record)
        self._sitters = tuple(_sitter(player, seat) for seat, player in enumerate(record.players, 1))
        self._worth_seeing = [
            ply
            for ply, (_, events) in enumerate(self._positions)
            if any(isinstance(event, WORTH_SEEING) for event in events)
        ]

    @property
    def title(self) -> str:
        """What is looked at: the game, its rules, who played."""
        snapshot = self.now().snapshot
        names = listed([snapshot.name(seat) for seat in range(len(snapshot.sitters))], "and")
        return f"game {snapshot.game}, {snapshot.rules.title}, played by {names}"

    @property
    def length(self) -> int:
        """How many plies there are."""
        return len(self._positions) - 1

    def now(self) -> Moment:
        """The ply that is being looked at."""
        state, events = self._positions[self.ply]
        view = open_view(state) if self.viewpoint == OPEN else view_of(state, self.viewpoint)
        before = self._positions[self.ply - 1][0] if self.ply else state
        snapshot = Snapshot(REPLAY, state.rules, None, self._sitters, view, self.ply, game=self.record.id)
        seen = tuple(events) if self.viewpoint == OPEN else tuple(event.seen_by(self.viewpoint) for event in events)
        told = sentences([*seen, *derived_events(before, state)], snapshot)
        return Moment(snapshot, seen, (*told, *self._notes.get(self.ply, ())))

    def to(self, ply: int) -> Moment:
        """Look at this ply, or the nearest that there is."""
        self.ply = min(max(ply, 0), self.length)
        return self.now()

    def forward(self) -> Moment:
        """A ply on."""
        return self.to(self.ply + 1)

    def back(self) -> Moment:
        """A ply back."""
        return self.to(self.ply - 1)

    def start(self) -> Moment:
        """The deal."""
        return self.to(0)

    def end(self) -> Moment:
        """The last ply."""
        return self.to(self.length)

    def next_event(self) -> Moment:
        """On to the next burn, pick-up or going out, or to the end."""
        return self.to(next((ply for ply in self._worth_seeing if ply > self.ply), self.length))

    def previous_event(self) -> Moment:
        """Back to the burn, pick-up or going out before this, or to the deal."""
        return self.to(next((ply for ply in reversed(self._worth_seeing) if ply < self.ply), 0))


@dataclass(frozen=True, slots=True)
class Turn:
    """A decision in a finished game: the ply it made, what its player could know, and what they did."""

    ply: int
    view: View
    made: Move


def turns_of(record: Record, seat: int) -> list[Turn]:
    """Every turn in play that a seat had; arranging is none. Raises InputError where its record is no game."""
    before = [state for state, _ in positions(record)]
    return [
        Turn(ply, view_of(state, seat), parse_move(move.text))
        for ply, (state, move) in enumerate(zip(before, record.moves, strict=False), 1)
        if move.seat == seat and state.phase == "play"
    ]


def open_view(state: State) -> View:
    """What a spectator may know, and every card that anybody holds besides. For games that are over."""
    return replace(
        view_of(state, None),
        hands=tuple(state.hands),
        ups=tuple(state.ups),
        downs=tuple(state.downs),
        reserves=tuple(state.reserves),
    )


def told(record: Record, viewpoint: Viewpoint = OPEN) -> Iterator[str]:
    """The whole game in lines, each sentence behind its ply. Raises InputError as `Replay` does."""
    replay = Replay(record, viewpoint)
    dealt = replay.now().snapshot
    yield f"Game {record.id}: {dealt.rules.title}, {datetime.fromtimestamp(record.began, UTC):%Y-%m-%d %H:%M} UTC."
    for seat, player in enumerate(record.players):
        level = f", {player.level}" if player.level else ""
        yield f"Seat {seat + 1}: {dealt.name(seat)}, {KINDS[player.kind]}{level}."
    if dealt.view is not None:
        yield from table_words(replace(dealt, view=replace(dealt.view, seat=None)))
    for ply in range(replay.length + 1):
        yield from (f"{ply:>4}. {line}" for line in replay.to(ply).sentences)


def record_json(record: Record) -> dict[str, Json]:
    """The game as one JSON object. Seats count from 0 and cards, moves and events are as in rules/REFEREE.md.

    ``v`` (1), ``game``, ``rules``, ``title``, ``options``, ``players`` ({name, kind, level}), ``began`` and ``ended``
    (UTC), ``version``, ``commitment``, ``seed``, ``cuts`` ({name, text}), ``dealer``; ``deal``: the position that the
    referee's `play` takes; ``steps``: {ply, seat, move, events} or {note}; ``result``: {outcome, places, plies}.

    Raises:
        InputError: a move is not possible.
    """
    (dealt, _), *played = positions(record)
    end = played[-1][0] if played else dealt
    return {
        "v": 1,
        "game": record.id,
        "rules": record.rules,
        "title": record.title,
        "options": record.options,
        "players": [{"name": each.name, "kind": each.kind, "level": each.level} for each in record.players],
        "began": time_text(record.began),
        "ended": time_text(record.ended),
        "version": record.version,
        "commitment": commitment(record.id, record.seed),
        "seed": record.seed,
        "cuts": [{"name": name, "text": text} for name, text in record.cuts],
        "dealer": record.dealer,
        "deal": position_json(dealt),
        "steps": list(_steps_json(record, [events for _, events in played])),
        "result": {
            "outcome": None if end.outcome is None else end.outcome.to_json(),
            "places": list(end.places),
            "plies": len(played),
        },
    }


def _sitter(player: Player, seat: int) -> Sitter:
    """Who played, as a table shows them. The name may come from anybody's file."""
    level = player.level if player.kind == "ai" else None
    return Sitter(clean_name(player.name) or f"seat {seat}", level, bot=player.kind == "bot")


def _steps_json(record: Record, happened: list[list[Event]]) -> Iterator[Json]:
    ply = 0
    for step in record.steps:
        if isinstance(step, Note):
            yield {"note": step.text}
        else:
            events = [event.to_json() for event in happened[ply]]
            ply += 1
            yield {"ply": ply, "seat": step.seat, "move": step.text, "events": events}


def _notes(record: Record) -> dict[int, list[str]]:
    """What was no move, by the ply that it came after."""
    notes: dict[int, list[str]] = {}
    ply = 0
    for step in record.steps:
        if isinstance(step, Note):
            notes.setdefault(ply, []).append(clean(step.text))
        else:
            ply += 1
    return notes
