"""What `verify` and the stand-alone script accept and refuse, with open and sealed cuts."""

import ast
import importlib.util
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from msgspec import structs
from msgspec.structs import replace

from engine.rulesets import rulesets
from engine.wording.phrases import quantity
from server.cli.main import main
from server.records.fairness import DealCut, commitment, seal_of
from server.records.record import checksum, derived_lines, write_record
from server.records.record_reader import read_record, verify
from server.records.syntax import BadRecord
from server.table.apply_changes import apply
from server.table.entries import Abandoned, Away, Change, Committed, Cut, Dealt, Moved, Sat, TableSettings
from server.table.finished_game import finished_game
from server.table.state import TableState
from tests.soak import long
from tests.support.each import for_each
from tests.support.programs import ended
from tests.support.random_games import SEEDS, TABLES, Table, house_rules, random_move, table
from tests.support.recorded import GOLDEN, PLAYERS, dealt, played, random_deal, random_record

SWAPPED_MOVES = ("5. seat 1: play 6\n6. seat 2: play 6 6\n", "5. seat 1: play 6 6\n6. seat 2: play 6\n")
FORGERIES = {
    "seed": ("seed: 11ee", "seed: 11ef", "line 19: must be 'commitment: "),
    "id": ("game: 7KQ2M9XA", "game: 7KQ2M9XB", "line 19: must be 'commitment: "),
    "commitment": ("commitment: f0", "commitment: f1", "line 19: must be 'commitment: "),
    "cut": ("spades", "hearts", "line 23: must be 'seat 1: "),
    "cut removed": ('cut by "ana": "the seven of spades ♠"\n', "", "line 22: must be 'seat 1: "),
    "cut added": ("dealer: ", 'cut by "Fox": ""\ndealer: ', "line 24: must be 'seat 1: "),
    "dealer": ("dealer: seat 2", "dealer: seat 1", "line 26: must be 'luck: "),
    "rules": ("rules: college", "rules: life", "line 22: must be 'start: declare'"),
    "option": ('"10": 2', '"10": 3', "line 20: must be 'deck: "),
    "option removed": ('option special.3.effect: "mirror"\noption special.3.on: "any"\n', "", "not possible: play 3"),
    "option added": ("player 1: ", 'option beat: "higher"\nplayer 1: ', "not possible: play 6"),
    "players": ("began: ", 'player 3: "bo", person\nbegan: ', "line 24: must be 'seat 1: "),
    "deck": ("deck: 1", "deck: 4", "line 20: must be 'deck: "),
    "card": ("hand 6d 8c", "hand 6d 8s", "line 23: must be 'seat 1: "),
    "cards exchanged": ("8d 7h 9h", "7h 8d 9h", "line 23: must be 'seat 1: "),
    "stock": ("stock: 3c 8h", "stock: 8h 3c", "line 25: must be 'stock: "),
    "luck": ("luck: 1 2", "luck: 2 1", "line 26: must be 'luck: "),
    "move": ("8. seat 2: play Q", "8. seat 2: play J", "line 35: move 8 of seat 2 is not possible: play J"),
    "another's move": ("8. seat 2: play Q", "8. seat 1: play Q", "line 35: move 8 of seat 1 is not possible"),
    "moves swapped": (*SWAPPED_MOVES, "line 32: move 5 of seat 1 is not possible: play 6 6"),
    "places": ("places: 2\n", "places: 1\n", "line 74: the moves lead to 'places: 2', not 'places: 1'"),
    "result": ("result: seat 2", "result: seat 1", "line 75: the moves lead to 'result: seat 2 wins'"),
    "drawn": ("result: seat 2 wins", "result: drawn between seats 1 2", "line 75: the moves lead to "),
}


SCRIPT = Path(__file__).parents[3] / "deploy" / "verify_deal.py"


