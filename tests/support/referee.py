"""Asking the referee: requests, positions and answers, as short as the tests need them."""

import json
from typing import Any, Final

from engine.protocol.referee import answer_line
from tests.support.random_games import MOVE_CODES

Answer = dict[str, Any]
CODES: Final = ("bad_json", "bad_request", "bad_position", "unknown_rules", "bad_option", *MOVE_CODES)
FULL_DECK: Final[Answer] = {"deck.copies": {}}


def ask(request: object) -> Answer:
    """The answer to a request, as JSON read back."""
    return ask_line(json.dumps(request).encode())


def ask_line(line: bytes) -> Answer:
    """The answer to a line of bytes."""
    answer = answer_line(line)
    assert answer is not None
    read: Answer = json.loads(answer)
    assert read["v"] == 1
    return read


def code(answer: Answer) -> str | None:
    """The code of an error answer, None where all went well; errors have text."""
    if answer["ok"]:
        return None
    assert isinstance(answer["error"]["message"], str)
    return str(answer["error"]["code"])


def seat(hand: str = "", *, up: str = "", down: str = "", reserve: str = "", ready: bool = False) -> Answer:
    """A seat of a position; ``-`` is an empty slot."""
    slots = [None if card == "-" else card for card in down.split()]
    return {"hand": hand.split(), "up": up.split(), "down": slots, "reserve": reserve.split(), "ready": ready}


def position(*seats: Answer, rules: str = "quatch", pile: str = "", stock: str = "", **keys: object) -> Answer:
    """A position of these seats; one seat alone faces another that holds a king."""
    everybody = seats if len(seats) > 1 else (*seats, seat("Ks"))
    return {"rules": rules, "seats": list(everybody), "pile": pile.split(), "stock": stock.split(), **keys}


def arranging(*seats: Answer, rules: str, stock: str = "", **keys: object) -> Answer:
    """A position in which seats arrange."""
    return {**position(*seats, rules=rules, stock=stock), "phase": "arrange", **keys}


def play(before: Answer, *moves: str, by: int = 0) -> Answer:
    """The answer to these moves of one seat."""
    return ask({"op": "play", "position": before, "moves": [{"seat": by, "move": move} for move in moves]})


def after(before: Answer, *moves: str, by: int = 0) -> Answer:
    """The position after these moves, which must be accepted."""
    answer = play(before, *moves, by=by)
    assert answer["ok"], answer
    found: Answer = answer["position"]
    return found


def legal(at: Answer) -> list[str]:
    """The legal moves of the seat to move."""
    answer = ask({"op": "legal", "position": at})
    assert answer["ok"], answer
    return [entry["move"] for entry in answer["legal"]]


def view(at: Answer, viewer: int | None) -> Answer:
    """What a seat may know."""
    found: Answer = ask({"op": "view", "position": at, "seat": viewer})["view"]
    return found


def dealt(rules: str, **keys: object) -> Answer:
    """The position after a deal."""
    found: Answer = ask({"op": "deal", "rules": rules, "seats": 2, "seed": "a", **keys})["position"]
    return found


WHOLE: Final[Answer] = {"play.whole_sets": True}
ARRANGING: Final = arranging(seat("3c 5d", up="4c"), seat("5c", up="6c", ready=True), rules="quatch")
LAYING: Final = arranging(seat("3c 4c 5c 6c"), seat("7c 8c 9c Jc"), rules="life")
