"""One seat's finished game looked back on: whose turns they are, and what thinking about each of them comes to.

What is thought about are views and moves, one turn at a time, so that AI players are not kept waiting.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.ai.review import CLOSER_SIMULATIONS, SIMULATIONS, Judgement, costliest, doubtful
from engine.errors import InputError
from engine.rules import Json
from engine.wording.phrases import listed
from server.ai.pool import AIPool, ReviewQuestion
from server.history.replay import Turn, turns_of
from server.records.record import Record
from server.records.results import Result

WHICH: Final = "which game? Say review ID: replay lists the latest"
"""What to say to whoever names none where none is meant."""
USUAL_TURNS: Final = 60
"""With more turns than that each is looked at less often."""

Tick = Callable[[int], None]
"""Told after each turn how many have been looked at."""


@dataclass(frozen=True, slots=True)
class Past:
    """What is to be looked back on: a game that is over, and one of its seats."""

    record: Record
    seat: int
    is_own: bool
    """Whether it was the seat of whoever asks."""

    @property
    def name(self) -> str:
        """Who was dealt in there."""
        return self.record.players[self.seat].name


@dataclass(frozen=True, slots=True)
class Review:
    """What looking back came to."""

    past: Past
    turns: tuple[Turn, ...]
    judgements: tuple[Judgement, ...]
    """By turn."""

    @property
    def costliest(self) -> list[int]:
        """The turns that cost most, by number, the worst first."""
        return costliest(self.judgements)

    def to_json(self) -> dict[str, Json]:
        """As JSON; seats count from 0 and plies from 1, chances and costs are of 1."""
        return {
            "game": self.past.record.id,
            "rules": self.past.record.rules,
            "seat": self.past.seat,
            "name": self.past.name,
            "turns": [_turn_json(turn, each) for turn, each in zip(self.turns, self.judgements, strict=True)],
            "costliest": [self.turns[number].ply for number in self.costliest],
        }


async def look_back(past: Past, ai_pool: AIPool, tick: Tick = lambda _: None, *, who: str | None = None) -> Review:
    """Think about every turn of the seat, and once more about those that seem to have cost most.

    Raises InputError where the record is no game, where the seat never had a turn, or where too many look back
    now, or ``who`` does.
    """
    turns = turns_of(past.record, past.seat)
    if not turns:
        raise InputError("bad_request", f"seat {past.seat + 1} had no turn in game {past.record.id}")
    simulations = SIMULATIONS * USUAL_TURNS // max(USUAL_TURNS, len(turns))
    with ai_pool.review_task(who):
        judgements = list[Judgement]()
        for number, turn in enumerate(turns):
            judgements.append(await ai_pool.judge(_question(past, turn, simulations)))
            tick(number + 1)
        for number in doubtful(judgements):
            judgements[number] = await ai_pool.judge(_question(past, turns[number], CLOSER_SIMULATIONS))
    return Review(past, tuple(turns), tuple(judgements))


def past_of(
    record: Record, named: str, *, result: Result | None = None, identity: str | None = None, name: str = ""
) -> Past:
    """The game, and the seat that somebody means.

    It is the one they name, else that of their key, else that of a person of their name, else the only person's.
    Raises InputError that lists the seats.
    """
    players = record.players
    keys = [] if result is None else [finish.key for finish in result.finishes]
    persons = [seat for seat, player in enumerate(players) if player.kind == "person"]
    own = [seat for seat, key in enumerate(keys) if identity and key == identity]
    own = own or [seat for seat in persons if players[seat].name == name]
    if named.isascii() and named.isdigit() and 0 < int(named[:3]) <= len(players):
        seat = int(named[:3]) - 1
    elif not named and len(own or persons) == 1:
        (seat,) = own or persons
    else:
        there = listed([f"{seat} ({player.name})" for seat, player in enumerate(players, 1)])
        raise InputError("bad_request", f"whose turns? Name a seat of game {record.id}: {there}")
    return Past(record, seat, seat in own)


def _question(past: Past, turn: Turn, simulations: int) -> ReviewQuestion:
    return ReviewQuestion(turn.view, turn.made, f"{past.record.id} {turn.ply} {simulations}", simulations)


def _turn_json(turn: Turn, judgement: Judgement) -> dict[str, Json]:
    found: dict[str, Json] = {"ply": turn.ply, "made": str(turn.made), "chance": round(judgement.chance, 3)}
    if judgement.better is not None:
        found |= {"better": str(judgement.better), "cost": round(judgement.cost, 3), "reason": judgement.reason}
    return found


def seat_and_game(words: Sequence[str]) -> tuple[str, str]:
    """What ``[ID] [SEAT]`` names: the game and the seat, empty where it does not."""
    seat = words[-1] if words and len(words[-1]) < 3 else ""
    return (words[0] if len(words) > bool(seat) else ""), seat
