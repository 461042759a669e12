"""Records of games for tests: random players, seeds that are named, notes and cuts in between."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random

from msgspec.structs import replace

from engine.game import play
from engine.rules import Json
from server.people.players import Player
from server.records.fairness import DealCut
from server.records.record import Note, Record, RecordedMove, RecordedStep, positions
from tests.support.random_games import Table, random_move

GOLDEN = Path(__file__).parents[1] / "golden" / "record.txt"
"""The record of a game between ana and Fox, by house rules with mirrors; its id is `GAME`."""
GAME = "7KQ2M9XA"
PLAYERS = (
    Player("", "ana"),
    Player("", "Fox", "ai", "hard"),
    Player("", "bo"),
    Player("", "Owl", "ai", "easy"),
)
"""As they are read back: without their identities."""


def dealt(rules: str, seats: int, name: str = "", options: Mapping[str, Json] | None = None) -> Record:
    """A game that has not been played yet; the name makes its seed."""
    digest = hashlib.sha256(f"{rules} {seats} {name}".encode())
    return Record(
        id=digest.hexdigest()[:8].upper(),
        rules=rules,
        title="A game",
        options=dict(options or {}),
        players=PLAYERS[:seats],
        seed=digest.hexdigest(),
        began=1795287802.25,
        ended=1795288269.0,
        version="0.1.0",
    )


def played(record: Record) -> Record:
    """The same game, played to its end at random; now and then a player comes or goes."""
    rng = Random(record.seed)
    ((state, _),) = positions(record)
    steps: list[RecordedStep] = [Note("ana took seat 1.")]
    while state.phase != "over":
        seat, move = random_move(state, rng)
        state, _ = play(state, seat, move)
        steps.append(RecordedMove(seat, str(move)))
        if rng.random() < 0.02:
            steps.append(Note(rng.choice(["bo went away.", "bo is back."])))
    return replace(record, steps=tuple(steps))


def random_deal(at: Table, number: int) -> Record:
    """A game of this table that has not been played yet, with what the number makes of dealer and cuts."""
    rng = Random(number)
    cuts = tuple(DealCut(player.name, f"{rng.random()}") for player in PLAYERS[: rng.randint(0, 2)])
    record = dealt(at.rules, at.seats, str(number), json.loads(at.options))
    return replace(record, cuts=cuts, dealer=rng.choice([None, *range(at.seats)]))


@cache
def random_record(at: Table, number: int) -> Record:
    """The same game, played to its end."""
    return played(random_deal(at, number))
