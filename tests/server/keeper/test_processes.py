"""What a keeper hears of its processes, when it starts one again, and what a host tells it by signals."""

import asyncio
import os
import pty
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from server.keeper.child import Child, NotStarted
from server.keeper.link import READY, Alive, Failed, Welcome, line_of
from server.keeper.process_group import FIRST_DELAY, LIVED_SECONDS, LONGEST_DELAY, next_delay
from server.keeper.signals_and_exit import Signals
from server.keeper.spawn import Spawned, spawn


def ended_child(said: bytes) -> Child:
    """A process that ends with status 1 when it has said this."""
    ours, theirs = socket.socketpair()
    with theirs:
        theirs.sendall(said)
    return Child(0, Spawned(subprocess.Popen(["false"]), ours), lambda: None)


async def test_a_process_killed_in_the_middle_of_a_message_is_known_to_have_ended() -> None:
    """Its last line is half a message."""
    assert await ended_child(line_of(Alive(READY))[:-5]).ended() == 1


async def test_what_a_keeper_cannot_read_is_passed_over() -> None:
    """What comes next is heard."""
    with pytest.raises(NotStarted, match="no room"):
        await ended_child(b"nonsense\n" + line_of(Failed("no room", 1))).until_ready()


def test_a_process_whose_keeper_ends_in_the_middle_of_a_welcome_ends_too() -> None:
    """It does not wait for the rest."""
    process, link = spawn([sys.executable, "-m", "server", "serve"])
    with process:
        link.sendall(line_of(Welcome(0, b"", []))[:-5])
        link.close()
        try:
            assert process.wait(60) == 1
        finally:
            process.kill()


def test_a_process_that_dies_again_and_again_is_started_less_and_less_often() -> None:
    """Up to a limit; one that has lived for a while is started at once again."""
    delays = [0.0]
    for _ in range(8):
        delays.append(next_delay(delays[-1], 0.1))
    assert delays[1:4] == [FIRST_DELAY, 2 * FIRST_DELAY, 4 * FIRST_DELAY]
    assert delays[-1] == LONGEST_DELAY
    assert next_delay(LONGEST_DELAY, LIVED_SECONDS) == FIRST_DELAY


WAITS = """
import asyncio
from server.keeper.signals_and_exit import Signals

async def main():
    signals = Signals(lambda: None)
    async def reload():
        print("reloads", flush=True)
    print("waits", flush=True)
    await signals.reload_until_stop(reload)
    open(r"{file}", "w").close()

asyncio.run(main())
"""


def test_sighup_reloads_and_the_end_of_the_terminal_stops(tmp_path: Path) -> None:
    """First a signal while the terminal is there, and then the terminal goes."""
    stopped = tmp_path / "stopped"
    ours, theirs = pty.openpty()
    script = (
        "import os, fcntl, signal, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)"  # the tests may have been started by nohup
    ) + WAITS.format(file=stopped)
    with subprocess.Popen([sys.executable, "-c", script], stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        with os.fdopen(ours, "rb", buffering=0) as terminal:
            assert terminal.readline() == b"waits\r\n"
            process.send_signal(signal.SIGHUP)
            assert terminal.readline() == b"reloads\r\n"
        assert process.wait(20) == 0
    assert stopped.exists()


def test_a_server_that_nohup_has_started_outlives_its_terminal() -> None:
    """Nothing happens when the terminal goes; later the signal reloads."""
    before, has_terminal = signal.getsignal(signal.SIGHUP), [True, False, False]

    async def hang_up_twice() -> tuple[list[bool], list[bool]]:
        stopped: list[bool] = []
        signals, reloads = Signals(lambda: stopped.append(True), lambda: has_terminal.pop(0)), list[bool]()
        for _ in range(2):
            signal.raise_signal(signal.SIGHUP)
            await asyncio.sleep(0.01)
            reloads.append(signals.told_to_reload.is_set())
        return stopped, reloads

    try:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        assert asyncio.run(hang_up_twice()) == ([], [False, True])
    finally:
        signal.signal(signal.SIGHUP, before)
