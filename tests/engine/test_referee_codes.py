"""Error codes in their published order: when several apply, the first in the list wins."""

import json

import pytest

from tests.support.referee import CODES, Answer, after, ask, code, play, position, seat
from tests.support.refusals import MOVES_REFUSED, REQUESTS_REFUSED


@pytest.mark.parametrize(("wanted", "move", "at"), MOVES_REFUSED, ids=[f"{c}-{m}" for c, m, _ in MOVES_REFUSED])
def test_first_code_that_applies_wins(wanted: str, move: str, at: Answer) -> None:
    """A refused move names the first of the published codes that applies; the position stays."""
    answer = play(at, move)
    assert code(answer) == wanted
    assert answer["at"] == 0
    assert answer["position"] == after(at)


@pytest.mark.parametrize(
    ("wanted", "request_"), REQUESTS_REFUSED, ids=[json.dumps(r)[:90] for _, r in REQUESTS_REFUSED]
)
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
