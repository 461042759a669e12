"""Error codes in their published order: when several apply, the first in the list wins."""

import json
from typing import Final

import pytest

from tests.engine.asking import (
    ARRANGING,
    CODES,
    FULL_DECK,
    LAYING,
    WHOLE,
    Answer,
    after,
    arranging,
    ask,
    code,
    play,
    position,
    seat,
)
from tests.engine.random_games import SEVENS

# Error codes


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
