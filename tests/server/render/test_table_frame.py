"""The screen of a table: what it shows at each size, and what gives way first."""

import re

import pytest
from msgspec.structs import replace

from engine.game import deal
from engine.rulesets import rulesets
from engine.view import view_of
from server.cells import row_text
from server.records.game_stats import GameStats, SeatCounts
from server.render.frame import draw
from server.render.scene import Scene
from server.table.snapshot import NextDeal, Sitter, Snapshot
from tests.support.frames import SIZES, scene_of
from tests.support.positions import after, at
from tests.support.snapshots import snapshot_of


@pytest.mark.parametrize("size", [*SIZES, (140, 40)])
def test_half_of_the_commitment_is_shown_before_a_deal_at_every_size(size: tuple[int, int]) -> None:
    """In whole rows, ended as what goes on: there is space for so much of it."""
    commitment = "0123456789abcdef" * 4
    next_deal = NextDeal("ABCDEFGH", commitment)
    snapshot = Snapshot(1, rulesets()["quatch"], 0, (Sitter("ana"), None), None, 0, deal=next_deal)
    rows = map(row_text, draw(Scene("ana", snapshot=snapshot), *size).rows)
    assert any(f"commitment {commitment[:30]}.." in row for row in rows)


@pytest.mark.parametrize(
    ("rules", "ana", "bo", "counts"),
    [
        ("college", "hand 3c 5d Kc", "hand 3s 4s 5s 6s / up 7s 8s 9s", [4]),
        ("life", "hand 3c 4c", "hand 3s 4s 5s / reserve 7s 8s 9s", [3]),
        ("cathedral", "hand 3c 4c 5c 6c 7c 8c", "hand 3s 4s 5s / up 7s 8s 9s", [3]),
        ("quatch", "hand 3c 4c 5c / up 6c 7c 8c", "hand 3s 4s 5s / up 7s 8s 9s", []),
    ],
)
def test_the_narrowest_window_shows_how_many_cards_are_left_after_laying(
    rules: str, ana: str, bo: str, counts: list[int]
) -> None:
    """Not where cards are swapped, and all hold as many."""
    rows = map(row_text, draw(scene_of(at(rules, ana, bo, phase="arrange"), 0), 60, 20).rows)
    theirs = next(row for row in rows if "*hard" in row)
    assert [int(count) for count in re.findall(r"hand +(\d+)", theirs)] == counts


def test_a_long_title_gives_way_to_how_far_the_game_has_come() -> None:
    """In the narrowest window, too."""
    state = deal(rulesets()["college"], 2, "a seed")[0]
    snapshot = Snapshot(3, state.rules, 0, (Sitter("ana"), Sitter("bo")), view_of(state, 0), 6, 3)
    scene = Scene("ana", snapshot=snapshot)
    narrow, wide = (row_text(draw(scene, columns, 24).rows[0]) for columns in (60, 100))
    assert re.fullmatch(r" Table 3  CardG\w*   move 6   arranging +3 watching  [?] help", narrow)
    assert " Table 3  CardGame (college rules)   move 6   arranging " in wide


def test_the_order_of_play_is_shown_wherever_it_fits() -> None:
    """On 80 columns with one row less than usual, as in tmux, too."""
    scene = Scene("ana", snapshot=snapshot_of(at("quatch", "hand 4c 9d", "hand 5c", pile="8h")))
    for size in ((60, 20), (80, 23), (80, 24)):
        assert "order: you > bo " in row_text(draw(scene, *size).rows[0])


def test_the_order_of_play_leaves_out_its_name_before_a_title_is_cut() -> None:
    """As in the game whose title is the longest, for four."""
    seats = [f"hand {rank}c {rank}d" for rank in "4567"]
    snapshot = replace(snapshot_of(at("quatch-original", *seats, pile="8h"), ply=10), rating="not rated: guests")
    scene = Scene("ana", snapshot=snapshot)
    assert "The Game of Quatch   move 10   you > bo > cy > dee " in row_text(draw(scene, 80, 24).rows[0])


@pytest.mark.parametrize(
    ("rules", "rows"), [("quatch", ["> ana (you)", " bo  ", " cy  "]), ("life", ["1. ana (you)", "2. bo  ", "3. cy  "])]
)
def test_only_rules_that_know_more_than_a_winner_give_places(rules: str, rows: list[str]) -> None:
    """In the others all but the winner stand in the order of the cards that they have left."""
    state = after(at(rules, "hand 9c", "hand 9s", "hand Kd Ad", pile="4h"), "play 9")
    state = state if state.phase == "over" else after(state, "play 9")
    stats = GameStats(("ana", "bo", "cy"), (SeatCounts(),) * 3, (None,) * 3)
    scene = Scene("ana", snapshot=replace(snapshot_of(state, ply=60), stats=stats))
    shown = "".join(map(row_text, draw(scene, 80, 24).rows))
    assert "You win!" in shown
    found = [shown.find(row) for row in rows]
    assert found == sorted(found)
    assert min(found) > 0
