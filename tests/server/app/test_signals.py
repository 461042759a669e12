"""What a host tells a server by signals."""

import asyncio
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

from server.app.signals_and_exit import Signals

WAITS = """
import asyncio
from server.app.signals_and_exit import Signals

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