def deal_again_of_script() -> Callable[[str], list[str]]:
    """Its function that deals a record's cards again; returns the lines that follow from that."""
    spec = importlib.util.spec_from_file_location("verify_deal", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    deal_again: Callable[[str], list[str]] = module.deal_again
    return deal_again


SEED = bytes(range(32)).hex()
SHORT = {"stalemate.quiet_plies": 20}


def resealed(text: str) -> str:
    """The text with the checksum that belongs to it: what a forger would do."""
    first, _, body = text.split("\n", 2)
    return f"{first}\nchecksum: {checksum(body)}\n{body}"


@for_each("rules", rulesets())
def test_games_that_were_played_hold(rules: str) -> None:
    """Two to four seats, with and without a dealer and cuts."""
    for number in range(long(8, 1_000)):
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
        "The players could not choose the cards. Who runs the server knew the seed, and could have cut last.",
        "Every move is allowed by the rules: 43 moves.",
        "They lead to the result: Fox (seat 2) wins.",
    ]


def test_lines_of_another_release_are_passed_over() -> None:
    """Among any others: the record says and proves the same."""
    text = GOLDEN.read_text("utf-8")
    lines = text.splitlines()
    for number in range(2, len(lines) + 1, long(3, 1)):
        more = resealed("\n".join([*lines[:number], "weather: rain, later sun", *lines[number:], ""]))
        assert read_record(more) == read_record(text)
        assert verify(more) == verify(text)


@for_each("level", ["easy", "hard"])
@for_each("rules", rulesets())
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


@for_each("what", FORGERIES)
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
    for at in range(0, len(text), long(9, 3)):
        other = rng.choice([char for char in "09azAZ \n#" if char != text[at]])
        with pytest.raises(BadRecord, match=r"^line [1-9]"):
            verify(text[:at] + other + text[at + 1 :])


def test_the_command_tells_what_holds(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 0 and the lines of `verify`."""
    assert main(["verify", str(GOLDEN)]) == 0
    assert capsys.readouterr().out.splitlines() == verify(GOLDEN.read_text("utf-8"))


def test_the_command_reads_a_pipe() -> None:
    """As `ssh HOST replay ID --export` is one."""
    status, told, _ = ended("verify", "-", typed=GOLDEN.read_text("utf-8"))
    assert (status, told.splitlines()) == (0, verify(GOLDEN.read_text("utf-8")))


def test_the_script_alone_says_how_it_is_used() -> None:
    """In a line, with an exit status."""
    for asked in ((), ("--help",)):
        run = subprocess.run([sys.executable, SCRIPT, *asked], capture_output=True, text=True, check=False)
        assert (run.returncode, "verify_deal.py FILE" in run.stderr, run.stderr.count("\n")) == (1, True, 1)


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


def test_what_is_neither_a_file_nor_a_game_is_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With exit status 1."""
    assert main(["verify", "7KQ2M9XA", "--data", str(tmp_path)]) == 1
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)


VECTOR_ID = "7KQ2M9XA"
VECTOR_SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"


@for_each("at", TABLES[:: long(2, 1)])
def test_the_script_deals_as_we_do(at: Table) -> None:
    """Every rule set at two to four seats, mixes of options, dealers and cuts."""
    deal_again = deal_again_of_script()
    for number in range(SEEDS):
        record = random_deal(at, number)
        left_out = ("deck: ", "deal: ", "start: ")
        ours = [line for line in derived_lines(record) if not line.startswith(left_out)]
        assert deal_again(write_record(record)) == ours


def test_the_script_deals_house_rules_as_we_do() -> None:
    """Any number of copies, zones that are empty, every way to start, hostile cuts."""
    deal_again = deal_again_of_script()
    for seed in range(25 * SEEDS):
        at = house_rules(seed)
        record = random_deal(at, seed)
        hostile = DealCut('x": "', f'y": "{seed}\\\n\u2028\x85'), DealCut("", "")
        record = replace(record, cuts=(*record.cuts, *hostile))
        ours = derived_lines(record)
        assert all(line in ours for line in deal_again(write_record(record)))


def run_script(folder: Path, text: str) -> tuple[int, str]:
    """What the script makes of this record, in a bare interpreter, away from our packages."""
    file = folder / "record.txt"
    file.write_text(text, "utf-8")
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(file)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


HOLDS = (0, "The deal holds: commitment, cards and luck are what the seed and the cuts make them.\n")


def test_the_script_accepts_a_deal_and_refuses_another(tmp_path: Path) -> None:
    """Run as people run it."""
    text = write_record(played(dealt("quatch", 3)))
    assert run_script(tmp_path, text) == HOLDS
    status, said = run_script(tmp_path, text.replace("\nluck: ", "\nluck: 0 ", 1))
    assert (status, said.startswith("The deal does not hold. These lines differ: ['luck: 0 ")) == (1, True)


