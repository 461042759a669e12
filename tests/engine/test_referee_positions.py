"""Cards, moves, positions and views as text, written and read."""

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from engine.errors import InputError
from engine.game import deal
from engine.protocol.view_json import view_from_json, view_json
from engine.rulesets import ruleset, rulesets
from engine.rulesets.toml_reader import rules_from_toml
from engine.view import view_of
from tests.soak import long
from tests.support.each import for_each
from tests.support.random_games import TABLES, Table, some_states
from tests.support.referee import ARRANGING, FULL_DECK, Answer, after, ask, code, play, position, seat, view


def test_cards_are_read_in_any_spelling_and_written_in_one() -> None:
    """`10h` and any letter case are read; `T` and capital ranks are written."""
    at = after(position(seat("10H tS qd"), pile="4C", options=FULL_DECK))
    assert set(at["seats"][0]["hand"]) == {"Th", "Ts", "Qd"}
    assert after(position(seat("10h qd 3c"), pile="4C"), "PLAY Q")["pile"] == ["4c", "Qd"]
    assert after(position(seat("10h qd 3c"), pile="4C"), "play 10H")["bin"] == ["4c", "Th"]


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


@for_each(
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
)
def test_invalid_positions_are_refused(change: Answer) -> None:
    """A position with an invalid key, card, seat, turn or type is refused as bad_position."""
    good = position(seat("5h"), seat("6h"))
    assert code(ask({"op": "legal", "position": good})) is None
    assert code(ask({"op": "legal", "position": {**good, **change}})) == "bad_position"


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
    """If cards are swapped all seats see the face-up rows, from the deal on."""
    at = after(ARRANGING, "swap 5 4")
    assert view(at, 1)["seats"][0]["up"] == ["5d"]
    assert view(at, None)["seats"][0]["up"] == ["5d"]


def test_view_of_a_finished_game_stays_private() -> None:
    """The end of the game reveals no cards."""
    at = after(position(seat("5h"), seat("6h", down="3h")), "play 5")
    assert at["phase"] == "over"
    assert view(at, 0)["seats"][1] == seat("??", down="??")


@for_each("at", TABLES)
def test_a_view_comes_back_as_it_was(at: Table) -> None:
    """For every seat, given the public hands, which the JSON does not hold, but for what players declined."""
    for state in some_states(at, long(9, 3))[:: long(9, 1)]:
        for viewer in range(at.seats):
            view = view_of(state, viewer)
            read = view_from_json(view_json(view), viewer, view.public_hands)
            assert read == structs.replace(view, declined=(0,) * at.seats)


def test_without_memory_no_card_is_known_to_be_in_a_hand() -> None:
    """A view that is read without public hands knows no card of them."""
    state, _ = deal(ruleset("quatch"), 2, "any")
    assert view_from_json(view_json(view_of(state, 0)), 0).public_hands == (0, 0)


def test_house_rules_may_have_larger_numbers_than_options() -> None:
    """A bot can read the views of every table, also if a file of house rules says more than 99."""
    rules = rules_from_toml("slow", 'base = "life"\nstalemate.quiet_plies = 150', rulesets())
    view = view_of(deal(replace(rules, title=ruleset("life").title), 2, "any")[0], 0)
    assert view_from_json(view_json(view), 0) == view


@for_each(
    ("changed", "code"),
    [
        ({"rules": "nan"}, "unknown_rules"),
        ({"options": {"beat": "lower"}}, "bad_option"),
        ({"pile": ["1x"]}, "bad_position"),
        ({"seats": None}, "bad_position"),
        ({"stock": ...}, "bad_position"),
    ],
)
def test_text_that_is_not_a_view_is_refused(changed: dict[str, Any], code: str) -> None:
    """With the code that says whether it is the rules or the rest; ... stands for a key that is missing."""
    state, _ = deal(ruleset("quatch"), 2, "any")
    source = {key: value for key, value in ({**view_json(view_of(state, 0)), **changed}).items() if value is not ...}
    with pytest.raises(InputError) as refused:
        view_from_json(source, 0)
    assert refused.value.code == code
