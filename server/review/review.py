"""Reviews one seat's finished game: which decisions cost most, and what would have been better.

AI workers judge one decision at a time, so that AI players at tables do not have to wait.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from engine.ai.judging import CLOSER, SIMULATIONS, Judgement, confirmed, costliest, doubtful, turning_points
from engine.ai.verdict import Depth
from engine.errors import InputError
from engine.rules import Json
from engine.wording.phrases import listed
from server.ai.pool import AIPool
from server.pieces import in_pieces
from server.records.record import Decision, Record, decisions_of
from server.records.results import Result

FEW_TURNS: Final = 10
"""If a game has more decisions, each gets fewer simulations, so that a review takes seconds."""

Tick = Callable[[int, int], None]
"""Called with the number of decisions judged so far and of all: at once, and again after each."""


class ReviewSubject(Struct, frozen=True):
    """What is reviewed: a finished game and one of its seats."""

    record: Record
    seat: int
    is_own: bool
    """Whether the seat was that of the player who asks."""

    @property
    def name(self) -> str:
        """The name of the player who was dealt in at the seat."""
        return self.record.players[self.seat].name


class Review(Struct, frozen=True):
    """The result of a review."""

    subject: ReviewSubject
    turns: tuple[Decision, ...]
    judgements: tuple[Judgement, ...]
    """One for each decision."""
    unchecked: int = 0
    """How many moves seemed to have cost something, but less than those that were judged again."""

    @property
    def costliest(self) -> list[int]:
        """The indices of the decisions that cost most, the worst first."""
        return costliest(self.judgements)

    @property
    def turning_points(self) -> list[int]:
        """The indices of the decisions after which the chance changed most."""
        return turning_points(self.judgements)


async def review_game(subject: ReviewSubject, ai_pool: AIPool, tick: Tick = lambda _, __: None) -> Review:
    """Judge every decision of the seat, then again those that seem to have cost most.

    Raises InputError if the game is not possible, or the seat had no decision.
    """

    async def judged(turn: Decision, depth: Depth) -> Judgement:
        return await ai_pool.judge(turn.view, turn.made, f"{subject.record.id} {turn.ply}", depth)

    turns = await in_pieces(decisions_of(subject.record, subject.seat))
    if not turns:
        raise InputError("bad_request", f"seat {subject.seat + 1} had no turn in game {subject.record.id}")
    glance = Depth(SIMULATIONS * FEW_TURNS // max(FEW_TURNS, len(turns)))
    judgements = list[Judgement]()
    tick(0, len(turns))
    for turn in turns:
        judgements.append(await judged(turn, glance))
        tick(len(judgements), len(turns))
    closer = {number: await judged(turns[number], CLOSER) for number in doubtful(judgements)}
    unchecked = sum(each.better is not None for each in judgements) - len(closer)
    return Review(subject, tuple(turns), tuple(confirmed(judgements, closer)), unchecked)


def review_subject(
    record: Record, named: str, *, result: Result | None = None, account: str | None = None, name: str = ""
) -> ReviewSubject:
    """Find the seat to review: the named one, else that of the account, else that of the name, else the only person's.

    ``named``: its number, or the name of its player. Raises InputError, which lists the seats, if none gives one seat.
    """
    players = record.players
    keys = [] if result is None else [finish.key for finish in result.finishes]
    persons = [seat for seat, player in enumerate(players) if player.kind == "person"]
    own = [seat for seat, key in enumerate(keys) if account and key == account]
    own = own or [seat for seat in persons if players[seat].name == name]
    named = named.casefold()
    meant = [seat for seat, player in enumerate(players) if named in {str(seat + 1), player.name.casefold()}]
    meant = meant if named else own or persons
    if len(meant) != 1:
        there = listed([f"{seat} ({player.name})" for seat, player in enumerate(players, 1)])
        raise InputError("bad_request", f"whose turns? Name a seat of game {record.id}: {there}")
    return ReviewSubject(record, meant[0], meant[0] in own)


def reviewed_game(review: Review) -> Mapping[str, Json]:
    """A review as JSON. Seats count from 0 and plies from 1; chances and costs are between 0 and 1.

    ``chance`` is that with the best move, ``cost`` what the move that was made left less.
    """
    subject, record = review.subject, review.subject.record
    return {
        "game": record.id,
        "rules": record.rules,
        "seat": subject.seat,
        "name": subject.name,
        "turns": [_turn(turn, each) for turn, each in zip(review.turns, review.judgements, strict=True)],
        "costliest": [review.turns[number].ply for number in review.costliest],
        "turning_points": [review.turns[number].ply for number in review.turning_points],
    }


def _turn(turn: Decision, judgement: Judgement) -> Mapping[str, Json]:
    """A decision as JSON; if another move was better, with the line in which the game could have gone on after it."""
    found: dict[str, Json] = {"ply": turn.ply, "made": str(turn.made), "chance": round(judgement.chance, 3)}
    if judgement.better is not None:
        found |= {"better": str(judgement.better), "cost": round(judgement.cost, 3), "reason": judgement.reason}
        found["line"] = [(seat, str(move)) for seat, move in judgement.line]
    return found


def seat_and_game(words: Sequence[str]) -> tuple[str, str]:
    """Parse ``[ID] [SEAT]`` into the game and the seat; a missing part is empty."""
    is_game = len(words) > 1 or (words and len(words[0]) > 2)
    return (words[0] if is_game else ""), " ".join(words[1:] if is_game else words)
