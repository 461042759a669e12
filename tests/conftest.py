"""How the tests are run, a PostgreSQL for them, and what pytest prints of the long tests at its end."""

import gc
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
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
signal.signal(signal.SIGINT, signal.default_int_handler)  # programs take it over; a script's background ignores it
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


def pytest_configure(config: pytest.Config) -> None:
    """Make the markers known."""
    config.addinivalue_line("markers", "computing_takes_time: players wait in the real fair queue")
    config.addinivalue_line("markers", "virtual_time: nothing waits; for tests without sockets and threads")
    config.addinivalue_line("markers", "waiting_takes_no_time: for servers and clients that are all in this process")
    config.addinivalue_line("markers", "needs(*programs): skipped where a system program is missing, but never in CI")
    config.addinivalue_line("markers", "features(*names): skipped where one of them has been taken out")


def pytest_xdist_auto_num_workers() -> int:
    """Run two processes of tests more than there are cores, for many tests wait for real programs."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Read the tests, each process beginning with another one: what one has compiled the others find compiled.

    To collect them, all read the same file at the same time. What cannot be read is said there.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    paths = [Path(argument.partition("::")[0]) for argument in session.config.args]
    files = sorted({file for path in paths for file in (path.rglob("test_*.py") if path.is_dir() else [path])})
    begin = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for file in files[begin:] + files[:begin]:
        name = file.absolute().relative_to(TESTS.parent).with_suffix("")
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(name.parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests of the whole first, one after the other in one process: they read all modules, which takes long.

    Then those of the keeper, which wait longest for programs: the other processes have much to compute meanwhile.
    """
    items.sort(key=lambda item: (item.path.parent != TESTS, item.path.parent.name != "keeper"))


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
