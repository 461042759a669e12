"""A finished game as text that a person can read: players, deal and seed, every move, the result.

The text says more than a `Record` holds: the commitment, the deal and the result follow from the rest. They are written
out so that a person can read them and a program can compare them. Seats count from 1, as on every screen. The lines:

    Quatch record 1                       the version of the format
    checksum: 5be1...                     SHA-256 of the following lines, against damage, not forgery
    game, rules, title, option KEY, player N, began, ended, version, seed, cut by "NAME", dealer
    commitment: 9c04...                   published before the deal
    promise: no one could choose the cards, or: the players could not choose the cards   (only if a cut was sealed)
    deck: 1 4 4 4 4 4 4 4 1 4 4 4 4       copies of each rank, from the 2 to the ace
    deal: 3 down, 3 up, 3 in hand         cards for each seat, dealt one at a time in this order
    start: lowest                         the rule that decides who starts
    seat 1: down 9c 3d Ah, up 2s Td Ad, hand 6h 6s 8c
    stock: 4h 9d Kc                       the next card drawn comes first
    luck: 2 1 3                           who wins ties, best first
    1. seat 2: swap K 4                   the moves, as in engine/protocol/README.md
    # ana went away.                      a note, in its place among the moves
    places: 2 1 3                         who went out, in this order
    result: seat 2 wins                   or: drawn between seats 1 2; or: abandoned

The line of a cut that was sealed before the deal has the seat and the seal, SHA-256 of the text. A cut that was not
opened in time has no text, and no part in the deal:

    cut by "bo" (seat 2, sealed 77aa...): "text"
    cut by "cy" (seat 3, sealed 01be...): not opened

Blank lines mean nothing, and lines with another key are passed over: another release of the same version may write
some. Texts that players chose are JSON strings with everything escaped that does not print. The
lines from `game` to `start` are all that deploy/verify_deal.py needs to deal again without this program. `read_record`
(in `record_reader`) reads the text back.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from engine.cards import Card, card_name, cards_in
from engine.errors import InputError
from engine.events import Event
from engine.game import deal, play
from engine.moves import Move, parse_move
from engine.opening import deal_cards
from engine.rules import Json, Rules
from engine.rulesets import ruleset
from engine.state import State
from engine.view import View, view_of
from server.people.players import Kind, Player
from server.pieces import Work
from server.records.fairness import PROMISES, DealCut, commitment, deal_seed, no_one_could_choose
from server.records.syntax import BadRecord, quoted, time_text

FIRST_LINE: Final = "Quatch record 1"
NOT_OPENED: Final = "not opened"
KINDS: Final[Mapping[Kind, str]] = {"person": "person", "ai": "AI player", "bot": "bot"}
"""The kinds of player as text."""


class RecordedMove(Struct, frozen=True):
    """A move of a seat, written as in engine/protocol/README.md."""

    seat: int
    text: str


class Note(Struct, frozen=True):
    """An event between moves: a player took a seat, went away or came back."""

    text: str


CLOCK_RAN_OUT: Final = "let the clock run out"
IS_GONE: Final = "is gone"
IS_AWAY: Final = "is away"
IS_BACK: Final = "is back"
REASONS: Final = (CLOCK_RAN_OUT, IS_GONE, IS_AWAY)
"""Why an AI player plays for a player. `IS_AWAY` is the reason at the deal for all who were away before."""
_SEAT_TAKEN: Final = re.compile(r"(?:.+ has left; )?(\S+) plays seat ([1-9][0-9]?)")


def seat_taken(left: str, name: str, seat: int) -> Note:
    """The note that a player has taken a seat, which another has left (or nobody, if that is empty)."""
    return Note(f"{left} has left; {name} plays seat {seat + 1}" if left else f"{name} plays seat {seat + 1}")


def read_seat_taken(note: str) -> tuple[str, int] | None:
    """The name and the seat of the player who has taken a seat, if this is a note of `seat_taken`."""
    found = _SEAT_TAKEN.fullmatch(note)
    return (found[1], int(found[2]) - 1) if found else None


def went_away(name: str, why: str, level: str) -> Note:
    """The note that an AI player of this level plays for a player; ``why`` is one of `REASONS`."""
    return Note(f"{name} {why}; an AI player ({level}) plays on")


RecordedStep: TypeAlias = RecordedMove | Note


class Record(Struct, frozen=True):
    """One game that was played to its end, or abandoned."""

    id: str
    rules: str
    """The name of the rule set; the options change it."""
    title: str
    options: dict[str, Json]
    players: tuple[Player, ...]
    """The players dealt in, by seat. The text has only name, kind and level: their keys are private."""
    seed: str
    """The committed seed: 64 hexadecimal digits."""
    cuts: tuple[DealCut, ...] = ()
    """In the order in which they were made or sealed."""
    dealer: int | None = None
    began: float = 0.0
    ended: float = 0.0
    """Seconds since 1970."""
    version: str = ""
    """The version of the program that the game was played with."""
    steps: tuple[RecordedStep, ...] = ()

    @property
    def moves(self) -> list[RecordedMove]:
        """The moves among the steps; the first is ply 1."""
        return [step for step in self.steps if isinstance(step, RecordedMove)]

    def own_plies(self, seat: int) -> list[int]:
        """The plies that the player dealt in at a seat made: not those of AI players in their place."""
        name = self.players[seat].name
        went, ply, is_here, plies = tuple(f"{name} {why}; " for why in REASONS), 0, True, list[int]()
        for step in self.steps:
            if isinstance(step, RecordedMove):
                ply += 1
                plies += [ply] if step.seat == seat and is_here else []
            elif (taken := read_seat_taken(step.text)) and taken[1] == seat:
                break
            else:
                is_here = (is_here or step.text == f"{name} {IS_BACK}") and not step.text.startswith(went)
        return plies

    @property
    def no_one_could_choose(self) -> bool:
        """Whether no one could choose the cards; if not, the players still could not."""
        return no_one_could_choose(self.players, self.cuts)


# Playing a record.


def rules_of(record: Record) -> Rules:
    """The rules it was played by. Raises InputError if there are no such rules."""
    rules = ruleset(record.rules)
    return rules.overridden(record.options, record.title or rules.title) if record.options else rules


def positions(record: Record) -> Iterator[tuple[State, list[Event]]]:
    """Yields the game after the deal and after each ply, each with the events that led to it.

    Raises InputError if the game cannot be dealt, and BadRecord if a move is not possible.
    """
    seed = deal_seed(record.seed, record.cuts)
    state, events = deal(rules_of(record), len(record.players), seed, record.dealer)
    yield state, events
    for ply, move in enumerate(record.moves, 1):
        try:
            state, events = play(state, move.seat, parse_move(move.text))
        except InputError as error:
            raise BadRecord(f"move {ply} of seat {move.seat + 1} is not possible: {move.text}: {error}") from None
        yield state, events


# Writing.


def write_record(record: Record) -> str:
    """The game as text. Raises InputError if the game is not possible."""
    *_, (end, _) = positions(record)
    lines = ["", *_head(record), "", *derived_lines(record), "", *_step_lines(record.steps), "", *result_lines(end)]
    body = "".join(f"{line}\n" for line in lines)
    return f"{FIRST_LINE}\nchecksum: {checksum(body)}\n{body}"


def checksum(body: str) -> str:
    """The checksum in the second line: SHA-256 of the lines behind it."""
    return hashlib.sha256(body.encode()).hexdigest()


def derived_lines(record: Record) -> list[str]:
    """The lines that follow from the seed and the cuts: the commitment and the deal. Raises InputError."""
    rules, seats = rules_of(record), range(len(record.players))
    dealt = deal_cards(rules, len(seats), deal_seed(record.seed, record.cuts), record.dealer)
    return [
        f"commitment: {commitment(record.id, record.seed)}",
        *([f"promise: {PROMISES[record.no_one_could_choose]}"] if any(cut.seal for cut in record.cuts) else []),
        f"deck: {' '.join(map(str, rules.deck_copies))}",
        f"deal: {rules.deal_down} down, {rules.deal_up} up, {rules.deal_hand} in hand",
        f"start: {rules.start_who}",
        *(f"seat {seat + 1}: {_dealt_to(dealt, seat)}" for seat in seats),
        f"stock: {_names(reversed(dealt.stock)) or 'none'}",
        f"luck: {_seats(dealt.luck)}",
    ]


def _head(record: Record) -> Iterator[str]:
    """The lines that follow from nothing else in the record."""
    yield f"game: {record.id}"
    yield f"rules: {record.rules}"
    yield f"title: {quoted(record.title)}"
    yield from (f"option {key}: {json.dumps(value)}" for key, value in record.options.items())
    for number, player in enumerate(record.players, 1):
        level = f", {player.level}" if player.level else ""
        yield f"player {number}: {quoted(player.name)}, {KINDS[player.kind]}{level}"
    yield f"began: {time_text(record.began)}"
    yield f"ended: {time_text(record.ended)}"
    yield f"version: {quoted(record.version)}"
    yield f"seed: {record.seed}"
    for cut in record.cuts:
        sealed = "" if cut.seat is None else f" (seat {cut.seat + 1}, sealed {cut.seal})"
        yield f"cut by {quoted(cut.name)}{sealed}: {NOT_OPENED if cut.text is None else quoted(cut.text)}"
    yield f"dealer: {'none' if record.dealer is None else f'seat {record.dealer + 1}'}"


def _step_lines(steps: Iterable[RecordedStep]) -> Iterator[str]:
    ply = 0
    for step in steps:
        if isinstance(step, Note):
            yield f"# {quoted(step.text)[1:-1]}"
        else:
            ply += 1
            yield f"{ply}. seat {step.seat + 1}: {parse_move(step.text)}"


def result_lines(end: State) -> list[str]:
    """The result: who went out, in order, and who won."""
    result = "abandoned"
    if end.outcome is not None:
        drawn, winner = end.outcome.drawn, end.outcome.winner
        result = f"drawn between seats {_seats(drawn)}" if winner is None else f"seat {winner + 1} wins"
    return [f"places: {_seats(end.places) or 'none'}", f"result: {result}"]


def _dealt_to(dealt: State, seat: int) -> str:
    zones = {"down": dealt.downs[seat], "up": cards_in(dealt.ups[seat]), "hand": cards_in(dealt.hands[seat])}
    return ", ".join(f"{zone} {names}" for zone, cards in zones.items() if (names := _names(cards)))


def _names(cards: Iterable[Card | None]) -> str:
    return " ".join(card_name(card) for card in cards if card is not None)


def _seats(seats: Iterable[int]) -> str:
    return " ".join(str(seat + 1) for seat in seats)


class Decision(Struct, frozen=True):
    """One decision in a finished game: the ply it made, the view its player had, and the chosen move."""

    ply: int
    view: View
    made: Move


def decisions_of(record: Record, seat: int) -> Work[list[Decision]]:
    """Every decision of the player dealt in at a seat, arranging and moves of AI players in their place left out.

    Raises InputError if the record is no possible game.
    """
    own, found = set(record.own_plies(seat)), list[Decision]()
    for ply, ((state, _), move) in enumerate(zip(positions(record), record.moves, strict=False), 1):
        if ply in own and state.phase == "play":
            found.append(Decision(ply, view_of(state, seat), parse_move(move.text)))
        yield
    return found
