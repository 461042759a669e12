"""A server process as a host runs it: signals, closed streams, and an end that always comes."""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from server.app.signals_and_exit import (
    KILL_SECONDS,
    MAIN_ENDS_SECONDS,
    PROCESS_ENDS_SECONDS,
    SESSIONS_END_SECONDS,
    STOP_SECONDS,
)
from server.keeper.reload import NOT_RELOADED
from tests.support.hosted import children, kill_server
from tests.support.patience import PATIENCE
from tests.support.programs import SERVE, as_a_host

ROOT = Path(__file__).parents[3]
HOLD_THE_LOCK = "import ctypes; ctypes.PyDLL(None).sleep(60)"
"""Sleeps in C without giving up Python's global lock, as a panic in an extension does."""
STUCK = """
import asyncio, sys
from server.app import app, main_process, run_process
from server.cli.main import main
from server.keeper import keeper
async def stop(self): {stop}
app.App.stop = stop
run_process.STOP_SECONDS, run_process.PROCESS_ENDS_SECONDS = 0.2, 0.5
keeper.KILL_SECONDS = main_process.MAIN_ENDS_SECONDS = 3600  # the process has to end by itself
run_process.LOADED_LATE = "sys"  # nothing takes memory once it is ready
sys.exit(main(["serve", "--host", "127.0.0.1", "--port", "0"]))
"""


class ServerProcess(subprocess.Popen[str]):
    """A server that listens on this port."""

    port: int

    @property
    def child(self) -> int:
        """The number of the process in which the players are."""
        return children(self.pid)[0]


@contextmanager
def serve(folder: Path, *command: str, **environment: str) -> Iterator[ServerProcess]:
    """A real server, once it has printed its ready lines; killed at the end if it still runs."""
    settings = {"QUATCH_HOSTKEYS": str(folder), "QUATCH_DATA": str(folder), **environment}
    with ServerProcess(
        command or SERVE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=as_a_host(**settings),
    ) as server:
        try:
            assert server.stdout is not None
            ready, _, number = server.stdout.readline().rpartition(" ")
            assert ready == "ready ssh 127.0.0.1"
            server.port = int(number)
            for _ in range(2):
                server.stdout.readline()
            yield server
        finally:
            kill_server(server.pid)


def test_a_game_that_nobody_reads_any_more_ends_without_a_traceback(tmp_path: Path) -> None:
    """As in `quatch play | head -1`."""
    command = [sys.executable, "-m", "server", "play", "--seed", "pipe"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, cwd=ROOT, env=as_a_host(QUATCH_DATA=str(tmp_path)), **pipes) as player:  # type: ignore[call-overload]
        player.stdout.readline()
        player.stdout.close()
        player.stdin.write("ready\nwhere\n")
        player.stdin.close()
        assert player.wait(30) == 0
        assert player.stderr.read() == ""


def test_a_server_whose_standard_error_is_closed_serves(tmp_path: Path) -> None:
    """No socket or file takes the number of the closed stream. Ctrl-C ends it."""
    command = f"exec {sys.executable} -m server serve --host 127.0.0.1 --port 0 2>&-"
    with serve(tmp_path, "sh", "-c", command) as server:
        for process in (server.pid, server.child):
            assert Path(f"/proc/{process}/fd/2").readlink() == Path("/dev/null")
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) == 0


def test_a_server_says_when_it_has_no_file_descriptors_and_what_it_does_when_asked(tmp_path: Path) -> None:
    """Without free ones, in one line, it serves those who are there, and a newcomer as soon as others have gone.

    SIGUSR1 prints the stacks, for an operator who wants to see what it is doing, and ends nothing.
    """
    with serve(tmp_path) as server:
        used = len(list(Path(f"/proc/{server.child}/fd").iterdir()))
        resource.prlimit(server.child, resource.RLIMIT_NOFILE, (used + 3, used + 3))
        address = ("127.0.0.1", server.port)
        with ExitStack() as connections:
            first, *_ = [connections.enter_context(socket.create_connection(address, 10)) for _ in range(9)]
            assert server.stderr is not None
            assert json.loads(server.stderr.readline())["problem"] == "Too many open files"
            assert first.recv(4) == b"SSH-"
        with socket.create_connection(address, 10) as newcomer:
            assert newcomer.recv(4) == b"SSH-"
        server.send_signal(signal.SIGUSR1)
        while "most recent call first" not in (line := server.stderr.readline()):
            assert json.loads(line)["level"] != "error"
        assert server.poll() is None
        server.terminate()
        assert server.wait(PATIENCE) == 0
        assert '"level": "error"' not in server.stderr.read()


