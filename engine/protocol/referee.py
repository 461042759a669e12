"""The referee: answers one JSON request a line with one JSON object a line, as `README.md` beside it describes.

`answer_line` does no I/O and raises nothing: any bytes get an answer.
"""

import json
from collections.abc import Callable, Mapping
from typing import Final, NoReturn, TypeVar

from engine.errors import InputError, Refused
from engine.game import check_seat, deal, play
from engine.legality import legal_moves
from engine.moves import parse_move
from engine.protocol.position_json import position_from_json, position_json
from engine.protocol.view_json import view_json
from engine.rules import Json, Rules
from engine.rulesets import ruleset, rulesets
from engine.state import State
from engine.view import view_of
from engine.wording.rules_sheet import rules_sheet

T = TypeVar("T")

VERSION: Final = 1
MISSING: Final = object()


def answer_line(line: bytes) -> str | None:
    """The answer to one line, without a line end; None for a blank line."""
    if not line.strip(b" \t\r\n"):
        return None
    try:
        result = {"ok": True, **_answer(_request(line))}
    except InputError as error:
        result = {"ok": False, "error": error_json(error)}
    except RecursionError:
        result = {"ok": False, "error": {"code": "bad_json", "message": "nested too deeply"}}
    return json.dumps({"v": VERSION, **result})


def error_json(error: InputError) -> dict[str, Json]:
    """An error as JSON: its code, the clause behind a refusal, and a message."""
    clause: dict[str, Json] = {"clause": error.clause} if isinstance(error, Refused) else {}
    return {"code": error.code, **clause, "message": error.message}


def _request(line: bytes) -> dict[str, Json]:
    try:
        request = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise InputError("bad_json", f"not JSON: {error}"[:200]) from None
    if not isinstance(request, dict):
        raise InputError("bad_request", 'a request must be an object, like {"op":"rules"}')
    return request


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _answer(request: Mapping[str, Json]) -> dict[str, Json]:
    op = _get(request, "op", str)
    if op not in _OPERATIONS:
        raise InputError("bad_request", f"op: must be one of {', '.join(_OPERATIONS)}")
    return _OPERATIONS[op](request)


def _rules_op(request: Mapping[str, Json]) -> dict[str, Json]:  # noqa: ARG001 - every operation takes the request
    return {"rules": {name: {"title": rules.title, "keys": rules.keys()} for name, rules in rulesets().items()}}


def _deal_op(request: Mapping[str, Json]) -> dict[str, Json]:
    seats, seed = _get(request, "seats", int), _get(request, "seed", str)
    dealer = _get(request, "dealer", int) if "dealer" in request else None
    if dealer is not None and not 0 <= dealer < seats:
        raise InputError("bad_request", f"dealer: must be 0 to {seats - 1}, not {dealer}")
    state, _ = deal(_rules(request), seats, seed, dealer)
    return {"position": position_json(state)}


def _play_op(request: Mapping[str, Json]) -> dict[str, Json]:
    steps = [_step(item) for item in _get(request, "moves", list)]
    state = _position(request)
    events: list[Json] = []
    for at, (seat, text) in enumerate(steps):
        try:
            check_seat(seat, len(state.hands))
            state, happened = play(state, seat, parse_move(text))
        except InputError as error:
            return {"ok": False, "at": at, "error": error_json(error), "position": position_json(state)}
        events += [event.to_json() for event in happened]
    return {"position": position_json(state), "events": events}


def _legal_op(request: Mapping[str, Json]) -> dict[str, Json]:
    state = _position(request)
    seats = range(len(state.hands)) if state.phase == "arrange" else [state.to_move]
    return {
        "legal": [
            {"seat": seat, "move": str(move)} for seat in seats if seat is not None for move in legal_moves(state, seat)
        ]
    }


def _view_op(request: Mapping[str, Json]) -> dict[str, Json]:
    seat = None if request.get("seat", MISSING) is None else _get(request, "seat", int)
    seats = _get(request, "position", dict).get("seats")
    if seat is not None and isinstance(seats, list):
        check_seat(seat, len(seats))
    state = _position(request)
    return {"view": view_json(view_of(state, seat))}


def _notes_op(request: Mapping[str, Json]) -> dict[str, Json]:
    return {"notes": rules_sheet(_rules(request))}


_OPERATIONS: Final[dict[str, Callable[[Mapping[str, Json]], dict[str, Json]]]] = {
    "rules": _rules_op,
    "deal": _deal_op,
    "play": _play_op,
    "legal": _legal_op,
    "view": _view_op,
    "notes": _notes_op,
}


def _get(request: Mapping[str, Json], key: str, kind: type[T]) -> T:
    value = request.get(key)
    if type(value) is not kind:
        raise InputError("bad_request", f"{key}: must be {_KINDS[kind]}")
    return value


_KINDS: Final = {str: "text", int: "a whole number", list: "a list", dict: "an object"}


def _rules(request: Mapping[str, Json]) -> Rules:
    name, options = _get(request, "rules", str), _get(request, "options", dict) if "options" in request else {}
    return ruleset(name).with_options(options)


def _position(request: Mapping[str, Json]) -> State:
    return position_from_json(_get(request, "position", dict))


def _step(item: Json) -> tuple[int, str]:
    match item:
        case {"seat": int(seat), "move": str(move)} if type(seat) is int:
            return seat, move
    raise InputError("bad_request", 'moves: each must be like {"seat":0,"move":"play 7 7"}')
