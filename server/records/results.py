"""What became of a game: who took part, in what order they finished. Written as JSON beside the finished game."""

import json
from dataclasses import asdict, dataclass
from typing import Final

VERSION: Final = 1
GUEST: Final = ""
"""The key of everybody who cannot prove who they are."""
_AI: Final = "ai:"


def ai_key(level: str) -> str:
    """What AI players of a level go by, all of them."""
    return _AI + level


def ai_level(key: str) -> str | None:
    """The level of the AI players that go by this key; None where it is no AI player's."""
    return key.removeprefix(_AI) if key.startswith(_AI) else None


@dataclass(frozen=True, slots=True)
class Finish:
    """How one seat came out."""

    key: str
    """``SHA256:...`` of a proven key, `ai_key` of a level, `GUEST`."""
    name: str
    rank: int
    """1 is best; equal ranks are a tie."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one game."""

    finishes: tuple[Finish, ...]
    """By seat."""
    drawn: bool
    """Whether it ended without a decision among those who were still in it."""
    plies: int


def ranks(places: tuple[int, ...], seats: int, abandoned: frozenset[int], drawn: tuple[int, ...]) -> tuple[int, ...]:
    """The rank of every seat: those with a place in its order, then who drew or has none, then who abandoned the game.

    Whoever left for good or was away at the end has abandoned it, whatever an AI player made of the seat. Who tie have
    the best of their ranks: after two seconds comes a fourth.

    >>> ranks(places=(2, 0), seats=4, abandoned=frozenset({0}), drawn=())
    (4, 2, 1, 2)
    """
    placed = [seat for seat in places if seat not in abandoned and seat not in drawn]
    rank_of = {seat: rank for rank, seat in enumerate(placed, 1)}
    last = seats - len(abandoned) + 1
    return tuple(last if seat in abandoned else rank_of.get(seat, len(placed) + 1) for seat in range(seats))


def write_result(result: Result) -> str:
    """A result as it is kept."""
    return json.dumps({"v": VERSION, **asdict(result)}, separators=(",", ":"))


def read_result(text: str) -> Result:
    """A result back as it was written. Raises ValueError for one of another version, and for what is none."""
    match json.loads(text):
        case {"v": version, "finishes": [*finishes], "drawn": bool(drawn), "plies": int(plies)} if version == VERSION:
            return Result(tuple(_finish(finish, len(finishes)) for finish in finishes), drawn, plies)
    raise ValueError(f"not a result of version {VERSION}: {text[:80]!r}")


def _finish(written: object, seats: int) -> Finish:
    match written:
        case {"key": str(key), "name": str(name), "rank": int(rank)} if 1 <= rank <= seats:
            return Finish(key, name, rank)
    raise ValueError(f"not how a seat came out: {str(written)[:80]}")
