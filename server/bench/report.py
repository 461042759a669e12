"""Figures of several runs as JSON, and what has changed from one report to another.

`accepted.json` beside this file is that of the last accepted program, from `quatch bench all --json --runs 5`.
"""

from collections.abc import Generator, Sequence
from math import isfinite
from pathlib import Path
from statistics import median
from typing import Final, Literal, TypeAlias

import msgspec

from engine.errors import InputError
from server.bench.figures import Figure

MORE_IS_BETTER: Final = frozenset({"entries/s", "games/s", "moves/s", "people"})
"""The units of which more is better; of times and memory less is."""
MARGIN: Final = 0.05
"""By this part of itself a ratio may lie outside the spread of a few runs without meaning anything."""
MARGIN_OF_ONE: Final = 0.25
"""The same for a report of a single run, of which no spread is known."""

Spread: TypeAlias = tuple[float, float]


class Ratio(msgspec.Struct, frozen=True, omit_defaults=True):
    """A figure beside its baseline: the run with the median ratio, and the smallest and largest ratio of all runs."""

    name: str
    value: float
    baseline: float
    ratio: float
    unit: str
    spread: Spread | None = None
    """None for a single run."""

    def range(self) -> Spread:
        """The ratios that may come out again if nothing has changed."""
        margin = MARGIN_OF_ONE if self.spread is None else MARGIN
        low, high = self.spread or (self.ratio, self.ratio)
        return low * (1 - margin), high * (1 + margin)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What `quatch bench ... --json` writes."""

    v: Literal[1] = 1
    figures: list[Ratio]


def report_of(runs: Sequence[Sequence[Figure]]) -> Report:
    """The figures that every run could measure beside a baseline: JSON has no infinite numbers."""
    by_name = [{figure.name: figure for figure in run if figure.baseline and _is_measured(figure)} for run in runs]
    names = [name for name in by_name[0] if all(name in run for run in by_name)]
    return Report(figures=[_ratio([run[name] for run in by_name]) for name in names])


def _is_measured(figure: Figure) -> bool:
    return isfinite(figure.value) and isfinite(figure.baseline)


def _ratio(figures: Sequence[Figure]) -> Ratio:
    ratios = [figure.ratio for figure in figures]
    middle = min(figures, key=lambda figure: abs(figure.ratio - median(ratios)))
    spread = (min(ratios), max(ratios)) if len(ratios) > 1 else None
    return Ratio(middle.name, middle.value, middle.baseline, middle.ratio, middle.unit, spread)


def report_text(report: Report) -> str:
    """A report as JSON."""
    return msgspec.json.format(msgspec.json.encode(report)).decode()


def read_report(file: Path) -> Report:
    """The report in a file. Raises InputError if it is none, and OSError."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Report)
    except msgspec.MsgspecError as error:
        raise InputError("bad_request", f"{file} is no report of quatch bench --json: {error}") from None


def compare(old: Report, new: Report) -> Generator[str, None, int]:
    """Which ratios have moved beyond noise, and which are in one report only. Returns 1 if one became worse."""
    before, after = ({figure.name: figure for figure in report.figures} for report in (old, new))
    verdicts = {name: verdict(before[name], after[name]) for name in before if name in after}
    for name, word in verdicts.items():
        if word:
            yield f"{word:<8}{before[name].ratio:>8.2f} x -> {after[name].ratio:>8.2f} x  {name}"
    for missing in before.keys() ^ after.keys():
        yield f"only in the {'old' if missing in before else 'new'} report: {missing}"
    moved = [word for word in verdicts.values() if word]
    yield f"{len(moved)} of {len(verdicts)} ratios have moved beyond noise."
    return int("worse" in moved)


def verdict(old: Ratio, new: Ratio) -> str:
    """`better` or `worse` if no ratio lies in the ranges of both, otherwise empty."""
    (old_low, old_high), (new_low, new_high) = old.range(), new.range()
    if new_low <= old_high and old_low <= new_high:
        return ""
    return "better" if (new.ratio > old.ratio) == (new.unit in MORE_IS_BETTER) else "worse"
