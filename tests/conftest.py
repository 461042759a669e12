"""How the tests are run, a PostgreSQL for them, and what pytest prints of the long tests at its end."""

import gc
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import apsw
import pytest

from server.features import FEATURES
from server.storage import sqlite_database
from server.storage.sqlite_file import make_schema
from tests.soak import Figure
from tests.support.postgres import Postgres, running_postgres

_FIGURE = "figure"
TESTS: Final = Path(__file__).parent

os.environ["TZ"] = "UTC"  # screens show dates in the time of the server; programs that tests start take it over
time.tzset()
gc.set_threshold(20_000)  # with Python's 700, a seventh of the time goes into looking for garbage
gc.disable()  # until all tests are collected: what is made until then stays
_empty = apsw.Connection(":memory:")
make_schema(_empty)
_schema = _empty.serialize("main")
vars(sqlite_database)["make_schema"] = lambda db: db.deserialize("main", _schema)  # thousands are in memory


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Figure:
    """Tells what this test has tried and found."""
    return lambda text: record_property(_FIGURE, text)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server, for all tests of this process that want one. No test stops it."""
    if "postgres" not in FEATURES:
        pytest.skip("without postgres")
    with running_postgres() as server:
        yield server


@pytest.fixture
def database(postgres: Postgres) -> str:
    """The URL of an empty database in PostgreSQL."""
    pytest.importorskip("asyncpg", reason="asyncpg is not installed: make setup")
    return postgres.empty_database()


def pytest_xdist_auto_num_workers() -> int:
    """Run two processes of tests more than there are cores, for many tests wait for real programs."""
    return (os.cpu_count() or 1) + 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests of the whole first, one after the other in one process: they read all modules, which takes long."""
    items.sort(key=lambda item: item.path.parent != TESTS)


def pytest_collection_finish() -> None:
    """Never look for garbage among the modules and the collected tests: they stay until the end."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Nor among what the tests of earlier files have left, as games that are kept for others: there is ever more."""
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


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
