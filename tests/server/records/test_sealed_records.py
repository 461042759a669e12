"""Records of games with sealed cuts: read, verified and dealt again without the program."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.records.fairness import DealCut, seal_of
from server.records.record import checksum, write_record
from server.records.record_reader import read_record, verify
from server.records.syntax import BadRecord
from tests.support.recorded import dealt, played

SCRIPT = Path(__file__).parents[3] / "deploy" / "verify_deal.py"
ANA = DealCut("ana", "a random text", seal_of("a random text"), 0)
BO = DealCut('bo": "', 'hostile": "\\', seal_of('hostile": "\\'), 2)
CY = DealCut("cy", "seven")
NO_ONE, PLAYERS = "promise: no one could choose the cards", "promise: the players could not choose the cards"
HOLDS = (0, "The deal holds: commitment, cards and luck are what the seed and the cuts make them.\n")


def record_of(*cuts: DealCut) -> str:
    """A game of ana, the AI player Fox and bo with these cuts, as text."""
    return write_record(played(replace(dealt("quatch", 3), cuts=cuts)))


def resealed(text: str) -> str:
    """The text with the checksum that belongs to it: what a forger would do."""
    first, _, body = text.split("\n", 2)
    return f"{first}\nchecksum: {checksum(body)}\n{body}"


def run_script(folder: Path, text: str) -> tuple[int, str]:
    """What the script makes of this record."""
    file = folder / "record.txt"
    file.write_text(text, "utf-8")
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("cuts", "promise"),
    [
        ((ANA, CY, BO), NO_ONE),
        ((BO, ANA), NO_ONE),
        ((ANA, CY), PLAYERS),
        ((BO, ANA._replace(text=None)), PLAYERS),
        ((ANA._replace(text=None), BO._replace(text=None)), PLAYERS),
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
FORGERIES = {
    "text": ("a random text", "another text", "line 14: the text is not the one that was sealed"),
    "seal": (ANA.seal, ZEROS, "line 14: the text is not the one that was sealed"),
    "both": (SEALED_LINE, SEALED_LINE.replace(ANA.seal, seal_of("b")).replace("a random text", "b"), "must be 'seat 1"),
    "not opened": ('"a random text"', "not opened", "must be 'promise: the players could not choose the cards'"),
    "seat": ("(seat 1, ", "(seat 2, ", "must be 'promise: the players could not choose the cards'"),
    "seal gone": (f" (seat 1, sealed {ANA.seal})", "", "must be 'promise: the players could not choose the cards'"),
    "kind": ('"Fox", AI player, hard', '"Fox", person', "must be 'promise: the players could not choose the cards'"),
    "promise": (NO_ONE, PLAYERS, f"must be '{NO_ONE}'"),
    "promise gone": (f"{NO_ONE}\n", "", f"must be '{NO_ONE}'"),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forged_seal_is_refused(what: str, tmp_path: Path) -> None:
    """By `verify` with its line, and by the script."""
    old, new, message = FORGERIES[what]
    text = record_of(ANA, BO)
    assert old in text
    forged = resealed(text.replace(old, new, 1))
    with pytest.raises(BadRecord, match=re.escape(message)):
        verify(forged)
    status, said = run_script(tmp_path, forged)
    assert (status, said.count("\n")) == (1, 1)


@pytest.mark.parametrize(
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
