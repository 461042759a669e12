"""The referee as published: requests and answers, positions, error codes and their order, and any bytes at all."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from engine.referee import answer_line
from tests.engine.random_games import MIRROR, MOVE_CODES, SEEDS, SEVENS, TABLES

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


# Requests


def test_rules_lists_every_rule_set() -> None:
    """`rules` gives title and keys of the five rule sets, the default first, with the 10 spelt 10."""
    found = ask({"op": "rules"})["rules"]
    assert next(iter(found)) == "quatch"
    assert set(found) == {"quatch", "quatch-original", "cathedral", "college", "life"}
    assert all(set(entry) == {"title", "keys"} for entry in found.values())
    assert found["life"]["keys"]["special.10.again"] == "may"
    assert found["quatch"]["keys"]["deck.copies"] == {"2": 1, "10": 1}


@pytest.mark.parametrize("rules", ["quatch", "quatch-original", "cathedral", "college", "life"])
def test_deal_depends_on_its_request_alone(rules: str) -> None:
    """The same seed gives the same position, another seed another one, with the cards that the rules deal."""
    keys = ask({"op": "rules"})["rules"][rules]["keys"]
    for seats in (2, 3, 4):
        found = dealt(rules, seats=seats, seed="any text")
        assert found == dealt(rules, seats=seats, seed="any text")
        assert found != dealt(rules, seats=seats, seed="any tex")
        counts = [tuple(len(entry[zone]) for zone in ("hand", "up", "down", "reserve")) for entry in found["seats"]]
        assert counts == [(keys["deal.hand"], keys["deal.up"], keys["deal.down"], 0)] * seats
        assert found["phase"] == "arrange"


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_deal_takes_the_dealer(dealer: int) -> None:
    """Left of the dealer is the next higher seat, cyclic."""
    found = dealt("college", seats=3, dealer=dealer, options={"arrange.mode": "none", "deal.hand": 3})
    assert found["order"] == [(dealer + n) % 3 for n in (1, 2, 3)]
    assert found["to_move"] == (dealer + 1) % 3


def test_play_answers_position_and_events() -> None:
    """Accepted moves give the last position and all events in order; no move gives the position read."""
    before = position(seat("5h 9c"), seat("7d 8d"), pile="4c")
    answer = ask(
        {"op": "play", "position": before, "moves": [{"seat": 0, "move": "play 5"}, {"seat": 1, "move": "play 7"}]}
    )
    assert set(answer) == {"v", "ok", "position", "events"}
    assert [(event["kind"], event["seat"], event["cards"]) for event in answer["events"]] == [
        ("played", 0, ["5h"]),
        ("played", 1, ["7d"]),
    ]
    assert answer["position"]["pile"] == ["4c", "5h", "7d"]
    assert after(before) == ask({"op": "play", "position": after(before), "moves": []})["position"]


def test_play_stops_at_the_first_refusal() -> None:
    """A refused move gives its number, code, clause and message, and the position before that very move."""
    before = position(seat("6h 3d"), seat("4d 8d"), pile="5c")
    answer = ask(
        {"op": "play", "position": before, "moves": [{"seat": 0, "move": "play 6"}, {"seat": 1, "move": "play 4"}]}
    )
    assert set(answer) == {"v", "ok", "at", "error", "position"}
    assert (answer["ok"], answer["at"]) == (False, 1)
    assert (answer["error"]["code"], answer["error"]["clause"]) == ("too_low", "D2-16")
    assert answer["position"] == after(before, "play 6")


def test_legal_is_by_rank_and_count() -> None:
    """Every legal move once, by rank and count, named with its seat."""
    at = position(seat("7h 7d 9c 3s"), pile="5c", rules="life")
    answer = ask({"op": "legal", "position": at})
    assert answer["legal"] == [{"seat": 0, "move": m} for m in ("play 7", "play 7 7", "play 9", "pickup")]


def test_legal_lists_lifts_by_rank_and_count() -> None:
    """Where face-up cards may be lifted with the pile there is one entry for each rank and count, at most the limit."""
    at = position(seat(up="3h 3d 3c 3s 4h"), pile="9c", rules="life")
    assert legal(at) == ["pickup", "pickup 3", "pickup 3 3", "pickup 3 3 3", "pickup 4"]


def test_legal_while_arranging_is_ready() -> None:
    """While arranging each seat that may say ready has that one entry."""
    at = arranging(seat("3c", up="4c"), seat("5c", up="6c", ready=True), seat("7c", up="8c"), rules="quatch")
    answer = ask({"op": "legal", "position": at})
    assert answer["legal"] == [{"seat": 0, "move": "ready"}, {"seat": 2, "move": "ready"}]
    assert legal(arranging(seat("3c 4c 5c 6c"), rules="life")) == []


def test_legal_of_a_finished_game_is_empty() -> None:
    """Nobody has a move in a finished game."""
    assert legal(position(seat("3c"), phase="over")) == []


def test_notes_are_text() -> None:
    """`notes` is a sheet of text that follows the options."""
    plain = ask({"op": "notes", "rules": "college"})["notes"]
    mirrored = ask({"op": "notes", "rules": "college", "options": MIRROR})["notes"]
    assert isinstance(plain, str)
    assert "3 goes on anything and counts as the card beneath it" in mirrored
    assert mirrored != plain


# Cards, moves and positions as text


def test_cards_are_read_in_any_spelling_and_written_in_one() -> None:
    """`10h` and any letter case are read; `T` and capital ranks are written."""
    at = after(position(seat("10H tS qd"), pile="4C", options=FULL_DECK))
    assert set(at["seats"][0]["hand"]) == {"Th", "Ts", "Qd"}
    assert after(position(seat("10h qd 3c"), pile="4C"), "PLAY Q")["pile"] == ["4c", "Qd"]
    assert after(position(seat("10h qd 3c"), pile="4C"), "play 10H")["bin"] == ["4c", "Th"]


@pytest.mark.parametrize(
    ("move", "laid"),
    [
        ("play 7 7", ["7c", "7d"]),
        ("play 7s 7d", ["7s", "7d"]),
        ("play 7 7s", ["7s", "7c"]),
        ("play 7s 7", ["7s", "7c"]),
        ("play 7 7c", ["7c", "7d"]),
    ],
)
def test_order_of_cards_laid_together(move: str, laid: list[str]) -> None:
    """By rank the lowest suits are laid, named cards as typed; when mixed the named ones come first."""
    assert after(position(seat("7s 7d 7c 9h"), pile="5c"), move)["pile"] == ["5c", *laid]


def test_position_keys_may_be_left_out() -> None:
    """What a position leaves out is as in a fresh game of the default rules, in play, seat 0 to move."""
    assert after({"seats": [{"hand": ["5h"]}, {"up": ["6h"]}]}) == {
        "rules": "quatch",
        "options": {},
        "phase": "play",
        "stock": [],
        "pile": [],
        "bin": [],
        "seats": [seat("5h"), seat(up="6h")],
        "order": [0, 1],
        "to_move": 0,
        "must_lead": None,
        "may_pass": False,
        "quiet": 0,
        "places": [],
        "outcome": None,
        "luck": "",
    }


def test_position_is_answered_as_it_was_given() -> None:
    """A position with every key given comes back the same."""
    before = {
        "rules": "college",
        "options": {"four.again": "may"},
        "phase": "play",
        "stock": ["3c", "Jd"],
        "pile": ["4c", "4d"],
        "bin": ["Tc", "9d"],
        "seats": [seat("5h"), seat(up="Kd", down="9c - Ah", reserve="8c"), seat()],
        "order": [1, 0],
        "to_move": 1,
        "must_lead": "K",
        "may_pass": True,
        "quiet": 7,
        "places": [2],
        "outcome": None,
        "luck": "2,0,1",
    }
    assert after(before) == before
    over = {**before, "phase": "over", "to_move": None, "must_lead": None}
    for outcome in ({"kind": "won", "winner": 2}, {"kind": "drawn", "seats": [0, 1]}):
        assert after({**over, "outcome": outcome}) == {**over, "outcome": outcome}


def test_stock_pile_and_bin_keep_their_order() -> None:
    """The first card of the stock is drawn next, the last of the pile is its top, burned cards follow in the bin."""
    at = after(position(seat("Tc 4d 5d"), pile="6c 8c", stock="3c Jd", bin=["9c"]), "play 10")
    assert at["seats"][0]["hand"] == ["3c", "4d", "5d"]
    assert at["stock"] == ["Jd"]
    drawing = play(position(seat("7c 7d 7h"), pile="6c", stock="3c Jd 2h 8h"), "play 7 7")
    assert drawing["events"][1] == {"kind": "drew", "seat": 0, "count": 2, "cards": ["3c", "Jd"]}
    assert at["bin"] == ["9c", "6c", "8c", "Tc"]


@pytest.mark.parametrize(
    "change",
    [
        {"colour": "red"},
        {"rules": 5},
        {"options": []},
        {"options": None},
        {"phase": "dealing"},
        {"phase": None},
        {"stock": "3c"},
        {"stock": [3]},
        {"stock": ["3x"]},
        {"stock": ["??"]},
        {"pile": [None]},
        {"pile": ["5h"]},
        {"bin": ["4c", "4c"]},
        {"bin": ["2c", "2d"]},
        {"seats": []},
        {"seats": {}},
        {"seats": [seat("5h")]},
        {"seats": [seat("5h"), 5]},
        {"seats": [seat("5h"), {**seat("6h"), "name": "Ann"}]},
        {"seats": [seat("5h"), {**seat("6h"), "ready": 1}]},
        {"seats": [seat("5h"), {**seat("6h"), "down": ["??"]}]},
        {"seats": [seat("5h"), {**seat("6h"), "hand": [None]}]},
        {"seats": [seat(card) for card in ("3c", "4c", "5c", "6c", "7c")]},
        {"seats": [seat("5h"), seat()]},
        {"seats": [seat("5h"), seat("6h")], "order": [1, 2]},
        {"seats": [seat("5h"), seat("6h")], "order": [1, 1]},
        {"seats": [seat("5h"), seat("6h")], "order": [0, True]},
        {"seats": [seat("5h"), seat("6h")], "order": []},
        {"order": [0, 1], "places": [0]},
        {"order": [1], "to_move": 0},
        {"to_move": 2},
        {"to_move": True},
        {"to_move": None},
        {"phase": "over", "to_move": 0},
        {"phase": "arrange", "to_move": 0},
        {"phase": "arrange", "seats": [seat("5h", ready=True), seat("6h", ready=True)]},
        {"must_lead": 5},
        {"must_lead": "1"},
        {"must_lead": "6"},
        {"may_pass": 1},
        {"quiet": -1},
        {"quiet": 1.0},
        {"quiet": True},
        {"places": [2]},
        {"places": [True]},
        {"outcome": "won"},
        {"outcome": {"kind": "won"}},
        {"outcome": {"kind": "won", "winner": 2}},
        {"outcome": {"kind": "won", "winner": True}},
        {"outcome": {"kind": "won", "winner": 1, "by": 3}},
        {"outcome": {"kind": "drawn", "seats": [2]}},
        {"luck": 5},
        {"luck": "0,0"},
        {"luck": "a,b"},
    ],
    ids=json.dumps,
)
def test_positions_that_cannot_be(change: Answer) -> None:
    """A position with a key, card, seat, turn or type that cannot be is refused as bad_position."""
    good = position(seat("5h"), seat("6h"))
    assert code(ask({"op": "legal", "position": good})) is None
    assert code(ask({"op": "legal", "position": {**good, **change}})) == "bad_position"


# Error codes

WHOLE: Final[Answer] = {"play.whole_sets": True}
ARRANGING: Final = arranging(seat("3c 5d", up="4c"), seat("5c", up="6c", ready=True), rules="quatch")
LAYING: Final = arranging(seat("3c 4c 5c 6c"), seat("7c 8c 9c Jc"), rules="life")

MOVES_REFUSED: Final = [
    ("bad_move", "nonsense", position(seat("5h"))),
    ("bad_move", "nonsense", position(seat("5h"), phase="over")),
    ("bad_move", "swap 3 4", LAYING),
    ("bad_move", "lay 3 4 5", ARRANGING),
    ("bad_move", "lay 3 4", LAYING),
    ("bad_move", "lay 3 4", position(seat("5h"), rules="life", phase="over")),
    ("bad_move", "swap 5 6", position(seat("5h"), rules="life")),
    ("game_over", "ready", position(seat("5h"), phase="over")),
    ("game_over", "play 9", position(seat("5h"), phase="over")),
    ("wrong_phase", "play 9", ARRANGING),
    ("wrong_phase", "pickup", ARRANGING),
    ("wrong_phase", "ready", position(seat("5h"))),
    ("wrong_phase", "swap 9 9", position(seat("5h"), to_move=1)),
    ("wrong_phase", "swap 9 9", arranging(seat("3c", up="4c", ready=True), seat("5c"), rules="quatch")),
    ("not_your_turn", "play 9", position(seat("5h"), to_move=1)),
    ("not_your_turn", "pickup", position(seat("5h"), to_move=1)),
    ("not_your_turn", "pass", position(seat("5h"), to_move=1)),
    ("not_your_turn", "flip 1", position(seat("5h"), to_move=1)),
    ("not_held", "play 9", position(seat("5h"))),
    ("not_held", "play 5c", position(seat("5h"))),
    ("not_held", "play 5h 5h", position(seat("5h 5d"))),
    ("not_held", "play 5 5", position(seat("5h"))),
    ("not_held", "play 9", position(seat("5h", down="9c"))),
    ("not_held", "play 9", position(seat("5h", reserve="9c"), rules="cathedral")),
    ("not_held", "play 5 9", position(seat("5h"), pile="Kc")),
    ("not_held", "play 6 9", position(seat("5h", up="6h"))),
    ("not_held", "flip 2", position(seat("5h", down="9c - 8c"))),
    ("not_held", "flip 2", position(seat(down="9c - 8c"))),
    ("not_held", "flip 4", position(seat(down="9c - 8c"))),
    ("bad_move", "flip 0", position(seat(down="9c - 8c"))),
    ("not_held", "pickup 9", position(seat("5h"))),
    ("not_held", "pickup 3 9", position(seat(up="3h"), pile="Kc", rules="life")),
    ("not_held", "swap 4 4", ARRANGING),
    ("not_held", "swap 3c 3c", ARRANGING),
    ("not_held", "lay 3 4 9", LAYING),
    ("not_held", "lay 3c 3c 4c", LAYING),
    ("not_held", "lay 3 3 4", LAYING),
    ("zone_closed", "play 9", position(seat("5h", up="9h"))),
    ("zone_closed", "play 5 9", position(seat("5h", up="9h"))),
    ("zone_closed", "play 9", position(seat("5h", up="9h"), pile="Kc")),
    ("zone_closed", "play 5 5", position(seat("5h", up="5d"))),
    ("zone_closed", "flip 1", position(seat("5h", down="9c"))),
    ("zone_closed", "flip 1", position(seat(up="5h", down="9c"))),
    ("mixed_ranks", "play 5 6", position(seat("5h 6h"))),
    ("mixed_ranks", "play 5 6", position(seat("5h 6h"), pile="Kc")),
    ("mixed_ranks", "play 6h 5h", position(seat(up="5h 6h"), pile="4c")),
    ("mixed_ranks", "pickup 3 4", position(seat(up="3h 4h"), pile="Kc", rules="life")),
    ("mixed_ranks", "pickup 5 6", position(seat("9h", up="5h 6h"), pile="4c")),
    ("too_low", "play 5", position(seat("5h"), pile="6c")),
    ("too_low", "play 5", position(seat("5h 5d"), pile="6c", options=WHOLE)),
    ("too_low", "play 5 5", position(seat(up="5h 5d"), pile="6c")),
    ("too_low", "play 6", position(seat("6h"), pile="6c", rules="cathedral")),
    ("too_low", "play 3", position(seat("3h 4h"), pile="Kc", must_lead="4")),
    ("too_low", "play 10", position(seat("Th"), pile="Kc", rules="quatch-original")),
    ("must_be_lower", "play 8", position(seat("8h"), pile="7c", rules="life")),
    ("must_be_lower", "play 10", position(seat("Th"), pile="7c", rules="college", options=SEVENS)),
    ("must_be_lower", "play 8", position(seat("8h 8d"), pile="7c", rules="life", options=WHOLE)),
    ("must_be_lower", "play 8 8 8 8", position(seat(up="8h 8d 8c 8s"), pile="7c", rules="life")),
    ("must_play_all", "play 5", position(seat("5h 5d"), options=WHOLE)),
    ("must_play_all", "play 5", position(seat("5h 5d 4c"), options=WHOLE, must_lead="4")),
    ("one_at_a_time", "play 5 5", position(seat(up="5h 5d"))),
    ("one_at_a_time", "play 5 5", position(seat(up="5h 5d 4c"), must_lead="4")),
    ("one_at_a_time", "play 2 2", position(seat(up="2h 2d"), options=FULL_DECK)),
    ("must_play", "pickup", position(seat("5h"), pile="4c")),
    ("must_play", "pickup", position(seat("5h"))),
    ("must_play", "pickup", position(seat(down="5h"), pile="4c")),
    ("must_play", "pickup 9", position(seat("5h", up="9h"), pile="4c")),
    ("pile_empty", "pickup", position(seat("5h"), rules="life")),
    ("pile_empty", "pickup 9", position(seat("5h", up="9h"), rules="life")),
    ("pile_empty", "pickup", position(seat("2h"))),
    ("last_special", "play 2", position(seat("2h"))),
    ("last_special", "play 10", position(seat(up="Th"), pile="5c")),
    ("must_lead", "play 5", position(seat("5h 4h"), must_lead="4")),
    ("cannot_pass", "pass", position(seat("5h"))),
    ("cannot_pass", "pass", position(seat("5h"), pile="Kc")),
    ("must_lay", "ready", LAYING),
    ("must_lay", "ready", arranging(seat("3c 4c 5c", up="6c"), seat("7c"), rules="life")),
    ("cannot_lift", "pickup 9", position(seat("5h", up="9h"), pile="4c", rules="life")),
    ("cannot_lift", "pickup 3", position(seat("5h", up="3h"), pile="Kc", rules="life")),
    ("cannot_lift", "pickup 5", position(seat("5h", up="3h"), pile="Kc", rules="life")),
    ("cannot_lift", "pickup 9", position(seat(up="9h 3h"), pile="4c", rules="life")),
    ("cannot_lift", "pickup 3", position(seat(up="3h"), pile="Kc", rules="college")),
    ("cannot_lift", "pickup 3", position(seat(up="3h"), pile="Kc")),
    ("cannot_lift", "pickup 3 3 3 3", position(seat(up="3h 3d 3c 3s"), pile="Kc", rules="life")),
]


@pytest.mark.parametrize(("wanted", "move", "at"), MOVES_REFUSED, ids=[f"{c}-{m}" for c, m, _ in MOVES_REFUSED])
def test_first_code_that_applies_wins(wanted: str, move: str, at: Answer) -> None:
    """A refused move names the first of the published codes that applies; the position stays."""
    answer = play(at, move)
    assert code(answer) == wanted
    assert answer["at"] == 0
    assert answer["position"] == after(at)


BAD_CARD: Final = {**position(seat("5h")), "stock": ["5h"]}

REQUESTS_REFUSED: Final[list[tuple[str, object]]] = [
    ("bad_request", []),
    ("bad_request", "rules"),
    ("bad_request", None),
    ("bad_request", {}),
    ("bad_request", {"op": "shuffle"}),
    ("bad_request", {"op": ["rules"]}),
    ("bad_request", {"op": "deal", "rules": "life", "seed": "a"}),
    ("bad_request", {"op": "deal", "rules": "life", "seats": 2}),
    ("bad_request", {"op": "deal", "rules": "life", "seats": 2, "seed": 5}),
    ("bad_request", {"op": "deal", "rules": "life", "seats": True, "seed": "a"}),
    ("bad_request", {"op": "deal", "rules": "life", "seats": 1, "seed": "a"}),
    ("bad_request", {"op": "deal", "rules": "life", "seats": 5, "seed": "a"}),
    ("bad_request", {"op": "deal", "rules": "life", "seats": 2, "seed": "a", "dealer": 2}),
    ("bad_request", {"op": "deal", "rules": "life", "seats": 2, "seed": "a", "dealer": -1}),
    ("bad_request", {"op": "deal", "rules": "life", "seats": 2, "seed": "a", "dealer": True}),
    ("bad_request", {"op": "deal", "rules": "life", "seats": 2, "seed": "a", "options": []}),
    ("bad_request", {"op": "deal", "seats": 2, "seed": "a"}),
    ("bad_request", {"op": "play", "position": position(seat("5h"))}),
    ("bad_request", {"op": "play", "position": [], "moves": []}),
    ("bad_request", {"op": "play", "position": position(seat("5h")), "moves": ["play 5"]}),
    ("bad_request", {"op": "play", "position": position(seat("5h")), "moves": [{"seat": 0}]}),
    ("bad_request", {"op": "play", "position": position(seat("5h")), "moves": [{"seat": True, "move": "play 5"}]}),
    ("bad_request", {"op": "play", "position": position(seat("5h")), "moves": [{"seat": 0, "move": 5}]}),
    ("bad_request", {"op": "legal"}),
    ("bad_request", {"op": "view", "position": position(seat("5h"))}),
    ("bad_request", {"op": "view", "position": position(seat("5h")), "seat": "0"}),
    ("bad_request", {"op": "view", "position": position(seat("5h")), "seat": False}),
    ("bad_request", {"op": "view", "position": position(seat("5h")), "seat": 2}),
    ("bad_request", {"op": "view", "position": position(seat("5h")), "seat": -1}),
    ("bad_request", {"op": "notes", "rules": 5}),
    ("bad_position", {"op": "legal", "position": BAD_CARD}),
    ("unknown_rules", {"op": "deal", "rules": "chess", "seats": 2, "seed": "a"}),
    ("unknown_rules", {"op": "legal", "position": position(seat("5h"), rules="chess")}),
    ("unknown_rules", {"op": "notes", "rules": "Life"}),
    ("bad_option", {"op": "notes", "rules": "life", "options": {"colour": "red"}}),
    ("bad_option", {"op": "notes", "rules": "life", "options": {"beat": "lower"}}),
    ("bad_option", {"op": "notes", "rules": "life", "options": {"draw.to": True}}),
    ("bad_option", {"op": "notes", "rules": "life", "options": {"draw.to": -1}}),
    ("bad_option", {"op": "notes", "rules": "life", "options": {"stalemate.quiet_plies": 100}}),
    ("bad_option", {"op": "notes", "rules": "life", "options": {"stalemate": {"quiet_plies": 100}}}),
    ("bad_option", {"op": "legal", "position": position(seat("5h"), options={"draw.to": "three"})}),
    ("bad_option", {"op": "deal", "rules": "life", "seats": 4, "seed": "a", "options": {"deal.hand": 12}}),
    # The first in the list wins.
    ("bad_request", {"op": "play", "position": BAD_CARD, "moves": 5}),
    ("bad_request", {"op": "play", "position": BAD_CARD, "moves": [5]}),
    ("bad_request", {"op": "view", "position": BAD_CARD}),
    ("bad_request", {"op": "deal", "rules": "chess", "seats": 2}),
    ("bad_request", {"op": "deal", "rules": "chess", "seats": 2, "seed": "a", "dealer": "b"}),
    ("bad_request", {"op": "deal", "rules": "life", "seed": "a", "options": {"colour": "red"}}),
    ("bad_position", {"op": "legal", "position": {**BAD_CARD, "rules": "chess"}}),
    ("bad_position", {"op": "legal", "position": {**BAD_CARD, "options": {"colour": "red"}}}),
    ("unknown_rules", {"op": "notes", "rules": "chess", "options": {"colour": "red"}}),
]


@pytest.mark.parametrize(
    ("wanted", "request_"), REQUESTS_REFUSED, ids=[json.dumps(r)[:90] for _, r in REQUESTS_REFUSED]
)
def test_faults_of_requests(wanted: str, request_: object) -> None:
    """A request that cannot be answered names the first of the published codes that applies, and no move."""
    answer = ask(request_)
    assert code(answer) == wanted
    assert set(answer) == {"v", "ok", "error"}


def test_every_published_code_is_tried() -> None:
    """The examples above leave out no code but that of lines that are no JSON."""
    assert {code for code, *_ in [*MOVES_REFUSED, *REQUESTS_REFUSED]} == set(CODES) - {"bad_json"}


def test_seat_out_of_range_comes_before_its_move() -> None:
    """A move of a seat that is not there is bad_request, at that move, whatever its text."""
    for number in (2, -1):
        answer = play(position(seat("5h")), "nonsense", by=number)
        assert (code(answer), answer["at"]) == ("bad_request", 0)


def test_malformed_moves_are_found_before_any_is_made() -> None:
    """A malformed entry of `moves` spoils the request, even behind a move that would be refused."""
    moves = [{"seat": 0, "move": "play 9"}, {"seat": 0}]
    answer = ask({"op": "play", "position": position(seat("5h")), "moves": moves})
    assert code(answer) == "bad_request"
    assert "at" not in answer


# Precise points: lines


@pytest.mark.parametrize("line", [b"", b"\r", b"  ", b"\t \r\n"])
def test_blank_lines_get_no_answer(line: bytes) -> None:
    """A blank line is passed over."""
    assert answer_line(line) is None


@pytest.mark.parametrize(
    "line",
    [
        *(
            b"x",
            b'{"op":"rules"',
            b'{"op":"rules"}}',
            b'{"op":"rules"}{"op":"rules"}',
            b"\xff",
            b'{"op":"\xff"}',
            b"\x0b",
        ),
        *(b"NaN", b'{"op":NaN}', b'{"op":"rules","x":Infinity}', b'{"op":"rules","x":[-Infinity]}', b"\xef\xbb\xbf{}"),
        *(b'{"op":"rul\nes"}', b"{'op':'rules'}", b"9" * 5000, b"[" * 100_000, b'{"a":' * 100_000, b"\x00"),
    ],
    ids=repr,
)
def test_lines_that_are_no_json(line: bytes) -> None:
    """Whatever is not JSON in UTF-8 is bad_json."""
    assert code(ask_line(line)) == "bad_json"


def test_lines_end_with_a_line_feed_alone() -> None:
    """A carriage return before the end is ignored; other line ends of Unicode are text like any other."""
    assert ask_line(b'{"op":"rules"}\r\n')["ok"]
    odd = '{"op":"deal","rules":"life","seats":2,"seed":"a\u2028b\u0085c"}'
    assert ask_line(odd.encode())["ok"]


def test_deep_nesting_is_an_answer() -> None:
    """However deep a request is nested, the answer is an error of the request or its options."""
    for depth in [*range(80, 1000, 7), 3000, 10_000]:
        lists = b'{"op":"notes","rules":"life","options":{"beat":' + b"[" * depth + b"]" * depth + b"}}"
        tables = b'{"op":"notes","rules":"life","options":' + b'{"a":' * depth + b"1" + b"}" * depth + b"}"
        assert code(ask_line(lists)) in {"bad_option", "bad_json"}
        assert code(ask_line(tables)) in {"bad_option", "bad_json"}


# Precise points: views


def test_views_hide_what_is_hidden() -> None:
    """A view has the shape of a position: hidden cards as ??, the stock as its length, no luck."""
    at = position(
        *(seat("5h 6h", up="Kd", down="9c - Ah", reserve="8c"), seat("7h", up="Qd", down="9d", reserve="8d 3d")),
        stock="3c Jd",
        pile="4c",
        luck="1,0",
    )
    own = view(at, 0)
    assert set(own) == set(after(at)) - {"luck"}
    assert own["stock"] == 2
    assert own["seats"] == [
        seat("5h 6h", up="Kd", down="?? - ??", reserve="8c"),
        seat("??", up="Qd", down="??", reserve="?? ??"),
    ]
    assert view(at, None)["seats"] == [
        seat("?? ??", up="Kd", down="?? - ??", reserve="??"),
        seat("??", up="Qd", down="??", reserve="?? ??"),
    ]


def test_face_up_cards_are_public_while_swapping() -> None:
    """Where cards are swapped the face-up rows are seen by all, from the deal on."""
    at = after(ARRANGING, "swap 5 4")
    assert view(at, 1)["seats"][0]["up"] == ["5d"]
    assert view(at, None)["seats"][0]["up"] == ["5d"]


@pytest.mark.parametrize(("rules", "zone"), [("life", "up"), ("cathedral", "reserve")])
def test_cards_being_laid_are_hidden(rules: str, zone: str) -> None:
    """Cards being laid are seen by their own seat alone; a face-up row shows when all are ready, a reserve never."""
    at = after(arranging(seat("3c 4c 5c 6c"), seat("7c 8c 9c Jc"), rules=rules), "lay 3 4 5", "ready")
    assert view(at, 0)["seats"][0][zone] == ["3c", "4c", "5c"]
    assert view(at, 1)["seats"][0][zone] == ["??", "??", "??"]
    assert view(at, None)["seats"][0][zone] == ["??", "??", "??"]
    at = after(at, "lay 7 8 9", "ready", by=1)
    assert view(at, 1)["seats"][0][zone] == (["3c", "4c", "5c"] if rules == "life" else ["??", "??", "??"])


def test_view_of_a_finished_game_stays_private() -> None:
    """Nobody's cards are turned up because the game is over."""
    at = after(position(seat("5h"), seat("6h", down="3h")), "play 5")
    assert at["phase"] == "over"
    assert view(at, 0)["seats"][1] == seat("??", down="??")


