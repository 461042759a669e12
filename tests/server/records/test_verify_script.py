"""The script with which anybody checks a deal without this program, and the vector that is published for it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.rulesets import rulesets
from server.records.fairness import DealCut, commitment
from server.records.record import derived_lines, write_record
from tests.support.deal_script import SCRIPT, deal_again_of_script
from tests.support.forgeries import FORGERIES
from tests.support.random_games import SEEDS, TABLES, Table, house_rules
from tests.support.recorded import GOLDEN, dealt, played, random_record

ROOT = Path(__file__).parents[3]
VECTOR_ID = "7KQ2M9XA"
VECTOR_SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"


@pytest.mark.parametrize("at", TABLES, ids=str)
def test_the_script_deals_as_we_do(at: Table) -> None:
    """Every rule set at two to four seats, mixes of options, dealers and cuts."""
    deal_again = deal_again_of_script()
    for number in range(2 * SEEDS):
        record = random_record(at, number)
        left_out = ("deck: ", "deal: ", "start: ")
        ours = [line for line in derived_lines(record) if not line.startswith(left_out)]
        assert deal_again(write_record(record)) == ours


def test_the_script_deals_house_rules_as_we_do() -> None:
    """Any number of copies, zones that are empty, every way to start, hostile cuts."""
    deal_again = deal_again_of_script()
    for seed in range(25 * SEEDS):
        at = house_rules(seed)
        record = random_record(at, seed)
        record = replace(
            record, cuts=(*record.cuts, DealCut('x": "', f'y": "{seed}\\\n\u2028\x85'), DealCut("", "")), steps=()
        )
        text = "\n".join(["", *derived_lines(record)])
        written = write_record(played(record))
        assert all(line in text.split("\n") for line in deal_again(written))


def _run_script(tmp_path: Path, text: str) -> tuple[int, str]:
    """In a bare interpreter, away from our packages."""
    file = tmp_path / "game.txt"
    file.write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(SCRIPT), str(file)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("rules", rulesets())
def test_the_script_accepts_a_deal_and_refuses_another(rules: str, tmp_path: Path) -> None:
    """Run as people run it, for each rule set."""
    text = write_record(played(dealt(rules, 3)))
    assert _run_script(tmp_path, text) == (
        0,
        "The deal holds: commitment, cards and luck are what the seed and the cuts make them.\n",
    )
    status, said = _run_script(tmp_path, text.replace("\nluck: ", "\nluck: 0 ", 1))
    assert (status, said.startswith("The deal does not hold. These lines differ: ['luck: 0 ")) == (1, True)


DEAL_FORGERIES = (
    *("seed", "id", "commitment", "cut", "cut removed", "cut added", "dealer", "players"),
    *("deck", "card", "cards exchanged", "stock", "luck"),
)


@pytest.mark.parametrize("what", DEAL_FORGERIES)
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
    status, said = _run_script(tmp_path, text)
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
