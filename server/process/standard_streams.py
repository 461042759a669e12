"""Standard input, output and error of this process."""

import os
import sys
from typing import Final

STDOUT: Final = 1


def open_standard_streams() -> None:
    """Open what the parent process has closed of the three standard streams, on the null device.

    Otherwise the first socket or file takes their number, and what is printed goes into it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - lasts as long as the process
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def is_at_terminal() -> bool:
    """Whether this process is in the foreground of a terminal at which somebody types and reads."""
    try:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            return False
        os.ttyname(sys.stdout.fileno())
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError):
        return False


def drop_standard_output() -> None:
    """Write to the null device from now on, if nobody reads standard output; at its end Python would try again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, STDOUT)
    os.close(nowhere)
