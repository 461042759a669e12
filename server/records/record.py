"""A finished game: who played, the deal and its seed, every move, the result. As text for people, read back exactly.

The text says more than a `Record` holds: the commitment, the cards dealt and the result follow from it, and stand there
so that a person can read them and anybody can compare. Seats count from 1, as on every screen. In this order:

    Quatch record 1                       the format and its version
    checksum: 5be1...                     SHA-256 of all that follows: against damage, not against forgery
    game, rules, title, option KEY, player N, began, ended, version, seed, cut by "NAME", dealer
    commitment: 9c04...                   what was published before the deal
    deck: 1 4 4 4 4 4 4 4 1 4 4 4 4       copies of each rank, from the 2 to the ace
    deal: 3 down, 3 up, 3 in hand         cards for each seat, dealt one at a time in this order
    start: lowest                         what decides who starts
    seat 1: down 9c 3d Ah, up 2s Td Ad, hand 6h 6s 8c
    stock: 4h 9d Kc                       the next card drawn comes first
    luck: 2 1 3                           to whom ties fall; where no card decides it, the starter first
    1. seat 2: swap K 4                   the moves, as rules/REFEREE.md writes them
    # ana went away.                      what is no move, in its place
    places: 2 1 3                         who went out, in this order
    result: seat 2 wins                   or between whom it is drawn, or that it was abandoned

Blank lines mean nothing. What people chose is written as JSON writes it, with everything escaped that does not print.
The lines from `game` to `start` are all that deploy/verify_deal.py needs to deal again without this program.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from engine.errors import InputError
from engine.events import Event
from engine.game import deal, play
from engine.moves import parse_move
from engine.rules import Json, Rules
from engine.rulesets import ruleset
from engine.state import State
from server.people.players import Kind, Player
from server.records.deal_text import deal_lines, result_lines
from server.records.fairness import commitment, deal_seed
from server.records.text_lines import BadRecord, Lines, matched, quoted, read_quoted, read_time, split_quoted, time_text

FIRST_LINE: Final = "Quatch record 1"
KINDS: Final[Mapping[Kind, str]] = MappingProxyType({"person": "person", "ai": "AI player", "bot": "bot"})
"""What kind of player somebody is, in words."""


@dataclass(frozen=True, slots=True)
class Move:
    """A seat moved; the text is as REFEREE writes moves."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something that is no move: somebody took a seat, went away or came back."""

    text: str


Step: TypeAlias = Move | Note


@dataclass(frozen=True, slots=True)
class Record:
    """Everything about one game that was played to its end, or abandoned."""

    id: str
    rules: str
    """The name of the rule set; with the options it is what was played."""
    title: str
    options: dict[str, Json]
    players: tuple[Player, ...]
    """Who was dealt in, by seat. Written by name, kind and level alone: who they proved to be is nobody's business."""
    seed: str
    """As committed to: 64 hexadecimal digits."""
    cuts: tuple[tuple[str, str], ...] = ()
    """The names of those who cut and what they typed, in that order."""
    dealer: int | None = None
    began: float = 0.0
    ended: float = 0.0
    """Seconds since 1970."""
    version: str = ""
    """The version of the program that played it."""
    steps: tuple[Step, ...] = field(default=())

    @property
    def moves(self) -> list[Move]:
        """The steps that are moves: ply 1 comes first."""
        return [step for step in self.steps if isinstance(step, Move)]


# The game that a record is of.


def rules_of(record: Record) -> Rules:
    """The rules it was played by. Raises InputError where there are no such rules."""
    rules = ruleset(record.rules)
    return rules.overridden(record.options, record.title or rules.title) if record.options else rules


def positions(record: Record) -> Iterator[tuple[State, list[Event]]]:
    """The game after the deal and after each ply, with what had just happened.

    Raises:
        InputError: it cannot be dealt, or (BadRecord), when its turn comes, a move is not possible.
    """
    state, events = deal(rules_of(record), len(record.players), _deal_seed(record), record.dealer)
    yield state, events
    for ply, move in enumerate(record.moves, 1):
        try:
            state, events = play(state, move.seat, parse_move(move.text))
        except InputError as error:
            raise BadRecord(f"move {ply} of seat {move.seat + 1} is not possible: {move.text}: {error}") from None
        yield state, events


def _deal_seed(record: Record) -> str:
    return deal_seed(record.seed, [text for _, text in record.cuts])


# Writing.


def write_record(record: Record) -> str:
    """The game as text. Raises InputError where it cannot have been played like this."""
    *_, (end, _) = positions(record)
    lines = ["", *_head(record), "", *derived_lines(record), "", *_step_lines(record.steps), "", *result_lines(end)]
    body = "".join(f"{line}\n" for line in lines)
    return f"{FIRST_LINE}\nchecksum: {checksum(body)}\n{body}"


def checksum(body: str) -> str:
    """What the second line says of all the lines behind it."""
    return hashlib.sha256(body.encode()).hexdigest()


def derived_lines(record: Record) -> list[str]:
    """What follows from the seed and the cuts: the commitment and the deal."""
    committed = f"commitment: {commitment(record.id, record.seed)}"
    return [committed, *deal_lines(rules_of(record), len(record.players), _deal_seed(record), record.dealer)]


def _head(record: Record) -> Iterator[str]:
    """What only the record knows."""
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
    yield from (f"cut by {quoted(name)}: {quoted(text)}" for name, text in record.cuts)
    yield f"dealer: {'none' if record.dealer is None else f'seat {record.dealer + 1}'}"