DEAL_FORGERIES = (
    *("seed", "id", "commitment", "cut", "cut removed", "cut added", "dealer", "players"),
    *("deck", "card", "cards exchanged", "stock", "luck"),
)


@for_each("what", DEAL_FORGERIES)
def test_the_script_refuses_forgeries_of_the_deal(what: str) -> None:
    """Whatever bears on the cards."""
    old, new, _ = FORGERIES[what]
    text = GOLDEN.read_text("utf-8")
    assert all(line in text.split("\n") for line in deal_again_of_script()(text))
    forged = text.replace(old, new, 1)
    assert not all(line in forged.split("\n") for line in deal_again_of_script()(forged))


@pytest.mark.parametrize("text", ["", "seed: 1\n", GOLDEN.read_text("utf-8") + "seed: 00\n", "\x00"])
def test_the_script_says_in_a_line_that_a_file_is_no_record(text: str, tmp_path: Path) -> None:
    """A header missing or there twice is no record."""
    status, said = run_script(tmp_path, text)
    assert (status, said.count("\n")) == (1, 1)
    assert said.startswith("No record that can be dealt again: ")


def test_the_script_can_be_read_in_a_minute_and_needs_nothing() -> None:
    """Fewer than 70 lines, and the standard library alone."""
    source = SCRIPT.read_text("utf-8")
    assert source.count("\n") < 70
    imported = {
        name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    }
    assert imported <= sys.stdlib_module_names


def test_the_published_vector() -> None:
    r"""Id, seed and cuts give this commitment and these cards, in every implementation and for ever.

    The commitment needs no program of ours: printf 'quatch-commit-v1\0%s\0%s' ID SEED | sha256sum
    """
    record = replace(dealt("quatch", 2), id=VECTOR_ID, seed=VECTOR_SEED)
    published = "0a168cfcb46dbe0c0496e935f79948dd991c0db489ba3ee732c5e1665c70ab9f"
    assert commitment(VECTOR_ID, VECTOR_SEED) == published
    assert derived_lines(record) == [
        f"commitment: {published}",
        "deck: 1 4 4 4 4 4 4 4 1 4 4 4 4",
        "deal: 3 down, 3 up, 3 in hand",
        "start: lowest",
        "seat 1: down 5d 3d 2d, up 7d 9c Qc, hand 5h Kd As",
        "seat 2: down Qh 4c 6s, up 4h Jh Kc, hand 3c 7h Qs",
        "stock: 5s 9s Ad 8h Td 7c 6c 6d Jc Ks 6h 4s 8s 3h 7s Jd 4d 9h 9d 3s Qd 8c 5c Ah Js 8d Kh Ac",
        "luck: 2 1",
    ]
    cut = replace(record, cuts=(DealCut("ana", "seven"), DealCut("bo", "snow ☃")))
    assert derived_lines(cut)[4:] == [
        "seat 1: down Qh Ac 3h, up 6d 9d Qd, hand 6h 6s Kc",
        "seat 2: down Ks 3d 4d, up 4s 9s Ad, hand Jh Js Qs",
        "stock: 7c As Kh 3c 8c 8s 8h 6c 9c Jc Th 5d Kd 7h Jd Ah 2s 8d 7s 3s 4c 4h 9h 5c 7d Qc 5h 5s",
        "luck: 1 2",
    ]
    text = write_record(played(cut))
    assert all(line in text.split("\n") for line in deal_again_of_script()(text))


ANA = DealCut("ana", "a random text", seal_of("a random text"), 0)
BO = DealCut('bo": "', 'hostile": "\\', seal_of('hostile": "\\'), 2)
CY = DealCut("cy", "seven")
NO_ONE, NOT_THE_PLAYERS = "promise: no one could choose the cards", "promise: the players could not choose the cards"


def record_of(*cuts: DealCut) -> str:
    """A game of ana, the AI player Fox and bo with these cuts, as text."""
    return write_record(played(replace(dealt("quatch", 3), cuts=cuts)))


