"""The referee's requests and answers, and that no line of bytes can break it."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from engine.protocol.referee import answer_line
from engine.rulesets import rulesets
from tests.support.each import for_each
from tests.support.random_games import MIRROR, SEEDS, TABLES
from tests.support.referee import (
    CODES,
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
from tests.support.refusals import MOVES_REFUSED, REQUESTS_REFUSED


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