def _step_lines(steps: Iterable[Step]) -> Iterator[str]:
    ply = 0
    for step in steps:
        if isinstance(step, Note):
            yield f"# {quoted(step.text)[1:-1]}"
        else:
            ply += 1
            yield f"{ply}. seat {step.seat + 1}: {parse_move(step.text)}"


# Reading.


class Written(NamedTuple):
    """A record, and what its text says besides that only playing the game can confirm."""

    record: Record
    checksum: str
    body: str
    """What the checksum is of."""
    moves: list[int]
    """The number of the line of each move."""
    result: list[tuple[int, str]]
    """The lines that tell the result, with their numbers."""


def read_record(text: str) -> Record:
    """The game that a text is of, dealt as its seed says; whether it can be played like this is `verify`'s question.

    Raises:
        BadRecord: a line is damaged; the message says which, and what would be right.
    """
    return read_written(text).record


def read_written(text: str) -> Written:
    """The record and everything that its text says. Raises BadRecord as `read_record` does."""
    lines = Lines(text)
    lines.same(FIRST_LINE)
    claimed = lines.take("checksum: ", "checksum: and 64 hexadecimal digits", _digest)
    body = lines.rest()
    game_id = lines.take("game: ", "game: and an id of letters and digits", _id)
    rules = lines.take("rules: ", "rules: and the name of a rule set", str)
    rules_at = lines.number
    record = Record(
        id=game_id,
        rules=rules,
        title=lines.take("title: ", 'a text in quotes, like title: "Quatch"', read_quoted),
        options=_options(lines),
        players=_players(lines),
        began=lines.take("began: ", "a time, like began: 2026-11-21T19:03:22Z", read_time),
        ended=lines.take("ended: ", "a time, like ended: 2026-11-21T19:03:22Z", read_time),
        version=lines.take("version: ", 'a text in quotes, like version: "0.1.0"', read_quoted),
        seed=lines.take("seed: ", "seed: and 64 hexadecimal digits", _digest),
        cuts=tuple(lines.several("cut by ", 'two texts, like cut by "ana": "seven"', _cut)),
        dealer=lines.take("dealer: ", "dealer: none, or like dealer: seat 1", _dealer),
    )
    try:
        derived = derived_lines(record)
    except InputError as error:
        raise BadRecord(f"line {rules_at}: {error}") from None
    for line in derived:
        lines.same(line)
    steps, moves = _steps(lines, len(record.players))
    result = [_claim(lines, "places: "), _claim(lines, "result: ")]
    lines.end()
    return Written(replace(record, steps=steps), claimed, body, moves, result)


def _options(lines: Lines) -> dict[str, Json]:
    options: dict[str, Json] = {}
    while lines.starts("option "):
        example = "another key of the rules, like option draw.to: 3"
        key, value = lines.take("option ", example, partial(_option, taken=options))
        options[key] = value
    return options


def _players(lines: Lines) -> tuple[Player, ...]:
    players: list[Player] = []
    while lines.starts("player "):
        number = len(players) + 1
        example = f'player {number}, like player {number}: "ana", person'
        players.append(lines.take(f"player {number}: ", example, _player))
    return tuple(players)


def _steps(lines: Lines, seats: int) -> tuple[tuple[Step, ...], list[int]]:
    """The steps, and on which line each move stands."""
    steps: list[Step] = []
    moves: list[int] = []
    while not lines.starts("places: "):
        if lines.starts("#"):
            steps.append(lines.take("# ", "# and a note", _note))
        else:
            ply = len(moves) + 1
            example = f"move {ply} of seat 1 to {seats}, like {ply}. seat 1: play 7 7"
            steps.append(lines.take(f"{ply}. seat ", example, partial(_move, seats=seats)))
            moves.append(lines.number)
    return tuple(steps), moves


def _claim(lines: Lines, key: str) -> tuple[int, str]:
    line = key + lines.take(key, f"{key}and what the moves led to", str)
    return lines.number, line


# What stands behind the prefix of a line. Each raises ValueError.


def _digest(text: str) -> str:
    return matched("[0-9a-f]{64}", text)[0]


def _id(text: str) -> str:
    return matched("[0-9A-Za-z]{1,40}", text)[0]


def _option(text: str, taken: Mapping[str, Json]) -> tuple[str, Json]:
    found = matched("([0-9A-Za-z_.]{1,40}): (.{1,200})", text)
    if found[1] in taken:
        raise ValueError(text)
    return found[1], json.loads(found[2])


def _player(text: str) -> Player:
    name, rest = split_quoted(text)
    found = matched(f", ({'|'.join(KINDS.values())})(?:, ([a-z-]+))?", rest)
    kind = next(kind for kind, words in KINDS.items() if words == found[1])
    return Player("", name, kind, found[2])


def _cut(text: str) -> tuple[str, str]:
    name, rest = split_quoted(text)
    return name, read_quoted(matched(": (.+)", rest)[1])


def _dealer(text: str) -> int | None:
    return None if text == "none" else int(matched("seat ([1-9][0-9]?)", text)[1]) - 1


def _move(text: str, seats: int) -> Move:
    found = matched("([1-9][0-9]?): (.+)", text)
    if int(found[1]) > seats:
        raise ValueError(text)
    return Move(int(found[1]) - 1, str(parse_move(found[2])))


def _note(text: str) -> Note:
    return Note(read_quoted(f'"{text}"'))
