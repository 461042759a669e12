"""Softmax regression in plain Python: samples with features in, weights out."""

from collections.abc import Iterator, Sequence
from math import log
from random import Random
from typing import NamedTuple

from engine.ai.features import weighted_sums
from engine.ai.value import Features, softmax

RATE = 0.15
"""The step size; AdaGrad reduces it for frequent features."""
PULL = 1e-4
"""How strongly weights are pulled towards those with which fitting begins."""


class Sample(NamedTuple):
    """Options with their features, and the chance that each should have."""

    options: list[Features]
    chances: list[float]


def fit_epochs(
    samples: Sequence[Sample], begin: Sequence[float], rng: Random, epochs: int = 4
) -> Iterator[list[float]]:
    """Yield improved weights after each epoch; they are pulled towards ``begin``."""
    weights, steps = list(begin), [1e-2] * len(begin)
    for _ in range(epochs):
        for sample in rng.sample(samples, len(samples)):
            for option, share, chance in zip(
                sample.options, probabilities(sample.options, weights), sample.chances, strict=True
            ):
                error = share - chance
                for number, value in option:
                    slope = error * value + PULL * (weights[number] - begin[number])
                    steps[number] += slope * slope
                    weights[number] -= RATE * slope / steps[number] ** 0.5
        yield weights


def probabilities(options: list[Features], weights: Sequence[float]) -> list[float]:
    """The chances that these weights give to the options."""
    return softmax(weighted_sums(options, weights))


def loss(samples: Sequence[Sample], weights: Sequence[float]) -> float:
    """The mean cross entropy; lower is better."""
    total = 0.0
    for sample in samples:
        for share, chance in zip(probabilities(sample.options, weights), sample.chances, strict=True):
            total -= chance * log(max(share, 1e-9))
    return total / max(len(samples), 1)
