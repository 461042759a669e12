"""The seats of the other players: nothing is cut off, however the cards are shown."""

from dataclasses import replace
from typing import Literal

import pytest

from engine.game import deal
from engine.rulesets import ruleset
from engine.view import view_of
from server.cells import row_text
from server.people.settings import Settings
from server.render.frame import draw
from server.render.scene import Scene
from server.table.place import RECORD, TABLE
from server.table.snapshot import NO_TABLE, Sitter, Snapshot

SITTERS = (Sitter("ana"), Sitter("Fox", "extreme"), Sitter("Owl", "easy"), Sitter("Hex", "medium"))


@pytest.mark.parametrize("cards", ["words", "letters"])
@pytest.mark.parametrize("is_replay", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_a_seat_shows_all_its_cards_and_what_it_does(
    cards: Literal["words", "letters"],
    is_replay: bool,  # noqa: FBT001
    seed: int,
) -> None:
    """Cards in words need more cells: those that lie face down then have a row below."""
    rules = ruleset("quatch")
    state, _ = deal(rules, 4, f"rows {seed}")
    view = view_of(state, None)
    if is_replay:
        view = replace(view, hands=tuple(state.hands), ups=tuple(state.ups), downs=tuple(state.downs))
    snapshot = Snapshot(NO_TABLE, rules, None, SITTERS, view, 0, place=RECORD if is_replay else TABLE)
    rows = [row_text(row) for row in draw(Scene("ana", snapshot=snapshot, settings=Settings(cards=cards)), 80, 24).rows]
    assert sum(row.rstrip().endswith("arranging") for row in rows[1:]) == 4
    assert sum(row.count("[") for row in rows[:12]) == sum(row.count("]") for row in rows[:12]) == 4 * 6
