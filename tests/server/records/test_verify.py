"""What `verify` and the stand-alone script accept and refuse, and a deal that anybody can work out by hand."""

import re
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from engine.rulesets import rulesets
from engine.wording.phrases import quantity
from server.cli.main import main
from server.records.record import checksum, write_record
from server.records.record_reader import read_record, verify
from server.records.syntax import BadRecord
from server.table.entries import Abandoned, Away, Change, Committed, Cut, Dealt, Moved, Sat, TableSettings
from server.table.finished_game import finished_game
from server.table.fold import apply
from server.table.state import TableState
from tests.soak import long
from tests.support.deal_script import deal_again_of_script
from tests.support.forgeries import FORGERIES
from tests.support.random_games import random_move, table
from tests.support.recorded import GOLDEN, PLAYERS, random_record

ROOT = Path(__file__).parents[3]
SEED = bytes(range(32)).hex()
SHORT = {"stalemate.quiet_plies": 20}


def resealed(text: str) -> str:
    """The text with the checksum that belongs to it: what a forger would do."""
    first, _, body = text.split("\n", 2)
    return f"{first}\nchecksum: {checksum(body)}\n{body}"


@pytest.mark.parametrize("rules", rulesets())
def test_games_that_were_played_hold(rules: str) -> None:
    """Two to four seats, with and without a dealer and cuts."""
    for number in range(long(25, 4000)):
        text = write_record(random_record(table(rules, 2 + number % 3, SHORT), number))
        *_, moves, result = verify(text)
        assert moves.startswith("Every move ")
        said = text.splitlines()[-1]
        assert re.findall(r"\(seat (\d)\)", result) == re.findall(r"\d", said)
        assert ("wins" in result) == ("wins" in said)


def test_what_holds_is_told() -> None:
    """In a few lines, for people."""
    assert verify(GOLDEN.read_text("utf-8")) == [
        "Game 7KQ2M9XA: College with mirrors, 2 players.",
        "The commitment is that of this seed.",
        "The cards were dealt by this seed and 1 cut.",
        "The players could not choose the cards. The host of the server knew the seed, and could have cut last.",
        "Every move is allowed by the rules: 43 moves.",
        "They lead to the result: Fox (seat 2) wins.",
    ]


def test_lines_of_another_release_are_passed_over() -> None:
    """Among any others: the record says and proves the same."""
    text = GOLDEN.read_text("utf-8")
    lines = text.splitlines()
    for number in range(2, len(lines) + 1):
        more = resealed("\n".join([*lines[:number], "weather: rain, later sun", *lines[number:], ""]))
        assert read_record(more) == read_record(text)
        assert verify(more) == verify(text)


@pytest.mark.parametrize("level", ["easy", "hard"])
@pytest.mark.parametrize("rules", rulesets())
def test_what_a_table_keeps_holds(rules: str, level: str) -> None:
    """Two games of a table: the dealer drawn, then given; a cut; a player who goes away; the second game abandoned."""
    state = TableState.of(TableSettings(rules, {"stalemate.quiet_plies": 20}, 3, level))
    changes: list[Change] = [
        Sat(seat, structs.replace(player, id=f"{seat}")) for seat, player in enumerate(PLAYERS[:3])
    ]
    changes += [Committed("7KQ2M9XA", SEED), Cut("ana", "seven"), Dealt(None)]
    for change in changes:
        state, _ = apply(state, change, 1.5)
    rng = Random(f"{rules} {level}")
    while state.game is not None and state.playing:
        seat, move = random_move(state.game, rng)
        state, _ = apply(state, Moved(seat, str(move)), 2.5)
        if state.ply == 9:
            state, _ = apply(state, Away(0, "clock"), 2.5)
    text = finished_game(state, 3.5).record
    assert "# ana let the clock run out" in text
    assert verify(text)[4] == f"Every move is allowed by the rules: {quantity(state.ply, 'move')}."
    assert all(line in text.split("\n") for line in deal_again_of_script()(text))
    for change in (Committed("7KQ2M9XB", SEED), Dealt(1), Abandoned()):
        state, _ = apply(state, change, 4.5)
    assert verify(finished_game(state, 5.5).record)[-1] == "After them the game was abandoned: it has no result."


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forgery_is_refused_for_what_it_is(what: str) -> None:
    """Not because of the checksum, which a forger works out anew, but because it cannot have been so."""
    old, new, message = FORGERIES[what]
    text = GOLDEN.read_text("utf-8")
    assert old in text
    with pytest.raises(BadRecord) as raised:
        verify(resealed(text.replace(old, new, 1)))
    assert message in str(raised.value)


