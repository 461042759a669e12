"""What the long tests have tried stands at the end of what pytest prints."""

from collections.abc import Callable

import pytest

from tests.soak import Figure

_FIGURE = "figure"


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Figure:
    """Tells what this test has tried and found."""
    return lambda text: record_property(_FIGURE, text)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the figures."""
    found = [
        (report.nodeid.rpartition("::")[2], text)
        for report in terminalreporter.getreports("passed")
        for name, text in report.user_properties
        if name == _FIGURE
    ]
    if found:
        terminalreporter.section("figures")
        for test, text in found:
            terminalreporter.write_line(f"{text} ({test})")