# Precise points: arranging and the start


def test_laying_can_be_said_again() -> None:
    """What was laid may be laid anew, from all cards held so far, until ready."""
    at = after(LAYING, "lay 3 4 5", "lay 6 3 4")
    assert at["seats"][0] == seat("5c", up="3c 4c 6c")


def started(*hands: str, rules: str = "quatch", stock: str = "", **keys: object) -> Answer:
    """The position when all of these hands are ready."""
    seats = [seat(hand, ready=n > 0) for n, hand in enumerate(hands)]
    return after(arranging(*seats, rules=rules, stock=stock, **keys), "ready")


@pytest.mark.parametrize(
    ("hands", "starter"),
    [
        (["5h 9h", "4h 9d"], 1),
        (["4d 9h", "4h 8d"], 1),
        (["4d 8h", "4h 8d 3h"], 1),
        (["4d 9h 2c", "4h 9d Jc"], 1),
        (["4d 9h Tc", "4h 9d"], 0),
        (["5d 9h", "5h 9d", "5c 9c"], 0),
        (["2h", "Th", "Ah 2d"], 2),
    ],
)
def test_lowest_plain_card_starts(hands: list[str], starter: int) -> None:
    """Lowest plain cards are compared one by one, running out counts as higher, ties go to the lowest seat."""
    assert started(*hands, options=FULL_DECK)["order"][0] == starter


