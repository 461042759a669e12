"""Bot requests and messages as JSON, one object a line; deploy/bots/README.md describes the protocol."""

import json
import math
from collections.abc import Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

from engine.ai import LEVELS
from engine.errors import InputError
from engine.legality import legal_moves
from engine.rules import Json
from engine.view import View
from server.limits import BOT_LINE
from server.table.snapshot import Listing

Request: TypeAlias = Mapping[str, Json]

REQUESTS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "new": frozenset({"rules", "options", "seats", "fill", "clock", "key"}),
        "join": frozenset({"table", "rules", "key"}),
        "start": frozenset(),
        "move": frozenset({"ply", "move"}),
        "back": frozenset(),
        "again": frozenset(),
        "leave": frozenset(),
        "tables": frozenset(),
        "ping": frozenset({"id"}),
    }
)
"""What a bot may ask for, and the keys that each may have besides its type."""
ADVISER: Final = "hard"
"""The level that chooses cards to lay where a bot has to lay some."""


class LineSplitter:
    """Bytes cut into lines; of a line that is too long no more is kept than shows that it is."""

    def __init__(self) -> None:
        self._unfinished = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The lines that have come to their end, without empty ones."""
        *lines, rest = (self._unfinished + data).split(b"\n")
        self._unfinished = rest[: BOT_LINE + 1]
        yield from (line for line in lines if line.strip())


def read_request(line: bytes) -> Request:
    """One request. Raises InputError."""
    if len(line) > BOT_LINE:
        raise InputError("bad_json", f"a line may have {BOT_LINE} bytes")
    try:
        request = json.loads(line.decode(), parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError):
        raise InputError("bad_json", "each line is one JSON object") from None
    if not isinstance(request, dict):
        raise InputError("bad_json", "each line is one JSON object")
    return request


def must_be_known(request: Request) -> None:
    """Raises InputError for a request that is none, or with a key that means nothing there."""
    kind = request.get("type")
    if not isinstance(kind, str) or kind not in REQUESTS:
        raise InputError("unknown_type", f"type: must be one of {', '.join(REQUESTS)}")
    if unknown := [key for key in request if key != "type" and key not in REQUESTS[kind]]:
        keys = ", ".join(sorted(REQUESTS[kind])) or "no other keys"
        raise InputError("bad_request", f"{unknown[0][:20]!r} means nothing in {kind}, which has {keys}")


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _no_number(digits)


def moves_offered(view: View, seat: int) -> list[Json]:
    """Moves that can be made; where cards must be laid first, a sensible choice of them."""
    moves = legal_moves(view, seat)
    if view.phase == "arrange" and not moves:
        moves = [LEVELS[ADVISER](view, Random(0))]
    return [str(move) for move in moves]


def arranging_moves(view: View) -> list[Json]:
    """The forms of arranging moves that a bot may make besides."""
    return ["swap"] if view.rules.arrange_mode == "swap" else ["lay"] if view.rules.arrange_lay else []


def listing_json(listing: Listing) -> Json:
    """A table as bots are told of it."""
    return {
        "table": listing.number,
        "rules": listing.rules,
        "seats": len(listing.sitters),
        "open": listing.open_seats,
        "state": "playing" if listing.playing else "open",
    }
