"""A figure beside its baseline, and how it is found; reports of several runs, and what has changed between two of them.

`accepted.json` beside this file is the report of the last accepted program: `quatch bench all --json --runs 5`.
"""

import asyncio
import time
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from pkgutil import resolve_name
from statistics import median, median_low
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from engine.errors import InputError
from server.bench import IN_ALL, all_benches
from server.command_line import print_lines

PERCENTS: Final[Mapping[str, float]] = {"half of all": 50, "all but 1 in 100": 99}
"""What is told of many times."""
MORE_IS_BETTER: Final = frozenset({"moves/s", "entries/s", "people"})
"""The units of which more is better; of times and memory less is."""
MARGIN: Final = 0.05
"""By this part of itself a ratio may lie outside those of a few runs without meaning anything."""
MARGIN_OF_ONE: Final = 0.25
"""The same for a report of a single run."""


class Figure(NamedTuple):
    """One figure of one run."""

    name: str
    """The same in every run. It begins with the name of the bench, and a colon."""
    value: float
    baseline: float | None
    """None if there is nothing to compare the figure with."""
    unit: str

    def __str__(self) -> str:
        value, unit, baseline, ratio = _shown(self.value), self.unit, "", ""
        if self.baseline is not None:
            baseline = _shown(self.baseline)
            ratio = "" if self.ratio is None else f"{self.ratio:.2f} x"
        return f"{value:>12} {unit:<10}{baseline:>12}{ratio:>12}   {self.name.partition(': ')[2]}"

    @property
    def ratio(self) -> float | None:
        """How many times the baseline the figure is; None if that says nothing."""
        if not self.baseline or not isfinite(self.value) or not isfinite(self.baseline):
            return None
        return self.value / self.baseline


Line: TypeAlias = str | Figure
"""What a bench yields: headings and notes are plain text. A heading says what the baselines are."""


def _shown(number: float) -> str:
    if not isfinite(number):
        return "none"
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.4g}"


def delays(name: str, seconds: Sequence[float], baseline: Sequence[float] = ()) -> Iterator[Figure]:
    """Milliseconds below which parts of these times lie; {} in the name stands for the part."""
    for part, percent in PERCENTS.items():
        theirs = 1e3 * percentile(baseline, percent) if baseline else None
        yield Figure(name.format(part), 1e3 * percentile(seconds, percent), theirs, "ms")


def percentile(values: Sequence[float], percent: float) -> float:
    """The value below which this share of all lie."""
    return sorted(values)[min(int(len(values) * percent / 100), len(values) - 1)]


def rate(work: Iterator[int], seconds: float) -> float:
    """Units a second of endless work, which yields how many units it has done since the last time."""
    begin, done = time.perf_counter(), 0
    while True:
        done += next(work)
        if (spent := time.perf_counter() - begin) >= seconds:
            return done / spent


async def until(is_so: Callable[[], bool], seconds: float) -> None:
    """Wait until this is so. Raises TimeoutError if it takes longer than so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            while not is_so():  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise TimeoutError(f"the server did not do what was awaited within {seconds:.0f} s") from None


class Measured(msgspec.Struct, frozen=True):
    """A figure of a report: the run with the median ratio, and the ratios of all runs."""

    name: str
    value: float
    baseline: float | None
    ratio: float | None
    """None if there is no baseline; then the median is that of the values."""
    unit: str
    ratios: list[float]
    """The ratio of each run. Without a baseline the values, which are not compared."""

    @property
    def range(self) -> tuple[float, float]:
        """The ratios that may come out again if nothing has changed."""
        margin = MARGIN if len(self.ratios) > 1 else MARGIN_OF_ONE
        return min(self.ratios) * (1 - margin), max(self.ratios) * (1 + margin)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What `quatch bench ... --json` writes. Other programs read it: the keys of a figure keep their names."""

    v: Literal[1] = 1
    figures: list[Measured]


def report_of(runs: Sequence[Sequence[Figure]]) -> Report:
    """The figures that every run could measure: JSON has no infinite numbers."""
    found = defaultdict[str, list[Figure]](list)
    for each in (figure for run in runs for figure in run):
        if each.ratio is not None or (each.baseline is None and isfinite(each.value)):
            found[each.name].append(each)
    return Report(figures=[_measured(every) for every in found.values() if len(every) == len(runs)])


def _measured(every: Sequence[Figure]) -> Measured:
    ratios = [each.value if each.ratio is None else each.ratio for each in every]
    middle = every[ratios.index(median_low(ratios))]
    return Measured(middle.name, middle.value, middle.baseline, middle.ratio, middle.unit, ratios)


def report_text(report: Report) -> str:
    """A report as JSON."""
    return msgspec.json.format(msgspec.json.encode(report)).decode()


def read_report(file: Path) -> Report:
    """The report in a file. Raises InputError if it is none, and OSError."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Report)
    except msgspec.MsgspecError as error:
        raise InputError("bad_request", f"{file} is no report of quatch bench --json: {error}") from None


def compare(old: Report, new: Report, *, as_json: bool = False) -> Generator[str, None, int]:
    """Which ratios have moved beyond noise, and which are in one report only. Returns 1 if one became worse.

    As JSON it is a report of every ratio of the new one beside that of the old one.
    """
    before, after = ({each.name: each for each in report.figures if each.ratio is not None} for report in (old, new))
    medians = {name: tuple(median(each[name].ratios) for each in (before, after)) for name in before if name in after}
    verdicts = {name: verdict(before[name], after[name]) for name in medians}
    moved = [word for word in verdicts.values() if word]
    if as_json:
        yield report_text(report_of([[Figure(name, now, was, "x") for name, (was, now) in medians.items()]]))
        return int("worse" in moved)
    for name, (was, now) in medians.items():
        if word := verdicts[name]:
            yield f"{word:<8}{was:>8.2f} x -> {now:>8.2f} x  {name}"
    for missing in before.keys() ^ after.keys():
        yield f"only in the {'old' if missing in before else 'new'} report: {missing}"
    yield f"{len(moved)} of {len(verdicts)} ratios have moved beyond noise."
    return int("worse" in moved)


def verdict(old: Measured, new: Measured) -> str:
    """`better` or `worse` if no ratio lies in the ranges of both, otherwise empty."""
    (old_low, old_high), (new_low, new_high) = old.range, new.range
    if new_low <= old_high and old_low <= new_high:
        return ""
    return "better" if (new_low > old_low) == (new.unit in MORE_IS_BETTER) else "worse"


def bench(options: Namespace) -> int:
    """Measure one part, or compare two reports. Raises InputError."""
    if options.what == "compare":
        if len(options.files) != 2:
            raise InputError("bad_request", "bench compare: name two files that quatch bench --json has written")
        return print_lines(compare(*map(read_report, options.files), as_json=options.json))
    if options.files:
        raise InputError("bad_request", f"bench {options.what}: no files, not {options.files[0]}")
    parts = IN_ALL if options.what == "all" else (options.what,)
    benches = [resolve_name(all_benches()[part]) for part in parts]
    if not options.json:
        if options.runs > 1:
            raise InputError("bad_request", f"bench {options.what}: several runs need --json, which tells their median")
        return max(print_lines(measure(options)) for measure in benches)
    if options.what == "attacks":
        raise InputError("bad_request", "bench attacks: it has limits and no ratios, so leave out --json")
    runs = [[line for measure in benches for line in measure(options)] for _ in range(options.runs)]
    report = report_of([[line for line in run if isinstance(line, Figure)] for run in runs])
    return print_lines(iter([report_text(report)]))
