"""What a host tells a server by SIGHUP: that its terminal is gone, or that it should reload."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

WAITS = """
import asyncio
from server.app.host import Signals

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
    script = "import os, fcntl, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0)" + WAITS.format(file=stopped)
    with subprocess.Popen([sys.executable, "-c", script], stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        with os.fdopen(ours, "rb", buffering=0) as terminal:
            assert terminal.readline() == b"waits\r\n"
            process.send_signal(signal.SIGHUP)
            assert terminal.readline() == b"reloads\r\n"
        assert process.wait(20) == 0
    assert stopped.exists()