def test_luck_decides_ties() -> None:
    """With luck carried in the position, ties fall to the seat that it names first."""
    assert started("5d 9h", "5h 9d", "5c 9c", luck="2,0,1")["order"] == [2, 0, 1]
    assert started("5d 9h", "5h 9d", "4c 9c", luck="0,1,2")["order"] == [2, 0, 1]


@pytest.mark.parametrize(
    ("hands", "order"),
    [
        (["4h", "5h", "6h", "7h"], [0, 1, 2, 3]),
        (["4h", "6h", "7h", "5h"], [0, 3, 2, 1]),
        (["5h", "7h", "4h", "6h"], [2, 0, 1, 3]),
        (["4h", "6h", "5h"], [0, 2, 1]),
        (["4h", "5h"], [0, 1]),
    ],
)
def test_second_lowest_sets_the_direction(hands: list[str], order: list[int]) -> None:
    """With start.second the next lowest seat goes second, and the table goes round from the starter to it."""
    at = started(*hands, rules="quatch-original", stock="8c 8d 8h")
    assert at["order"] == order
    assert at["to_move"] == order[1]


def test_automatic_lead() -> None:
    """The lowest plain card opens the pile, one card; its seat draws, the turn passes, and no ply is counted."""
    at = started("4d 4h 2c", "9h Jc Qc", stock="8c 8d")
    assert at["pile"] == ["4d"]
    assert at["seats"][0]["hand"] == ["2c", "4h", "8c"]
    assert (at["to_move"], at["quiet"], at["phase"]) == (1, 0, "play")
    assert started("4d 4h 2c", "9h Jc Qc")["quiet"] == 0


