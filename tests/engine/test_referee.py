"""The referee's requests and answers, and that no line of bytes can break it."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Final

import pytest

from engine.protocol.referee import answer_line
from engine.rulesets import rulesets
from tests.support.each import for_each
from tests.support.random_games import MIRROR, SEEDS, SEVENS, TABLES
from tests.support.referee import (
    ARRANGING,
    CODES,
    FULL_DECK,
    LAYING,
    WHOLE,
    Answer,
    after,
    arranging,
    ask,
    ask_line,
    code,
    dealt,
    legal,
    play,
    position,
    seat,
)

BAD_CARD: Final = {**position(seat("5h")), "stock": ["5h"]}
"""A position with a card twice."""
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
    ("zone_closed", "play 5 9", position(seat("5h", up="9h"))),
    ("zone_closed", "play 9", position(seat("5h", up="9h"), pile="Kc")),
    ("zone_closed", "play 5 5", position(seat("5h", up="5d"))),
    ("mixed_ranks", "play 5 6", position(seat("5h 6h"), pile="Kc")),
    ("mixed_ranks", "play 6h 5h", position(seat(up="5h 6h"), pile="4c")),
    ("mixed_ranks", "pickup 3 4", position(seat(up="3h 4h"), pile="Kc", rules="life")),
    ("mixed_ranks", "pickup 5 6", position(seat("9h", up="5h 6h"), pile="4c")),
    ("too_low", "play 5", position(seat("5h 5d"), pile="6c", options=WHOLE)),
    ("too_low", "play 5 5", position(seat(up="5h 5d"), pile="6c")),
    ("too_low", "play 3", position(seat("3h 4h"), pile="Kc", must_lead="4")),
    ("too_low", "play 10", position(seat("Th"), pile="Kc", rules="quatch-original")),
    ("must_be_lower", "play 10", position(seat("Th"), pile="7c", rules="college", options=SEVENS)),
    ("must_be_lower", "play 8", position(seat("8h 8d"), pile="7c", rules="life", options=WHOLE)),
    ("must_be_lower", "play 8 8 8 8", position(seat(up="8h 8d 8c 8s"), pile="7c", rules="life")),
    ("must_play_all", "play 5", position(seat("5h 5d"), options=WHOLE)),
    ("must_play_all", "play 5", position(seat("5h 5d 4c"), options=WHOLE, must_lead="4")),
    ("one_at_a_time", "play 5 5", position(seat(up="5h 5d 4c"), must_lead="4")),
    ("one_at_a_time", "play 2 2", position(seat(up="2h 2d"), options=FULL_DECK)),
    ("must_play", "pickup", position(seat("5h"))),
    ("must_play", "pickup", position(seat(down="5h"), pile="4c")),
    ("must_play", "pickup 9", position(seat("5h", up="9h"), pile="4c")),
    ("pile_empty", "pickup", position(seat("5h"), rules="life")),
    ("pile_empty", "pickup 9", position(seat("5h", up="9h"), rules="life")),
    ("pile_empty", "pickup", position(seat("2h"))),
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


def test_rules_lists_every_rule_set() -> None:
    """`rules` gives title and keys of each rule set, the default first, with the 10 spelt 10."""
    found = ask({"op": "rules"})["rules"]
    assert next(iter(found)) == "quatch"
    assert list(found) == list(rulesets())
    assert all(set(entry) == {"title", "keys"} for entry in found.values())
    assert found["life"]["keys"]["special.10.again"] == "may"
    assert found["quatch"]["keys"]["deck.copies"] == {"2": 1, "10": 1}


@for_each("rules", rulesets())
def test_deal_depends_on_its_request_alone(rules: str) -> None:
    """The same seed gives the same position, another seed another one, with the cards that the rules deal."""
    keys = ask({"op": "rules"})["rules"][rules]["keys"]
    for seats in range(keys["seats.min"], keys["seats.max"] + 1):
        found = dealt(rules, seats=seats, seed="any text")
        assert found == dealt(rules, seats=seats, seed="any text")
        assert found != dealt(rules, seats=seats, seed="any tex")
        counts = [tuple(len(entry[zone]) for zone in ("hand", "up", "down", "reserve")) for entry in found["seats"]]
        assert counts == [(keys["deal.hand"], keys["deal.up"], keys["deal.down"], 0)] * seats
        assert found["phase"] == ("play" if keys["arrange.mode"] == "none" else "arrange")


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


def test_legal_while_arranging_is_ready() -> None:
    """While arranging each seat that may type ready has that one entry."""
    at = arranging(seat("3c", up="4c"), seat("5c", up="6c", ready=True), seat("7c", up="8c"), rules="quatch")
    answer = ask({"op": "legal", "position": at})
    assert answer["legal"] == [{"seat": 0, "move": "ready"}, {"seat": 2, "move": "ready"}]
    assert legal(arranging(seat("3c 4c 5c 6c"), rules="life")) == []


def test_legal_of_a_finished_game_is_empty() -> None:
    """There are no moves in a finished game."""
    assert legal(position(seat("3c"), phase="over")) == []


def test_notes_are_text() -> None:
    """`notes` is a sheet of text that follows the options."""
    plain = ask({"op": "notes", "rules": "college"})["notes"]
    mirrored = ask({"op": "notes", "rules": "college", "options": MIRROR})["notes"]
    assert isinstance(plain, str)
    assert "A 3 goes on anything and counts as the card beneath it" in mirrored
    assert mirrored != plain


@for_each("line", [b"", b"\r", b"  ", b"\t \r\n"])
def test_blank_lines_get_no_answer(line: bytes) -> None:
    """A blank line is passed over."""
    assert answer_line(line) is None


@for_each(
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
)
def test_lines_that_are_not_json_are_bad_json(line: bytes) -> None:
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
        assert (answer is None) == (not line.strip(b" \t\r\n"))
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


@for_each(("wanted", "move", "at"), MOVES_REFUSED)
def test_first_code_that_applies_wins(wanted: str, move: str, at: Answer) -> None:
    """A refused move names the first of the published codes that applies; the position stays."""
    answer = play(at, move)
    assert code(answer) == wanted
    assert answer["at"] == 0
    assert answer["position"] == after(at)


@for_each(("wanted", "request_"), REQUESTS_REFUSED)
def test_faults_of_requests(wanted: str, request_: object) -> None:
    """A wrong request gets the first of the published codes that applies, without `at`."""
    answer = ask(request_)
    assert code(answer) == wanted
    assert set(answer) == {"v", "ok", "error"}


def test_every_published_code_is_tried() -> None:
    """The examples above leave out no code but that of lines that are no JSON."""
    assert {code for code, *_ in [*MOVES_REFUSED, *REQUESTS_REFUSED]} == set(CODES) - {"bad_json"}


def test_seat_out_of_range_comes_before_its_move() -> None:
    """A move of a seat out of range is bad_request at that move, whatever its text is."""
    for number in (2, -1):
        answer = play(position(seat("5h")), "nonsense", by=number)
        assert (code(answer), answer["at"]) == ("bad_request", 0)


def test_malformed_moves_are_found_before_any_is_made() -> None:
    """A malformed entry of `moves` spoils the request, even behind a move that would be refused."""
    moves = [{"seat": 0, "move": "play 9"}, {"seat": 0}]
    answer = ask({"op": "play", "position": position(seat("5h")), "moves": moves})
    assert code(answer) == "bad_request"
    assert "at" not in answer
