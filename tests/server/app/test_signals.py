"""What a host tells a server by signals."""

import asyncio
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from server.app import signals_and_exit

WAITS = """
import asyncio, fcntl, os, termios
from pathlib import Path
from server.app import signals_and_exit

async def main():
    signals = signals_and_exit.Signals(lambda: None)
    async def reload(*, is_hang_up):
        is_hang_up or Path(r"{reloaded}").touch()
    print("waits", flush=True)
    await signals.reload_until_stop(reload)

os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signals_and_exit.GONE_SECONDS = 0.1
asyncio.run(main())
"""


def test_a_server_outlives_its_terminal(tmp_path: Path) -> None:
    """It takes new settings when it is told to, before and after that, and stops when it is told to."""
    reloaded = tmp_path / "reloaded"
    ours, theirs = pty.openpty()
    script = WAITS.format(reloaded=reloaded)
    with subprocess.Popen([sys.executable, "-c", script], stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        with os.fdopen(ours, "rb", buffering=0) as terminal:
            assert terminal.readline() == b"waits\r\n"
            hang_up_until(reloaded, process)
            reloaded.unlink()
        hang_up_until(reloaded, process)
        process.terminate()
        assert process.wait(20) == 0


def hang_up_until(reloaded: Path, process: "subprocess.Popen[bytes]") -> None:
    """Send it SIGHUP until it has reloaded: while its terminal goes it takes that for the same news."""
    while not reloaded.exists():
        assert process.poll() is None
        process.send_signal(signal.SIGHUP)
        time.sleep(0.05)


def test_that_the_terminal_is_gone_is_no_reload(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shell says it, and the kernel when the shell has ended. A signal long after that is a reload."""
    before, there = signal.getsignal(signal.SIGHUP), iter([True, False, False, False])
    monkeypatch.setattr(signals_and_exit, "has_controlling_terminal", lambda: next(there))

    async def reloads() -> list[bool]:
        signals, found = signals_and_exit.Signals(lambda: None), list[bool]()

        async def reload(*, is_hang_up: bool) -> None:
            found.append(not is_hang_up)

        reloading = asyncio.create_task(signals.reload_until_stop(reload))
        for seconds in (signals_and_exit.GONE_SECONDS, signals_and_exit.GONE_SECONDS, 0.0):
            monkeypatch.setattr(signals_and_exit, "GONE_SECONDS", seconds)
            signal.raise_signal(signal.SIGHUP)
            await asyncio.sleep(0.01)
        signals.stop()
        await reloading
        return found

    try:
        assert asyncio.run(reloads()) == [False, False, True]
    finally:
        signal.signal(signal.SIGHUP, before)