def test_automatic_lead_of_the_only_card() -> None:
    """Where the automatic lead is a seat's only card, and nothing is drawn, the answer is a position still."""
    at = started("4d", "9h 9c", options={"draw.to": 0}, stock="8c")
    assert after(at) == at


def test_no_plain_card_no_automatic_lead() -> None:
    """When nobody holds a plain card the first seat leads freely."""
    at = started("2c Td", "2d Tc", options=FULL_DECK, stock="8c")
    assert (at["to_move"], at["pile"], at["must_lead"]) == (0, [], None)
    assert legal(at) == ["play 2", "play T"]


def test_declared_start_must_lead_its_rank() -> None:
    """Ranks are called from the 3 up, the 2 last; whoever has the called rank must lead it."""
    at = started("2c 5d 5h", "4h 9d", rules="life", options={"arrange.mode": "swap"})
    assert (at["to_move"], at["must_lead"]) == (1, "4")
    assert legal(at) == ["play 4"]
    at = after(at, "play 4", by=1)
    assert at["must_lead"] is None
    assert started("2c", "2d", rules="life", options={"arrange.mode": "swap"})["must_lead"] == "2"


@pytest.mark.parametrize("rules", ["cathedral", "college"])
def test_starter_without_luck_is_seat_0(rules: str) -> None:
    """A position without luck lets seat 0 start where the deal would have decided."""
    assert started("5d", "4h", rules=rules, options={"arrange.mode": "swap"})["order"] == [0, 1]
    assert started("5d", "4h", rules=rules, options={"arrange.mode": "swap"}, luck="1,0")["order"] == [1, 0]


