"""The lobby's screen."""

import re

import pytest
from msgspec.structs import replace

from server.cells import row_text
from server.render.frame import draw
from server.render.scene import LobbyHint, Scene, Teaches
from server.table.snapshot import Listing, Presence, Sitter
from tests.support.frames import NAMES, SIZES, assert_exact


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 50)])
def test_newcomers_are_told_the_rules_in_brief(size: tuple[int, int]) -> None:
    """In whole sentences, the most important first; others are not."""
    newcomer = Scene("ana", teaches=Teaches("lesson", "an hour"))
    shown = "".join(map(row_text, draw(newcomer, *size).rows))
    assert "Get rid of all your cards" in shown
    assert "in brief" not in "".join(map(row_text, draw(Scene("ana"), *size).rows))


@pytest.mark.parametrize("size", SIZES)
def test_the_lobby_fits(size: tuple[int, int]) -> None:
    """With many tables and people, and with none."""
    empty = Scene("ana")
    tables = tuple(
        Listing(n, "quatch", "CardGame (college rules)", (Sitter(NAMES[1]), None), n % 2 > 0, n, 1) for n in range(40)
    )
    full = Scene(
        NAMES[1],
        tables=tables,
        people=(*map(Presence, NAMES * 9),),
        kept_seats=(*range(90, 99),),
        talk=["hello " * 30] * 40,
    )
    for scene in (empty, full):
        assert_exact(draw(scene, *size), *size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("kept", "line"), [((7,), "one of your tables sleeps: sit 7"), ((7, 9), "2 of your tables sleep: sit 7, sit 9")]
)
def test_the_lobby_names_the_players_own_tables_that_sleep(
    size: tuple[int, int], kept: tuple[int, ...], line: str
) -> None:
    """With other tables beside them, and without."""
    there = (Listing(1, "quatch", "Quatch", (Sitter("bo"), None), playing=False, ply=0, watching=0),)
    for tables in ((), there):
        rows = map(row_text, draw(Scene("ana", tables=tables, kept_seats=kept), *size).rows)
        assert any(row.strip().startswith(line) for row in rows)


def test_the_lobby_speaks_of_tables_that_are_there() -> None:
    """Of a table that can be joined without a word, and of one where a game goes on; then of what features have."""

    def listing(number: int, *, playing: bool, private: bool = False) -> Listing:
        return Listing(number, "quatch", "Quatch", (Sitter("bo"), None), playing, 0, 0, private=private)

    def hints(*tables: Listing) -> str:
        return row_text(
            draw(
                Scene("ana", tables=tables, hints=(LobbyHint("dice"), LobbyHint("chess", "a game of kings"))), 100, 30
            ).rows[-1]
        )

    assert not re.search("sit|watch", hints())
    assert " new   sit 5   rules   me   top   / talks   dice   " in hints(
        listing(2, playing=False, private=True), listing(5, playing=False)
    )
    assert " new   sit 4   watch 4   rules   me   top   / talks   dice   " in hints(
        listing(3, playing=True, private=True), listing(4, playing=True)
    )


@pytest.mark.parametrize("size", [(60, 20), (80, 23), (80, 24), (100, 30)])
def test_help_and_quit_are_always_among_the_hints_of_the_lobby(size: tuple[int, int]) -> None:
    """Also when tables with long numbers want space."""
    tables = tuple(Listing(n, "quatch", "Quatch", (Sitter("bo"), None), n % 2 == 0, 0, 0) for n in (123456, 123457))
    for shown in ((), tables):
        assert row_text(draw(Scene("ana", tables=shown), *size).rows[-1]).endswith("   help   quit")


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_the_lobby_cuts_names_before_it_cuts_whether_a_game_is_rated(columns: int) -> None:
    """A player decides by that where to sit down."""
    sitters = tuple(Sitter("m" * 16) for _ in range(3))
    table = Listing(7, "quatch", "Quatch", (*sitters, None), playing=False, ply=0, watching=0, private=True)
    scene = Scene("ana", tables=(replace(table, rating="not rated: guests"),))
    assert any("1 of 4 free key not rated" in row_text(row) for row in draw(scene, columns, 24).rows)
