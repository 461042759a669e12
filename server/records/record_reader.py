"""Reads a record back from its text, line by line, and checks that the game was dealt and played as it says.

`record` describes the format. To deal and play the game again proves that the cards come from a seed that was fixed
before anybody cut them, and that the rules were kept; `fairness` says what follows from that. It does not prove that
nobody saw the cards: a host who plays could.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import count, takewhile
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.errors import InputError
from engine.moves import parse_move
from engine.rules import Json
from engine.wording.phrases import listed, quantity
from server.clean_text import clean
from server.people.players import Player
from server.pieces import Work, at_once
from server.records.fairness import DealCut, seal_of
from server.records.record import (
    FIRST_LINE,
    KINDS,
    NOT_OPENED,
    Note,
    Record,
    RecordedMove,
    RecordedStep,
    checksum,
    derived_lines,
    positions,
    result_lines,
    rules_of,
)
from server.records.syntax import BadRecord, Lines, matched, read_quoted, read_time, split_quoted

_NEWER: Final = re.compile(r"Quatch record ([2-9]|[1-9][0-9]{1,8})")
_KEYS: Final = (
    "checksum|game|rules|title|option|player|began|ended|version|seed|cut by|dealer"
    "|commitment|promise|deck|deal|start|seat|stock|luck|places|result"
)
_UNKNOWN: Final = re.compile(rf"(?!(?:{_KEYS})\b)[a-z][a-z ]{{0,40}}: ")
"""How a line of another release begins."""

_PROMISES: Final = {
    True: "No one could choose the cards: every player, AI players aside, had sealed a cut before.",
    False: "The players could not choose the cards. Who runs the server knew the seed, and could have cut last.",
}


class ParsedRecord(NamedTuple):
    """A record, and what its text says that only playing the game can confirm."""

    record: Record
    checksum: str
    body: str
    """The lines that the checksum is of."""
    moves: list[int]
    """The line number of each move."""
    result: list[tuple[int, str]]
    """The lines of the result, with their numbers."""


def read_record(text: str) -> Record:
    """Read a record, and check the deal against its seed. Raises BadRecord, which says which line is damaged."""
    return at_once(parse_record(text)).record


def parse_record(text: str) -> Work[ParsedRecord]:
    """Read a record with the parts that `verify` needs. Raises BadRecord as `read_record` does."""
    lines = Lines(text, _UNKNOWN)
    if newer := _NEWER.fullmatch(lines.next()):
        raise BadRecord(f"line 1: a newer version of this program has written records of version {newer[1]}; use that")
    lines.same(FIRST_LINE)
    claimed = lines.take("checksum: ", "checksum: and 64 hexadecimal digits", _digest)
    body = lines.rest()
    game_id = lines.take("game: ", "game: and an id of letters and digits", partial(matched, "[0-9A-Za-z]{1,40}"))[0]
    rules = lines.take("rules: ", "rules: and the name of a rule set", str)
    rules_at = lines.number
    record = Record(
        id=game_id,
        rules=rules,
        title=lines.take("title: ", 'a text in quotes, like title: "Quatch"', read_quoted),
        options=_options(lines),
        players=tuple(
            lines.take(f"player {number}: ", f'player {number}, like player {number}: "ana", person', _player)
            for number in takewhile(lambda _: lines.starts("player "), count(1))
        ),
        began=lines.take("began: ", "a time, like began: 2026-11-21T19:03:22Z", read_time),
        ended=lines.take("ended: ", "a time, like ended: 2026-11-21T19:03:22Z", read_time),
        version=lines.take("version: ", 'a text in quotes, like version: "0.1.0"', read_quoted),
        seed=lines.take("seed: ", "seed: and 64 hexadecimal digits", _digest),
        cuts=tuple(_cuts(lines)),
        dealer=lines.take("dealer: ", "dealer: none, or like dealer: seat 1", _dealer),
    )
    try:
        derived = derived_lines(record)
    except InputError as error:
        raise BadRecord(f"line {rules_at}: {error}") from None
    for line in derived:
        lines.same(line)
    steps, moves = yield from _steps(lines, len(record.players))
    result = [_claim(lines, "places: "), _claim(lines, "result: ")]
    lines.end()
    return ParsedRecord(replace(record, steps=steps), claimed, body, moves, result)


def verify(text: str) -> list[str]:
    """Check a record. Returns what was found to be true, in lines. Raises BadRecord, which names the line."""
    return at_once(verifying(text))


def verifying(text: str) -> Work[list[str]]:
    """The work of `verify`."""
    written = yield from parse_record(text)  # also compares the commitment and the deal
    record = written.record
    ply = -1
    try:
        for state, _ in positions(record):
            end = state
            ply += 1
            yield
    except BadRecord as error:
        raise BadRecord(f"line {written.moves[ply]}: {error}") from None
    for (number, said), right in zip(written.result, result_lines(end), strict=True):
        if said != right:
            raise BadRecord(f"line {number}: the moves lead to {right!r}, not {said!r}")
    if written.checksum != checksum(written.body):
        raise BadRecord("line 2: the checksum is of another text: something has been changed since")
    cuts = sum(cut.text is not None for cut in record.cuts)
    return [
        f"Game {record.id}: {clean(rules_of(record).title)}, {len(record.players)} players.",
        "The commitment is that of this seed.",
        f"The cards were dealt by this seed{' and ' + quantity(cuts, 'cut') if cuts else ' alone'}.",
        _PROMISES[record.no_one_could_choose],
        f"Every move is allowed by the rules: {quantity(ply, 'move')}.",
        f"They lead to the result: {_named_result(written.result[-1][1].removeprefix('result: '), record.players)}."
        if end.outcome
        else "After them the game was abandoned: it has no result.",
    ]


def _named_result(text: str, players: Sequence[Player]) -> str:
    """The result with names: "Fox (seat 2) wins", "drawn between ana (seat 1) and Fox (seat 2)"."""
    named = [f"{clean(players[int(seat) - 1].name)} (seat {seat})" for seat in re.findall(r"\d+", text)]
    return re.sub(r"seats?( \d+)+", lambda _: listed(named, "and"), text)


def _options(lines: Lines) -> dict[str, Json]:
    options: dict[str, Json] = {}
    while lines.starts("option "):
        example = "another key of the rules, like option draw.to: 3"
        key, value = lines.take("option ", example, partial(_option, taken=options))
        options[key] = value
    return options


def _cuts(lines: Lines) -> Iterator[DealCut]:
    """The cuts. Raises BadRecord also if a text is not the one that was sealed."""
    while lines.starts("cut by "):
        cut = lines.take("cut by ", 'two texts, like cut by "ana": "seven"', _cut)
        if cut.seal and cut.text is not None and seal_of(cut.text) != cut.seal:
            raise BadRecord(f"line {lines.number}: the text is not the one that was sealed")
        yield cut


def _steps(lines: Lines, seats: int) -> Work[tuple[tuple[RecordedStep, ...], list[int]]]:
    """The steps, and the line number of each move."""
    steps: list[RecordedStep] = []
    moves: list[int] = []
    while not lines.starts("places: "):
        if lines.starts("#"):
            steps.append(lines.take("# ", "# and a note", lambda text: Note(read_quoted(f'"{text}"'))))
        else:
            ply = len(moves) + 1
            example = f"move {ply} of seat 1 to {seats}, like {ply}. seat 1: play 7 7"
            steps.append(lines.take(f"{ply}. seat ", example, partial(_move, seats=seats)))
            moves.append(lines.number)
        yield
    return tuple(steps), moves


def _claim(lines: Lines, key: str) -> tuple[int, str]:
    line = key + lines.take(key, f"{key}and what the moves led to", str)
    return lines.number, line


# Parsers of what follows the prefix of a line. Each raises ValueError.


def _digest(text: str) -> str:
    return matched("[0-9a-f]{64}", text)[0]


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


def _cut(text: str) -> DealCut:
    name, rest = split_quoted(text)
    found = matched(r"(?: \(seat ([1-9][0-9]?), sealed ([0-9a-f]{64})\))?: (.+)", rest)
    if found[2] is None:
        return DealCut(name, read_quoted(found[3]))
    return DealCut(name, None if found[3] == NOT_OPENED else read_quoted(found[3]), found[2], int(found[1]) - 1)


def _dealer(text: str) -> int | None:
    return None if text == "none" else int(matched("seat ([1-9][0-9]?)", text)[1]) - 1


def _move(text: str, seats: int) -> RecordedMove:
    found = matched("([1-9][0-9]?): (.+)", text)
    if int(found[1]) > seats:
        raise ValueError(text)
    return RecordedMove(int(found[1]) - 1, str(parse_move(found[2])))