def test_every_move_counts() -> None:
    """Leaving out or doubling any move is refused, but for laying cards again; a game that stops early says so."""
    text = GOLDEN.read_text("utf-8")
    before, after = text.split("\n1. ")[0] + "\n", "\n\nplaces: " + text.split("\n\nplaces: ")[1]
    moves = [line.partition(". ")[2] for line in text.splitlines() if line.partition(". ")[0].isdecimal()]
    assert len(moves) == 43

    def forged(moves: list[str], end: str = after) -> str:
        return resealed(before + "\n".join(f"{ply}. {move}" for ply, move in enumerate(moves, 1)) + end)

    assert verify(forged(moves))
    for at in range(len(moves)):
        doubled = [] if ": lay " in moves[at] else [moves[: at + 1] + moves[at:]]
        for others in [moves[:at] + moves[at + 1 :], *doubled]:
            with pytest.raises(BadRecord, match=r"not possible|lead to"):
                verify(forged(others))
    with pytest.raises(BadRecord, match="line 71: move 44 of seat 1 is not possible: play 4: The game is over"):
        verify(forged([*moves, "seat 1: play 4"]))
    abandoned = "\n\nplaces: none\nresult: abandoned\n"
    assert verify(forged(moves[:-1], abandoned))[-1] == "After them the game was abandoned: it has no result."
    with pytest.raises(BadRecord, match="the moves lead to 'places: 2', not 'places: none'"):
        verify(forged(moves, abandoned))


def test_a_single_character_changed_anywhere_is_noticed() -> None:
    """Names, times and notes as well: nothing but the checksum knows what they were."""
    text, rng = GOLDEN.read_text("utf-8").rstrip("\n"), Random("a character")
    for at in range(0, len(text), 3):
        other = rng.choice([char for char in "09azAZ \n#" if char != text[at]])
        with pytest.raises(BadRecord, match=r"^line [1-9]"):
            verify(text[:at] + other + text[at + 1 :])


@pytest.mark.parametrize(
    ("old", "new"), [('"ana", person', '"bo", person'), ("19:05:03", "19:06:03"), ("# ana", "# bo")]
)
def test_what_nothing_follows_from_is_kept_by_the_checksum(old: str, new: str) -> None:
    """A copy with another name in it is no longer what was written."""
    text = GOLDEN.read_text("utf-8")
    with pytest.raises(BadRecord, match="line 2: the checksum is of another text"):
        verify(text.replace(old, new, 1))


def test_the_command_tells_what_holds(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 0 and the lines of `verify`."""
    assert main(["verify", str(GOLDEN)]) == 0
    assert capsys.readouterr().out.splitlines() == verify(GOLDEN.read_text("utf-8"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GOLDEN.read_bytes().replace(b"play 8 8", b"play 9 9"), "line 34: move 7 of seat 1 is not possible: play 9 9"),
        (b"Quatch record 1\n\xff", "is no record: it is not text in UTF-8"),
        (b"", "line 1: must be 'Quatch record 1', not the end"),
    ],
)
def test_the_command_refuses_in_a_line(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 1 and what does not hold."""
    file = tmp_path / "game.txt"
    file.write_bytes(content)
    assert main(["verify", str(file)]) == 1
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert message in told.err


def test_what_is_neither_a_file_nor_a_game_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 2, in a line."""
    assert main(["verify", "7KQ2M9XA", "--data", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
