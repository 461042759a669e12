"""What bots send (deploy/bots/README.md): one JSON object a line, each a typed request."""

import re
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any, Final, Literal, TypeAlias

import msgspec

from engine.errors import InputError
from engine.rules import Json
from server.clean_text import clean
from server.limits import BOT_LINE, BOT_NESTING
from server.typed_json import problem

_TOKENS: Final = re.compile(rb'"(?:[^"\\]|\\.?)*"?|[][{}]')
"""Texts and brackets in JSON: a bracket in a text does not count."""


class _Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    pass


class New(_Request, frozen=True):
    """Open a table and sit down there. A key that is null counts as not given."""

    rules: str | None = None
    options: dict[str, Any] | None = None
    seats: int | None = None
    fill: str | None = None
    """The level of AI players who take the empty seats; the game then starts."""
    clock: int | None = None
    key: str | None = None


class Join(_Request, frozen=True):
    """Sit down at a table."""

    table: int | Literal["any"] = "any"
    rules: str | None = None
    """Only a table with this rule set will do."""
    key: str | None = None


class Start(_Request, frozen=True):
    """Deal."""


class Move(_Request, frozen=True):
    """Make a move, at the ply of the turn that it answers."""

    ply: int
    move: str


class Back(_Request, frozen=True):
    """Take the seat back that an AI player plays."""


class Again(_Request, frozen=True):
    """Start another game at the same table."""


class Cut(_Request, frozen=True):
    """Seal a cut of the next deal, or open it: one of the two."""

    seal: str | None = None
    """SHA-256 of the text."""
    open: str | None = None
    """The text."""


class Leave(_Request, frozen=True):
    """Give the seat up for good."""


class Tables(_Request, frozen=True):
    """List the tables."""


class Tournament(_Request, frozen=True):
    """Enter a tournament, leave it, or ask how it stands."""

    name: str = ""
    """The tournament's name; empty for the only one that goes on."""
    do: Literal["join", "leave", "standings"] = "standings"


class Ping(_Request, frozen=True):
    """Answer with the same id, which may be any JSON."""

    id: Any = None


Request: TypeAlias = New | Join | Start | Move | Back | Again | Cut | Leave | Tables | Tournament | Ping
_REQUESTS: Final[Mapping[str, type[_Request]]] = {
    str(kind.__struct_config__.tag): kind for kind in _Request.__subclasses__()
}
_DECODER: Final[msgspec.json.Decoder[Request]] = msgspec.json.Decoder(Request)


class MalformedMove(InputError):
    """A `move` with a key that is missing or wrong. A bot is told so as for any move that is refused."""

    def __init__(self, ply: Json, message: str) -> None:
        """``ply`` is what the bot sent as such."""
        super().__init__("bad_request", message)
        self.ply = ply


class LineSplitter:
    """Splits bytes into lines. Of a line that is too long it keeps just enough to show that."""

    def __init__(self) -> None:
        self._unfinished = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The lines that end in these bytes, except empty ones."""
        *lines, rest = (self._unfinished + data).split(b"\n")
        self._unfinished = rest[: BOT_LINE + 1]
        yield from (line for line in lines if line.strip())


def read_request(line: bytes) -> Request:
    """One request.

    Raises InputError: ``bad_json``, ``unknown_type``, or ``bad_request`` with a message that names the key.
    """
    if len(line) > BOT_LINE:
        raise InputError("bad_json", f"a line may have {BOT_LINE} bytes")
    if _nesting(line) > BOT_NESTING:
        raise InputError("bad_json", f"lists and objects may be nested {BOT_NESTING} deep")
    try:
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _refusal(line, error) from None


def _nesting(line: bytes) -> int:
    """How deep brackets are nested. No parser is asked: each Python version has another limit."""
    brackets = [token for token in _TOKENS.findall(line) if not token.startswith(b'"')]
    return max(accumulate(1 if bracket in b"[{" else -1 for bracket in brackets), default=0)


def _refusal(line: bytes, error: Exception) -> InputError:
    try:
        sent = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        sent = None
    if not isinstance(sent, dict):
        return InputError("bad_json", "each line is one JSON object")
    name = sent.get("type")
    if not isinstance(name, str) or name not in _REQUESTS:
        return InputError("unknown_type", f"type: must be one of {', '.join(_REQUESTS)}")
    message, known = problem(error), _REQUESTS[name].__struct_fields__
    if unknown := [key for key in sent if key not in {"type", *known}]:
        keys = ", ".join(sorted(known)) or "no other keys"
        message = f"{clean(unknown[0], 20)!r} means nothing in {name}, which has {keys}"
    return MalformedMove(sent.get("ply"), message) if name == "move" else InputError("bad_request", message)
