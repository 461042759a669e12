"""Chance from a seed: pinned for ever, and fair."""

from collections import Counter
from itertools import permutations
from math import sqrt
from typing import Final

import pytest

from engine.shuffle import Draws
from tests.support.each import for_each

WORDS: Final = [
    225818364,
    855283659,
    1432426862,
    2832011028,
    3291147660,
    2200678506,
    72434101,
    1804363626,
    1901650711,
    2969641586,
]
BELOW_52: Final = [44, 35, 22, 28, 8, 26, 25, 26, 51, 2, 27, 37, 48, 20, 51, 10, 37, 42, 0, 35]
FAIR: Final = 200
"""How often each outcome comes up on average below."""


def test_numbers_are_pinned() -> None:
    """A seed gives these numbers on every machine, for ever: records and shared seeds depend on it."""
    draws = Draws("a")
    assert [draws.below(1 << 32) for _ in range(10)] == WORDS
    draws = Draws("a")
    assert [draws.below(52) for _ in range(20)] == BELOW_52


def test_a_seed_is_any_text() -> None:
    """Empty text and lone surrogates are seeds too, and every seed has its own stream."""
    streams = {tuple(Draws(seed).below(1 << 32) for _ in range(3)) for seed in ("", "a", "A", "a ", "\ud800", "\u00e9")}
    assert len(streams) == 6


@for_each("limit", [1, 2, 3, 6, 52])
def test_numbers_are_even(limit: int) -> None:
    """Every number below the limit comes up about as often as any other."""
    draws = Draws(f"below {limit}")
    counts = Counter(draws.below(limit) for _ in range(FAIR * limit))
    assert set(counts) == set(range(limit))
    assert is_fair(list(counts.values()))


def test_shuffles_are_even() -> None:
    """Every order of four items comes up about as often as any other."""
    draws = Draws("shuffles")
    counts = Counter[tuple[int, ...]]()
    for _ in range(FAIR * 24):
        items = [0, 1, 2, 3]
        draws.shuffle(items)
        counts[tuple(items)] += 1
    assert set(counts) == set(permutations(range(4)))
    assert is_fair(list(counts.values()))


def test_numbers_out_of_range_are_drawn_again() -> None:
    """A word above the last whole multiple of the limit is rejected, so that no outcome is favoured."""
    limit = 3 << 30
    words, draws = Draws("rejection"), Draws("rejection")
    kept = [word for _ in range(60) if (word := words.below(1 << 32)) < limit]
    assert len(kept) < 60
    assert [draws.below(limit) for _ in kept] == kept


@pytest.mark.parametrize("items", [[], [7]])
def test_nothing_to_shuffle(items: list[int]) -> None:
    """Nothing and one thing stay as they are."""
    before = list(items)
    Draws("a").shuffle(items)
    assert items == before


def is_fair(counts: list[int]) -> bool:
    """Whether the counts are as even as chance lets them be: chi-square below mean and four standard deviations."""
    free = len(counts) - 1
    chi_square = sum((count - FAIR) ** 2 for count in counts) / FAIR
    return chi_square <= free + 4 * sqrt(2 * free)
