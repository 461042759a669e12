"""`quatch bench --json` and `quatch bench compare`, with figures that are made up."""

import argparse
import json
from collections.abc import Iterator
from itertools import count
from math import inf
from pathlib import Path
from typing import Final

import pytest

from server.bench.figures import Figure, Ratio, Report, Spread, compare, read_report, report_of, report_text, verdict
from server.cli.developer_arguments import BENCHES, IN_ALL
from server.cli.main import main

ACCEPTED: Final = Path(__file__).parents[3] / "server" / "bench" / "accepted.json"
MEASURED: Final = count(1)
"""The values of a bench that is made up."""


def made_up(_: argparse.Namespace) -> Iterator[str | Figure]:
    """What it yields."""
    yield from ("a heading", Figure("bench: a", float(next(MEASURED)), 10.0, "ms"))


def ratio(value: float, spread: Spread | None, unit: str = "ms") -> Ratio:
    """A figure of a report, beside 1."""
    return Ratio("x", value, 1.0, value, unit, spread)


def test_a_report_has_the_run_in_the_middle_and_the_spread_of_all() -> None:
    """In the published form; what has no answer, or is not in every run, is left out."""
    runs = [[Figure("a", value, 10.0, "ms"), Figure("b", 1.0, 0.0, "ms")] for value in (30.0, 20.0, 50.0)]
    runs[0].append(Figure("c", 1.0, 10.0, "ms"))
    for run in runs:
        run += [Figure("d", inf, 10.0, "ms"), Figure("e", 1.0, inf, "ms"), Figure("f", run[0].value, None, "ms")]
    written = json.loads(report_text(report_of(runs)))
    found, alone = written["figures"]
    assert written["v"] == 1
    assert found == {"name": "a", "value": 30.0, "baseline": 10.0, "ratio": 3.0, "unit": "ms", "spread": [2.0, 5.0]}
    assert alone == {"name": "f", "value": 30.0, "baseline": None, "ratio": None, "unit": "ms"}
    assert "spread" not in json.loads(report_text(report_of(runs[:1])))["figures"][0]


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        (ratio(4.0, (3.8, 4.2)), ratio(4.3, (4.1, 4.4)), ""),
        (ratio(4.0, (3.8, 4.2)), ratio(4.5, (4.4, 4.6)), ""),
        (ratio(4.0, (3.8, 4.2)), ratio(5.0, (4.8, 5.1)), "worse"),
        (ratio(4.0, (3.8, 4.2)), ratio(3.0, (2.9, 3.1)), "better"),
        (ratio(0.6, (0.5, 0.7), "moves/s"), ratio(1.1, (1.0, 1.2), "moves/s"), "better"),
        (ratio(0.3, (0.3, 0.3), "people"), ratio(0.2, (0.2, 0.2), "people"), "worse"),
        (ratio(4.0, None), ratio(5.0, None), ""),
        (ratio(4.0, None), ratio(7.0, None), "worse"),
    ],
)
def test_a_ratio_has_moved_if_no_run_of_one_report_could_be_one_of_the_other(old: Ratio, new: Ratio, word: str) -> None:
    """Less is better, except of what is done in a time and of people; a single run may lie further from others."""
    assert verdict(old, new) == word


def test_what_has_moved_is_told_and_what_became_worse_is_the_exit_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line each; names that only one report has are told, too."""
    old, new = (tmp_path / name for name in ("old", "new"))
    figures = [ratio(4.0, (3.8, 4.2)), Ratio("same", 1.0, 1.0, 1.0, "ms"), Ratio("gone", 1.0, 1.0, 1.0, "ms")]
    old.write_text(report_text(Report(figures=figures)))
    new.write_text(report_text(Report(figures=[ratio(6.0, (5.5, 6.5)), figures[1]])))
    assert main(["bench", "compare", str(old), str(new)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "worse       4.00 x ->     6.00 x  x",
        "only in the old report: gone",
        "1 of 2 ratios have moved beyond noise.",
    ]
    assert main(["bench", "compare", str(new), str(old)]) == 0
    assert "better      6.00 x ->     4.00 x  x" in capsys.readouterr().out


def test_the_accepted_ratios_can_be_compared() -> None:
    """Those of the last accepted program, with their spread: nothing has moved from them to themselves."""
    accepted = read_report(ACCEPTED)
    assert {figure.name.partition(":")[0] for figure in accepted.figures} <= set(IN_ALL)
    assert all(figure.spread for figure in accepted.figures)
    *lines, summary = compare(accepted, accepted)
    assert lines == []
    assert summary.startswith("0 of ")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["compare", "one"], "bench compare: name two files"),
        (["engine", "one"], "bench engine: no files, not one"),
        (["attacks", "--json"], "bench attacks: it has limits and no ratios"),
        (["engine", "--runs", "0"], "1 to 99, not '0'"),
    ],
)
def test_what_a_bench_cannot_do_is_told(capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str) -> None:
    """In one line, with the status of wrong usage."""
    try:
        status: object = main(["bench", *arguments])
    except SystemExit as end:
        status = end.code
    assert status == 2
    assert problem in capsys.readouterr().err


def test_a_file_that_is_no_report_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With what is wrong in it."""
    file = tmp_path / "x"
    file.write_text('{"v":2,"figures":[]}')
    assert main(["bench", "compare", str(file), str(file)]) == 2
    assert f"{file} is no report of quatch bench --json" in capsys.readouterr().err


def test_all_benches_are_one_report_or_their_lines_one_after_the_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `--json` only the figures, of as many runs as were asked for."""
    for name in IN_ALL:
        monkeypatch.setitem(BENCHES, name, f"{__name__}:made_up")
    assert main(["bench", "all"]) == 0
    heading, line, *_ = capsys.readouterr().out.splitlines()
    assert heading == "a heading"
    assert line.split() == ["1", "ms", "10", "0.10", "x", "a"]
    assert main(["bench", "engine", "--json", "--runs", "3"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["figures"]
    first = len(IN_ALL) + 1
    assert found["spread"] == [first / 10, (first + 2) / 10]