def test_starter_card_is_turned_up() -> None:
    """A card is turned up as play begins; a burning one goes to the bin and another is turned."""
    at = started("5d", "4h", rules="college", options={"arrange.mode": "swap"}, stock="Tc Th 9c 3c")
    assert (at["pile"], at["bin"], at["stock"]) == (["9c"], ["Tc", "Th"], ["3c"])


def test_turned_up_card_counts() -> None:
    """A turned-up 7 binds the first player where sevens go lower, a 2 lets anything follow, four count with it."""
    swap = {"arrange.mode": "swap"}
    assert "play 8" not in legal(started("8d 3d", "4h", rules="college", options={**swap, **SEVENS}, stock="7c"))
    assert "play 3" in legal(started("8d 3d", "4h", rules="college", options=swap, stock="2c"))
    at = started("8d 8c 8h 3d", "4h", rules="college", options=swap, stock="8s")
    assert after(at, "play 8 8 8")["bin"] == ["8s", "8c", "8d", "8h"]


# Precise points: last cards


def test_unplayable_last_special_is_about_all_cards_of_a_seat() -> None:
    """A reset or burn may not be the last card; with a card elsewhere, or one to draw, it is not the last."""
    assert legal(position(seat("2h"), pile="5c")) == ["pickup"]
    assert legal(position(seat("2h"))) == ["pass"]
    assert legal(position(seat("2h", down="4c"), pile="5c")) == ["play 2"]
    assert legal(position(seat("2h"), pile="5c", stock="8c")) == ["play 2"]
    assert legal(position(seat("2h"), pile="5c", stock="8c", options={"draw.to": 0})) == ["pickup"]
    assert legal(position(seat(up="2h"), pile="5c", stock="8c")) == ["pickup"]
    assert legal(position(seat("2h 2d"), pile="5c", options=FULL_DECK)) == ["play 2"]


