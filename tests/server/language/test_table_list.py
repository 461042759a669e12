"""Which tables a list shows, in which order, and which it folds into one line."""

from random import Random
from typing import Final

from msgspec.structs import replace

from server.language.table_list import folded_text, in_order, unfolded
from server.render.frame import draw
from server.render.scene import Scene
from server.table.snapshot import Listing, Presence, Sitter

OPEN: Final = Listing(1, "life", "Life", (Sitter("ana"), None), playing=False, ply=0, watching=0)
FULL: Final = replace(OPEN, sitters=(Sitter("ana"), Sitter("bo")), playing=True)
ASLEEP: Final = replace(FULL, asleep=True)
BY_WORTH: Final = [
    *(replace(each, number=number) for number, each in ((9, OPEN), (8, ASLEEP))),  # the player's own
    *(replace(OPEN, number=number) for number in (5, 7)),
    replace(OPEN, number=2, private=True),
    *(replace(FULL, number=number) for number in (1, 4)),
    replace(OPEN, number=6, asleep=True),
    replace(ASLEEP, number=3),
]
OWN: Final = {8, 9, 70}
"""Also a table that is not listed, since it sleeps in the log."""


def test_the_tables_that_matter_most_come_first() -> None:
    """One's own, those with players, those with a seat to take, those without a word; then by number."""
    mixed = Random(1).sample(BY_WORTH, len(BY_WORTH))
    assert in_order(mixed, OWN) == BY_WORTH
    assert [each.number for each in in_order(mixed, ())][:2] == [5, 7]


def test_tables_that_sleep_are_folded_but_never_ones_own() -> None:
    """They are counted."""
    assert unfolded(BY_WORTH, OWN) == BY_WORTH[:-2]
    assert len(unfolded(BY_WORTH, ())) == len(BY_WORTH) - 3
    assert folded_text(0) == ""
    assert folded_text(1) == "1 more, whose players are away: tables all"


def test_the_lobby_draws_the_same_list_at_every_size() -> None:
    """As rows or as boxes, without the others, and a first table to sit at among the hints."""
    for size in ((80, 24), (100, 30), (200, 60)):
        shown = unfolded(BY_WORTH, OWN)
        scene = Scene("zoe", tables=shown, kept_seats=(70,), people=(Presence("zoe"),))
        screen = "\n".join(row.text for row in draw(scene, *size).rows)
        assert "1 here, 7 tables" in screen
        assert "one of your tables sleeps: sit 70" in screen
        places = [screen.find(f" {number}  Life") for number in (9, 8, 5)]
        assert sorted(places) == places
        assert min(places) > 0
        assert " 3  Life" not in screen
        assert "sit 9 " in screen.split("\n")[-1]


def test_a_lobby_where_all_tables_sleep() -> None:
    """Nobody is said to be at one."""
    scene = Scene("zoe", people=(Presence("zoe"), Presence("ana")))
    shown = "\n".join(row.text for row in draw(scene, 80, 24).rows)
    assert "2 here" in shown
    assert "No table is open: new opens one" in shown
