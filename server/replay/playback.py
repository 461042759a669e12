"""Steps through a finished game: as one seat saw it, as a spectator saw it, or with all cards open.

It gives what a table gives, a `Snapshot` and sentences, so that all code that draws a table can draw it. It may hold
the whole state of its game, because the game is over and its record is public.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

from msgspec import Struct, structs

from engine.errors import InputError
from engine.events import Burned, Event, GameOver, PickedUp, WentOut
from engine.protocol.position_json import position_json
from engine.rules import Json
from engine.state import State
from engine.view import View, view_of
from engine.wording.phrases import listed, sentence_case
from server.clean_text import clean, clean_name
from server.language.event_text import after_game, sentences
from server.language.position_text import table_text
from server.people.players import FORMER
from server.pieces import Work, collected, in_pieces
from server.records.fairness import commitment
from server.records.record import KINDS, Note, Record, positions, read_seat_taken
from server.records.results import COUNTS
from server.records.syntax import time_text
from server.table.apply_changes import derived_events
from server.table.place import RECORD
from server.table.snapshot import NO_TABLE, Sitter, Snapshot

OPEN: Final = "open"
Viewpoint: TypeAlias = int | Literal["open"] | None
"""Whose view is shown: a seat's, a spectator's (None), or with every card visible (`OPEN`)."""

HIGHLIGHTS: Final = (Burned, PickedUp, WentOut)


class PlaybackPosition(Struct, frozen=True):
    """The game after one ply, from one viewpoint."""

    snapshot: Snapshot
    sentences: tuple[str, ...]
    """What that ply caused, and the notes between it and the next."""


class Playback:
    """A finished game and the current ply: 0 is the deal, `length` the last one.

    Every state is kept (1.4 KB a ply), so that stepping back is as cheap as stepping forward.
    """

    def __init__(
        self, record: Record, viewpoint: Viewpoint = OPEN, played: Sequence[tuple[State, list[Event]]] | None = None
    ) -> None:
        """``played`` are the `positions_shown` of the record, if they are known already.

        Raises InputError if a move is not possible or there is no such seat.
        """
        self.ply = 0
        self.record = record
        self.look_from(viewpoint)
        self._positions = played or list(positions_shown(record))
        self._notes = _notes(record)
        self._sitters = _sitters(record, self._notes, [state.places for state, _ in self._positions])
        happened = enumerate(events for _, events in self._positions)
        self.highlights = [ply for ply, events in happened if any(isinstance(it, HIGHLIGHTS) for it in events)]

    @property
    def title(self) -> str:
        """The title: the game, its rules, its players."""
        names = listed([sitter.name for sitter in self._sitters[0]], "and")
        return f"game {self.record.id}, {self._positions[0][0].rules.title}, played by {names}"

    @property
    def length(self) -> int:
        """The number of plies."""
        return len(self._positions) - 1

    def look_from(self, viewpoint: Viewpoint) -> None:
        """Show the game from another viewpoint. Raises InputError if there is no such seat."""
        seats = len(self.record.players)
        if isinstance(viewpoint, int) and not 0 <= viewpoint < seats:
            raise InputError("bad_request", f"there are seats 1 to {seats}, not {viewpoint + 1}")
        self.viewpoint: Viewpoint = viewpoint

    def now(self) -> PlaybackPosition:
        """The current ply."""
        state, events = self._positions[self.ply]
        view = open_view(state) if self.viewpoint == OPEN else view_of(state, self.viewpoint)
        before = self._positions[self.ply - 1][0] if self.ply else state
        sitters = self._sitters[self.ply]
        snapshot = Snapshot(NO_TABLE, state.rules, None, sitters, view, self.ply, game=self.record.id, place=RECORD)
        seen = events if self.viewpoint == OPEN else [event.seen_by(self.viewpoint) for event in events]
        told, notes, ending = [*seen, *derived_events(before, state)], self._notes[self.ply], list[str]()
        if state.outcome and state.outcome.winner is not None and notes and notes[-1].startswith(sentence_case(COUNTS)):
            # The note names who has won, which is not told by the cards as well.
            told, ending = [each for each in told if not isinstance(each, GameOver)], after_game(snapshot)
        return PlaybackPosition(snapshot, (*sentences(told, snapshot), *ending, *notes))

    def to(self, ply: int) -> PlaybackPosition:
        """Go to this ply, or to the nearest one that exists."""
        self.ply = min(max(ply, 0), self.length)
        return self.now()

    @property
    def viewpoint_text(self) -> str:
        """Whose view is shown, in words."""
        if isinstance(self.viewpoint, int):
            return f"as {self._sitters[self.ply][self.viewpoint].name} saw it"
        return "as spectators saw it" if self.viewpoint is None else "all cards open"

    @property
    def next_highlight(self) -> int:
        """The ply of the next burn, pick-up or going out; the last ply if there is none."""
        return next((ply for ply in self.highlights if ply > self.ply), self.length)

    @property
    def previous_highlight(self) -> int:
        """The ply of the previous burn, pick-up or going out; the deal if there is none."""
        return next((ply for ply in reversed(self.highlights) if ply < self.ply), 0)


async def playback_of(record: Record, viewpoint: Viewpoint = OPEN) -> Playback:
    """A playback that is computed in pieces, so that others have their turns meanwhile. Raises InputError."""
    return Playback(record, viewpoint, await in_pieces(collected(positions_shown(record))))


def open_view(state: State) -> View:
    """A spectator's view with every held card visible. Only for games that are over."""
    zones = ("hands", "ups", "downs", "reserves")
    return structs.replace(view_of(state, None), **{zone: tuple(getattr(state, zone)) for zone in zones})


