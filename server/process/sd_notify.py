"""Tells the service manager how the server is, as sd_notify(3) does."""

import os
import socket
import time
from contextlib import suppress
from typing import Final

VARIABLE: Final = "NOTIFY_SOCKET"
"""The environment variable with the service manager's address."""
MORE_TIME: Final = "EXTEND_TIMEOUT_USEC=120000000"
"""A state: the start takes two minutes more."""


def notify(state: str) -> None:
    """Send the service manager a state; does nothing without one."""
    if address := os.environ.get(VARIABLE, ""):
        # "@" stands for an abstract socket, which begins with a zero byte.
        address = "\0" + address[1:] if address.startswith("@") else address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.setblocking(False)  # noqa: FBT003 - no name is taken
            manager.sendto(state.encode(), address)


def notify_reloading() -> None:
    """Say that the server takes new settings; `READY=1` says that it has ended that."""
    notify(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")
