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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final, cast

KILL_SECONDS: Final = 5.0
"""How long a server may take to end after SIGABRT."""


@contextmanager
def watchdog_process(limit: float) -> Iterator[Callable[[], None]]:
    """Run the process inside the context, which gets a function that sends a sign of life; 0 seconds runs none."""
    if not limit:
        yield lambda: None
        return
    command = [sys.executable, "-I", "-S", __file__, str(limit)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, bufsize=0) as process:  # noqa: S603 - our own script
        pipe = cast(IO[bytes], process.stdin)
        os.set_blocking(pipe.fileno(), False)

        def beat() -> None:
            # Never waits: a full pipe holds enough signs of life.
            with suppress(OSError):
                pipe.write(b".")

        yield beat


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
    # A signal to the whole group or terminal goes to this process, too: the server decides when it ends.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    watch(os.getppid(), float(sys.argv[1]))