@pytest.mark.parametrize(
    ("cuts", "promise"),
    [
        ((ANA, CY, BO), NO_ONE),
        ((BO, ANA), NO_ONE),
        ((ANA, CY), NOT_THE_PLAYERS),
        ((BO, ANA._replace(text=None)), NOT_THE_PLAYERS),
        ((ANA._replace(text=None), BO._replace(text=None)), NOT_THE_PLAYERS),
    ],
)
def test_a_record_with_seals_comes_back_as_it_was(cuts: tuple[DealCut, ...], promise: str, tmp_path: Path) -> None:
    """It says who could not choose, and both programs confirm that."""
    text = record_of(*cuts)
    assert text.count("\npromise: ") == 1
    assert f"\n{promise}\n" in text
    assert read_record(text).cuts == cuts
    assert verify(text)[3].lower().startswith(promise.removeprefix("promise: "))
    opened = sum(cut.text is not None for cut in cuts)
    assert f"{opened} cut" in verify(text)[2] or not opened
    assert run_script(tmp_path, text) == HOLDS


def test_the_lines_of_cuts_can_be_read_by_people() -> None:
    """Each with the seat, the seal and the text."""
    lines = [line for line in record_of(ANA, CY, BO._replace(text=None)).splitlines() if line.startswith("cut by")]
    assert lines == [
        f'cut by "ana" (seat 1, sealed {ANA.seal}): "a random text"',
        'cut by "cy": "seven"',
        f'cut by "bo\\": \\"" (seat 3, sealed {BO.seal}): not opened',
    ]


def test_without_seals_a_record_promises_nothing() -> None:
    """Its cuts prove that the players could not choose the cards, as every record does."""
    text = record_of(CY)
    assert "promise" not in text


ZEROS = "0" * 64
SEALED_LINE = f'cut by "ana" (seat 1, sealed {ANA.seal}): "a random text"'
SEALED_FORGERIES = {
    "text": ("a random text", "another text", "line 14: the text is not the one that was sealed"),
    "seal": (ANA.seal, ZEROS, "line 14: the text is not the one that was sealed"),
    "both": (SEALED_LINE, SEALED_LINE.replace(ANA.seal, seal_of("b")).replace("a random text", "b"), "must be 'seat 1"),
    "not opened": ('"a random text"', "not opened", "must be 'promise: the players could not choose the cards'"),
    "seat": ("(seat 1, ", "(seat 2, ", "must be 'promise: the players could not choose the cards'"),
    "seal gone": (f" (seat 1, sealed {ANA.seal})", "", "must be 'promise: the players could not choose the cards'"),
    "kind": ('"Fox", AI player, hard', '"Fox", person', "must be 'promise: the players could not choose the cards'"),
    "promise": (NO_ONE, NOT_THE_PLAYERS, f"must be '{NO_ONE}'"),
    "promise gone": (f"{NO_ONE}\n", "", f"must be '{NO_ONE}'"),
}


@pytest.mark.parametrize("what", SEALED_FORGERIES)
def test_a_forged_seal_is_refused(what: str, tmp_path: Path) -> None:
    """By `verify` with its line, and by the script."""
    old, new, message = SEALED_FORGERIES[what]
    text = record_of(ANA, BO)
    assert old in text
    forged = resealed(text.replace(old, new, 1))
    with pytest.raises(BadRecord, match=re.escape(message)):
        verify(forged)
    status, said = run_script(tmp_path, forged)
    assert (status, said.count("\n")) == (1, 1)


@for_each(
    ("old", "new"),
    [
        (f"sealed {ANA.seal}", f"sealed {ANA.seal[1:]}"),
        (f"sealed {ANA.seal}", f"sealed {ANA.seal}0"),
        (f"sealed {ANA.seal}", f"sealed {ANA.seal.upper()}"),
        ("(seat 1, ", "(seat 0, "),
        ("(seat 1, ", "(seat 001, "),
        ("(seat 1, sealed", "(sealed"),
        ("(seat 1, ", "(seat 1,  "),
        ('"a random text"', "opened"),
        ('"a random text"', '"a random text'),
    ],
)
def test_a_damaged_line_is_named(old: str, new: str) -> None:
    """The error says where it is."""
    with pytest.raises(BadRecord, match="line 14: must be two texts"):
        read_record(record_of(ANA, BO).replace(old, new, 1))
