"""`make mutants` is long, so the suite only sees that each of its faults can still be made."""

from tests.mutants import MUTANTS, ROOT


def test_every_mutant_applies() -> None:
    """The text that it changes stands once in its file of the engine."""
    gone = [str(each) for each in MUTANTS if not each.applies_to((ROOT / "engine" / each.file).read_text("utf-8"))]
    assert not gone, "write these anew in tests/mutants.py, whose lines of the engine have changed"