def test_a_server_without_memory_ends_in_time_when_it_is_told_to(tmp_path: Path) -> None:
    """Though Python cannot run, and there is no memory for the thread of the usual timer."""
    with serve(tmp_path, sys.executable, "-c", STUCK.format(stop=HOLD_THE_LOCK)) as server:
        pages = int(Path(f"/proc/{server.child}/statm").read_text("ascii").split()[0])
        resource.prlimit(server.child, resource.RLIMIT_AS, (pages * resource.getpagesize(),) * 2)
        server.terminate()
        assert server.wait(PATIENCE) == 1


def test_a_program_that_cannot_serve_does_not_take_the_place_of_the_old_process(tmp_path: Path) -> None:
    """At a reload. It does not count as ready."""
    broken = tmp_path / "broken"
    code = f"""
import sys
from pathlib import Path
from server.app import app
from server.cli.main import main
serve = app.App.serve
def serve_or_fail(self, stop, number):
    if Path({str(broken)!r}).exists(): raise RuntimeError("no threads")
    serve(self, stop, number)
app.App.serve = serve_or_fail
sys.exit(main(["serve", "--host", "127.0.0.1", "--port", "0"]))
"""
    with serve(tmp_path, sys.executable, "-c", code) as server:
        first = server.child
        broken.touch()
        server.send_signal(signal.SIGHUP)
        assert server.stderr is not None
        while "reloaded" not in (line := server.stderr.readline()):
            assert line
        assert NOT_RELOADED in line
        assert "ended with status 1 before it was ready" in line
        assert children(server.pid) == [first]


def test_a_process_in_which_python_cannot_run_is_ended_and_started_again(tmp_path: Path) -> None:
    """Its keeper needs no lock of the process's, and does not take one that is suspended for one that hangs."""
    code = f"""
import asyncio, signal, sys
from server.app import app
from server.cli.main import main
start = app.App.start
def hold(): {HOLD_THE_LOCK}
async def start_so_that_it_can_be_held(self):
    asyncio.get_running_loop().add_signal_handler(signal.SIGWINCH, hold)
    return await start(self)
app.App.start = start_so_that_it_can_be_held
sys.exit(main(["serve", "--host", "127.0.0.1", "--port", "0"]))
"""
    with serve(tmp_path, sys.executable, "-c", code, QUATCH_WATCHDOG="1") as server:
        first = server.child
        os.kill(first, signal.SIGSTOP)
        time.sleep(3)
        os.kill(first, signal.SIGCONT)
        with pytest.raises(subprocess.TimeoutExpired):
            server.wait(1)
        assert server.child == first
        os.kill(first, signal.SIGWINCH)
        assert server.stderr is not None
        errors = ""
        while "a process has ended" not in errors:
            errors += server.stderr.readline()
        assert "gives no sign of life" in errors
        assert "in hold" in errors
        assert "signal SIGABRT" in errors
        with socket.create_connection(("127.0.0.1", server.port), 20) as newcomer:
            assert newcomer.recv(4) == b"SSH-"
        assert server.child != first
        server.terminate()
        assert server.wait(PATIENCE) == 0


HANG_LATER = "import time; asyncio.get_running_loop().run_in_executor(None, time.sleep, 60)"
"""The stop returns, but Python waits for a thread at its end."""


def test_a_stop_that_hangs_ends_within_five_seconds(tmp_path: Path) -> None:
    """Although Python waits for a thread, as well as if it waits for something else; here it has less time."""
    assert SESSIONS_END_SECONDS < STOP_SECONDS < PROCESS_ENDS_SECONDS < KILL_SECONDS < MAIN_ENDS_SECONDS < 5
    with serve(tmp_path, sys.executable, "-c", STUCK.format(stop=HANG_LATER)) as server:
        server.terminate()
        assert server.wait(PATIENCE) == 1