def test_unplayable_last_special_turned_blind_fails() -> None:
    """Turned blind it is a failed flip: card and pile go to the hand, everyone sees the card."""
    answer = play(position(seat(down="- 2h"), pile="5c"), "flip 2")
    assert answer["position"]["seats"][0] == seat("2h 5c", down="- -")
    assert answer["events"][0] == {"kind": "flipped", "seat": 0, "slot": 1, "card": "2h", "good": False}
    assert answer["events"][1]["cards"] == ["5c", "2h"]
    assert answer["position"]["to_move"] == 1


@pytest.mark.parametrize(
    ("at", "move"),
    [
        (position(seat("2h"), pile="5c"), "play 2"),
        (position(seat("Th"), pile="5c"), "play 10"),
        (position(seat(up="6h"), pile="6c 6d 6s"), "play 6"),
        (position(seat(down="2h"), pile="5c"), "flip 1"),
        (position(seat("3h"), pile="5d 2c", options=MIRROR), "play 3"),
    ],
)
def test_eaten_last_special(at: Answer, move: str) -> None:
    """A final play that burns or resets has no effect: the whole pile with it goes to the hand, the turn ends."""
    at = after({**at, "rules": "quatch-original"}, move)
    assert (at["phase"], at["pile"], at["bin"], at["to_move"]) == ("play", [], [], 1)
    assert len(at["seats"][0]["hand"]) > 1


