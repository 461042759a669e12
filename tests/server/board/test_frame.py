"""The big board: the same text as ever at each size, no row too long, and no card that a spectator may not know."""

import os
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace
from wcwidth import wcswidth

from server.board.frame import Board, Kind, Shown
from server.cells import PAPER, styled
from tests.server.board.room import KINDS, SIZES, drawn, room, states, table
from tests.support.each import for_each
from tests.support.random_games import redealt

GOLDEN: Final = Path(__file__).parents[2] / "golden" / "boards"
PEOPLE: Final = (3, 16, 40)
LARGEST: Final = (300, 100)


@pytest.mark.parametrize("people", PEOPLE)
def test_boards_look_as_ever(people: int) -> None:
    """After a change that is meant, `make goldens` writes them anew."""
    board, parts = room(people, is_called=True), list[str]()
    for size in SIZES:
        for shown in KINDS if size < (110, 36) else (KINDS[0], KINDS[-1]):
            rows = "\n".join(row.rstrip() for row in drawn(board, shown, size))
            parts.append(f"===== {size[0]} x {size[1]}: {shown.kind} {shown.at} =====\n{rows}\n")
    golden = GOLDEN / f"{people}_people.txt"
    if os.environ.get("GOLDENS") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text("".join(parts), "utf-8")
    assert "".join(parts) == golden.read_text("utf-8")


@for_each("size", [*SIZES, LARGEST, (20, 5), (60, 18), (110, 36), (300, 5), (20, 100)])
def test_no_row_is_too_long(size: tuple[int, int]) -> None:
    """Whatever is shown, also if there is nothing to show; the join line is whole, and stands on the last row."""
    boards = [
        *map(room, PEOPLE),
        Board(time="20:41"),
        replace(room(16, is_called=True, is_paused=True), message="words " * 40, talk=("hi",) * 9),
    ]
    for board in boards:
        for shown in (*KINDS, Shown("table", 99), Shown("tables", 99)):
            rows = drawn(board, shown, size)
            assert len(rows) == size[1]
            assert max(map(wcswidth, rows)) < size[0]
            assert rows[-1].strip() == (f"join: {board.join}"[: size[0] - 2].strip() if board.join else "")


@for_each("size", [(80, 24), (100, 30), (120, 40)])
@for_each("shown", ["people", "standings", "join"])
def test_the_way_in_is_shown_while_guests_arrive(size: tuple[int, int], shown: Kind) -> None:
    """The code, and the six words of the key, whatever else is shown."""
    code = (styled("reverse", "#" * 20),) * 12
    board = replace(room(16), tables=(), key="SHA256:abcdefgh..., in words: one two three four five six", code=code)
    rows = drawn(board, Shown(shown), size)
    assert sum("#" * 20 in row for row in rows) == len(code)
    said = " ".join(rows).translate(dict.fromkeys(map(ord, "#|│"), " "))
    assert "one two three four five six" in " ".join(said.split())


@for_each("size", SIZES)
def test_no_hidden_card_is_shown(size: tuple[int, int]) -> None:
    """Deal anew all that a spectator cannot see: every row stays the same."""
    chance = Random(1)
    for state in states()[::5]:
        before, after = (
            replace(room(3), tables=[table(1, ["Ana"], each)]) for each in (state, redealt(state, None, chance))
        )
        for shown in (Shown("tables"), Shown("table", 1)):
            assert drawn(before, shown, size) == drawn(after, shown, size)


def test_the_page_for_joining_has_the_key_in_words() -> None:
    """So that somebody can read them aloud; below the code only if there is room beside it."""
    key = "SHA256:AAECAwQF..., in words: acorn album amber anchor ankle apple"
    for code in ((), (styled(PAPER, " " * 33),) * 17):
        rows = drawn(replace(room(3), key=key, code=code), Shown("join"), (80, 24))
        assert key in " ".join(" ".join(rows).split())


def test_after_a_game_no_count_of_cards_stands_beside_the_places() -> None:
    """Here the game is drawn: nobody is out."""
    board = Board(time="20:41", tables=(table(1, ["ana", "bo", "cy", "di"], states()[-1]),))
    rows = drawn(board, Shown("tables"), (80, 24))
    first = next(at for at, row in enumerate(rows) if "places" in row) + 1
    assert [row.strip(" |") for row in rows[first : first + 4]] == ["ana", "bo", "cy", "di"]