def positions_shown(record: Record) -> Iterator[tuple[State, list[Event]]]:
    """The `positions` of a record whose title may be shown."""
    return positions(structs.replace(record, title=clean(record.title)))


def transcript(playback: Playback) -> Iterator[str]:
    """The whole game as lines, each with its ply in front."""
    record, dealt = playback.record, playback.now().snapshot
    yield f"Game {record.id}: {dealt.rules.title}, {datetime.fromtimestamp(record.began, UTC):%Y-%m-%d %H:%M} UTC."
    for seat, player in enumerate(record.players):
        level = f", {player.level}" if player.level else ""
        yield f"Seat {seat + 1}: {dealt.name(seat)}, {KINDS[player.kind]}{level}."
    if dealt.view is not None:
        yield from table_text(structs.replace(dealt, view=structs.replace(dealt.view, seat=None)))
    for ply in range(playback.length + 1):
        yield from (f"{ply:>4}. {line}" for line in playback.to(ply).sentences)


def record_json(record: Record) -> Work[dict[str, Json]]:
    """The game as one JSON object. Seats count from 0; cards, moves and events are as in engine/protocol/README.md.

    ``v`` (1), ``game``, ``rules``, ``title``, ``options``, ``players`` ({name, kind, level}), ``began`` and ``ended``
    (UTC), ``version``, ``commitment``, ``seed``, ``cuts`` ({name, text, seal}; the text is null if a seal was
    not opened, and the seal if there is none), ``no_one_could_choose``, ``dealer``; ``deal``: the position that the
    referee's `play` takes; ``steps``: {ply, seat, move, events} or {note}; ``result``: {outcome, places, plies},
    where places are the seats that went out, the first one first. `ssh HOST replay ID --json` adds ``finishes``.
    Raises InputError if a move is not possible.
    """
    (dealt, _), *played = yield from collected(positions(record))
    steps = yield from collected(_steps_json(record, [events for _, events in played]))
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
        "cuts": [{"name": cut.name, "text": cut.text, "seal": cut.seal or None} for cut in record.cuts],
        "no_one_could_choose": record.no_one_could_choose,
        "dealer": record.dealer,
        "deal": position_json(dealt),
        "steps": steps,
        "result": {
            "outcome": None if end.outcome is None else end.outcome.to_json(),
            "places": list(end.places),
            "plies": len(played),
        },
    }


def _sitters(
    record: Record, notes: Sequence[Sequence[str]], out: Sequence[Collection[int]]
) -> list[tuple[Sitter, ...]]:
    """Who had each seat at each ply: the player who was dealt in, or an AI player from the ply at which they left.

    ``out``: the seats that had gone out; a place is the player's who got it.
    """
    sitters = list[Sitter]()
    for seat, player in enumerate(record.players, 1):
        # A name is cleaned: a record may come from any file.
        name = player.name if player.name == FORMER else clean_name(player.name)
        level = player.level if player.kind == "ai" else None
        sitters.append(Sitter(name or f"seat {seat}", level, bot=player.kind == "bot"))
    found = [tuple(sitters)]
    for after_ply, places in zip(notes[:-1], out, strict=False):
        for taken in filter(None, map(read_seat_taken, after_ply)):
            name, seat = taken
            if seat < len(sitters) and seat not in places:
                sitters[seat] = Sitter(clean_name(name), "")  # the record does not say at which level
        found.append(tuple(sitters))
    return found


def _steps_json(record: Record, happened: list[list[Event]]) -> Iterator[Json]:
    plies = enumerate(happened, 1)
    for step in record.steps:
        if isinstance(step, Note):
            yield {"note": step.text}
        else:
            ply, events = next(plies)
            yield {"ply": ply, "seat": step.seat, "move": step.text, "events": [event.to_json() for event in events]}


def _notes(record: Record) -> list[list[str]]:
    """The notes of a record that follow the deal, then those that follow each ply."""
    notes: list[list[str]] = [[]]
    for step in record.steps:
        if isinstance(step, Note):
            notes[-1].append(clean(step.text))
        else:
            notes.append([])
    return notes
