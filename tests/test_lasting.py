"""The three hours of `tests/lasting.py` are long, so the suite only sees that growth would be noticed."""

from msgspec.structs import replace

from tests.lasting import Part, Sample, growth
from tests.support.each import for_each

FIRST = Part(
    Sample(seconds=0, memory=110 << 20, descriptors=30, tasks=20, database=100_000, log=1_000, games=0, cpu=2),
    Sample(seconds=1200, memory=150 << 20, descriptors=40, tasks=21, database=1_100_000, log=51_000, games=100, cpu=99),
    visits=300,
    failed=0,
)


@for_each(
    ("what", "grown"),
    [("memory", 170 << 20), ("descriptors", 43), ("tasks", 24), ("database", 2_000_000), ("log", 120_000)],
)
def test_each_growth_is_noticed(what: str, grown: int) -> None:
    """And nothing else is complained of."""
    (told,) = growth(FIRST, replace(FIRST, after=replace(FIRST.after, **{what: grown})))
    assert what in told


def test_a_server_that_holds_as_much_is_fine_and_one_whose_visits_fail_is_not() -> None:
    """One visit in twenty may fail by chance."""
    assert not growth(FIRST, replace(FIRST, failed=15))
    assert growth(FIRST, replace(FIRST, failed=16))
