"""A second watchdog, in a process of its own: it needs no lock of the process that it watches.

The thread in `watchdog` cannot run while other code holds Python's global lock, as a panic in a C or Rust extension may
do for ever. This process waits for signs of life on its standard input. If none comes for twice the limit, it has the
server print its stacks and end (SIGABRT), and kills it if that does not help. Run as a script, with the limit in
seconds as its only argument; it imports nothing of the server, so it starts quickly and stays small.
"""

import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

KILL_SECONDS: Final = 5.0
"""How long a server may take to end after SIGABRT."""


class WatchdogProcess:
    """Runs the process for as long as its ``with`` block lasts; a limit of 0 seconds runs none."""

    def __init__(self, limit: float) -> None:
        """``limit``: seconds without a sign of life, twice in a row, after which the server is ended."""
        self._limit = limit
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        if self._limit:
            command = [sys.executable, "-I", "-S", __file__, str(self._limit)]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, bufsize=0)  # noqa: S603 - our own script
        return self

    def beat(self) -> None:
        """Send a sign of life. Never waits: a full pipe holds enough of them."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.write(b".")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait()


def watch(server: int, limit: float) -> None:
    """Wait for signs of life on standard input; return when it is closed, or when the server has been ended."""
    missed = 0
    while missed < 2:
        ready, _, _ = select.select([0], [], [], limit)
        if ready:
            if not os.read(0, 4096):
                return
            missed = 0
        elif not _is_stopped(server):
            # Twice: after a pause of the whole machine the first wait ends before the server could do anything.
            missed += 1
    sys.stderr.write(f"quatch: the server gave no sign of life for {2 * limit:g} seconds, ending it\n")
    with suppress(ProcessLookupError):
        os.kill(server, signal.SIGABRT)
        select.select([0], [], [], KILL_SECONDS)  # its end closes the pipe
        if os.getppid() == server:
            os.kill(server, signal.SIGKILL)


def _is_stopped(process: int) -> bool:
    """Whether a process is suspended (SIGSTOP, a debugger); unknown counts as no."""
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0] in {"T", "t"}
    except OSError:
        return False


if __name__ == "__main__":
    # Ctrl-C in the server's terminal goes to this process, too: the server decides when it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    watch(os.getppid(), float(sys.argv[1]))