def test_eaten_only_when_final() -> None:
    """With a card left in any zone, or in the stock, the effect happens."""
    for at in (
        position(seat("Th 3c"), pile="5c"),
        position(seat("Th", up="3c"), pile="5c"),
        position(seat("Th", down="3c"), pile="5c"),
        position(seat("Th", reserve="3c"), pile="5c"),
        position(seat("Th"), pile="5c", stock="3c"),
    ):
        assert after({**at, "rules": "quatch-original"}, "play 10")["bin"] == ["5c", "Th"]


def test_reserve_is_taken_when_hand_and_stock_are_gone() -> None:
    """With hand and stock gone the whole reserve goes to the hand; while stock is left it stays."""
    for stock, hand, reserve in (("", "8c 9c", ""), ("Kh", "", "8c 9c")):
        at = position(seat("6c", reserve="8c 9c"), pile="5c", stock=stock, rules="cathedral", options={"draw.to": 0})
        assert after(at, "play 6")["seats"][0] == seat(hand, reserve=reserve)


# Precise points: bonus turns, order of play


@pytest.mark.parametrize(
    ("ten", "four", "may_pass", "to_move"),
    [
        ("no", "no", False, 1),
        ("may", "no", True, 0),
        ("no", "may", True, 0),
        ("may", "must", False, 0),
        ("must", "may", False, 0),
    ],
)
def test_stronger_bonus_turn_counts(ten: str, four: str, *, may_pass: bool, to_move: int) -> None:
    """Where two bonus turns apply (four 10s) must is stronger than may, and may than no."""
    options = {**FULL_DECK, "special.10.again": ten, "four.again": four}
    at = after(position(seat("Tc Td Th Ts 5c"), pile="4c", options=options), "play 10 10 10 10")
    assert (at["may_pass"], at["to_move"]) == (may_pass, to_move)


def test_optional_bonus_turn_can_be_passed() -> None:
    """In an optional bonus turn its player may play or pass; passing ends the turn and the permission."""
    at = after(position(seat("Tc 5c"), seat("Kd", down="3c"), pile="4c", rules="life"), "play 10")
    assert legal(at) == ["play 5", "pass"]
    at = after(at, "pass")
    assert (at["to_move"], at["may_pass"]) == (1, False)


def test_four_may_be_completed_by_a_reverse() -> None:
    """A 5 that completes four of a kind burns the pile and still reverses the order."""
    three = [seat("5c 9c"), seat("Kd"), seat("Qd")]
    at = after(position(*three, pile="5d 5h 5s", rules="life", options={"four.scope": "in-a-row"}), "play 5")
    assert at["bin"] == ["5d", "5h", "5s", "5c"]
    assert (at["order"], at["to_move"]) == ([0, 2, 1], 0)


@pytest.mark.parametrize(("move", "following"), [("play 5", 2), ("play 5 5", 1), ("play 5 5 5", 2)])
def test_odd_reverses_turn_the_order(move: str, following: int) -> None:
    """An odd number of reverses turns the order, an even number leaves it."""
    at = position(seat("5c 5d 5h 9c"), seat("Kd"), seat("Qd"), pile="4c", rules="life")
    assert after(at, move)["to_move"] == following


def test_reverse_with_two_left_skips() -> None:
    """With two seats left, counted after one has gone out, an odd number skips the next seat."""
    assert after(position(seat("5c 9c"), pile="4c", rules="life"), "play 5")["to_move"] == 0
    assert after(position(seat("5c 5d 9c"), pile="4c", rules="life"), "play 5 5")["to_move"] == 1
    assert after(position(seat("5c"), seat("Kd"), seat("Qd"), pile="4c", rules="life"), "play 5")["to_move"] == 2
    four = [seat("5c"), seat("Kd"), seat("Qd"), seat("Jd")]
    assert after(position(*four, pile="4c", rules="life"), "play 5")["order"] == [3, 2, 1]


SKIP: Final = {"special.9.effect": "skip"}


@pytest.mark.parametrize(
    ("seats", "move", "following"), [(4, "play 9", 2), (4, "play 9 9", 3), (3, "play 9 9 9", 1), (2, "play 9", 0)]
)
def test_each_skip_skips_one_more_seat(seats: int, move: str, following: int) -> None:
    """Each card of a skip passes over one more seat, its own player included when it comes round."""
    others = [seat(card) for card in ("Kd", "Qd", "Jd")[: seats - 1]]
    assert after(position(seat("9c 9d 9h 3c"), *others, pile="4c", options=SKIP), move)["to_move"] == following


def test_skipped_seats_are_told() -> None:
    """There is an event for each seat that is passed over, in their order."""
    at = position(seat("9c 9d 3c"), seat("Kd"), seat("Qd"), seat("Jd"), pile="4c", options=SKIP)
    events = play(at, "play 9 9")["events"]
    assert [event["seat"] for event in events if event["kind"] == "skipped"] == [1, 2]


def test_skip_is_lost_in_a_bonus_turn() -> None:
    """A skip is lost when its player gets a bonus turn."""
    at = position(seat("9c 9d 3c"), seat("Kd"), seat("Qd"), pile="4c", options={**SKIP, "special.9.again": "may"})
    at = after(at, "play 9")
    assert (at["to_move"], at["may_pass"]) == (0, True)
    assert after(at, "pass")["to_move"] == 1


def test_whole_sets_of_a_limited_row() -> None:
    """Whole sets from a limited face-up row are as many copies as may leave it at once."""
    at = position(seat(up="9c 9d 9h 3c"), pile="4c", options={**WHOLE, "play.up_at_once": 2})
    assert legal(at) == ["play 9 9"]
    assert after(at, "play 9 9")["seats"][0]["up"] == ["3c", "9h"]
    assert code(play(at, "play 9")) == "must_play_all"
    assert code(play(at, "play 9 9 9")) == "one_at_a_time"


# Precise points: mirrors and lower cards


@pytest.mark.parametrize(
    ("pile", "moves"),
    [
        ("3c", ["play 3", "play 8", "play J"]),
        ("9c 3c", ["play 3", "play J"]),
        ("9c 3c 3d", ["play 3", "play J"]),
        ("2c 3c", ["play 3", "play 8", "play J"]),
        ("7c 3c", ["play 3"]),
    ],
)
def test_mirror_counts_as_the_card_beneath(pile: str, moves: list[str]) -> None:
    """A mirror has the rank and effect of what is beneath it, through a chain; on an empty pile its own rank."""
    at = position(seat("3h 8h Jh"), pile=pile, rules="college", options={**MIRROR, **SEVENS})
    assert [move for move in legal(at) if move != "pickup"] == moves


