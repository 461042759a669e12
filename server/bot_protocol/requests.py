"""What bots send (deploy/bots/README.md): one JSON object a line, each a typed request."""

import re
from collections.abc import Mapping
from functools import cache
from itertools import accumulate
from typing import Any, Final, Literal, Union

import msgspec

from engine.errors import InputError
from engine.rules import Json
from server.clean_text import clean
from server.features import Features
from server.limits import BOT_LINE
from server.session.bot_requests import BotRequest, Request
from server.typed_json import problem

NESTING: Final = 16
"""How deep lists and objects may be nested in a line."""
_TOKENS: Final = re.compile(rb'"(?:[^"\\]|\\.?)*"?|[][{}]')
"""Texts and brackets in JSON: a bracket in a text does not count."""


class New(Request, frozen=True):
    """Open a table and sit down there. A key that is null counts as not given."""

    rules: str | None = None
    options: dict[str, Any] | None = None
    seats: int | None = None
    fill: str | None = None
    """The level of AI players who take the empty seats; the game then starts."""
    clock: int | None = None
    key: str | None = None


class Join(Request, frozen=True):
    """Sit down at a table."""

    table: int | Literal["any"] = "any"
    rules: str | None = None
    """Only a table with this rule set will do."""
    key: str | None = None


class Start(Request, frozen=True):
    """Deal."""


class Move(Request, frozen=True):
    """Make a move, at the ply of the turn that it answers."""

    ply: int
    move: str


class Back(Request, frozen=True):
    """Take the seat back that an AI player plays."""


class Again(Request, frozen=True):
    """Start another game at the same table."""


class Cut(Request, frozen=True):
    """Seal a cut of the next deal, or open it: one of the two."""

    seal: str | None = None
    """SHA-256 of the text."""
    open: str | None = None
    """The text."""


class Leave(Request, frozen=True):
    """Give the seat up for good."""


class Tables(Request, frozen=True):
    """List the tables."""


class Ping(Request, frozen=True):
    """Answer with the same id, which may be any JSON."""

    id: Any = None


OF_THE_CORE: Final[tuple[type[Request], ...]] = (New, Join, Start, Move, Back, Again, Cut, Leave, Tables, Ping)
"""The requests that there are without features."""


@cache
def kinds_of_requests(features: Features) -> Mapping[str, type[Request]]:
    """The requests that there are with these features, by the names of their types."""
    kinds = (*OF_THE_CORE, *(each.kind for each in features.all(BotRequest)))
    return {str(kind.__struct_config__.tag): kind for kind in kinds}


@cache
def _decoder(features: Features) -> msgspec.json.Decoder[Request]:
    return msgspec.json.Decoder(Union[tuple(kinds_of_requests(features).values())])  # noqa: UP007 - known only now


class MalformedMove(InputError):
    """A `move` with a key that is missing or wrong. A bot is told so as for any move that is refused."""

    def __init__(self, ply: Json, message: str) -> None:
        """``ply`` is what the bot sent as such."""
        super().__init__("bad_request", message)
        self.ply = ply


def read_request(line: bytes, features: Features) -> Request:
    """One request, of the core or of one of these features.

    Raises InputError: ``bad_json``, ``unknown_type``, or ``bad_request`` with a message that names the key.
    """
    if len(line) > BOT_LINE:
        raise InputError("bad_json", f"a line may have {BOT_LINE} bytes")
    if _nesting(line) > NESTING:
        raise InputError("bad_json", f"lists and objects may be nested {NESTING} deep")
    try:
        return _decoder(features).decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _refusal(line, error, kinds_of_requests(features)) from None


def _nesting(line: bytes) -> int:
    """How deep brackets are nested. No parser is asked: each Python version has another limit."""
    brackets = [token for token in _TOKENS.findall(line) if not token.startswith(b'"')]
    return max(accumulate(1 if bracket in b"[{" else -1 for bracket in brackets), default=0)


def _refusal(line: bytes, error: Exception, kinds: Mapping[str, type[Request]]) -> InputError:
    try:
        sent = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        sent = None
    if not isinstance(sent, dict):
        return InputError("bad_json", "each line is one JSON object")
    name = sent.get("type")
    if not isinstance(name, str) or name not in kinds:
        return InputError("unknown_type", f"type: must be one of {', '.join(kinds)}")
    message, known = problem(error), kinds[name].__struct_fields__
    if unknown := [key for key in sent if key not in {"type", *known}]:
        keys = ", ".join(sorted(known)) or "no other keys"
        message = f"{clean(unknown[0], 20)!r} means nothing in {name}, which has {keys}"
    return MalformedMove(sent.get("ply"), message) if name == "move" else InputError("bad_request", message)
