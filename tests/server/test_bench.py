"""What `quatch bench` prints; the figures themselves are the machine's."""

import pytest

from server.cli import main


def test_the_logs_figures_stand_beside_their_baseline(capsys: pytest.CaptureFixture[str]) -> None:
    """Throughput with its ratio, latency, and how late the event loop gets."""
    assert main(["bench", "log", "--seconds", "0"]) == 0
    baseline, grouped, *times = capsys.readouterr().out.splitlines()
    assert baseline.startswith("baseline: ")
    assert baseline.endswith("events a second")
    assert grouped.endswith("x baseline")
    assert len(times) == 3
    assert all("ms p50" in line and line.endswith("ms p99") for line in times)