def test_mirror_completes_four_of_a_kind() -> None:
    """A mirror counts as its effective rank for four of a kind."""
    at = position(seat("3h 8h Jh"), pile="4d 9c 3c 9d", rules="college", options=MIRROR)
    assert after(at, "play 3")["bin"] == ["4d", "9c", "3c", "9d", "3h"]


def test_bonus_turn_of_a_mirror() -> None:
    """A mirror that gives a bonus turn by itself gives it wherever it is laid."""
    options = {**MIRROR, "special.3.again": "must"}
    assert after(position(seat("3h 8h"), pile="9c", rules="college", options=options), "play 3")["to_move"] == 0


@pytest.mark.parametrize(
    ("on", "beat", "code_of_seven"),
    [("rank", "higher", "must_be_lower"), ("rank", "equal-or-higher", None), ("rank-or-lower", "higher", None)],
)
def test_seven_on_a_seven(on: str, beat: str, code_of_seven: str | None) -> None:
    """A lower card follows its like where its own rank may follow itself."""
    options = {"special.7.effect": "lower", "special.7.on": on, "beat": beat}
    assert code(play(position(seat("7h 8h"), pile="7c", options=options), "play 7")) == code_of_seven


def test_lower_binds_the_next_card_alone() -> None:
    """After a 7 only lower cards, another 7 and specials that go anywhere follow; then play is as before."""
    at = position(seat("6h 7h 8h Th 2h"), seat("8d Kd"), pile="7c", rules="life")
    assert legal(at) == ["play 2", "play 6", "play 7", "play T", "pickup"]
    assert "play 8" in legal(after(at, "play 6"))
    blind = after(position(seat(down="8h 6h"), pile="7c", rules="life"), "flip 1")
    assert blind["seats"][0] == seat("7c 8h", down="- 6h")


# Precise points: the end


def test_first_out_ends_the_game() -> None:
    """Under `first` the game is over when a seat goes out; places hold it alone and the outcome names it."""
    at = after(position(seat("5c"), seat("Kd"), seat("Qd"), pile="4c"), "play 5")
    assert (at["phase"], at["to_move"], at["places"]) == ("over", None, [0])
    assert at["outcome"] == {"kind": "won", "winner": 0}


def test_last_loser_plays_on() -> None:
    """Under `last-loser` the others play on until one is left, who takes the last place; the first out has won."""
    at = after(position(seat("8c"), seat("9d"), seat("Qd 3d"), pile="4c", rules="life"), "play 8")
    assert (at["phase"], at["places"], at["order"], at["to_move"]) == ("play", [0], [1, 2], 1)
    at = after(at, "play 9", by=1)
    assert (at["phase"], at["places"]) == ("over", [0, 1, 2])
    assert at["outcome"] == {"kind": "won", "winner": 0}


def test_stalemate_is_a_draw() -> None:
    """The ply that makes quiet reach its limit ends the game, drawn among those still in; places stay as they are."""
    three = [seat("3c"), seat("Kd"), seat()]
    at = position(*three, pile="9c", rules="life", quiet=198, places=[2])
    at = after(at, "pickup")
    assert (at["phase"], at["quiet"]) == ("play", 199)
    at = after({**at, "pile": ["4c"]}, "pickup", by=1)
    assert (at["phase"], at["quiet"], at["places"]) == ("over", 200, [2])
    assert at["outcome"] == {"kind": "drawn", "seats": [0, 1]}


def test_odd_positions() -> None:
    """With the hand empty the face-up row opens, stock or no stock; the default order leaves out places."""
    assert legal(position(seat(up="5c", down="6c"), stock="8c", pile="4c")) == ["play 5"]
    assert legal(position(seat(reserve="5c"), pile="4c", rules="cathedral")) == ["pickup"]
    at = after(position(seat(), seat("5c"), seat("6c"), places=[0]))
    assert (at["order"], at["to_move"]) == ([1, 2], 1)


# Robustness


def test_any_bytes_get_one_line_of_json() -> None:
    """Valid requests with bytes changed, lost and doubled at random: always one line of JSON of version 1."""
    requests: list[object] = [request for _, request in REQUESTS_REFUSED]
    requests += [{"op": "play", "position": at, "moves": [{"seat": 0, "move": move}]} for _, move, at in MOVES_REFUSED]
    requests += [
        {"op": "deal", "rules": at.rules, "options": json.loads(at.options), "seats": at.seats, "seed": "b"}
        for at in TABLES
    ]
    lines = [json.dumps(request).encode() for request in requests]
    rng = Random(1)
    for _ in range(2500 * SEEDS):
        line = bytearray(rng.choice(lines))
        for _ in range(rng.randint(1, 4)):
            mutate(line, rng)
        answer = answer_line(bytes(line))
        assert answer is None or ("\n" not in answer and json.loads(answer)["v"] == 1)


def mutate(line: bytearray, rng: Random) -> None:
    """Change a line a little, in place: mostly to something that is JSON still."""
    at = rng.randrange(len(line) + 1)
    words = [b"null", b"true", b"-1", b"99", b'""', b"[]", b"{}", b'"x"', b"1e9", b'"\\ud800"', b'"10"', b"0", b"[0]"]
    tokens = [n for n, byte in enumerate(line) if byte in b":,["]
    match rng.randrange(4):
        case 0:
            line[at : at + 1] = rng.randbytes(1)
        case 1:
            del line[at : at + rng.randint(1, 9)]
        case 2:
            line[at:at] = line[at : at + rng.randint(1, 40)]
        case _ if tokens:
            start = rng.choice(tokens) + 1
            ends = [n for n in range(start, len(line)) if line[n] in b",]}"]
            line[start : ends[0] if ends else len(line)] = rng.choice(words)


def test_referee_over_a_pipe() -> None:
    """`python -m server referee` answers line by line, goes on after errors, and exits 0 at end of file."""
    lines = [
        b'{"op":"notes","rules":"life"}\n',
        b"\n",
        b"\xff\n",
        b'{"op":"rules"}\r\n',
        b'{"op":"legal","position":{}}',
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "server", "referee"],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines[0])
        process.stdin.flush()
        first = process.stdout.readline()
        output, _ = process.communicate(b"".join(lines[1:]), timeout=30)
    answers = [json.loads(line) for line in [first, *output.splitlines()]]
    assert [answer["ok"] for answer in answers] == [True, False, True, False]
    assert process.returncode == 0
