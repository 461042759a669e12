"""The thread that watches the event loop: what it counts, tells and ends."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from structlog.testing import capture_logs

from server.blocked_loop import ASK_SECONDS, Watchdog
from server.features import FEATURES
from server.process.counters import Counters
from tests.support.hosted import kill_server
from tests.support.programs import as_a_host

ROOT = Path(__file__).parents[3]
WITHOUT = ",".join({"keeper"} & {*FEATURES})
"""A keeper would start the process again."""


class Watched:
    """A watchdog whose clocks stand still until told otherwise. The loop answers whenever the test waits."""

    def __init__(self, limit: float = 10.0) -> None:
        self.now = self.worked = 0.0
        self.counters = Counters()
        self.aborted_at = list[float]()
        self.dog = Watchdog(
            self.counters,
            limit,
            abort=lambda: self.aborted_at.append(self.now),
            clock=lambda: self.now,
            worked=lambda: self.worked,
        )

    def pass_time(self, seconds: float) -> None:
        """The watchdog looks as often as it does, and the loop does not come to answer."""
        for _ in range(round(seconds / ASK_SECONDS)):
            self.now += ASK_SECONDS
            self.dog.check()


async def test_a_loop_that_answers_is_measured() -> None:
    """The lag is measured from the question to the answer."""
    watched = Watched()
    for lag in (0.25, 0.5):
        watched.now += lag
        await asyncio.sleep(0)
        watched.dog.check()
    lags = watched.counters.loop_lag_seconds
    assert (sum(lags.counts), lags.total) == (2, 0.75)
    assert watched.counters.loop_stalls.value == 0


async def test_a_loop_held_up_is_told_once_with_what_it_does() -> None:
    """After two seconds, in one line that names the place in the code; held up again, again."""
    watched = Watched()
    for times in (1, 2):
        with capture_logs() as lines:
            watched.pass_time(2.0)
            assert not lines
            watched.pass_time(6.0)
        (line,) = lines
        assert (line["event"], line["seconds"]) == ("event loop held up", 2.5)
        assert "test_a_loop_held_up_is_told_once" in line["loop"]
        await asyncio.sleep(0)
        watched.dog.check()
        assert watched.counters.loop_stalls.value == times
    assert watched.aborted_at == []


async def test_a_loop_that_never_answers_ends_the_process() -> None:
    """When the limit is over, not before, having said where it is stuck; without a limit never."""
    watched, endless = Watched(), Watched(limit=0)
    watched.pass_time(10.0)
    assert watched.aborted_at == []
    with capture_logs() as lines:
        watched.pass_time(0.5)
        endless.pass_time(3600.0)
    assert (watched.aborted_at, endless.aborted_at) == ([10.5], [])
    assert [line["event"] for line in lines] == ["event loop answers no more, aborting", "event loop held up"]


async def test_a_process_that_stood_still_is_not_blamed() -> None:
    """Stopped, or asleep with its machine, for an hour: the loop has its time from then on."""
    watched = Watched()
    watched.pass_time(8.0)
    with capture_logs() as lines:
        watched.now += 3600.0
        watched.dog.check()
        watched.pass_time(1.5)
    assert not lines
    await asyncio.sleep(0)
    watched.dog.check()
    assert watched.counters.loop_lag_seconds.total == 1.5
    watched.pass_time(10.5)
    assert len(watched.aborted_at) == 1


async def test_time_that_something_kept_python_to_itself_counts() -> None:
    """The watchdog could not run either, but the process was busy."""
    watched = Watched()
    watched.now += 3.0
    watched.worked += 3.0
    with capture_logs() as lines:
        watched.dog.check()
    assert [line["seconds"] for line in lines] == [3.0]


async def test_its_thread_ends_with_it() -> None:
    """Nothing is left."""
    before = threading.enumerate()
    with Watchdog(Counters(), 10.0).running():
        assert len(threading.enumerate()) == len(before) + 1
    assert threading.enumerate() == before


STARTED = """
import asyncio, signal, sys, time
from server.app import app
from server.cli import main as cli
from server import blocked_loop
start = app.App.start
async def start_so_that_it_can_be_held_up(self):
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, {held_up})
    return await start(self)
app.App.start = start_so_that_it_can_be_held_up
blocked_loop.LOG_SECONDS, blocked_loop.ASK_SECONDS, blocked_loop.OVERSLEPT_SECONDS = 0.2, 0.1, 0.2
sys.exit(cli.main(["serve", "--host", "127.0.0.1", "--port", "0"]))
"""


@contextmanager
def serve(tmp_path: Path, held_up: str) -> "Iterator[subprocess.Popen[str]]":
    """A real server whose process is held up by SIGUSR1, as soon as it is ready; its limit is a second."""
    with subprocess.Popen(
        [sys.executable, "-c", STARTED.format(held_up=held_up)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=as_a_host(
            QUATCH_HOSTKEYS=str(tmp_path), QUATCH_DATA=str(tmp_path), QUATCH_WATCHDOG="1", QUATCH_WITHOUT=WITHOUT
        ),
    ) as server:
        assert server.stdout is not None
        for _ in range(3):
            server.stdout.readline()
        try:
            yield server
        finally:
            kill_server(server.pid)


def test_a_process_held_up_aborts_and_one_that_was_stopped_does_not(tmp_path: Path) -> None:
    """For real: stopped and continued it lives; held up it says where, and aborts."""
    with serve(tmp_path, "time.sleep, 60") as server:
        os.kill(server.pid, signal.SIGSTOP)
        time.sleep(1.2)  # more than its limit
        os.kill(server.pid, signal.SIGCONT)
        time.sleep(0.3)  # it has looked, and would have aborted
        assert server.poll() is None
        os.kill(server.pid, signal.SIGUSR1)
        _, errors = server.communicate()
    line, *dump = errors.splitlines()
    assert json.loads(line)["event"] == "event loop answers no more, aborting"
    assert "in _run_once" in json.loads(line)["loop"]
    assert (dump[0], server.returncode) == ("Fatal Python error: Aborted", -signal.SIGABRT)


def test_a_process_that_cannot_even_say_so_ends(tmp_path: Path) -> None:
    """The log that holds it up is not read, so a line about it would wait for ever as well."""
    with serve(tmp_path, "lambda: print('x' * 1_000_000, file=sys.stderr)") as server:
        os.kill(server.pid, signal.SIGUSR1)
        assert server.wait(20) == -signal.SIGALRM
