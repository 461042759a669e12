"""Checks that a game was dealt and played as its record says, by dealing and playing it again.

This proves that the cards come from a seed that was fixed before anybody cut them, and that the rules were kept;
`fairness` says what follows from that. It does not prove that nobody saw the cards: a host who plays could.
"""

import re
from collections.abc import Sequence
from typing import Final

from engine.wording.phrases import listed, quantity
from server.clean_text import clean
from server.people.players import Player
from server.pieces import Work, at_once
from server.records.record import checksum, positions, result_lines, rules_of
from server.records.record_reader import parse_record
from server.records.syntax import BadRecord

_PROMISES: Final = {
    True: "No one could choose the cards: every player, AI players aside, had sealed a cut before.",
    False: "The players could not choose the cards. The host of the server knew the seed, and could have cut last.",
}


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
